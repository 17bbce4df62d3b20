"""The descent family: one averaged pass of stochastic gradient descent over the rows, as the published learners do it.

Gradients are unbiased: products of two cells are divided by the rate at which both were revealed.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from ..standard.joint import JointMoments
from ..standard.rows import Rows
from .alternative import Alternative, products_of, with_weights
from .settings import RADIUS


class Descent(Alternative):
    """The mean of the weights over one pass."""

    name = "descent"

    def moments(self, start: JointMoments, rows: Rows) -> JointMoments:
        d = rows.n_attributes
        rates = np.maximum(products_of(start, rows).counts, 1.0) / rows.n_rows
        labels = rows.labels[:, 0] - start.label_mean[0]
        means = np.append(start.mean, 0.0)
        values = rows.values - means[np.minimum(rows.columns, d)]
        return with_weights(start, averaged_pass(rows.start, rows.columns, values, labels, rates, RADIUS))


@njit(cache=True, nogil=True)
def averaged_pass(
    start: np.ndarray, columns: np.ndarray, values: np.ndarray, labels: np.ndarray, rates: np.ndarray, radius: float
) -> np.ndarray:
    """Mean of w over one pass of w <- P(w - eta g) with eta = radius / sqrt(2 sum of |g|^2), P onto the ball."""
    d = rates.shape[0]
    w, total, squares = np.zeros(d), np.zeros(d), 0.0
    n = len(start) - 1
    for t in range(n):
        first, last = start[t], start[t + 1] - 1  # the label comes last
        g = np.zeros(last - first)
        for s in range(first, last):
            i = columns[s]
            g[s - first] = -labels[t] * values[s] / rates[i, i]
            for q in range(first, last):
                g[s - first] += w[columns[q]] * values[s] * values[q] / rates[i, columns[q]]
        squares += np.sum(g * g)
        if squares > 0:
            for s in range(first, last):
                w[columns[s]] -= radius / np.sqrt(2 * squares) * g[s - first]
        norm = np.sqrt(np.sum(w * w))
        if norm > radius:
            w *= radius / norm
        total += w
    return total / max(n, 1)
