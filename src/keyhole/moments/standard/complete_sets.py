"""Rows that show the same attributes, which are complete rows of a small table, and ridge regression on them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...common.penalties import RIDGE_PENALTIES


class CompleteSet(NamedTuple):
    """The attributes that most rows show together, in ascending order; the rows that show all of them; and of every
    cell its column in the table of these, -1 for one that is not in it."""

    attributes: np.ndarray
    rows: np.ndarray
    column: np.ndarray

    def table(self, row: np.ndarray, values: np.ndarray) -> np.ndarray:
        """The values of cells, which are in these rows, as a table."""
        table, inside = np.empty((len(self.rows), len(self.attributes))), self.column >= 0
        table[np.searchsorted(self.rows, row[inside]), self.column[inside]] = values[inside]
        return table


def most_frequent_set(row: np.ndarray, attributes: np.ndarray, n_rows: int, d: int) -> CompleteSet:
    """Of cells, by their rows and attributes."""
    # A number for each set: the sum of random numbers of its members.
    marks = np.random.default_rng(0).integers(1, 2**62, size=d, dtype=np.int64)
    sums = np.zeros(n_rows, dtype=np.int64)
    np.add.at(sums, row, marks[attributes])
    each, first, count = np.unique(sums, return_index=True, return_counts=True)
    count[each == 0] = 0
    if not count.any():
        return CompleteSet(np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64), np.full(len(row), -1))
    chosen = np.sort(attributes[row == first[int(np.argmax(count))]])
    return rows_with(chosen, row, attributes, n_rows, d)


def rows_with(chosen: np.ndarray, row: np.ndarray, attributes: np.ndarray, n_rows: int, d: int) -> CompleteSet:
    """Of chosen attributes, in ascending order, and cells, by their rows and attributes."""
    place = np.full(d, -1)
    place[chosen] = np.arange(len(chosen))
    wanted = place[attributes] >= 0
    whole = np.bincount(row[wanted], minlength=n_rows) == len(chosen)
    return CompleteSet(chosen, np.flatnonzero(whole), np.where(whole[row], place[attributes], -1))


def ridge_by_leave_one_out(table: np.ndarray, labels: np.ndarray) -> tuple[np.ndarray, float]:
    """Weights of a centred table for labels of mean 0, with the penalty of the least leave-one-out squared error, and
    that error."""
    n = len(labels)
    U, s, Vt = np.linalg.svd(table, full_matrices=False)
    projected = U.T @ labels
    best, least = np.zeros(table.shape[1]), float(np.mean((labels * n / (n - 1)) ** 2))
    for penalty in RIDGE_PENALTIES:
        shrink = s**2 / (s**2 + penalty)
        leverage = np.minimum((U**2) @ shrink + 1.0 / n, 1.0 - 1e-9)
        error = float(np.mean(((labels - U @ (shrink * projected)) / (1.0 - leverage)) ** 2))
        if error < least:
            best, least = Vt.T @ (projected * s / (s**2 + penalty)), error
    return best, least
