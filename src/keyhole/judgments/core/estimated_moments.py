"""Moments of the population, estimated from judgments: the basis of every method.

The model is the paper's: a judgment of attribute a of object o is a draw around the object's own value, with
internal variance v[a] on average; the objects' values have external covariance Sigma; b is their covariance
with the label. The mean of k judgments therefore has covariance Sigma + v/k, so Sigma is what remains when
the variance of the noise is subtracted from the diagonal. All estimates are of centred values: centring has the
effect of the paper's free bias attribute, which is bought first and costs nothing. (A constant added to an attribute
therefore changes nothing. The paper claims this of its uncentred form as well, but its repair of Sigma breaks it.)

Numbers of judgments may differ from cell to cell: noise is subtracted cell by cell, v_i/k_i, so Lemma A.2
(the loss of a fixed predictor is estimated without bias) holds for any counts of at least 2. A cell with one
judgment takes the average internal variance. Where cells are empty, moments are over the objects that have
the attribute, or both attributes of a pair; ``repair`` then makes them the moments of one population again.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ...errors import BadValue
from ..data.parsing import named
from .cells import CellStatistics, available_mean, cell_statistics

# A pivot this much smaller than its own scale is rounding, not variance.
SINGULAR = 1e-9


class Moments(NamedTuple):
    """Estimates from labelled judgments; ``sigma`` is not yet repaired to be positive semidefinite."""

    mean: np.ndarray
    label_mean: float
    label_variance: float
    b: np.ndarray
    v: np.ndarray
    sigma: np.ndarray
    deviation: np.ndarray  # standard deviation of the cell means: a unit for each attribute
    gap_error: float = 0.0  # standard error of an entry of sigma that empty cells cause; 0 if no cell is empty


def estimate(
    values: np.ndarray,
    y: np.ndarray,
    attributes: Sequence[str],
    object_weights: np.ndarray | None = None,
    judgment_weights: np.ndarray | None = None,
) -> Moments:
    """All estimates at once; weights are those of a resample (see ``assess.bootstrap``)."""
    cells = cell_statistics(values, judgment_weights)
    weights = np.ones(len(y)) if object_weights is None else object_weights
    v = internal_variance(cells, weights, attributes)
    second = second_moments(cells.mean, y, weights, attributes)
    noise = np.where(np.isnan(cells.variance), v, cells.variance) * cells.inverse_count
    sigma = second.sigma - np.diag(available_mean(noise, weights))
    return second._replace(sigma=sigma, v=v)


def internal_variance(cells: CellStatistics, weights: np.ndarray, attributes: Sequence[str]) -> np.ndarray:
    """v: the unbiased variance of a cell's judgments, averaged over the cells that have at least two."""
    v = available_mean(cells.variance, weights)
    lacking = [name for name, unknown in zip(attributes, np.isnan(v), strict=True) if unknown]
    if lacking:
        raise BadValue(
            f"no object has 2 judgments of {named('attribute', lacking)}, so how much workers disagree cannot "
            "be estimated; collect a second judgment of some objects, or leave the attribute out"
        )
    return v


def second_moments(x: np.ndarray, y: np.ndarray, weights: np.ndarray, attributes: Sequence[str]) -> Moments:
    """Moments of one number per cell (NaN where it is empty), no noise being subtracted."""
    share = weights / weights.sum()
    label_mean = float(share @ y)
    centred_y = y - label_mean
    present = ~np.isnan(x)
    mean = available_mean(x, weights)
    centred = np.where(present, x - mean, 0.0)
    weighted = centred * share[:, None]
    b, sigma = weighted.T @ centred_y, weighted.T @ centred
    gap_error = 0.0
    if not present.all():
        seen = present.astype(np.float64)
        together = (seen * share[:, None]).T @ seen
        if (together <= 0).any():
            a, c = np.argwhere(together <= 0)[0]
            raise BadValue(
                f"attributes {attributes[a]!r} and {attributes[c]!r} were never judged on one object, so "
                "their covariance is unknown; collect judgments of both on some objects, or leave one out"
            )
        b, sigma = b / np.diag(together), sigma / together
        # A product of two standard normals has variance 1 to 2; share @ share is 1 over the number of objects.
        gap_error = float(np.sqrt(2 * (share @ share) * np.mean(1 / together - 1)))
    deviation = np.sqrt(np.diag(sigma))
    # A constant attribute has no unit of its own; rounding must not invent one.
    deviation = np.where(deviation > 1e-12 * np.abs(mean), deviation, 1.0)
    return Moments(
        mean=mean,
        label_mean=label_mean,
        label_variance=float(share @ centred_y**2),
        b=b,
        v=np.zeros(len(b)),
        sigma=sigma,
        deviation=deviation,
        gap_error=gap_error,
    )
