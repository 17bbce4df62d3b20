"""The diagonal family: attributes that have nothing in common, each with a weight of its own.

Given the cells S of a row, the label is then sum over S of w_i z_i plus what the attributes that were not seen add,
of variance 1 - sum over S of w_i^2 in standard units: a weighted regression on the revealed cells, in which a row
that shows the strong attributes says more about the weak ones. The weights are taken to be draws from N(0, A), with A
learned on the way (Efron and Morris 1973). Posterior means are found one attribute after another, over and over.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from .joint import Joint
from .rows import Rows, labels_of

SWEEPS = 200
CLOSE = 1e-4
LEAST_NOISE = 0.02  # of the variance of the label


class Direct(NamedTuple):
    """Means and variances of the standardised weights, (d, L), and mean and variance of each attribute."""

    weights: np.ndarray
    uncertainty: np.ndarray
    mean: np.ndarray
    variance: np.ndarray

    @property
    def interest(self) -> np.ndarray:
        """The root of the expected square of each weight: what is uncertain is worth a look as well."""
        return np.sqrt(np.sum(self.weights**2 + self.uncertainty, axis=1))

    def joint(self) -> Joint:
        """The second moments of attributes that are uncorrelated."""
        d, L = self.weights.shape
        noise = np.where(self.variance > 0, self.variance, 1.0)
        rest = self.weights * np.sqrt(self.variance)[:, None]
        return Joint(self.mean, np.zeros((d, 0)), noise, np.zeros(L), np.zeros((L, 0)), np.ones(L), rest)


def direct(rows: Rows) -> Direct:
    """Weights of attributes taken as independent; 0 for one that was never seen to vary."""
    d, L = rows.n_attributes, rows.n_labels
    row = np.repeat(np.arange(len(rows.start) - 1), np.diff(rows.start))
    inside = rows.columns < d
    where, values, row = rows.columns[inside], rows.values[inside], row[inside]
    count = np.bincount(where, minlength=d)
    divisor = np.maximum(count, 1)
    mean = np.bincount(where, values, minlength=d) / divisor
    values = values - mean[where]
    variance = np.bincount(where, values**2, minlength=d) / divisor
    values = values / np.sqrt(np.where(variance > 0, variance, 1.0))[where]
    order = np.argsort(where, kind="stable")
    first = np.concatenate([[0], np.cumsum(count)])
    labels = labels_of(rows)
    weights, uncertainty = np.zeros((d, L)), np.zeros((d, L))
    for label in range(L):
        w, v = sweep(first, row[order], values[order], np.ascontiguousarray(labels[:, label]))
        weights[:, label], uncertainty[:, label] = w, v
    return Direct(weights, uncertainty, mean, variance)


@njit(cache=True, nogil=True)
def sweep(first, row, values, label):
    """Posterior means and variances of the weights: the cells of attribute i are first[i] to first[i + 1]."""
    d = len(first) - 1
    w, v, A = np.zeros(d), np.zeros(d), 1.0 / d
    left, noise = label.copy(), np.ones(len(label))
    for _ in range(SWEEPS):
        moved = 0.0
        for i in range(d):
            precision, product = 1.0 / A, 0.0
            for s in range(first[i], first[i + 1]):
                z = values[s] / noise[row[s]]
                precision += values[s] * z
                product += z * (left[row[s]] + w[i] * values[s])
            change = product / precision - w[i]
            for s in range(first[i], first[i + 1]):
                left[row[s]] -= change * values[s]
            w[i] += change
            v[i] = 1.0 / precision
            moved += change * change
        size = np.sum(w * w)
        A = max((size + np.sum(v)) / d, 1e-12)
        noise[:] = 1.0
        for i in range(d):
            for s in range(first[i], first[i + 1]):
                noise[row[s]] -= w[i] ** 2
        noise[:] = np.maximum(noise, LEAST_NOISE)
        if moved <= CLOSE**2 * size:
            break
    return w, v
