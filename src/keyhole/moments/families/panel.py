"""The panel family: ridge regression on the set of attributes that was revealed together most often.

Rows that show the same attributes are complete rows of a small table. Where attributes are almost copies of each other
(spectra), or rows are few, that says more than the covariances that partial rows add up to. A policy may show a fixed
set to some of the examples; which set it is follows from the rows.
"""

from __future__ import annotations

import numpy as np

from ..standard.complete_sets import most_frequent_set, ridge_by_leave_one_out
from ..standard.joint import JointMoments
from ..standard.rows import Rows
from .alternative import Alternative, with_weights
from .settings import LEAST_COMPLETE_ROWS, LEAST_ROWS_PER_WEIGHT, LEAST_SHARE_OF_ROWS


class Panel(Alternative):
    """Ridge regression on complete rows of a few attributes, its penalty by leave-one-out errors."""

    name = "panel"
    shows_fixed_set = True
    max_attributes = float("inf")

    def moments(self, start: JointMoments, rows: Rows) -> JointMoments:
        weights, inside = np.zeros(rows.n_attributes), rows.columns < rows.n_attributes
        row = rows.row[inside]
        found = most_frequent_set(row, rows.columns[inside], rows.n_rows, rows.n_attributes)
        chosen = found.attributes
        whole = len(chosen) == len(np.unique(rows.columns[inside]))
        few = len(found.rows) < (LEAST_COMPLETE_ROWS if whole else LEAST_ROWS_PER_WEIGHT * (len(chosen) + 1))
        if few or len(found.rows) < LEAST_SHARE_OF_ROWS * rows.n_rows:
            return with_weights(start, weights)._replace(label_mean=np.zeros(1))
        table, labels = found.table(row, rows.values[inside]), rows.labels[found.rows, 0]
        mean, label_mean = table.mean(axis=0), labels.mean()
        weights[chosen], _ = ridge_by_leave_one_out(table - mean, labels - label_mean)
        centre = label_mean + weights[chosen] @ (start.mean[chosen] - mean)
        return with_weights(start, weights)._replace(label_mean=np.array([centre]))
