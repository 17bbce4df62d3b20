"""What a study is told: values, labels, what cannot be had, and corrections."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..common.warn import warn_user
from ..errors import StudyError
from .asks import StudyAsk
from .names import ask_number, example_name, in_words
from .part import StudyPart
from .store.base import Told


class Telling(StudyPart):
    """The facts of a study."""

    def tell(
        self,
        ask: StudyAsk | int,
        values: Mapping[str, Any] | None = None,
        label: Any = None,
        *,
        not_obtainable: Mapping[str, str] | None = None,
        person: str | None = None,
    ) -> Told:
        """Record results of an ask: one by one or together, in any order, however late.

        Parameters
        ----------
        ask : StudyAsk or int
            The ask, or its number.
        values : dict of str to value, default=None
            Values by the names of attributes; a pair (value, unit) is checked against the unit of the attribute.
        label : float or str, default=None
            The label, if it is there.
        not_obtainable : dict of str to str, default=None
            Attributes whose values cannot be had, each with the reason.
        person : str, default=None
            Who tells.

        Returns
        -------
        Told
            What is new, what was told before, and what contradicts an earlier value. All of it was recorded, or
            nothing, if an error was raised.
        """
        number = ask_number(ask)
        place = f"ask {number}"
        return self._record(place, values, label, not_obtainable, person, ask=number)

    def tell_found(
        self, example: Any, values: Mapping[str, Any] | None = None, label: Any = None, *, person: str | None = None
    ) -> Told:
        """Record values that were found without an ask, as in an old record; nobody knows with which probability.

        They cost nothing, are learned from, and are left out of estimates of the error.

        Parameters
        ----------
        example : str
            The name of the example, which must be there.
        values : dict of str to value, default=None
            Values by the names of attributes.
        label : float or str, default=None
            The label, if it is there.
        person : str, default=None
            Who tells.

        Returns
        -------
        Told
            What is new, what was told before, and what contradicts an earlier value.
        """
        name = example_name(example)
        return self._record(f"example {name!r}", values, label, None, person, example=name)

    def label(self, example: Any, label: Any, *, person: str | None = None) -> Told:
        """Record the label of an example.

        Parameters
        ----------
        example : str
            The name of the example.
        label : float or str
            The label.
        person : str, default=None
            Who tells.

        Returns
        -------
        Told
            Whether it is new, was told before, or contradicts an earlier one.
        """
        return self.tell_found(example, label=label, person=person)

    def correct(
        self, example: Any, attribute: str | None, value: Any, reason: str, *, person: str | None = None
    ) -> None:
        """Say which value is right, after an error or a conflict; what was told before stays in the log.

        Parameters
        ----------
        example : str
            The name of the example.
        attribute : str or None
            The name of the attribute; None: the label.
        value : value
            The right value.
        reason : str
            Why it is right.
        person : str, default=None
            Who corrects.
        """
        name = example_name(example)
        place = f"example {name!r}"
        number = None if attribute is None else self._facts.number(attribute)
        fact = self._facts.label(place, value) if number is None else self._facts.value(place, number, value)
        self.store.correct(self.record, person or self.person, name, number, fact, in_words(reason))
        self._renew_beside()

    def _record(
        self, place: str, values: Any, label: Any, not_obtainable: Any, person: str | None, **about: Any
    ) -> Told:
        facts = self._facts.facts(place, {} if values is None else values, not_obtainable or {})
        fact = None if label is None else self._facts.label(place, label)
        if not facts and fact is None:
            raise StudyError(f"{place}: nothing was told; give values, a label, or what is not obtainable")
        told = self.store.record(self.record, person or self.person, facts, fact, **about)
        if told.conflicts:
            verb = "contradicts" if len(told.conflicts) == 1 else "contradict"
            warn_user(
                f"{place}: {', '.join(told.conflicts)} {verb} what was told before. All values are kept, and none of"
                " them is learned from until a correction says which is right"
            )
        self._renew_beside()
        return told
