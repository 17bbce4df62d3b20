"""The panel family: ridge regression on the set of attributes that was revealed together most often.

Rows that show the same attributes are complete rows of a small table. Where attributes are almost copies of each other
(spectra), or rows are few, that says more than the covariances that partial rows add up to. A policy may show a fixed
set to some of the examples; which set it is follows from the rows.
"""

from __future__ import annotations

import numpy as np

from ...common.penalties import RIDGE_PENALTIES
from ..standard.joint import JointMoments
from ..standard.rows import Rows
from .alternative import Alternative, with_weights
from .settings import LEAST_ROWS_PER_WEIGHT


class Panel(Alternative):
    """Ridge regression on complete rows of a few attributes, its penalty by leave-one-out errors."""

    name = "panel"
    shows_fixed_set = True
    max_attributes = float("inf")

    def moments(self, start: JointMoments, rows: Rows) -> JointMoments:
        chosen, table, labels = complete_rows(rows)
        weights = np.zeros(rows.n_attributes)
        if len(labels) < LEAST_ROWS_PER_WEIGHT * (len(chosen) + 1):
            return with_weights(start, weights)._replace(label_mean=np.zeros(1))
        mean, label_mean = table.mean(axis=0), labels.mean()
        weights[chosen] = ridge_weights(table - mean, labels - label_mean)
        centre = label_mean + weights[chosen] @ (start.mean[chosen] - mean)
        return with_weights(start, weights)._replace(label_mean=np.array([centre]))


def complete_rows(rows: Rows) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The set of columns that most rows show, and of the rows that show all of it the values and the labels."""
    d, n = rows.n_attributes, rows.n_rows
    inside = rows.columns < d
    row, columns, values = rows.row[inside], rows.columns[inside], rows.values[inside]
    # A number for each set: the sum of random numbers of its members.
    marks = np.random.default_rng(0).integers(1, 2**62, size=d, dtype=np.int64)
    sums = np.zeros(n, dtype=np.int64)
    np.add.at(sums, row, marks[columns])
    of_most, first, count = np.unique(sums, return_index=True, return_counts=True)
    count[of_most == 0] = 0
    chosen = np.sort(columns[row == first[int(np.argmax(count))]])
    place = np.full(d, -1)
    place[chosen] = np.arange(len(chosen))
    wanted = place[columns] >= 0
    whole = np.bincount(row[wanted], minlength=n) == len(chosen)
    kept = wanted & whole[row]
    table = np.empty((int(whole.sum()), len(chosen)))
    table[(np.cumsum(whole) - 1)[row[kept]], place[columns[kept]]] = values[kept]
    return chosen, table, rows.labels[whole, 0]


def ridge_weights(table: np.ndarray, labels: np.ndarray) -> np.ndarray:
    """Of a centred table, with the penalty that has the least leave-one-out error."""
    U, s, Vt = np.linalg.svd(table, full_matrices=False)
    projected, n = U.T @ labels, len(labels)
    best, least = np.zeros(table.shape[1]), np.mean((labels * n / (n - 1)) ** 2)
    for penalty in RIDGE_PENALTIES:
        shrink = s**2 / (s**2 + penalty)
        leverage = np.minimum((U**2) @ shrink + 1.0 / n, 1.0 - 1e-9)
        error = np.mean(((labels - U @ (shrink * projected)) / (1.0 - leverage)) ** 2)
        if error < least:
            best, least = Vt.T @ (projected * s / (s**2 + penalty)), error
    return best
