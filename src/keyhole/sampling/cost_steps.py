"""Costs as whole numbers of steps, so that what can be bought within a budget is found in a table.

Where a small number of steps of equal length divides all costs and the budget, nothing is rounded. Elsewhere costs are
rounded up, so that the budget holds. Rounding up loses a part of the budget, and may make two offers, or five of almost
equal cost, too expensive together, though they are not: the fewest steps are taken for which that is negligible.
"""

from __future__ import annotations

import numpy as np
from numba import njit

EXACT = 1e-13  # costs are whole numbers of steps up to rounding
MOST_EXACT_STEPS = 400  # of a budget where costs are not rounded
LEAST_STEPS, MOST_STEPS = 100, 4000  # of a budget where costs are rounded
MOST_ENTRIES = 1_000_000  # of a table with a row for each offer and a column for each step
NEGLIGIBLE = 0.005  # the share of the budget that rounding may lose
WEIGHT_OF_PAIRS = 10.0  # a pair that rounding makes impossible is worse than an offer less in a subset


def in_steps(cost: np.ndarray, budget: float) -> tuple[np.ndarray, int]:
    """Costs and budget as whole numbers of steps: exact where few steps divide all of them, else rounded up."""
    for limit in range(1, MOST_EXACT_STEPS + 1):
        exact = cost * (limit / budget)
        if (np.abs(exact - np.rint(exact)) <= EXACT * limit).all():
            return np.rint(exact).astype(np.int64), limit
    ascending, inverse = np.sort(cost), np.argsort(np.argsort(cost, kind="stable"), kind="stable")
    fitting, pairs = _fitting_together(ascending, budget * (1.0 + EXACT)), _pairs(ascending, budget * (1.0 + EXACT))
    least_loss, best, limit_of_best = np.inf, inverse, 0
    for limit in range(LEAST_STEPS, max(min(MOST_STEPS, MOST_ENTRIES // len(cost)), MOST_EXACT_STEPS) + 1):
        steps = np.ceil(ascending * (limit / budget) * (1.0 - EXACT)).astype(np.int64)
        excess = steps.sum() * (budget / limit) / ascending.sum() - 1.0
        if excess >= least_loss:
            continue
        lost_pairs = (pairs - _pairs(steps, limit)) / max(pairs, 1)
        loss = excess + 1.0 - _fitting_together(steps, limit) / fitting + WEIGHT_OF_PAIRS * lost_pairs
        if loss < least_loss:
            least_loss, best, limit_of_best = loss, steps, limit
        if loss <= NEGLIGIBLE and lost_pairs == 0:
            break
    return best[inverse], limit_of_best


def _fitting_together(ascending: np.ndarray, budget: float) -> int:
    """How many offers of neighbouring cost fit into a budget, summed over where the neighbours begin."""
    total = np.concatenate([[0], np.cumsum(ascending)])
    return int(np.sum(np.searchsorted(total, total[:-1] + budget, side="right") - 1 - np.arange(len(ascending))))


def _pairs(ascending: np.ndarray, budget: float) -> int:
    """How many ordered pairs fit into a budget."""
    return int(np.sum(np.searchsorted(ascending, budget - ascending, side="right")))


@njit(cache=True, nogil=True)
def most_packed(cost: np.ndarray, limit: int) -> int:
    """The largest cost of a subset that is within the limit, in steps."""
    reached = np.zeros(limit + 1, dtype=np.bool_)
    reached[0] = True
    for u in range(len(cost)):
        for c in range(limit, cost[u] - 1, -1):
            if reached[c - cost[u]]:
                reached[c] = True
    most = limit
    while not reached[most]:
        most -= 1
    return most
