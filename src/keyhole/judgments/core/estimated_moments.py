"""What the judgments say about the population: the estimates behind every method.

The model is the paper's: a judgment of attribute a of object o is a draw around the object's own value, with
internal variance v[a] on average; the objects' values have external covariance Sigma; b is their covariance
with the label. The mean of k judgments therefore has covariance Sigma + v/k, so Sigma is what remains when
the noise of the means is taken off the diagonal. All estimates are of centred values: centring is what the
free bias attribute does, as it is bought first and costs nothing (and so a constant added to an attribute
changes nothing, which the paper claims of its uncentred form but which its repair of Sigma there breaks).

Numbers of judgments may differ from cell to cell: noise is taken off cell by cell, v_i/k_i, so Lemma A.2
(the loss of a fixed predictor is estimated without bias) holds for any counts of at least 2. A cell with one
judgment takes the average internal variance. Where cells are empty, moments are over the objects that have
the attribute, or both attributes of a pair; ``repair`` then makes them one population's again.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from scipy import linalg

from ...errors import BadValue
from ..data.parsing import named

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
    deviation: np.ndarray  # of the cell means: a unit for each attribute
    gap_error: float = 0.0  # how far pairs of attributes differ because other objects are empty; 0 if none is


class Cells(NamedTuple):
    """Each cell's mean, variance between its judgments (NaN if one), and 1/k of its k judgments."""

    mean: np.ndarray
    variance: np.ndarray
    inverse_count: np.ndarray


def cell_statistics(values: np.ndarray, weights: np.ndarray | None = None) -> Cells:
    """Statistics of (objects, attributes, judgments); an empty cell has mean NaN.

    With weights on judgments (resampled workers), a mean's noise is v sum(n^2)/sum(n)^2, and the variance
    is averaged over pairs of different judgments, weighted by their product: a judgment that was drawn twice
    is not a second opinion.
    """
    k = values.shape[2]
    present = ~np.isnan(values)
    if weights is None and present.all():
        # Sums over a short last axis are slow in numpy; sums of slices are not.
        slices = np.moveaxis(values, 2, 0)
        mean = sum(slices[1:], start=slices[0]) / k
        if k == 1:
            return Cells(mean, np.full(mean.shape, np.nan), np.ones(mean.shape))
        variance = sum((np.square(x - mean) for x in slices), start=np.zeros(mean.shape)) / (k - 1)
        return Cells(mean, variance, np.full(mean.shape, 1.0 / k))
    n = present.astype(np.float64) if weights is None else np.where(present, weights, 0.0)
    x = np.where(present, values, 0.0)
    total = n.sum(axis=2)
    squares = np.square(n).sum(axis=2)
    pairs = np.square(total) - squares
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = np.where(total > 0, (n * x).sum(axis=2) / total, np.nan)
        spread = (n * np.square(x - mean[:, :, None])).sum(axis=2)
        variance = np.where(pairs > 1e-12 * np.square(total), total * spread / pairs, np.nan)
        return Cells(mean, variance, np.where(total > 0, squares / np.square(total), np.nan))


def estimate(
    values: np.ndarray,
    y: np.ndarray,
    attributes: Sequence[str],
    object_weights: np.ndarray | None = None,
    judgment_weights: np.ndarray | None = None,
) -> Moments:
    """All estimates at once; weights are those of a resample (see ``stability``)."""
    cells = cell_statistics(values, judgment_weights)
    weights = np.ones(len(y)) if object_weights is None else object_weights
    v = internal_variance(cells, weights, attributes)
    second = second_moments(cells.mean, y, weights, attributes)
    noise = np.where(np.isnan(cells.variance), v, cells.variance) * cells.inverse_count
    sigma = second.sigma - np.diag(available_mean(noise, weights))
    return second._replace(sigma=sigma, v=v)


def internal_variance(cells: Cells, weights: np.ndarray, attributes: Sequence[str]) -> np.ndarray:
    """v: the unbiased variance of a cell's judgments, averaged over the cells that have at least two."""
    v = available_mean(cells.variance, weights)
    lacking = [name for name, unknown in zip(attributes, np.isnan(v), strict=True) if unknown]
    if lacking:
        raise BadValue(
            f"no object has 2 judgments of {named('attribute', lacking)}, so how much judges disagree cannot "
            "be estimated; collect a second judgment of some objects, or leave the attribute out"
        )
    return v


def second_moments(x: np.ndarray, y: np.ndarray, weights: np.ndarray, attributes: Sequence[str]) -> Moments:
    """Moments of one number per cell (NaN where empty), with no noise taken off."""
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
                "their covariance is unknown; judge both on some objects, or leave one out"
            )
        b, sigma = b / np.diag(together), sigma / together
        # A product of two standard normals has variance 1 to 2; share @ share is 1 over the number of objects.
        gap_error = float(np.sqrt(2 * (share @ share) * np.mean(1 / together - 1)))
    deviation = np.sqrt(np.diag(sigma))
    # A constant attribute has no unit of its own; rounding must not invent one.
    deviation = np.where(deviation > 1e-12 * np.abs(mean), deviation, 1.0)
    variance = float(share @ centred_y**2)
    return Moments(mean, label_mean, variance, b, np.zeros(len(b)), sigma, deviation, gap_error)


def predictor(moments: Moments, sigma: np.ndarray, repeats: np.ndarray) -> tuple[np.ndarray, float]:
    """The best coefficients for means of ``repeats`` judgments under these estimates, and the intercept."""
    chosen = np.flatnonzero(repeats)
    coef = np.zeros(len(repeats))
    if len(chosen):
        unit = moments.deviation[chosen]
        noise = np.diag(moments.v[chosen] / repeats[chosen])
        m_r = (sigma[np.ix_(chosen, chosen)] + noise) / np.outer(unit, unit)
        coef[chosen] = linalg.pinvh(m_r, rtol=SINGULAR) @ (moments.b[chosen] / unit) / unit
    return coef, moments.label_mean - float(coef @ moments.mean)


def estimated_loss(moments: Moments, repeats: np.ndarray, coef: np.ndarray, intercept: float) -> float:
    """The loss of a fixed predictor on means of ``repeats`` judgments, without bias (Lemma A.2).

    ``moments.sigma`` must be the estimate before the repair. Weights of attributes with no repeats do not
    count. What a mean of one sample misses of the next is in the squared difference of means.
    """
    w = np.where(repeats > 0, coef, 0.0)
    noise = np.divide(moments.v, repeats, out=np.zeros(len(w)), where=repeats > 0)
    spread = w @ moments.sigma @ w + noise @ w**2 - 2 * w @ moments.b + moments.label_variance
    return float(spread + (w @ moments.mean + intercept - moments.label_mean) ** 2)


def available_mean(x: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Weighted mean over the objects of what is there; NaN where nothing is."""
    present = ~np.isnan(x)
    if present.all():
        return weights @ x / weights.sum()
    with np.errstate(invalid="ignore", divide="ignore"):
        return (weights @ np.where(present, x, 0.0)) / (weights @ present)
