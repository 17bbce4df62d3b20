"""Which family describes the cells: factors, or a diagonal; decided on rows that were not fitted to.

Every row gives products: of its cells two by two, and of each cell with the label. A family says what they are
on average. (The risk of the predictor itself would be the natural measure; at a few cells per row its estimate is far
too noisy to choose by.) Factors are the start. A diagonal on correlated attributes counts the same thing many times
over, so it replaces them only where nothing speaks for factors:

- held-out products of two cells do not go with what the factors say of them, beyond ``ERRORS`` standard errors, or
  with so little of it (``LEAST``) that almost all of what they say is noise;
- held-out products with the label are not better foretold by the factors, by as much;
- attributes one by one surely do not explain much more than there is: of uncorrelated attributes the squared
  correlations with the label add up to 1 at most, which correlated ones soon exceed. With few rows that is not known.

Without factors to share, the strongest shrinkage of all, loadings of zero, is what held-out rows ask for.
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
LEAST = 0.1
MOST_EXPLAINED = 3.0  # it is 1 at most; this leaves room for what is not known yet


class Comparison(NamedTuple):
    """Slope of held-out products of two cells on what the factors say of them; by how much the diagonal's squared
    error of products with the label exceeds that of the factors, per row; and the sum of the squared correlations with
    the label; each with its standard error."""

    slope: float
    slope_error: float
    difference: float
    difference_error: float
    explained: float
    explained_error: float

    @property
    def attributes_covary(self) -> bool:
        return self.slope > max(ERRORS * self.slope_error, LEAST)

    @property
    def factors_foretell(self) -> bool:
        return self.difference > ERRORS * self.difference_error

    @property
    def each_may_stand_alone(self) -> bool:
        return self.explained + ERRORS * self.explained_error <= MOST_EXPLAINED

    @property
    def factors_are_borne_out(self) -> bool:
        """Whether anything speaks for factors; more is explained one by one than there is only where they share it."""
        shared = self.explained - ERRORS * self.explained_error > 1.0
        return self.attributes_covary or self.factors_foretell or shared

    @property
    def diagonal_is_better(self) -> bool:
        return not self.factors_are_borne_out and self.each_may_stand_alone

    @property
    def told(self) -> str:
        return (
            f"held-out products of two cells on what factors say of them: slope {self.slope:.2g} ±"
            f" {self.slope_error:.2g}; error of those with the label, diagonal less factors: {self.difference:+.2g} ±"
            f" {self.difference_error:.2g}; sum of the squared correlations with the label:"
            f" {self.explained:.2g} ± {self.explained_error:.2g}"
        )


def compare(
    rows: Rows, alone: Rows, explained: tuple[float, float], rank: int, most_turns: int, seed: int
) -> Comparison:
    """Cross-fitted over three folds of the rows; ``alone`` are the rows as the diagonal takes them, with more cells.

    What is ``explained`` singly, of these rows or of more, needs no folds.
    """
    n, d = len(rows.start) - 1, rows.n_attributes
    fold = np.random.default_rng(seed).permutation(n) % FOLDS
    parts = np.zeros((n, 3))

    def one_fold(f: int) -> None:
        held = subset(alone, fold == f)
        implied = joint_of(fit_factors(subset(rows, fold != f), rank, most_turns, seed), rows.n_labels)
        covariances = direct(subset(alone, fold != f)).joint().rest
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
    size = max(float(square.sum()), 1e-300)
    root = float(np.sqrt(n))
    return Comparison(
        float(cross.sum()) / size,
        float(cross.std(ddof=1) * root) / size,
        float(with_label.mean()),
        float(with_label.std(ddof=1) / root),
        *explained,
    )


def explained_singly(rows: Rows) -> tuple[float, float]:
    """The sum of the squared correlations of attributes with the label, less what chance adds; and its standard error.

    Of several labels, that of the one with the largest.
    """
    d = rows.n_attributes
    row = np.repeat(np.arange(len(rows.start) - 1), np.diff(rows.start))
    inside = rows.columns < d
    where, values, labels = rows.columns[inside], rows.values[inside], labels_of(rows)[row[inside]]
    count = np.bincount(where, minlength=d)
    seen = count > 0
    scale = np.sqrt(np.bincount(where, values**2, minlength=d)[seen] / count[seen])
    chance = 1.0 / count[seen]
    most = -np.inf, 0.0
    for label in labels.T:
        product = np.bincount(where, values * label, minlength=d)[seen] / count[seen]
        square = np.divide(product, scale, out=np.zeros_like(scale), where=scale > 0) ** 2 - chance
        variance = np.sum(4.0 * np.maximum(square, 0.0) * chance + 2.0 * chance**2)
        most = max(most, (float(square.sum()), float(np.sqrt(variance))))
    return most


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
