"""The diagonal family: attributes taken as uncorrelated, each weighted by its own covariance with the label.

The covariance of attribute i with the label over the rows that revealed it has a known variance v_i. All true
covariances are taken to be draws from N(0, A), with A by maximum likelihood, so each counts A / (A + v_i) of its
value (Efron and Morris 1973).
"""

from __future__ import annotations

import numpy as np

from .rows import Rows, labels_of

POOLED = 10.0  # rows that the common variance of a product counts for in an attribute's own
TURNS = 100


def direct_covariances(rows: Rows) -> np.ndarray:
    """Of each attribute with the label, in standard units, shrunk; 0 for one that was never seen."""
    d = rows.n_columns - 1
    row = np.repeat(np.arange(len(rows.start) - 1), np.diff(rows.start))
    inside = rows.columns < d
    where, product = rows.columns[inside], rows.values[inside] * labels_of(rows)[row[inside]]
    count = np.bincount(where, minlength=d)
    divisor = np.maximum(count, 1)
    direct = np.bincount(where, product, minlength=d) / divisor
    squares = np.bincount(where, (product - direct[where]) ** 2, minlength=d)
    variance = (squares + POOLED * squares.sum() / max(count.sum(), 1)) / (count + POOLED) / divisor
    return shrunk(direct, variance, count > 0)


def shrunk(estimates: np.ndarray, variance: np.ndarray, seen: np.ndarray) -> np.ndarray:
    """A / (A + variance) of each estimate that was seen, and 0 for the others.

    >>> shrunk(np.array([3.0, -3.0, 3.0]), np.array([1.0, 1.0, 1.0]), np.array([True, True, False])).round(3)
    array([ 2.667, -2.667,  0.   ])
    """
    if not seen.any():
        return np.zeros_like(estimates)
    x, v = estimates[seen], variance[seen]
    A = max(float(np.mean(x**2 - v)), 0.0)
    for _ in range(TURNS):  # the likelihood equation of A, solved by reweighting
        weight = 1.0 / np.maximum(A + v, 1e-300) ** 2
        A = max(float(np.sum(weight * (x**2 - v)) / np.sum(weight)), 0.0)
    share = np.divide(A, A + variance, out=np.zeros_like(variance), where=A + variance > 0)
    return np.where(seen, share * estimates, 0.0)
