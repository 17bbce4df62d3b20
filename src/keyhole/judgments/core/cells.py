"""Statistics of each cell: the mean of its judgments, and how much they vary."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np


class CellStatistics(NamedTuple):
    """Each cell's mean, variance between its judgments (NaN if there is one), and 1/k of its k judgments."""

    mean: np.ndarray
    variance: np.ndarray
    inverse_count: np.ndarray


def cell_statistics(values: np.ndarray, weights: np.ndarray | None = None) -> CellStatistics:
    """Statistics of (objects, attributes, judgments); an empty cell has mean NaN.

    With weights on judgments (resampled workers), the variance of a mean is v sum(n^2)/sum(n)^2, and the variance
    is averaged over pairs of different judgments, weighted by their product: a judgment that was drawn twice
    is not a second judgment.
    """
    k = values.shape[2]
    present = ~np.isnan(values)
    if weights is None and present.all():
        # Sums over a short last axis are slow in numpy; sums of slices are not.
        slices = np.moveaxis(values, 2, 0)
        mean = sum(slices[1:], start=slices[0]) / k
        if k == 1:
            return CellStatistics(mean, np.full(mean.shape, np.nan), np.ones(mean.shape))
        variance = sum((np.square(x - mean) for x in slices), start=np.zeros(mean.shape)) / (k - 1)
        return CellStatistics(mean, variance, np.full(mean.shape, 1.0 / k))
    n = present.astype(np.float64) if weights is None else np.where(present, weights, 0.0)
    x = np.where(present, values, 0.0)
    total = n.sum(axis=2)
    squares = np.square(n).sum(axis=2)
    pairs = np.square(total) - squares
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = np.where(total > 0, (n * x).sum(axis=2) / total, np.nan)
        spread = (n * np.square(x - mean[:, :, None])).sum(axis=2)
        variance = np.where(pairs > 1e-12 * np.square(total), total * spread / pairs, np.nan)
        return CellStatistics(mean, variance, np.where(total > 0, squares / np.square(total), np.nan))


def available_mean(x: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Weighted mean of each column over the objects that have a value; NaN where none has."""
    present = ~np.isnan(x)
    if present.all():
        return np.asarray(weights @ x / weights.sum())
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray((weights @ np.where(present, x, 0.0)) / (weights @ present))
