"""How far a sparse predictor is shrunk toward the mean label, by its own predictions during training.

The support is observed of every example, so f = w'z is computed before the example is used, and costs nothing. With y
the label, both in scaled units, the error of s f is the mean of (y - s f)^2, which

    s = c / V,   c = mean of y f,   V = mean of f^2

minimises. The weights change while the learner learns, so example t counts in proportion to t (t + 1): the last third
of the examples counts for 70%. c is taken lower by its standard error in quadrature, and s is between 0 and 1. Weights
that were just updated are larger than those that predicted by some factor; V is taken larger by its square. Above
``NEARLY_ALL`` s is 1.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from ..observe.label_range import new_range

COVARIANCE, SQUARED_COVARIANCE, VARIANCE, SQUARED_NORM, WEIGHT, EXAMPLES = range(6)
NEARLY_ALL = (
    0.9  # above that a predictor is not shrunk: what is missing is mostly caution, and costs more than it saves
)
CAUTION = 2.0  # standard errors that c must exceed for a predictor other than the mean label


def new_shrinkage(wanted: bool) -> np.ndarray:
    """Sums that have seen nothing; empty where nothing is shrunk."""
    return np.concatenate([np.zeros(EXAMPLES + 1), new_range(True)]) if wanted else np.empty(0)


@njit(cache=True, nogil=True)
def count_prediction(sums: np.ndarray, f: float, y: float, squared_norm: float) -> None:
    """Add a prediction by the weights that would be returned, the label, both scaled, and the norm of the weights."""
    sums[EXAMPLES] += 1.0
    fade = 1.0 - 2.0 / (sums[EXAMPLES] + 1.0)
    sums[COVARIANCE] = fade * sums[COVARIANCE] + y * f
    sums[SQUARED_COVARIANCE] = fade * fade * sums[SQUARED_COVARIANCE] + (y * f) ** 2
    sums[VARIANCE] = fade * sums[VARIANCE] + f * f
    sums[SQUARED_NORM] = fade * sums[SQUARED_NORM] + squared_norm
    sums[WEIGHT] = fade * sums[WEIGHT] + 1.0


def multiple(sums: np.ndarray, weights: np.ndarray) -> float:
    """What the weights are multiplied by: 1 where nothing is shrunk, 0 for the mean label, as before any prediction."""
    if not len(sums):
        return 1.0
    c, squared_error = sums[COVARIANCE], CAUTION**2 * sums[SQUARED_COVARIANCE]
    if not c * c > squared_error or c < 0.0:
        return 0.0
    growth = max(float(weights @ weights) * sums[WEIGHT] / sums[SQUARED_NORM], 1.0)
    found = float(min((c - squared_error / c) / (sums[VARIANCE] * growth), 1.0))
    return 1.0 if found > NEARLY_ALL else found
