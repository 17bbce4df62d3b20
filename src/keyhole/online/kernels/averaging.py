"""The average of all weight vectors of a run, without touching all weights at each step.

Weights are stored as w = scale * u. The sum over steps of one weight is its u times the sum of the scales (the clock)
for as long as its u does not change; the sum is brought up to date just before u changes. When the scale has become
small against its first value, all sums are brought up to date and the scale is multiplied into u, so that no precision
is lost; this costs O(d) and happens ever more rarely.
"""

from __future__ import annotations

import numpy as np
from numba import njit

U, SUM, SINCE = range(3)
FOLD = 1e-5  # the scale, relative to its first value, below which it is multiplied into u


def new_weights(n_attributes: int) -> np.ndarray:
    """Zero weights: a row of (u, sum up to date, clock when it was brought up to date) per attribute."""
    return np.zeros((n_attributes, 3))


@njit(cache=True, nogil=True)
def settle(weights: np.ndarray, i: int, clock: float) -> None:
    """Bring the sum of one weight up to date; call it before its u changes."""
    weights[i, SUM] += weights[i, U] * (clock - weights[i, SINCE])
    weights[i, SINCE] = clock


@njit(cache=True, nogil=True)
def sum_so_far(weights: np.ndarray, i: int, clock: float) -> float:
    """The sum over the steps so far of one weight."""
    return weights[i, SUM] + weights[i, U] * (clock - weights[i, SINCE])


@njit(cache=True, nogil=True)
def fold(weights: np.ndarray, clock: float, factor: float) -> None:
    """Bring all sums up to date, start the clock at 0 again, and multiply every u by a factor."""
    for i in range(len(weights)):
        settle(weights, i, clock)
        weights[i, SINCE] = 0.0
        weights[i, U] *= factor


def average(weights: np.ndarray, clock: float, steps: float) -> np.ndarray:
    """The mean of w over the steps so far; zero before the first."""
    return (weights[:, SUM] + weights[:, U] * (clock - weights[:, SINCE])) / max(steps, 1.0)
