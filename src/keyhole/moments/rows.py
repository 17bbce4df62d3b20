"""Revealed cells in standard units, row by row, with the label as one more column that every row reveals."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..observe.cells import Cells, Summary, standardised, summarised

# An attribute that is almost always constant (a pixel that is lit once in a thousand images) has a scale that
# rests on one or two observations, and its weight would be noise of any size: it is left out until its spread
# rests on this many. The number is (sum of squares)^2 / (sum of fourth powers), which has no units: n / 3 for n
# values of a Gaussian, 1 for a single value that differs from the others. The spread of few observations is often
# far too small where tails are long, so a scale is 1 + CAUTION / (that number) times the standard deviation.
FEWEST = 3.0
CAUTION = 3.0


class Rows(NamedTuple):
    """``values`` of ``columns``, those of row t from ``start[t]`` to ``start[t + 1]``; the label is the last column."""

    start: np.ndarray
    columns: np.ndarray
    values: np.ndarray
    n_columns: int


class Units(NamedTuple):
    """Mean and scale of each attribute (scale 0: left out) and of the label."""

    mean: np.ndarray
    scale: np.ndarray
    label_mean: float
    label_scale: float


def units_of(cells: Cells, d: int) -> Units:
    """From revealed cells and labels alone."""
    summary = summarised(cells.attributes, cells.values, d)
    rests_on = _observations(cells, summary, d)
    scale = np.where(rests_on >= FEWEST, summary.deviation * (1.0 + CAUTION / np.maximum(rests_on, FEWEST)), 0.0)
    labels = cells.labels
    centre = float(labels.mean()) if len(labels) else 0.0
    spread = float(np.sqrt(np.mean((labels - centre) ** 2))) if len(labels) else 0.0
    return Units(summary.mean, scale, centre, spread if np.ptp(labels) > 0 else 0.0)


def standard_rows(cells: Cells, units: Units, d: int) -> Rows:
    """The cells of attributes that are not left out, and the labels, in standard units."""
    used = units.scale[cells.attributes] > 0
    attributes, row = cells.attributes[used], cells.rows[used]
    values = standardised(cells.values[used], units.mean[attributes], units.scale[attributes])
    labels = standardised(cells.labels, np.asarray(units.label_mean), np.asarray(units.label_scale))
    n = cells.n_examples
    order = np.argsort(np.concatenate([row, np.arange(n)]), kind="stable")
    columns = np.concatenate([attributes, np.full(n, d)])[order]
    start = np.concatenate([[0], np.cumsum(np.bincount(row, minlength=n) + 1)])
    return Rows(start, columns, np.concatenate([values, labels])[order], d + 1)


def subset(rows: Rows, keep: np.ndarray) -> Rows:
    """Some of the rows."""
    length = np.diff(rows.start)
    chosen = np.repeat(keep, length)
    start = np.concatenate([[0], np.cumsum(length[keep])])
    return Rows(start, rows.columns[chosen], rows.values[chosen], rows.n_columns)


def labels_of(rows: Rows) -> np.ndarray:
    """The label of every row."""
    return rows.values[rows.start[1:] - 1]


def raw_predictor(weights: np.ndarray, offset: float, units: Units) -> tuple[np.ndarray, float]:
    """Coefficients and intercept for raw attributes, of weights of standardised ones."""
    used = units.scale > 0
    coef = np.divide(weights * units.label_scale, units.scale, out=np.zeros_like(weights), where=used)
    return coef, float(units.label_mean + units.label_scale * offset - coef @ np.where(used, units.mean, 0.0))


def _observations(cells: Cells, summary: Summary, d: int) -> np.ndarray:
    """On how many observations the spread of each attribute rests."""
    z = standardised(cells.values, summary.mean[cells.attributes], summary.deviation[cells.attributes])
    fourth = np.bincount(cells.attributes, z**4, minlength=d)
    # Standard scores have squares that add up to the count.
    return np.divide(summary.times**2.0, fourth, out=np.zeros(d), where=fourth > 0)
