"""Counts what was revealed, and stops what would exceed the budget before it is read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..errors import BudgetExceeded
from .attributes import Attribute, Prices, has_unit_prices


class Counts(NamedTuple):
    """The meter's numbers as compiled loops keep them; ``tally`` is examples, draws, cells, largest.

    ``large`` is the last attribute of which a compiled loop revealed a value beyond 2**53, and -1 if there was none.
    """

    per_attribute: np.ndarray
    tally: np.ndarray
    large: np.ndarray


EXAMPLES, DRAWS, CELLS, LARGEST = range(4)


class Meter:
    """Counts what was revealed, and stops what would exceed the budget of an example before it is read.

    Parameters
    ----------
    budget : float or None
        The most that one example may cost; None counts, and does not limit.
    attributes : sequence of Attribute
        The attributes, with their costs.

    Examples
    --------
    >>> from keyhole.observe import PlainAttributes
    >>> meter = Meter(2, PlainAttributes(5))
    >>> meter.charge(0, np.array([1, 4]))
    >>> meter.charge(0, np.array([4]))  # paid for already
    >>> meter.total, meter.distinct, meter.cost
    (3, 2, 2.0)
    >>> meter.charge(0, np.array([3]))
    Traceback (most recent call last):
        ...
    keyhole.errors.BudgetExceeded: example 0: revealing x3 would bring its cost to 3, over the budget of 2
    """

    def __init__(self, budget: float | None, attributes: Sequence[Attribute]) -> None:
        self.budget = budget
        self.attributes = attributes
        self.counts = Counts(np.zeros(len(attributes), dtype=np.int64), np.zeros(4, dtype=np.int64), np.full(1, -1))
        self.prices = None if has_unit_prices(attributes) else Prices(attributes)
        self._paid: dict[int, np.ndarray] = {}
        self._cost = 0.0

    @property
    def total(self) -> int:
        """How many values were read, where a value that was drawn twice counts twice."""
        return int(self.counts.tally[DRAWS])

    @property
    def distinct(self) -> int:
        """How many cells were paid for; revealing a cell again is free."""
        return int(self.counts.tally[CELLS])

    @property
    def max_per_example(self) -> int:
        """The most cells that one example revealed, free attributes not counted."""
        return int(self.counts.tally[LARGEST])

    @property
    def n_examples(self) -> int:
        """How many examples were revealed in part, those included that a learner skipped."""
        return int(self.counts.tally[EXAMPLES])

    @property
    def per_attribute(self) -> np.ndarray:
        """How many cells of each attribute were paid for."""
        return self.counts.per_attribute

    @property
    def cost(self) -> float:
        """What all cells cost together: their number, where each costs 1."""
        return float(self.distinct) if self.prices is None else self._cost

    @property
    def mean_per_example(self) -> float:
        """The cells per example, on average."""
        return self.distinct / self.n_examples if self.n_examples else 0.0

    def allow(self, example: int, attributes: np.ndarray) -> None:
        """Check that revealing some attributes of an example would not exceed its budget.

        Parameters
        ----------
        example : int
            The number of the example.
        attributes : ndarray of int
            Different column numbers.

        Raises
        ------
        BudgetExceeded
            If it would.
        """
        if self.budget is None:
            return
        after = self._after(example, attributes)
        price = self._price(after)
        if price > self.budget * (1 + 1e-12):
            before = self._paid.get(example, np.empty(0, dtype=np.int64))
            names = ", ".join(self.attributes[int(i)].name for i in np.setdiff1d(attributes, before))
            raise BudgetExceeded(
                f"example {example}: revealing {names} would bring its cost to {price:g},"
                f" over the budget of {self.budget:g}"
            )

    def charge(self, example: int, attributes: np.ndarray, draws: int | None = None) -> None:
        """Count a reveal of some attributes of an example.

        Parameters
        ----------
        example : int
            The number of the example.
        attributes : ndarray of int
            Different column numbers.
        draws : int, default=None
            How many draws they stand for, where some were drawn several times. None: one each.

        Raises
        ------
        BudgetExceeded
            If the budget would be exceeded; nothing is counted then.
        """
        self.allow(example, attributes)
        before, after = self._paid.get(example), self._after(example, attributes)
        fresh = after if before is None else after[len(before) :]
        self._cost += self._price(after) - (0.0 if before is None else self._price(before))
        self._paid[example] = after
        tally = self.counts.tally
        tally[EXAMPLES] += before is None
        tally[DRAWS] += len(attributes) if draws is None else draws
        tally[CELLS] += len(fresh)
        limited = len(after) if self.prices is None else int(np.sum(~self.prices.free[after]))
        tally[LARGEST] = max(tally[LARGEST], limited)
        self.counts.per_attribute[fresh] += 1

    def charge_rows(self, n_examples: int, attributes: np.ndarray) -> None:
        """Count a reveal of the same attributes of new examples, of which no more will be asked.

        Parameters
        ----------
        n_examples : int
            The number of examples.
        attributes : ndarray of int
            Different column numbers.
        """
        self._cost += n_examples * self._price(attributes)
        # A loaded model may be read-only, and must be able to predict: no array is changed in place.
        self.counts = Counts(*(numbers.copy() for numbers in self.counts))
        self.counts.per_attribute[attributes] += n_examples
        tally = self.counts.tally
        tally[EXAMPLES] += n_examples
        tally[DRAWS] += n_examples * len(attributes)
        tally[CELLS] += n_examples * len(attributes)
        limited = len(attributes) if self.prices is None else int(np.sum(~self.prices.free[attributes]))
        tally[LARGEST] = max(tally[LARGEST], limited)

    def settle(self, example: int) -> None:
        """Forget which cells of an example were paid for: nothing more will be asked of it.

        Parameters
        ----------
        example : int
            The number of the example.
        """
        self._paid.pop(example, None)

    def copy(self) -> Meter:
        """Copy the meter.

        Returns
        -------
        Meter
            An independent meter with the same counts.
        """
        copied = Meter.__new__(Meter)
        copied.__dict__.update(self.__dict__)
        copied.counts = Counts(*(numbers.copy() for numbers in self.counts))
        copied._paid = dict(self._paid)
        return copied

    def _after(self, example: int, attributes: np.ndarray) -> np.ndarray:
        """The paid-for attributes of an example with these added, the new ones last."""
        before = self._paid.get(example)
        if before is None:
            return attributes
        paid = set(before.tolist())
        return np.array([*before.tolist(), *(i for i in attributes.tolist() if i not in paid)], dtype=np.int64)

    def _price(self, attributes: np.ndarray) -> float:
        return float(len(attributes)) if self.prices is None else self.prices.total(attributes)

    def __repr__(self) -> str:
        return (
            f"Meter({self.n_examples} examples, {self.distinct} cells, at most {self.max_per_example}"
            f" per example, cost {self.cost:g})"
        )


__all__ = ["CELLS", "DRAWS", "EXAMPLES", "LARGEST", "Counts", "Meter"]
