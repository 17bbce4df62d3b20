"""The average of all weight vectors, without touching all weights at each step.

Weights are kept as w = scale * u. The sum over steps of one weight is its u times the sum of the scales
(the clock) for as long as u stands still; it is settled when u is about to change. When the scale has become
small against what it was, everything is settled and the scale folded into u, so that nothing is lost to
rounding; this costs O(d) and happens ever more rarely.
"""

from __future__ import annotations

import numpy as np
from numba import njit

U, SUM, SINCE = range(3)
FOLD = 1e-5


def new_weights(n_attributes: int) -> np.ndarray:
    """Zero weights: a row of (u, settled sum, clock at the last settling) per attribute."""
    return np.zeros((n_attributes, 3))


@njit(cache=True, nogil=True)
def settle(weights, i, clock):
    """Bring the sum of one weight up to date; call it before u changes."""
    weights[i, SUM] += weights[i, U] * (clock - weights[i, SINCE])
    weights[i, SINCE] = clock


@njit(cache=True, nogil=True)
def fold(weights, clock, factor):
    """Settle all weights, start the clock at 0 again, and multiply every u by a factor."""
    for i in range(len(weights)):
        settle(weights, i, clock)
        weights[i, SINCE] = 0.0
        weights[i, U] *= factor


def average(weights: np.ndarray, clock: float, steps: float) -> np.ndarray:
    """The mean of w over the steps so far; zero before the first."""
    return (weights[:, SUM] + weights[:, U] * (clock - weights[:, SINCE])) / max(steps, 1.0)
