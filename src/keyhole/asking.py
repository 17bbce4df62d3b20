"""One example at a time: ``ask`` says what to reveal, ``tell`` gives the values and the label, ``forget`` gives up.

Asks may be answered late, in any order, in part, and without the attributes that are unavailable or known already.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, Self

import numpy as np
from sklearn.utils.validation import check_is_fitted

from .errors import NotRevealed
from .observe.ask import Ask
from .observe.attributes import Attribute, attribute_numbers
from .observe.meter import Meter
from .observe.reveal import as_numbers
from .observe.sources import CallableSource

UNKNOWN = "%(name)s knows no attributes yet: call start(attributes) or fit first"


class Asking:
    """What a learner does with asks; ``Learner`` adds the learning."""

    attributes_: Sequence[Attribute]
    open_asks_: dict[int, Ask]
    awaiting_label_: dict[int, np.ndarray]
    n_asked_: int
    observed_: Meter

    # What a learner supplies.

    @abstractmethod
    def _ask(self, want_probabilities: bool) -> Ask:
        """Draw the attributes of the next example."""

    def _ask_for_rest(self, unavailable: np.ndarray, known: tuple[np.ndarray, np.ndarray]) -> Ask:
        """Draw attributes other than those that are unavailable, or whose values are known."""
        name = type(self).__name__
        raise ValueError(
            f"{name} draws every attribute as its paper does, and takes neither unavailable nor known: tell None for a"
            " value that cannot be had, and the example is skipped; KeyholeRegressor draws among the other attributes"
        )

    @abstractmethod
    def _step(self, source: Any, example: int, ask: Ask, label: float | None, place: str | None = None) -> None:
        """Reveal an ask, unless its values were told before, and learn from it, unless there is no label yet."""

    @abstractmethod
    def _labels(self, y: Any, n_examples: int) -> np.ndarray:
        """The labels as numbers, checked."""

    def _is_spent(self) -> bool:
        """Whether no further example can be paid for."""
        return False

    def _forgotten(self, ask: Ask) -> None:
        """An ask was given up; nothing was revealed."""

    def ask(self, *, unavailable: Sequence[Any] = (), known: Mapping[Any, Any] | None = None) -> Ask | None:
        """Say which attributes to reveal of the next example; several asks may be open at a time.

        Parameters
        ----------
        unavailable : sequence of str or int, default=()
            The names or numbers of attributes that cannot be revealed of this example. The others are drawn by the same
            design, given that none of these is. Keyhole's own learners take it; the published learners and the rivals
            refuse it.
        known : dict of str or int to value, default=None
            Values of this example that are known already, by the names or numbers of their attributes. They are not
            asked for, cost nothing, and are learned from with the values that are told. Honest estimates of the error
            leave them out, since no design drew them. Keyhole's own learners take it.

        Returns
        -------
        Ask or None
            What to reveal. It stays open, in ``open_asks_``, until it is told with a label or forgotten. An ask without
            attributes says that nothing of this example is wanted but its label, if that is there. None: the total is
            spent.
        """
        check_is_fitted(self, "observed_", msg=UNKNOWN)
        if self._is_spent():
            return None
        excluded = self._excluded(() if unavailable is None else unavailable, {} if known is None else known)
        some = len(excluded[0]) or len(excluded[1][0])
        ask = self._ask_for_rest(*excluded) if some else self._ask(True)
        ask = ask._replace(number=self.n_asked_)
        self.n_asked_ += 1
        self.open_asks_[ask.number] = ask
        return ask

    def tell(self, ask: Ask, values: Sequence[Any] | None = None, label: Any = None) -> Self:
        """Learn from the values of an open ask and the label; this closes the ask.

        Parameters
        ----------
        ask : Ask
            What ``ask`` returned.
        values : sequence of shape (n_asked,), default=None
            The values of ``ask.attributes``, in their order. None or NaN among them says that a value is missing:
            Keyhole's own learners learn from the others, and every other learner skips the example. What was paid for
            is counted all the same. None in place of all of them: they were told before, without a label, or the ask
            has no attributes.
        label : float, default=None
            The label of the example. None: it is not there yet. The values are counted and kept, and learned from when
            the label is told by ``tell(ask, label=...)``; the ask stays open until then.

        Returns
        -------
        Self
            The learner.

        Raises
        ------
        ValueError
            If the ask is not open: it was told or forgotten before, or another learner made it.
        BadValue
            If a value is infinite, or none that its attribute may have; nothing is learned, and the ask stays open.
        """
        check_is_fitted(self, "observed_", msg=UNKNOWN)
        ask = self._open(ask, "tell")
        place = f"ask number {ask.number}"
        before = self.awaiting_label_.get(ask.number)
        if before is not None and values is not None:
            raise ValueError(f"{place}: its values were told before; tell(ask, label=...) adds the label")
        if before is None and values is None:
            if len(ask.attributes):
                raise ValueError(f"{place}: no values were told; tell needs one for each attribute of the ask")
            if label is None:
                raise ValueError(f"{place}: it has no attributes and label=None adds nothing; forget gives it up")
            values = []
        if before is not None and label is None:
            raise ValueError(f"{place}: its values were told before, and label=None adds nothing")
        number = None if label is None else self._label(label, place)
        told = None if values is None else CallableSource(lambda *_: values, 1, self.attributes_)
        self._step(told, 0, ask, number, place)
        if number is not None:
            del self.open_asks_[ask.number]
            self.awaiting_label_.pop(ask.number, None)
        return self

    def forget(self, ask: Ask) -> Self:
        """Give up an open ask; nothing is learned.

        Of an ask whose values were told without a label, what was paid stays counted. Of any other, nothing is counted;
        with a total, an example that was to be skipped still counts as one that came, and one that was to be looked at
        does not.

        Parameters
        ----------
        ask : Ask
            What ``ask`` returned.

        Returns
        -------
        Self
            The learner.
        """
        check_is_fitted(self, "observed_", msg=UNKNOWN)
        ask = self._open(ask, "forget")
        if self.awaiting_label_.pop(ask.number, None) is None:
            self._forgotten(ask)
        del self.open_asks_[ask.number]
        return self

    # The machinery.

    def _reserved(self) -> float:
        """What the open asks, of which no value was told, will cost."""
        waiting = [ask.attributes for number, ask in self.open_asks_.items() if number not in self.awaiting_label_]
        prices = self.observed_.prices
        return float(sum(len(some) if prices is None else prices.total(some) for some in waiting))

    def _open(self, ask: Any, verb: str) -> Ask:
        """The open ask that was given back, as it was registered."""
        name = type(self).__name__
        if not isinstance(ask, Ask):
            raise ValueError(f"{verb} takes what ask() of this {name} returned; got {type(ask).__name__}")
        found = self.open_asks_.get(int(ask.number))
        if found is None or not np.array_equal(found.attributes, ask.attributes):
            opened = f"its open asks are {sorted(self.open_asks_)[:5]}" if self.open_asks_ else "it has no open ask"
            raise ValueError(
                f"ask number {ask.number} is not open: it was told or forgotten before, or another learner made it;"
                f" this {name} made {self.n_asked_} asks, and {opened}"
            )
        return found

    def _label(self, label: Any, place: str) -> float:
        """The label of an ask as a number."""
        try:
            if label != label:
                raise ValueError("the label is NaN; None says that it is not there yet")
            return float(self._labels([label], 1)[0])
        except (TypeError, ValueError) as error:
            raise ValueError(f"{place}: {error}") from None

    def _excluded(
        self, unavailable: Sequence[Any], known: Mapping[Any, Any]
    ) -> tuple[np.ndarray, tuple[np.ndarray, np.ndarray]]:
        """The numbers of unavailable attributes; and those of known ones, with their values as numbers."""
        if isinstance(unavailable, str) or not isinstance(known, Mapping):
            given = f"unavailable={unavailable!r}" if isinstance(unavailable, str) else f"known={known!r:.50}"
            raise ValueError(f"{given}: ask takes unavailable=[name, ...] and known={{name: value, ...}}")
        out = attribute_numbers(self.attributes_, unavailable, "unavailable")
        ours = attribute_numbers(self.attributes_, known, "known")
        both = np.intersect1d(out, ours)
        if len(both):
            raise ValueError(f"attribute {self.attributes_[int(both[0])].name!r} is both unavailable and known")
        source = CallableSource(lambda *_: (), 0, self.attributes_)
        try:
            return out, (ours, as_numbers(source, f"ask number {self.n_asked_}, known", ours, list(known.values())))
        except NotRevealed as error:
            raise ValueError(f"{error}; leave it out of known") from None
