"""Revealed cells in standard units, row by row, with the labels as more columns that every row reveals.

A number has one label; a class has one column for each class, 1 where it is the example's.
"""

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
    """``values`` of ``columns``, those of row t from ``start[t]`` to ``start[t + 1]``.

    The last ``n_labels`` columns are the labels, and the last cells of every row are theirs.
    """

    start: np.ndarray
    columns: np.ndarray
    values: np.ndarray
    n_columns: int
    n_labels: int

    @property
    def n_attributes(self) -> int:
        return self.n_columns - self.n_labels


class Units(NamedTuple):
    """Mean and scale of each attribute (scale 0: left out) and of each label."""

    mean: np.ndarray
    scale: np.ndarray
    label_mean: np.ndarray
    label_scale: np.ndarray


def units_of(cells: Cells, labels: np.ndarray, d: int, fewest: float = FEWEST) -> Units:
    """From revealed cells and labels (a row per example) alone."""
    summary = summarised(cells.attributes, cells.values, d)
    rests_on = _observations(cells, summary, d)
    scale = np.where(rests_on >= fewest, summary.deviation * (1.0 + CAUTION / np.maximum(rests_on, fewest)), 0.0)
    if not len(labels):
        return Units(summary.mean, scale, np.zeros(labels.shape[1]), np.zeros(labels.shape[1]))
    return Units(
        summary.mean, scale, labels.mean(axis=0), np.where(np.ptp(labels, axis=0) > 0, labels.std(axis=0), 0.0)
    )


def standard_rows(cells: Cells, labels: np.ndarray, units: Units) -> Rows:
    """The cells of attributes that are not left out, and the labels, in standard units."""
    used = units.scale[cells.attributes] > 0
    attributes, row = cells.attributes[used], cells.rows[used]
    values = standardised(cells.values[used], units.mean[attributes], units.scale[attributes])
    targets = standardised(labels, units.label_mean, units.label_scale)
    (n, L), d = labels.shape, len(units.mean)
    order = np.argsort(np.concatenate([row, np.repeat(np.arange(n), L)]), kind="stable")
    columns = np.concatenate([attributes, np.tile(d + np.arange(L), n)])[order]
    start = np.concatenate([[0], np.cumsum(np.bincount(row, minlength=n) + L)])
    return Rows(start, columns, np.concatenate([values, targets.ravel()])[order], d + L, L)


def subset(rows: Rows, keep: np.ndarray) -> Rows:
    """Some of the rows."""
    length = np.diff(rows.start)
    chosen = np.repeat(keep, length)
    start = np.concatenate([[0], np.cumsum(length[keep])])
    return rows._replace(start=start, columns=rows.columns[chosen], values=rows.values[chosen])


def labels_of(rows: Rows) -> np.ndarray:
    """The labels of every row, a row per example."""
    return rows.values[rows.start[1:, None] - rows.n_labels + np.arange(rows.n_labels)]


def _observations(cells: Cells, summary: Summary, d: int) -> np.ndarray:
    """On how many observations the spread of each attribute rests."""
    z = standardised(cells.values, summary.mean[cells.attributes], summary.deviation[cells.attributes])
    fourth = np.bincount(cells.attributes, z**4, minlength=d)
    # Standard scores have squares that add up to the count.
    return np.divide(summary.times**2.0, fourth, out=np.zeros(d), where=fourth > 0)
