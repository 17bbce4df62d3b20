"""The attributes of a pilot as standardised columns: their values as they are, and normal scores of their ranks.

A label may be linear in one or in the other; where values are skewed or wild, ranks are closer to it.
"""

from __future__ import annotations

import numpy as np
from scipy.special import ndtri
from scipy.stats import rankdata

VALUES, RANKS = "values", "ranks"


def standardised_columns(table: np.ndarray) -> dict[str, np.ndarray]:
    """Columns of mean 0 and variance 1 by kind; NaN where a cell is missing, and 0 for a constant attribute.

    >>> columns = standardised_columns(np.array([[1.0], [2.0], [90.0]]))
    >>> np.round(columns["values"][:, 0], 2).tolist(), np.round(columns["ranks"][:, 0], 2).tolist()
    ([-0.72, -0.7, 1.41], [-1.22, 0.0, 1.22])
    """
    return {VALUES: _standardised(table), RANKS: _standardised(_normal_scores(table))}


def _normal_scores(table: np.ndarray) -> np.ndarray:
    scores = np.full(table.shape, np.nan)
    for j, column in enumerate(table.T):
        seen = ~np.isnan(column)
        scores[seen, j] = ndtri((rankdata(column[seen]) - 0.5) / seen.sum())
    return scores


def _standardised(table: np.ndarray) -> np.ndarray:
    centred = table - np.nanmean(table, axis=0)
    spread = np.where(np.nanmax(table, axis=0) > np.nanmin(table, axis=0), np.nanstd(table, axis=0), 1.0)
    return centred / spread
