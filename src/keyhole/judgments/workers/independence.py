"""Are the judgments independent, as the paper assumes? Says so with figures where they are not.

The paper takes a new random worker for every judgment. Real workers judge many objects, and several
attributes of one object. Three things can then fail:

- severity: a worker is milder than others on all objects, so judgments of different objects move together;
- halo: what a worker says of one attribute colours what the same worker says of another, so the noise of two
  attributes is correlated and the covariance estimate keeps that noise;
- repetition: a worker judged the same thing twice, which is not a second opinion.

Severity is tested by the variance between workers of judgments less their object's mean, halo by the products
of such deviations of two attributes; under independence both sums are near chi-square.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass

import numpy as np
from scipy import stats

from ..data.table import Judgments
from .variance_components import attribute_components, judgments_of

# A share of disagreement below this does no harm, however sure its estimate.
LEAST_SHARE = 0.05
LEAST_HALO = 0.05
LEVEL = 0.01


class DependentJudgments(UserWarning):
    """The judgments are not independent draws; projected losses and repeats may be too sure of themselves."""


@dataclass(frozen=True)
class Dependence:
    """What was found; ``messages`` is empty when independence may be assumed."""

    worker_share: np.ndarray  # per attribute; NaN where unknown
    severity_p: np.ndarray  # chance of as much under independence
    halo: float  # mean correlation of the noise of two attributes judged by one worker on one object
    halo_p: float
    repetitions: int  # judgments of a thing that the same worker had judged before
    messages: list[str]


def dependence(judgments: Judgments) -> Dependence:
    """Severity, halo and repetition in judgments with a worker column."""
    d = len(judgments.attributes)
    share, p = np.full(d, np.nan), np.ones(d)
    for a in range(d):
        x, objects, workers = judgments_of(judgments, a)
        if len(np.unique(workers)) < len(x):
            share[a] = attribute_components(x, objects, workers).worker_share
            p[a] = severity_test(x, objects, workers)
    halo, halo_p = halo_test(judgments)
    repetitions = count_repetitions(judgments)
    messages = []
    severe = np.flatnonzero((p < LEVEL / d) & (share >= LEAST_SHARE))
    if len(severe):
        worst = severe[np.argsort(-share[severe], kind="stable")][:5]
        shown = ", ".join(f"{judgments.attributes[a]} {share[a]:.0%}" for a in worst)
        more = f" and {len(severe) - 5} more attributes" if len(severe) > 5 else ""
        messages.append(
            "workers differ in severity: of the disagreement about one object they account for "
            f"{shown}{more} ({len(judgments.workers)} workers, {judgments.counts.sum()} judgments)"
        )
    if halo_p < LEVEL and abs(halo) >= LEAST_HALO:
        messages.append(
            f"halo: the noise of two attributes judged by one worker on one object correlates {halo:+.2f} on average"
        )
    if repetitions:
        messages.append(f"judgments by a worker who had judged the same thing before: {repetitions}")
    return Dependence(share, p, halo, halo_p, repetitions, messages)


def warn_if_dependent(judgments: Judgments) -> None:
    """Warn with figures when a worker column shows that the independence assumption fails."""
    if judgments.worker is None:
        return
    found = dependence(judgments)
    if found.messages:
        warnings.warn(
            f"the judgments are not independent draws: {'; '.join(found.messages)}. Look at intervals with "
            'bootstrap(..., by="both"), and consider correct_severity(judgments)',
            DependentJudgments,
            stacklevel=3,
        )


def severity_test(x: np.ndarray, objects: np.ndarray, workers: np.ndarray) -> float:
    """The chance, under independence, of worker means as different as these.

    With T the sum over workers of (sum of their deviations from object means)^2 / number, and c workers,
    T over the mean square is near c / (c - 1) times a chi-square with c - 1 degrees of freedom: the
    deviations of an object's judges sum to zero.
    """
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
    """Mean noise correlation of attribute pairs judged by one worker on one object, and its chance.

    The deviations of k judges from their mean sum to zero, so the sum of k products of two attributes'
    varies k / (k - 1) times as much as that of k independent ones.
    """
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
    chance = stats.chi2.sf(np.sum(products[known] ** 2 / variance[known]), known.sum())
    return float(products.sum() / together.sum()), float(chance)


def noise_by_task(judgments: Judgments) -> tuple[np.ndarray, np.ndarray]:
    """Deviations from cell means, a row per worker and object, a column per attribute.

    Beside them the square root of k / (k - 1), k being the judgments of the cell; 0 where nothing is known.
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
