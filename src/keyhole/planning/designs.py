"""Designs: how many examples, what is spent on each, and which learner; all within one total cost."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..common.parameters import ParameterError
from .pilot import Pilot
from .settings import (
    LEAST_EXAMPLES,
    LEAST_ROWS_PER_WEIGHT,
    LEAST_TESTS,
    SHARE_OF_PANEL,
    SPENDS,
    SPENDS_WIDE,
    WIDE,
)

KEYHOLE, ROWS, PANEL, EVERY_TEST = (
    "KeyholeRegressor",
    "complete rows",
    "screened panel",
    "ridge regression on every test",
)


class Design(NamedTuple):
    """A way to spend a total cost.

    Parameters
    ----------
    learner : str
        The learner: "KeyholeRegressor", "complete rows" (ridge regression on complete rows), "screened panel" (the
        best few attributes, selected on the first examples), or "ridge regression on every test" of as many examples
        as the thinnest design has, for comparison; that costs more than the total.
    n_examples : int
        The number of examples.
    spend : float
        What is spent on each example: the number of tests where each costs 1. For the screened panel with other
        costs, this is what its number of tests costs on average.
    n_tests : float
        The number of tests of each example; where costs differ, as many as ``spend`` pays for on average.
    cost : float
        What the design costs.
    leaves_out : tuple of str, default=()
        The attributes that a design of the own learner cannot afford, since each alone, or its bundle, costs more than
        is spent on an example.

    Examples
    --------
    >>> str(Design("KeyholeRegressor", 455, 4.0, 4.0, 1820.0))
    'KeyholeRegressor, 4 x 455'
    """

    learner: str
    n_examples: int
    spend: float
    n_tests: float
    cost: float
    leaves_out: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.learner}, {self.layout}"

    @property
    def layout(self) -> str:
        """Spend per example x number of examples."""
        return f"{self.spend:g} x {self.n_examples:,}"

    @property
    def can_be_chosen(self) -> bool:
        """Whether the design is a choice; ridge regression on every test is for comparison."""
        return self.learner != EVERY_TEST

    @property
    def family(self) -> tuple[str, float]:
        """What stays the same when the total changes."""
        return self.learner, self.spend


def designs_within(pilot: Pilot, total: float, max_examples: int | None, learners: tuple[str, ...]) -> list[Design]:
    """All designs that are compared at a total cost; ridge regression on every test comes last.

    Raises ParameterError where the total pays for no design.
    """
    d, row = pilot.n_attributes, pilot.row_price
    mean_price = float(_offer_prices(pilot).mean())
    spends = spends_per_example(pilot)
    least = LEAST_EXAMPLES * spends[0]
    if total < least:
        raise ParameterError(
            "total",
            f"the least that a design spends on an example is {spends[0]:g}, {_why_least(pilot)}, and a study needs at"
            f" least {LEAST_EXAMPLES} examples, so the total must be {least:g} or more",
            total,
        )
    most = max_examples or np.inf
    designs = []
    for spend in spends:
        n = int(min(total / spend * (1 + 1e-12), most))
        tests = d * spend / row
        if n < LEAST_EXAMPLES:
            continue
        if KEYHOLE in learners:
            designs.append(Design(KEYHOLE, n, spend, tests, n * spend, _too_dear(pilot, spend)))
        if spend == row and ROWS in learners:
            designs.append(Design(ROWS, n, spend, d, n * spend))
        elif mean_price <= spend < row and PANEL in learners and n >= 2 * LEAST_EXAMPLES:
            tests = round(spend / mean_price)
            if SHARE_OF_PANEL * n >= LEAST_ROWS_PER_WEIGHT * tests:
                designs.append(Design(PANEL, n, spend, tests, n * spend))
    if not designs:
        raise ParameterError("learners", f"none of {', '.join(learners)} can be used with a total of {total:g}")
    n = max(design.n_examples for design in designs)
    return [*sorted(designs, key=lambda one: (one.learner, one.spend)), Design(EVERY_TEST, n, row, d, n * row)]


def spends_per_example(pilot: Pilot) -> list[float]:
    """From the fewest tests to a whole row, at equal distances on the logarithm."""
    offers, row = _offer_prices(pilot), pilot.row_price
    points = SPENDS if pilot.n_attributes <= WIDE else SPENDS_WIDE
    if np.ptp(offers) == 0:  # a whole number of tests or bundles, so that nothing is left of what an example may cost
        most = len(offers)
        grid = np.unique(np.rint(np.geomspace(min(LEAST_TESTS, most), most, points)))
        return [float(offers[0] * one) if one < most else float(row) for one in grid]
    # What pays for two of the usual tests. A thin design leaves out what it does not pay for, and may be the better for
    # it.
    least = min(LEAST_TESTS * float(np.median(offers)), row)
    return [float(f"{one:.3g}") if one < row else float(row) for one in np.unique(np.geomspace(least, row, points))]


def _why_least(pilot: Pilot) -> str:
    if np.ptp(_offer_prices(pilot)) == 0:
        return "for the fewest tests"
    return "which pays for two tests or bundles of the median price"


def _offer_prices(pilot: Pilot) -> np.ndarray:
    """What each test or bundle costs that is not free."""
    prices = pilot.prices
    paid = np.flatnonzero(prices.cost > 0)
    bundle, cost = prices.bundle[paid], prices.cost[paid]
    _, first = np.unique(bundle[bundle >= 0], return_index=True)
    return np.concatenate([cost[bundle < 0], cost[bundle >= 0][first]])


def _too_dear(pilot: Pilot, spend: float) -> tuple[str, ...]:
    """The attributes that cost more than is spent on an example."""
    costs = pilot.prices.cost
    return tuple(one.name for one, cost in zip(pilot.attributes, costs, strict=True) if cost > spend * (1 + 1e-12))
