"""Which family describes the cells: factors, or a diagonal; decided on rows that were not fitted to.

Every row gives products: of its cells two by two, and of each cell with the label. A family says what they are
on average, and the one whose held-out squared error is smaller knows more about the second moments, which are
all that a linear predictor follows from. (The risk of the predictor itself would be the natural measure; at a
few cells per row its estimate is far too noisy to choose by.) Covariances that were fitted to few products are right
in direction before they are right in size, so those between attributes are first multiplied by the slope, at most 1,
that suits the held-out products best. Factors are the start, and the diagonal replaces them when it is better by more
than ``ERRORS`` standard errors of the difference paired by row: taken for a tie by mistake, factors cost a little,
while a diagonal on correlated attributes counts the same thing many times over.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np
from numba import njit

from .direct import direct
from .factors import fit_factors, joint_of
from .rows import Rows, labels_of, subset

FOLDS = 3
ERRORS = 2.0


class Comparison(NamedTuple):
    """Held-out squared error per row, of the diagonal less of the factors; and its standard error."""

    difference: float
    standard_error: float

    @property
    def diagonal_is_better(self) -> bool:
        return self.difference < -ERRORS * self.standard_error


def compare(rows: Rows, rank: int, most_turns: int, seed: int) -> Comparison:
    """Cross-fitted over three folds of the rows."""
    n, d = len(rows.start) - 1, rows.n_attributes
    fold = np.random.default_rng(seed).permutation(n) % FOLDS
    parts = np.zeros((n, 3))

    def one_fold(f: int) -> None:
        held, train = subset(rows, fold == f), subset(rows, fold != f)
        implied = joint_of(fit_factors(train, rank, most_turns, seed), rows.n_labels)
        covariances = direct(train).joint().rest
        everything = np.arange(d)
        parts[fold == f] = product_parts(
            held.start,
            held.columns,
            held.values,
            labels_of(held),
            implied.loadings,
            implied.cross(everything),
            covariances,
        )

    with ThreadPoolExecutor(FOLDS) as pool:  # compiled code lets go of the interpreter lock
        list(pool.map(one_fold, range(FOLDS)))
    with_label, cross, square = parts.T
    slope = np.clip(cross.sum() / square.sum(), 0.0, 1.0) if square.any() else 0.0
    difference = with_label + slope * (2.0 * cross - slope * square)
    return Comparison(float(difference.mean()), float(difference.std(ddof=1) / np.sqrt(n)))


@njit(cache=True, nogil=True)
def product_parts(start, columns, values, labels, loadings, implied, covariances):
    """For every row: the squared error of its products with labels under the diagonal less that under the factors; and
    over pairs of its cells, the sum of product times covariance by the factors, and of the squares of the latter."""
    n, L = labels.shape
    parts = np.zeros((n, 3))
    for t in range(n):
        for s in range(start[t], start[t + 1] - L):
            i = columns[s]
            for label in range(L):
                product = values[s] * labels[t, label]
                parts[t, 0] += (product - covariances[i, label]) ** 2 - (product - implied[i, label]) ** 2
            for q in range(start[t], s):
                said = np.sum(loadings[i] * loadings[columns[q]])
                parts[t, 1] += said * values[s] * values[q]
                parts[t, 2] += said * said
    return parts
