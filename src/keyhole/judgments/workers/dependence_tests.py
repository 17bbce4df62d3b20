"""Tests of independence: severity of workers, halo between attributes, repeated judgments.

Severity is tested by the variance between workers of judgments less their object's mean, halo by the products
of such deviations of two attributes; under independence both sums are near chi-square.
"""

from __future__ import annotations

import numpy as np

from ..data.table import Judgments


def severity_test(x: np.ndarray, objects: np.ndarray, workers: np.ndarray) -> float:
    """The p-value of the differences between the workers' means, under independence.

    With T the sum over workers of (sum of their deviations from object means)^2 / number, and c workers,
    T over the mean square is near c / (c - 1) times a chi-square with c - 1 degrees of freedom: the
    deviations from an object's mean sum to zero.
    """
    from scipy import stats

    count = np.bincount(objects)
    shared = count[objects] >= 2
    x, objects, workers = x[shared], objects[shared], workers[shared]
    if not len(x):
        return 1.0
    deviation = x - (np.bincount(objects, weights=x) / np.maximum(np.bincount(objects), 1))[objects]
    mean_square = float(deviation @ deviation) / len(x)
    n_w = np.bincount(workers)
    sums, n_w = np.bincount(workers, weights=deviation)[n_w > 0], n_w[n_w > 0]
    if len(n_w) < 2 or mean_square <= 1e-20 * max(float(x @ x) / len(x), 1e-300):
        return 1.0
    freedom = len(n_w) - 1
    return float(stats.chi2.sf(np.sum(sums**2 / n_w) / mean_square * freedom / len(n_w), freedom))


def halo_test(judgments: Judgments) -> tuple[float, float]:
    """Mean correlation of the noise of two attributes judged by one worker on one object, and its p-value.

    The deviations of k judgments from their mean sum to zero, so the sum of k products of two attributes'
    deviations varies k / (k - 1) times as much as that of k independent ones.
    """
    from scipy import stats

    noise, weight = noise_by_task(judgments)
    scale = np.sqrt((noise**2).sum(axis=0) / np.maximum((weight > 0).sum(axis=0), 1))
    z = np.divide(noise, scale, out=np.zeros_like(noise), where=scale > 0)
    weight = np.where(scale > 0, weight, 0.0)
    pair = np.triu_indices(noise.shape[1], 1)
    products = (z.T @ z)[pair]
    variance = (weight.T @ weight)[pair]
    together = ((weight > 0).T.astype(np.float64) @ (weight > 0))[pair]
    known = together > 0
    if not known.any():
        return 0.0, 1.0
    p_value = stats.chi2.sf(np.sum(products[known] ** 2 / variance[known]), known.sum())
    return float(products.sum() / together.sum()), float(p_value)


def noise_by_task(judgments: Judgments) -> tuple[np.ndarray, np.ndarray]:
    """Deviations from cell means, a row per pair of worker and object, a column per attribute.

    Beside them the square root of k / (k - 1), k being the judgments of the cell; 0 where there is no deviation.
    """
    assert judgments.worker is not None
    counts = judgments.counts
    mean = np.nansum(judgments.values, axis=2) / np.maximum(counts, 1)
    i, a, j = np.nonzero(~np.isnan(judgments.values) & (counts >= 2)[:, :, None])
    _, row = np.unique(i * len(judgments.workers) + judgments.worker[i, a, j], return_inverse=True)
    noise = np.zeros((int(row.max(initial=-1)) + 1, len(judgments.attributes)))
    weight = np.zeros(noise.shape)
    noise[row, a] = judgments.values[i, a, j] - mean[i, a]
    weight[row, a] = np.sqrt(counts[i, a] / (counts[i, a] - 1))
    return noise, weight


def count_repetitions(judgments: Judgments) -> int:
    """Judgments beyond the first that one worker gave of one attribute of one object."""
    assert judgments.worker is not None
    ordered = np.sort(judgments.worker, axis=2)
    return int(((ordered[:, :, 1:] == ordered[:, :, :-1]) & (ordered[:, :, 1:] >= 0)).sum())
