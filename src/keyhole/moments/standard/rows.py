"""Revealed cells as standardised rows, with the labels as more columns that every row reveals.

A number has one label; a class has one column fewer than there are classes.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...observe.cells import Cells, standardised
from .scales import Scales


class Rows(NamedTuple):
    """``values`` of ``columns``; those of row t stand from ``start[t]`` to ``start[t + 1]``.

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

    @property
    def n_rows(self) -> int:
        return len(self.start) - 1

    @property
    def row(self) -> np.ndarray:
        """The number of the row of each cell."""
        return np.repeat(np.arange(self.n_rows), np.diff(self.start))

    @property
    def labels(self) -> np.ndarray:
        """The standardised labels, a row per example."""
        return self.values[self.start[1:, None] - self.n_labels + np.arange(self.n_labels)]

    @property
    def table(self) -> np.ndarray:
        """All attributes of all rows as a dense table; NaN where nothing was revealed."""
        table, inside = np.full((self.n_rows, self.n_attributes), np.nan), self.columns < self.n_attributes
        table[self.row[inside], self.columns[inside]] = self.values[inside]
        return table

    def where(self, keep: np.ndarray) -> Rows:
        """The rows that a mask keeps."""
        length = np.diff(self.start)
        inside = np.repeat(keep, length)
        start = np.concatenate([[0], np.cumsum(length[keep])])
        return self._replace(start=start, columns=self.columns[inside], values=self.values[inside])

    def take(self, numbers: np.ndarray) -> Rows:
        """Rows by their numbers, which may repeat."""
        length = np.diff(self.start)[numbers]
        start = np.concatenate([[0], np.cumsum(length)])
        cells = np.repeat(self.start[numbers] - start[:-1], length) + np.arange(start[-1])
        return self._replace(start=start, columns=self.columns[cells], values=self.values[cells])


def standardised_rows(cells: Cells, labels: np.ndarray, scales: Scales) -> Rows:
    """The cells of attributes that are not left out, and the labels, standardised."""
    used = scales.scale[cells.attributes] > 0
    attributes, row = cells.attributes[used], cells.rows[used]
    values = standardised(cells.values[used], scales.mean[attributes], scales.scale[attributes])
    targets = standardised(labels, scales.label_mean, scales.label_scale)
    (n, L), d = labels.shape, len(scales.mean)
    order = np.argsort(np.concatenate([row, np.repeat(np.arange(n), L)]), kind="stable")
    columns = np.concatenate([attributes, np.tile(d + np.arange(L), n)])[order]
    start = np.concatenate([[0], np.cumsum(np.bincount(row, minlength=n) + L)])
    return Rows(start, columns, np.concatenate([values, targets.ravel()])[order], d + L, L)
