"""The mean and scale of each attribute and label, from revealed cells alone."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...observe.cells import Cells, Summary, standardised, summarised

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
    """Mean and scale of each attribute (a scale of 0 leaves the attribute out) and of each label."""

    mean: np.ndarray
    scale: np.ndarray
    label_mean: np.ndarray
    label_scale: np.ndarray

    @property
    def used(self) -> np.ndarray:
        """The attributes that are not left out, in ascending order."""
        return np.flatnonzero(self.scale > 0)


def scales_of(cells: Cells, labels: np.ndarray, d: int, least_observations: float = LEAST_OBSERVATIONS) -> Scales:
    """Scales of d attributes from revealed cells, and of the labels, which have a row per example."""
    summary = summarised(cells.attributes, cells.values, d)
    observations = effective_observations(cells, summary, d)
    caution = 1.0 + SCALE_CAUTION / np.maximum(observations, least_observations)
    scale = np.where(observations >= least_observations, summary.deviation * caution, 0.0)
    if not len(labels):
        return Scales(summary.mean, scale, np.zeros(labels.shape[1]), np.zeros(labels.shape[1]))
    return Scales(summary.mean, scale, labels.mean(axis=0), label_scales(labels))


def label_scales(labels: np.ndarray) -> np.ndarray:
    """The standard deviation of each column of labels, exactly 0 where all values are equal."""
    return np.where(np.ptp(labels, axis=0) > 0, labels.std(axis=0), 0.0)


def effective_observations(cells: Cells, summary: Summary, d: int) -> np.ndarray:
    """On how many observations the spread of each attribute rests."""
    z = standardised(cells.values, summary.mean[cells.attributes], summary.deviation[cells.attributes])
    fourth = np.bincount(cells.attributes, z**4, minlength=d)
    # The squares of standardised values add up to their count.
    return np.divide(summary.times**2.0, fourth, out=np.zeros(d), where=fourth > 0)
