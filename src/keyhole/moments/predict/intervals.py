"""Prediction intervals that are not Gaussian: labels of two values are not.

A predictor that explains a share 1 - v of the label's variance equals (1 - v) times the label plus noise; so its error
is v times the label's own deviation plus Gaussian noise of variance v (1 - v). With nothing known it has the
distribution of the labels, which are free; with much known it is nearly Gaussian. Held-out rows then tell by which
factor the quantiles must be widened. They are never narrowed: an interval that just contains both of two labels would
lose one.
"""

from __future__ import annotations

import numpy as np
from scipy.special import ndtr, ndtri

from .held_out import HeldOut
from .settings import LEAST_ROWS_FOR_WIDENING, MAX_LABELS, VARIANCE_GRID


def half_widths(variance: np.ndarray, level: float, labels: np.ndarray, rows: HeldOut) -> np.ndarray:
    """Of intervals that contain a label with probability ``level``, in standard deviations of the label."""
    width = _quantiles(variance, level, labels)
    if len(rows.label) < LEAST_ROWS_FOR_WIDENING:
        return width
    factor = np.quantile(np.abs(rows.error) / _quantiles(rows.variance, level, labels), level)
    return width * max(factor, 1.0)


def _quantiles(variance: np.ndarray, level: float, labels: np.ndarray) -> np.ndarray:
    """Of the absolute error. In standard deviations of the error they change slowly, and are interpolated."""
    from scipy.optimize import brentq  # here, since it takes long to import

    if len(labels) > MAX_LABELS:
        labels = np.quantile(labels, (np.arange(MAX_LABELS) + 0.5) / MAX_LABELS)

    def quantile(v: float) -> float:
        noise = np.sqrt(v * (1.0 - v))

        def too_many(q: float) -> float:
            return float(np.mean(ndtr((q - v * labels) / noise) - ndtr((-q - v * labels) / noise))) - level

        return brentq(too_many, 0.0, v * np.abs(labels).max() + 10.0 * noise) / np.sqrt(v)

    known = [ndtri(0.5 + 0.5 * level), *(quantile(v) for v in VARIANCE_GRID), np.quantile(np.abs(labels), level)]
    return np.sqrt(variance) * np.interp(variance, [0.0, *VARIANCE_GRID, 1.0], known)
