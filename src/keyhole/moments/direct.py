"""The diagonal family: attributes taken as uncorrelated, each weighted by its own covariance with the label.

The correlation of attribute i with the label over the rows that revealed it has a known variance v_i. All true
correlations are taken to be draws from N(0, A), with A by maximum likelihood, so each counts A / (A + v_i) of its
value (Efron and Morris 1973).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .rows import Rows, labels_of

TURNS = 100


class Direct(NamedTuple):
    """Shrunk correlations with the label, the variance that is left in them, and the standard deviations of the
    attributes in the units of the rows."""

    correlations: np.ndarray
    uncertainty: np.ndarray
    deviations: np.ndarray

    @property
    def covariances(self) -> np.ndarray:
        return self.correlations * self.deviations

    @property
    def interest(self) -> np.ndarray:
        """The root of the expected square of each correlation: what is uncertain is worth a look as well."""
        return np.sqrt(self.correlations**2 + self.uncertainty)

    @property
    def weights(self) -> np.ndarray:
        """Of the diagonal model: covariance over variance."""
        seen = self.deviations > 0
        return np.divide(self.correlations, self.deviations, out=np.zeros_like(self.correlations), where=seen)


def direct(rows: Rows) -> Direct:
    """What each attribute says of the label on its own; 0 for one that was never seen to vary."""
    d = rows.n_columns - 1
    row = np.repeat(np.arange(len(rows.start) - 1), np.diff(rows.start))
    inside = rows.columns < d
    where, values = rows.columns[inside], rows.values[inside]
    count = np.bincount(where, minlength=d)
    divisor = np.maximum(count, 1)
    values = values - (np.bincount(where, values, minlength=d) / divisor)[where]
    deviations = np.sqrt(np.bincount(where, values**2, minlength=d) / divisor)
    product = values * labels_of(rows)[row[inside]] / np.where(deviations > 0, deviations, 1.0)[where]
    mean = np.bincount(where, product, minlength=d) / divisor
    # One variance for all products: an attribute's own would be smallest where its estimate happens to be.
    variance = np.mean((product - mean[where]) ** 2) / divisor if len(product) else np.zeros(d)
    return Direct(*shrunk(mean, variance, deviations > 0), deviations)


def shrunk(estimates: np.ndarray, variance: np.ndarray, seen: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """A / (A + variance) of each estimate that was seen, 0 for the others; and the variance that is left.

    >>> mean, left = shrunk(np.array([3.0, -3.0, 3.0]), np.array([1.0, 1.0, 1.0]), np.array([True, True, False]))
    >>> print(mean.round(3), left.round(3))
    [ 2.667 -2.667  0.   ] [0.889 0.889 8.   ]
    """
    if not seen.any():
        return np.zeros_like(estimates), np.zeros_like(estimates)
    x, v = estimates[seen], variance[seen]
    A = max(float(np.mean(x**2 - v)), 0.0)
    for _ in range(TURNS):  # the likelihood equation of A, solved by reweighting
        weight = 1.0 / np.maximum(A + v, 1e-300) ** 2
        A = max(float(np.sum(weight * (x**2 - v)) / np.sum(weight)), 0.0)
    share = np.divide(A, A + variance, out=np.zeros_like(variance), where=A + variance > 0)
    return np.where(seen, share * estimates, 0.0), np.where(seen, share * variance, A)
