"""The mean and scale of each attribute and label, from revealed cells alone."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...observe.cells import Cells, Summary, standardised, summarised
from .values import RAW, Values

# An attribute that is almost always constant (a pixel that is lit once in a thousand images) has a scale that rests on
# one or two observations, and its weight would be noise of any size: it is left out until its spread rests on this
# many effective observations. Their number is (sum of squares)^2 / (sum of fourth powers), which has no unit: n / 3
# for n values of a Gaussian, 1 for a single value that differs from the others.
LEAST_OBSERVATIONS = 3.0
# The spread of few observations is often far too small where tails are long, so a scale is
# 1 + SCALE_CAUTION / (effective observations) times the standard deviation.
# Both were chosen on development splits of MNIST 3 vs 5 (docs/evidence.md); benchmarks/keyhole_figures.py measures the
# result.
SCALE_CAUTION = 3.0


class Scales(NamedTuple):
    """Mean and scale of each column (a scale of 0 leaves the attribute out), and of each label; the values that columns
    are made of; and the smallest and largest value of each label, within which predictions are held."""

    mean: np.ndarray
    scale: np.ndarray
    label_mean: np.ndarray
    label_scale: np.ndarray
    values: Values = RAW
    label_low: np.ndarray = np.array(-np.inf)
    label_high: np.ndarray = np.array(np.inf)

    def held(self, predictions: np.ndarray) -> np.ndarray:
        """Predictions of the first label, held within the range of the labels seen."""
        low, high = np.broadcast_to(self.label_low, 1)[0], np.broadcast_to(self.label_high, 1)[0]
        # What is not finite is for the caller to refuse.
        return np.where(np.isfinite(predictions), np.clip(predictions, low, high), predictions)

    @property
    def used(self) -> np.ndarray:
        """The attributes that are not left out, in ascending order."""
        return np.flatnonzero(self.scale > 0)


def scales_of(
    values: Values,
    cells: Cells,
    labels: np.ndarray,
    d: int,
    common_unit: bool = False,
    other_labels: np.ndarray | None = None,
    least_observations: float = LEAST_OBSERVATIONS,
) -> Scales:
    """Scales of d columns from the cells of columns that ``values`` made, and of labels, which have a row per example.

    With a ``common_unit`` every column has the root mean square of the standard deviations of all as its scale: one
    that varies little then stays small, and counts little. ``other_labels`` are those of examples of which nothing was
    revealed.
    """
    summary = summarised(cells.attributes, cells.values, d)
    observations = effective_observations(cells, summary, d)
    caution = 1.0 + SCALE_CAUTION / np.maximum(observations, least_observations)
    deviation = summary.deviation
    if common_unit and deviation.any():
        largest = deviation.max()  # in parts of it, since its square may be no finite number
        common = largest * np.sqrt(np.mean((deviation[summary.times > 0] / largest) ** 2))
        deviation = np.where(deviation > 0, common, 0.0)
    scale = np.where(observations >= least_observations, deviation * caution, 0.0)
    every = labels if other_labels is None else np.concatenate([labels, other_labels])
    return with_labels(values, summary.mean, scale, every)


def with_labels(values: Values, mean: np.ndarray, scale: np.ndarray, labels: np.ndarray) -> Scales:
    """Scales of columns, with those of the labels, which are 0 before the first."""
    nothing = np.zeros(labels.shape[1])
    some = len(labels) > 0
    return Scales(
        values=values,
        mean=mean,
        scale=scale,
        label_mean=labels.mean(axis=0) if some else nothing,
        label_scale=label_scales(labels) if some else nothing,
        label_low=labels.min(axis=0) if some else nothing,
        label_high=labels.max(axis=0) if some else nothing,
    )


def label_scales(labels: np.ndarray) -> np.ndarray:
    """The standard deviation of each column of labels, exactly 0 where all values are equal."""
    return np.where(np.ptp(labels, axis=0) > 0, labels.std(axis=0), 0.0)


def effective_observations(cells: Cells, summary: Summary, d: int) -> np.ndarray:
    """On how many observations the spread of each attribute rests."""
    z = standardised(cells.values, summary.mean[cells.attributes], summary.deviation[cells.attributes])
    fourth = np.bincount(cells.attributes, z**4, minlength=d)
    # The squares of standardised values add up to their count.
    return np.divide(summary.times**2.0, fourth, out=np.zeros(d), where=fourth > 0)
