"""The diagonal family: attributes that have nothing in common, each with a weight of its own.

Given the cells S of a row, the label is then the sum over S of w_i z_i plus what the attributes that were not revealed
add, of variance 1 - sum over S of w_i^2 for standardised values: a weighted regression on the revealed cells, in which
a row that shows the strong attributes tells more about the weak ones. The weights are taken to be draws from N(0, A),
with A estimated on the way (Efron and Morris 1973). Posterior means are found one attribute after another, repeatedly.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from ..solution import Solution, Training, candidate, not_kept, solution_of
from ..standard.joint import JointMoments, uncorrelated
from ..standard.rows import Rows, standardised_rows
from .family import Averageable, Role
from .settings import LEAST_NOISE, MAX_SWEEPS, ROUNDING, SWEEP_TOLERANCE


class Diagonal(Averageable):
    """Each attribute by its own, shrunk covariance with the label."""

    name = "diagonal"
    role = Role.START
    weights_are_posterior_means = True

    def fit(self, data: Training, max_iterations: int, start: Solution | None = None) -> Solution:
        scales = data.scales()
        found = diagonal_weights(standardised_rows(data.cells, data.labels, scales))
        solution = solution_of(found.joint_moments(), scales, self, [candidate(self, True, "")])
        return solution._replace(usefulness=found.usefulness)

    def derived(self, start: Solution, rows: Rows) -> Solution:
        derived = start.with_moments(diagonal_weights(rows).joint_moments(), start.scales)
        return derived._replace(family=self, start=start, candidates=not_kept(start.candidates))

    def refit(self, like: Solution, data: Training, max_iterations: int) -> Solution:
        scales = data.scales()
        rows = standardised_rows(data.cells, data.labels, scales)
        return like.with_moments(diagonal_weights(rows).joint_moments(), scales)

    def resume(self, like: Solution, rows: Rows, max_iterations: int) -> Solution:
        return like.with_moments(diagonal_weights(rows).joint_moments(), like.scales)


class DiagonalWeights(NamedTuple):
    """Posterior means and variances of the weights, (d, L), and mean and variance of each attribute."""

    weights: np.ndarray
    uncertainty: np.ndarray
    mean: np.ndarray
    variance: np.ndarray

    @property
    def usefulness(self) -> np.ndarray:
        """The root of the expected square of each weight: an uncertain weight is worth another reveal as well."""
        return np.sqrt(np.sum(self.weights**2 + self.uncertainty, axis=1))

    def joint_moments(self) -> JointMoments:
        """The moments of attributes that are uncorrelated."""
        return uncorrelated(*self.weights.shape)._replace(
            mean=self.mean,
            noise=np.where(self.variance > 0, self.variance, 1.0),
            residual_cross=self.weights * np.sqrt(self.variance)[:, None],
        )


def diagonal_weights(rows: Rows) -> DiagonalWeights:
    """Weights of attributes taken as independent; 0 for one that was never seen to vary."""
    d, L = rows.n_attributes, rows.n_labels
    inside = rows.columns < d
    where, values, row = rows.columns[inside], rows.values[inside], rows.row[inside]
    count = np.bincount(where, minlength=d)
    divisor = np.maximum(count, 1)
    mean = np.bincount(where, values, minlength=d) / divisor
    size = np.bincount(where, values**2, minlength=d) / divisor
    values = values - mean[where]
    variance = np.bincount(where, values**2, minlength=d) / divisor
    variance = np.where(variance > ROUNDING * size, variance, 0.0)
    values = values / np.sqrt(np.where(variance > 0, variance, 1.0))[where]
    order = np.argsort(where, kind="stable")
    first = np.concatenate([[0], np.cumsum(count)])
    labels = rows.labels
    weights, uncertainty = np.zeros((d, L)), np.zeros((d, L))
    for label in range(L):
        w, v = sweep(first, row[order], values[order], np.ascontiguousarray(labels[:, label]))
        weights[:, label], uncertainty[:, label] = w, v
    return DiagonalWeights(weights, uncertainty, mean, variance)


@njit(cache=True, nogil=True)
def sweep(first: np.ndarray, row: np.ndarray, values: np.ndarray, label: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Posterior means and variances of the weights: the cells of attribute i are first[i] to first[i + 1]."""
    d = len(first) - 1
    w, v, A = np.zeros(d), np.zeros(d), 1.0 / d
    left, noise = label.copy(), np.ones(len(label))
    for _ in range(MAX_SWEEPS):
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
        if moved <= SWEEP_TOLERANCE**2 * size:
            break
    return w, v
