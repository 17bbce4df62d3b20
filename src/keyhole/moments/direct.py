"""The diagonal family: attributes that have nothing in common, each with a weight of its own.

Given the cells S of a row, the label is then sum over S of w_i z_i plus what the attributes that were not seen add,
of variance 1 - sum over S of w_i^2 in standard units: a weighted regression on the revealed cells, in which a row
that shows the strong attributes says more about the weak ones. The weights are taken to be draws from a mixture of
centred normal distributions whose shares are learned, so a few large weights are hardly shrunk while many small ones
are (Stephens 2017; Kim, Wang, Carbonetto and Stephens 2022): posterior means one attribute after another, over and
over.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from .joint import Joint
from .rows import Rows, labels_of

SPREADS = np.concatenate([[0.0], 2.0 ** np.arange(-7.0, 1.0)])  # of the mixture; a weight of 1 explains all
SWEEPS = 100
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
        w, v = sweep(first, row[order], values[order], np.ascontiguousarray(labels[:, label]), SPREADS**2)
        weights[:, label], uncertainty[:, label] = w, v
    return Direct(weights, uncertainty, mean, variance)


@njit(cache=True, nogil=True)
def sweep(first, row, values, label, grid):
    """Posterior means and variances of the weights: the cells of attribute i are first[i] to first[i + 1]."""
    d, n, K = len(first) - 1, len(label), len(grid)
    w, v, shares = np.zeros(d), np.zeros(d), np.full(K, 1.0 / K)
    left, noise = label.copy(), np.ones(n)
    chance = np.empty(K)
    for _ in range(SWEEPS):
        counts, moved = np.zeros(K), 0.0
        for i in range(d):
            precision, product = 0.0, 0.0
            for s in range(first[i], first[i + 1]):
                z = values[s] / noise[row[s]]
                precision += values[s] * z
                product += z * left[row[s]]
            if precision == 0.0:  # never seen to vary: the prior is all that is known
                v[i] = np.sum(shares * grid)
                continue
            product += precision * w[i]
            highest = -np.inf
            for k in range(K):  # log likelihood of the estimate under each normal, up to a constant
                total = 1.0 + grid[k] * precision
                chance[k] = np.log(shares[k] + 1e-300) - 0.5 * np.log(total) + 0.5 * grid[k] * product**2 / total
                highest = max(highest, chance[k])
            norm = 0.0
            for k in range(K):
                chance[k] = np.exp(chance[k] - highest)
                norm += chance[k]
            mean, square = 0.0, 0.0
            for k in range(K):
                share = chance[k] / norm
                counts[k] += share
                spread = grid[k] / (1.0 + grid[k] * precision)
                mean += share * spread * product
                square += share * (spread + (spread * product) ** 2)
            change = mean - w[i]
            for s in range(first[i], first[i + 1]):
                left[row[s]] -= change * values[s]
            w[i], v[i] = mean, square - mean * mean
            moved += change * change
        # A flat prior of one attribute per normal keeps every share above 0.
        shares = (counts + 1.0) / (np.sum(counts) + K)
        noise[:] = 1.0
        for i in range(d):
            for s in range(first[i], first[i + 1]):
                noise[row[s]] -= w[i] ** 2
        noise[:] = np.maximum(noise, LEAST_NOISE)
        if moved <= CLOSE**2 * np.sum(w * w):
            break
    return w, v
