"""Scores of the values of a pilot, which a factor model describes, and values of scores again.

An attribute's values are replaced by the quantiles of the normal distribution at their ranks. So what is modelled
is how attributes go together, and their own distributions stay those of the pilot. Where many examples share a
value, ranks say little, and correlations would be lost on the way back: there, scores are the standardised values.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.special import ndtr, ndtri
from scipy.stats import rankdata

# The share of the examples with the same value above which scores are standardised values.
MANY_TIES = 0.1


class Marginals(NamedTuple):
    """The sorted values of each attribute, or None where scores are standardised values; and the mean and the standard
    deviation of its normal scores, or of its values."""

    values: list[np.ndarray | None]
    centre: np.ndarray
    spread: np.ndarray

    def values_of(self, scores: np.ndarray) -> np.ndarray:
        """The table with given standardised scores; quantiles of the pilot are within its range."""
        table = scores * self.spread + self.centre
        for j, known in enumerate(self.values):
            if known is not None:
                at = len(known) * ndtr(table[:, j]) - 0.5
                table[:, j] = np.interp(at, np.arange(len(known)), known)
        return table


def normal_scores(table: np.ndarray) -> tuple[np.ndarray, Marginals]:
    """Standardised scores of a table, NaN where a cell is missing and 0 for a constant attribute.

    >>> scores, marginals = normal_scores(np.array([[1.0], [2.0], [50.0]]))
    >>> np.round(scores[:, 0], 2).tolist()
    [-1.22, 0.0, 1.22]
    >>> np.round(marginals.values_of(scores)[:, 0], 6).tolist()
    [1.0, 2.0, 50.0]
    """
    scores = np.full(table.shape, np.nan)
    centre, spread = np.zeros(table.shape[1]), np.ones(table.shape[1])
    values: list[np.ndarray | None] = []
    for j, column in enumerate(table.T):
        seen = column[~np.isnan(column)]
        _, times = np.unique(seen, return_counts=True)
        tied = times.max() > max(MANY_TIES * len(seen), 1)
        values.append(None if tied else np.sort(seen))
        own = seen if tied else ndtri((rankdata(seen) - 0.5) / len(seen))
        centre[j], deviation = own.mean(), own.std()
        spread[j] = deviation if np.ptp(own) > 0 else 0.0
        scores[~np.isnan(column), j] = (own - centre[j]) / (spread[j] or 1.0)
    return scores, Marginals(values, centre, spread)
