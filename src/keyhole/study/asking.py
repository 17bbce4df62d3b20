"""What a study is asked: what to find out of the next example, and for whom."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..errors import StudyError
from .asks import StudyAsk, ask_in_words
from .names import ask_number, example_name, in_words
from .part import StudyPart
from .store.base import no_such_ask


class Asking(StudyPart):
    """The asks of a study."""

    def add_examples(self, examples: Sequence[Any], *, person: str | None = None) -> int:
        """Queue examples.

        Parameters
        ----------
        examples : sequence of str
            Their names; those that are there already are left as they are.
        person : str, default=None
            Who adds.

        Returns
        -------
        int
            How many are new.
        """
        if isinstance(examples, str):
            raise StudyError(f"examples={examples!r}: it must be a list of names, not one text")
        return self.store.add_examples(self.record, [example_name(one) for one in examples], person or self.person)

    def ask(self, example: Any = None, person: str | None = None, unavailable: Sequence[str] = ()) -> StudyAsk | None:
        """Say what to find out of the next example.

        Parameters
        ----------
        example : str, default=None
            The name of the example; None: one whose lease has expired, or else the next of the queue. An example that
            was asked for before has the same attributes again.
        person : str, default=None
            Who asks.
        unavailable : sequence of str, default=()
            Attributes that cannot be had of this example. The others are drawn by the same design, given that none of
            these is.

        Returns
        -------
        StudyAsk or None
            What to find out; None where the queue is empty, or the total does not pay for one more example.
        """
        found = self.ask_many([example], person, unavailable)
        return found[0] if found else None

    def ask_many(
        self, examples: int | Sequence[Any], person: str | None = None, unavailable: Sequence[str] = ()
    ) -> list[StudyAsk]:
        """Ask for several examples at once.

        Parameters
        ----------
        examples : int or sequence of str
            How many of the queue, or their names.
        person : str, default=None
            Who asks.
        unavailable : sequence of str, default=()
            Attributes that cannot be had of these examples.

        Returns
        -------
        list of StudyAsk
            An ask for each; fewer where the queue ends or the money is spent.
        """
        return self._take(examples, person, unavailable, self.record.settings["lease"])

    def allocate(self, n: int | Sequence[Any], person: str | None = None, prefix: str = "allocated-") -> list[StudyAsk]:
        """Draw for the next examples now, for a site that works offline; these asks do not expire.

        Parameters
        ----------
        n : int or sequence of str
            How many examples, or their names. If the queue has fewer, examples are added.
        person : str, default=None
            Who gets them.
        prefix : str, default="allocated-"
            What the names of added examples begin with; their numbers follow.

        Returns
        -------
        list of StudyAsk
            The list. Results are told, or imported, by the number of the ask.
        """
        if isinstance(n, int):
            with self.store.snapshot(self.record) as moment:
                queued, last = moment.counts["n_examples"] - moment.counts["n_asked"], moment.counts["n_examples"]
            self.add_examples([f"{prefix}{last + k + 1}" for k in range(n - queued)], person=person)
        return self._take(n, person, (), None)

    def _take(
        self, examples: int | Sequence[Any], person: str | None, unavailable: Sequence[str], lease: float | None
    ) -> list[StudyAsk]:
        if isinstance(unavailable, str):
            raise StudyError(f"unavailable={unavailable!r}: it must be a list of names, not one text")
        if isinstance(examples, str):
            raise StudyError(f"examples={examples!r}: it must be a number, or a list of names, not one text")
        if isinstance(examples, int):
            if isinstance(examples, bool) or examples < 1:
                raise StudyError(f"{examples!r} examples: a whole number of 1 or more is needed")
            names: list[str | None] = [None] * examples
        else:
            names = [None if one is None else example_name(one) for one in examples]
        out = [self._facts.number(name) for name in unavailable]
        records = self.store.take(
            self.record, person or self.person, lambda candidate: self._drawer.draw(candidate, out), names, lease
        )
        return [ask_in_words(one, self.attributes, self._drawer.prices) for one in records]

    def open_asks(self) -> list[StudyAsk]:
        """List the asks of which something is awaited.

        Returns
        -------
        list of StudyAsk
            The asks, by their number.
        """
        with self.store.snapshot(self.record) as moment:
            return [ask_in_words(one, self.attributes, self._drawer.prices) for one in moment.asks("open")]

    def find_ask(self, number: int) -> StudyAsk:
        """Find an ask by its number.

        Parameters
        ----------
        number : int
            The number, ``StudyAsk.id``.

        Returns
        -------
        StudyAsk
            The ask, with the states of its attributes now.
        """
        with self.store.snapshot(self.record) as moment:
            found = list(moment.asks(some=[ask_number(number)]))
            last = None if found else max((one.id for one in moment.asks()), default=None)
        if not found:
            raise no_such_ask(number, self.name, last)
        return ask_in_words(found[0], self.attributes, self._drawer.prices)

    def cancel(self, ask: StudyAsk | int, reason: str, *, person: str | None = None) -> None:
        """Give up what was not told of an ask; its money is released.

        Parameters
        ----------
        ask : StudyAsk or int
            The ask, or its number.
        reason : str
            Why.
        person : str, default=None
            Who cancels.
        """
        self.store.cancel(self.record, person or self.person, ask_number(ask), in_words(reason))

    def release(self, ask: StudyAsk | int, *, person: str | None = None) -> None:
        """End the lease of an ask, so that somebody else may take the example, with the same attributes.

        Parameters
        ----------
        ask : StudyAsk or int
            The ask, or its number.
        person : str, default=None
            Who releases it.
        """
        self.store.release(self.record, person or self.person, ask_number(ask))
