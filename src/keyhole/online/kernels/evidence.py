"""What the examples of a run say about the predictor that it returns, from two independent estimates per example.

The predictor is w'z with the average w of all w_t. Example t comes after w_t, so what its cells say of w_t is held-out
evidence. They give two independent, unbiased estimates: x~ of z from the draws for x, and a of w_t'z from the draws for
the inner product. With n examples and y the label, both in scaled units, so that the label's variance is 1::

    c = cov(y, w'z) = mean of y a_t                                   also: mean of y x~_t'w_t
    V = var(w'z)    = (1 / n^2) sum of 2 a_t x~_t'(w_1 + ... + w_{t-1} + w_t / 2)

are unbiased, since the first is linear in w, and the double sum over pairs of steps is symmetric. The predictor s w'z
has the error 1 - 2 s c + s^2 V, which s = c / V minimises; it is better than the mean label for s below 2 c / V.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from ...observe.label_range import count_label, new_range

# Positions: sums and sums of squares of the three terms above, and the number of examples; the range of the labels
# comes last.
PRODUCTS, SQUARED_PRODUCTS, INNER, SQUARED_INNER, OUTER, SQUARED_OUTER, EXAMPLES = range(7)
# Standard errors by which c is taken lower and V higher; c must exceed them, or the mean label is predicted.
CAUTION = 2.0


def new_evidence(wanted: bool) -> np.ndarray:
    """Sums that have seen nothing; empty where no evidence is wanted."""
    return np.concatenate([np.zeros(EXAMPLES + 1), new_range(True)]) if wanted else np.empty(0)


@njit(cache=True, nogil=True)
def count_evidence(
    evidence: np.ndarray, inner: float, outer: float, outer_of_sum: float, y: float, label: float
) -> None:
    """Add an example: a_t, x~_t'w_t, x~_t'(w_1 + ... + w_{t-1}), the scaled label and the label as it is."""
    product = 2.0 * inner * (outer_of_sum + 0.5 * outer)
    evidence[PRODUCTS] += product
    evidence[SQUARED_PRODUCTS] += product * product
    evidence[INNER] += y * inner
    evidence[SQUARED_INNER] += (y * inner) ** 2
    evidence[OUTER] += y * outer
    evidence[SQUARED_OUTER] += (y * outer) ** 2
    evidence[EXAMPLES] += 1.0
    count_label(evidence, label)


def supported_multiple(evidence: np.ndarray, average: np.ndarray) -> float:
    """The s by which the average of the weights is multiplied: 0 where the evidence does not support it."""
    n = evidence[EXAMPLES]
    c, error_of_c = _combined(
        *_mean(evidence[INNER], evidence[SQUARED_INNER], n), *_mean(evidence[OUTER], evidence[SQUARED_OUTER], n)
    )
    V, error_of_V = evidence[PRODUCTS] / max(n, 1.0) ** 2, np.sqrt(evidence[SQUARED_PRODUCTS]) / max(n, 1.0) ** 2
    return supported(c, error_of_c, V, error_of_V, float(average @ average)).multiple


class Supported(NamedTuple):
    """A multiple, and the error of the predictor with it, relative to the label's variance, minus 1."""

    multiple: float
    excess: float


def supported(c: float, error_of_c: float, V: float, error_of_V: float, squared_norm: float) -> Supported:
    """c / V, less where the standard errors are large: 0 where c is below CAUTION of its standard errors.

    c is taken lower and V higher by CAUTION standard errors in quadrature, which costs little where these are small. V
    is at least c^2, since no correlation exceeds 1, and it is not taken below the squared norm of the weights, which it
    would be if scaled attributes were uncorrelated: most often they go together, and V is larger.
    """
    if not c > CAUTION * error_of_c:
        return Supported(0.0, 0.0)
    lower = c - (CAUTION * error_of_c) ** 2 / c
    higher = max(float(np.hypot(max(V, squared_norm), CAUTION * error_of_V)), c * c)
    return Supported(float(lower / higher), float(-lower * lower / higher))


def _mean(total: float, squares: float, n: float) -> tuple[float, float]:
    """The mean of n terms, and the square of its standard error."""
    mean = total / max(n, 1.0)
    return mean, max(squares - n * mean**2, 0.0) / max(n * (n - 1.0), 1.0)


def _combined(first: float, variance_of_first: float, second: float, variance_of_second: float) -> tuple[float, float]:
    """Two estimates of one number weighted by their precision, and the standard error."""
    if variance_of_first == 0.0 or variance_of_second == 0.0:
        return 0.0, 0.0
    precision = 1.0 / variance_of_first + 1.0 / variance_of_second
    return (first / variance_of_first + second / variance_of_second) / precision, float(np.sqrt(1.0 / precision))
