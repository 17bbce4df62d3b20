"""Which family describes the cells: factors, or a diagonal; decided on rows that were not fitted to.

Every row gives products: of its cells two by two, and of each cell with the label. A family says what they are
on average, and the one whose held-out squared error is smaller knows more about the second moments, which are
all that a linear predictor follows from. (The risk of the predictor itself would be the natural measure; at a
few cells per row its estimate is far too noisy to choose by.) Factors are the start, and the diagonal replaces them
when it is better by more than ``ERRORS`` standard errors of the difference paired by row: taken for a tie by
mistake, factors cost a little, while a diagonal on correlated attributes counts the same thing many times over.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np
from numba import njit

from .direct import direct
from .factors import fit_factors
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
    n = len(rows.start) - 1
    fold = np.random.default_rng(seed).permutation(n) % FOLDS
    difference = np.zeros(n)

    def one_fold(f: int) -> None:
        held, train = subset(rows, fold == f), subset(rows, fold != f)
        covariances = direct(train).covariances
        loadings = fit_factors(train, rank, most_turns, seed).loadings
        labels = labels_of(held)
        difference[fold == f] = product_errors(held.start, held.columns, held.values, labels, loadings, covariances)

    with ThreadPoolExecutor(FOLDS) as pool:  # compiled code lets go of the interpreter lock
        list(pool.map(one_fold, range(FOLDS)))
    return Comparison(float(difference.mean()), float(difference.std(ddof=1) / np.sqrt(n)))


@njit(cache=True, nogil=True)
def product_errors(start, columns, values, labels, loadings, covariances):
    """For every row, the squared error of its products under the diagonal less that under the factors."""
    n, d = len(start) - 1, len(covariances)
    difference = np.zeros(n)
    for t in range(n):
        for s in range(start[t], start[t + 1] - 1):  # the label is the last cell of a row
            i = columns[s]
            with_label = values[s] * labels[t]
            implied = np.sum(loadings[i] * loadings[d])
            difference[t] += (with_label - covariances[i]) ** 2 - (with_label - implied) ** 2
            for q in range(start[t], s):
                said = np.sum(loadings[i] * loadings[columns[q]])
                difference[t] += said * (2.0 * values[s] * values[q] - said)
    return difference
