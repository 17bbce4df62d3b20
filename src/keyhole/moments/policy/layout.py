"""How cells that are paid for by one total lie over examples: few of many examples, all of a few, or in between.

A row with m cells shows m (m - 1) / 2 pairs of cells, so the same number of cells tells more about how attributes vary
together if they come together, and more about how examples differ if they do not. The root of (cells per example times
attributes) balances the two: with k d cells for d examples, every two attributes are seen together k times, whatever d
is. It is the size that a layout begins with, as far as a least number of examples can be looked at.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from .offers import Offers
from .settings import (
    LARGEST_PILOT_SHARE,
    LEAST_PILOT_ROWS,
    LEAST_ROWS_OF_LAYOUT,
    MOST_PILOT_ROWS,
    PILOT_SHARE,
    REVEALS_OF_DEAR,
)


class LayoutStep(NamedTuple):
    """What was decided on the way.

    Attributes
    ----------
    n_examples : int
        The number of examples that were looked at before.
    spent : float
        What was spent before.
    per_example : float
        The most that is spent on an example from there on.
    why : str
        The reason.
    """

    n_examples: int
    spent: float
    per_example: float
    why: str


class Spending(NamedTuple):
    """The total; the price of one unit of an offer's cost, which is 1 where costs differ; the most units that one
    example may cost; how many examples are expected; the usual size of an example, in units; how many complete examples
    a pilot has; how many examples came so far; and the sizes so far, in the price of an example."""

    total: float
    unit: float
    most: float
    expected: int | None
    usual: float = 0.0
    pilot: int = 0
    passed: int = 0
    steps: tuple[LayoutStep, ...] = ()

    def with_step(self, n_examples: int, spent: float, size: float, why: str) -> Spending:
        """With another size of examples to come."""
        return self._replace(steps=(*self.steps, LayoutStep(n_examples, spent, size * self.unit, why)))


class Layout(NamedTuple):
    """How a total is, or was, laid out over examples.

    Attributes
    ----------
    total : float
        The most to spend on all examples together.
    spent : float
        What was spent.
    left : float
        What is left: less than one more example costs, where the total is spent.
    n_passed : int
        The number of examples that came.
    n_looked_at : int
        The number of examples of which something was revealed.
    steps : tuple of LayoutStep
        The sizes of examples, one after another, each with its reason.
    """

    total: float
    spent: float
    left: float
    n_passed: int
    n_looked_at: int
    steps: tuple[LayoutStep, ...]

    def lines(self) -> list[tuple[str, str]]:
        """What was spent, and the steps, in words."""
        spent = f"{self.spent:g} on {self.n_looked_at:,} of {self.n_passed:,} examples; {self.left:g} left"
        steps = [
            (
                f"from looked-at example {step.n_examples + 1:,} on",
                f"at most {step.per_example:.4g} per example: {step.why}",
            )
            for step in self.steps
        ]
        return [(f"spent of {self.total:g}", spent), *steps]

    def __str__(self) -> str:
        return "\n".join(f"{name}: {text}" for name, text in self.lines())


def kept_offers(offers: Offers, total: float, expected: int | None) -> np.ndarray:
    """The numbers of the offers that a total can pay for often enough; it is in the units of their costs.

    One offer that costs far more than the others would make examples so dear that few are looked at, and little is
    learned of any attribute. So the dearest offers are left out until an example of the first size pays for each that
    is left, or the total pays for all that are left ``REVEALS_OF_DEAR`` times.
    """
    kept = np.arange(len(offers.cost))
    if expected is None:
        return kept
    while True:
        rest = offers.some(kept)
        dearest, whole = float(rest.cost.max()), float(rest.cost.sum())
        pays_often = total >= REVEALS_OF_DEAR * whole * (1 - 1e-12)
        if pays_often or dearest <= _size_by_root(total, whole, expected)[0] or (rest.cost == dearest).all():
            return kept
        kept = kept[rest.cost < dearest]


def first_size(offers: Offers, total: float, expected: int | None) -> tuple[float, str]:
    """The most units that an example costs at first, and why; ``offers.limit`` is the most that is allowed, and
    ``total`` is in the same units."""
    most, whole = float(offers.limit), float(offers.cost.sum())
    if expected is None:
        return most, "the budget of an example; how many will come is not known"
    each, dearest = total / expected, float(offers.cost.max())
    size, why = _size_by_root(total, whole, expected)
    if size < dearest:
        more = 0.0 if (offers.cost == dearest).all() else size
        size, why = (
            min(dearest + more, whole),
            "the largest cost" + (", and what others cost at this size" if more else ""),
        )
    if size < each:
        size, why = each, "what each example could cost"
    return within(offers, size, most, why)


def _size_by_root(total: float, whole: float, expected: int) -> tuple[float, str]:
    """The size that balances pairs and examples, as far as a least number of examples can be looked at, and why."""
    size = math.sqrt(total / expected * whole)
    if size > total / LEAST_ROWS_OF_LAYOUT:
        return total / LEAST_ROWS_OF_LAYOUT, f"so that {LEAST_ROWS_OF_LAYOUT} examples can be looked at"
    return size, "the root of (what each example could cost) x (what a complete example costs)"


def pilot_rows(offers: Offers, total: float, expected: int | None) -> int:
    """How many complete examples a pilot has; 0 where they would cost too much of the total."""
    whole = float(offers.cost.sum())
    complete = total / whole
    rows = int(min(PILOT_SHARE * complete, MOST_PILOT_ROWS))
    if rows < LEAST_PILOT_ROWS <= LARGEST_PILOT_SHARE * complete and complete > len(offers.cost):
        rows = LEAST_PILOT_ROWS
    return 0 if expected is None or offers.limit < whole or rows < LEAST_PILOT_ROWS else rows


def within(offers: Offers, size: float, most: float, why: str) -> tuple[float, str]:
    """A size that is not above the most that is allowed, and whole where offers have equal costs."""
    if offers.equal_costs:
        size = math.ceil(size - 1e-9)
    return (most, "the most that one example may cost") if size > most else (size, why)
