"""Running means and scales, learned from revealed cells alone.

Weights live in the coordinates z = (x - mean) / scale. The mean and scale of an attribute change only when
it is revealed, only after the example was used, and each cell counts once; so a step touches only what it
observed, and what z is never depends on whether this example's cell was drawn, which keeps estimates
unbiased. The scale follows from the count n, the sum S of squared deviations and the largest deviation
r = max(largest |x - mean| so far, this |x - mean|):

    scale^2 = (S + EXTRA r^2) / (n + EXTRA) + (r / LIMIT)^2

that is, the standard deviation with EXTRA more observations imagined at the largest deviation, which matters
while there are few, and a guard for attributes that are almost always constant (a pixel that is lit once in
a thousand images) that keeps |z| below LIMIT. All is in the attribute's own units, so units never
matter. z is 0 until the attribute was seen once. Labels are free, and are centred and scaled by their own
running mean and standard deviation.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

EXTRA = 10.0
LIMIT = 10.0
STRANGE = 1.5
COUNT, MEAN, SQUARES, LARGEST = range(4)


class Scales(NamedTuple):
    """Count, mean, sum of squared deviations and largest deviation: a row per attribute, and the label's.

    With no rows nothing is scaled: z is x, and the intercept is 0.
    """

    attributes: np.ndarray
    label: np.ndarray


def new_scales(n_attributes: int, scaling: str) -> Scales:
    """Scales that have seen nothing, for ``scaling`` "running" or "none"."""
    return Scales(np.zeros((n_attributes if scaling == "running" else 0, 4)), np.zeros(4))


def unscale(scales: Scales, weights: np.ndarray) -> tuple[np.ndarray, float]:
    """Coefficients and intercept for raw attributes and labels, of weights in z."""
    coef = out_of_scale(scales, weights)
    return coef, intercept_of(scales, coef)


def intercept_of(scales: Scales, coef: np.ndarray) -> float:
    """The intercept with which coefficients predict the mean label at the mean of the attributes."""
    return float(scales.label[MEAN] - coef @ scales.attributes[:, MEAN]) if len(scales.attributes) else 0.0


def out_of_scale(scales: Scales, weights: np.ndarray) -> np.ndarray:
    """Coefficients for raw attributes and labels, of weights in z."""
    if not len(scales.attributes):
        return weights
    scale = attribute_scales(scales)
    return np.divide(weights * label_scale(scales), scale, out=np.zeros_like(weights), where=scale > 0)


def in_scale(scales: Scales, coef: np.ndarray) -> np.ndarray:
    """Weights in z, of coefficients for raw attributes and labels: the inverse of ``out_of_scale``."""
    if not len(scales.attributes):
        return coef
    of_label = label_scale(scales)
    return coef * attribute_scales(scales) / of_label if of_label > 0 else np.zeros_like(coef)


def carried_over(old: Scales, new: Scales, weights: np.ndarray) -> np.ndarray:
    """Weights in the z of the new scales that predict as did those in the z of the old.

    Where the scale has grown by more than STRANGE times, too little was known of the attribute when the weight was
    found, and the z of its large values were held back: there the weight in z is kept instead.
    """
    if not len(old.attributes):
        return weights
    before, now, label_now = attribute_scales(old), attribute_scales(new), label_scale(new)
    known = now < STRANGE * before
    ratio = np.divide(now, before, out=np.ones_like(now), where=known)
    return weights * ratio * label_scale(old) / label_now if label_now > 0 else np.zeros_like(weights)


def attribute_scales(scales: Scales) -> np.ndarray:
    """The scale of every attribute."""
    count, _, squares, largest = scales.attributes.T
    return np.sqrt((squares + EXTRA * largest**2) / (count + EXTRA) + (largest / LIMIT) ** 2)


def has_spread(scales: Scales) -> np.ndarray:
    """Whether the scale of each attribute rests on more than one value: the largest deviation is under half of S."""
    _, _, squares, largest = scales.attributes.T
    return squares > 2.0 * largest**2


@njit(cache=True, nogil=True)
def scaled_values(scales: Scales, attributes: np.ndarray, values: np.ndarray) -> np.ndarray:
    """z of some revealed values."""
    if len(scales.attributes) == 0:
        return values
    z = np.zeros(len(values))
    for r in range(len(values)):
        row = scales.attributes[attributes[r]]
        deviation = values[r] - row[MEAN]
        if row[COUNT] > 0.0 and deviation != 0.0:
            largest = max(row[LARGEST], abs(deviation))
            spread = (row[SQUARES] + EXTRA * largest**2) / (row[COUNT] + EXTRA)
            z[r] = deviation / np.sqrt(spread + (largest / LIMIT) ** 2)
    return z


@njit(cache=True, nogil=True)
def scaled_label(scales: Scales, label: float) -> float:
    """The label in its own running scale."""
    if len(scales.attributes) == 0:
        return label
    row = scales.label
    return (label - row[MEAN]) / np.sqrt(row[SQUARES] / row[COUNT]) if row[SQUARES] > 0.0 else 0.0


@njit(cache=True, nogil=True)
def label_scale(scales: Scales) -> float:
    """The running standard deviation of the labels; 1 if nothing is scaled."""
    if len(scales.attributes) == 0:
        return 1.0
    return np.sqrt(scales.label[SQUARES] / max(scales.label[COUNT], 1.0))


@njit(cache=True, nogil=True)
def predicted_label(scales: Scales, prediction: float) -> float:
    """A prediction in z as a label: the inverse of ``scaled_label``."""
    if len(scales.attributes) == 0:
        return prediction
    return scales.label[MEAN] + prediction * label_scale(scales)


@njit(cache=True, nogil=True)
def observe(scales: Scales, attributes: np.ndarray, values: np.ndarray, label: float) -> None:
    """Count the cells and the label of an example that was used."""
    if len(scales.attributes) == 0:
        return
    for r in range(len(values)):
        _count(scales.attributes[attributes[r]], values[r])
    _count(scales.label, label)


@njit(cache=True, nogil=True)
def _count(row: np.ndarray, value: float) -> None:
    row[COUNT] += 1.0
    before = value - row[MEAN]
    row[MEAN] += before / row[COUNT]
    row[SQUARES] += before * (value - row[MEAN])
    row[LARGEST] = max(row[LARGEST], abs(value - row[MEAN]))
