"""How far labels lie from their predictions, beyond a standard deviation: labels of two values are not Gaussian.

A predictor that explains a share 1 - v of the label is, read backwards, (1 - v) times the label plus noise; so its
error is v times the label's own deviation plus Gaussian noise of variance v (1 - v). With nothing known it has the
distribution of the labels, which are free; with much known it is nearly Gaussian. Held-out rows then say by which
factor the quantiles must be widened. They are never narrowed: an interval that just holds both of two labels would
lose one.
"""

from __future__ import annotations

import numpy as np
from scipy.optimize import brentq
from scipy.special import ndtr, ndtri

from .held_out import HeldOut

GRID = np.linspace(0.0, 1.0, 41)[1:-1]
MOST_LABELS = 500  # their quantiles stand for all
FEWEST_ROWS = 50  # to measure a factor on


def half_widths(variance: np.ndarray, level: float, labels: np.ndarray, rows: HeldOut) -> np.ndarray:
    """Of intervals that cover a label with probability ``level``, in parts of the label's standard deviation."""
    width = _quantiles(variance, level, labels)
    if len(rows.label) < FEWEST_ROWS:
        return width
    factor = np.quantile(np.abs(rows.left) / _quantiles(rows.variance, level, labels), level)
    return width * max(factor, 1.0)


def _quantiles(variance: np.ndarray, level: float, labels: np.ndarray) -> np.ndarray:
    """Of the size of the error. In parts of its standard deviation they change slowly, and are interpolated."""
    if len(labels) > MOST_LABELS:
        labels = np.quantile(labels, (np.arange(MOST_LABELS) + 0.5) / MOST_LABELS)

    def quantile(v: float) -> float:
        noise = np.sqrt(v * (1.0 - v))

        def too_many(q: float) -> float:
            return float(np.mean(ndtr((q - v * labels) / noise) - ndtr((-q - v * labels) / noise))) - level

        return brentq(too_many, 0.0, v * np.abs(labels).max() + 10.0 * noise) / np.sqrt(v)

    known = [ndtri(0.5 + 0.5 * level), *(quantile(v) for v in GRID), np.quantile(np.abs(labels), level)]
    return np.sqrt(variance) * np.interp(variance, [0.0, *GRID, 1.0], known)
