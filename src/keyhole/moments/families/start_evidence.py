"""Which of the two start families describes the cells, factors or a diagonal: decided on held-out rows.

Every row gives products: of its cells two by two, and of each cell with the label. A family predicts their averages.
(The risk of the predictor itself would be the natural measure; at a few cells per row its estimate is far too noisy to
select by.) A diagonal on correlated attributes counts the same thing many times over, so it is selected only where
nothing supports factors:

- held-out products of two cells do not rise with the covariances that the factors predict, beyond
  ``STANDARD_ERRORS`` standard errors, or by so little (``LEAST_SLOPE``) that almost all of the prediction is noise;
- held-out products with the label are not predicted better by the factors, beyond as many standard errors;
- attributes one by one surely do not explain much more than there is: of uncorrelated attributes the squared
  correlations with the label add up to 1 at most, which correlated ones soon exceed. With few rows that is not known.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from ..factors import fit_factor_model, joint_moments_of
from ..honest.folds import for_each_fold, random_folds
from ..solution import Training
from ..standard.rows import Rows, standardised_rows
from .diagonal import diagonal_weights
from .factors import rank_for
from .settings import (
    LEAST_ROWS_FOR_START,
    LEAST_SLOPE,
    MAX_CELLS_COMPARED,
    MAX_SQUARED_CORRELATIONS,
    STANDARD_ERRORS,
    START_FOLDS,
)


class StartEvidence(NamedTuple):
    """The slope of held-out products of two cells on the covariances that the factors predict; by how much the
    diagonal's squared error of products with the label exceeds that of the factors, per row; and the sum of the squared
    correlations with the label; each with its standard error."""

    slope: float
    slope_error: float
    difference: float
    difference_error: float
    explained: float
    explained_error: float

    @property
    def attributes_covary(self) -> bool:
        return self.slope > max(STANDARD_ERRORS * self.slope_error, LEAST_SLOPE)

    @property
    def factors_predict_better(self) -> bool:
        return self.difference > STANDARD_ERRORS * self.difference_error

    @property
    def may_be_uncorrelated(self) -> bool:
        return self.explained + STANDARD_ERRORS * self.explained_error <= MAX_SQUARED_CORRELATIONS

    @property
    def supports_factors(self) -> bool:
        """Whether anything supports factors; attributes explain more than everything only where they share it."""
        shared = self.explained - STANDARD_ERRORS * self.explained_error > 1.0
        return self.attributes_covary or self.factors_predict_better or shared

    @property
    def supports_diagonal(self) -> bool:
        return not self.supports_factors and self.may_be_uncorrelated

    @property
    def verdict(self) -> str:
        if self.supports_factors:
            return "held-out rows support shared factors"
        if self.supports_diagonal:
            return "held-out rows do not support shared factors"
        return "held-out rows do not decide whether there are shared factors, so these are kept"

    def __str__(self) -> str:
        return (
            f"{self.verdict}; held-out check of the factor model: observed products of two attributes rise by"
            f" {self.slope:.2g} ± {self.slope_error:.2g} per unit predicted (1 = calibrated, 0 = no shared factors);"
            " squared error of products with the label, diagonal minus factors:"
            f" {self.difference:+.2g} ± {self.difference_error:.2g} per row; sum of the squared correlations of"
            f" attributes with the label: {self.explained:.2g} ± {self.explained_error:.2g} (at most 1 if attributes"
            " are uncorrelated); each ± is one standard error"
        )


def start_evidence(data: Training, max_iterations: int, max_rows: int | None = None) -> StartEvidence:
    """From at most so many rows, drawn at random; None: as many as have MAX_CELLS_COMPARED cells."""
    rows = standardised_rows(data.cells, data.labels, data.scales())
    explained = squared_correlations(rows)
    most = max_rows or max(int(MAX_CELLS_COMPARED / max(data.cells_per_row, 1.0)), LEAST_ROWS_FOR_START)
    if data.n_rows > most:
        some = data.sample(most)
        rows = rows.where(some)
    return compare(rows, explained, rank_for(data), max_iterations, data.seed)


def compare(rows: Rows, explained: tuple[float, float], rank: int, max_iterations: int, seed: int) -> StartEvidence:
    """By cross-validation. What attributes explain one by one, of these rows or of more, needs no folds."""
    n = rows.n_rows
    fold = random_folds(n, seed, START_FOLDS)
    parts = np.zeros((n, 3))

    def one_fold(f: int) -> None:
        held_out, others = rows.where(fold == f), rows.where(fold != f)
        model = fit_factor_model(others, rank, max_iterations, seed)
        shared = joint_moments_of(model, rows.n_labels)
        separate = diagonal_weights(others).joint_moments()
        parts[fold == f] = product_parts(
            held_out.start,
            held_out.columns,
            held_out.values,
            held_out.labels,
            shared.loadings,
            shared.cross_covariance(),
            separate.residual_cross,
        )

    for_each_fold(one_fold, START_FOLDS)
    with_label, cross, square = parts.T
    size = max(float(square.sum()), 1e-300)
    root = float(np.sqrt(n))
    return StartEvidence(
        slope=float(cross.sum()) / size,
        slope_error=float(cross.std(ddof=1) * root) / size,
        difference=float(with_label.mean()),
        difference_error=float(with_label.std(ddof=1) / root),
        explained=explained[0],
        explained_error=explained[1],
    )


def squared_correlations(rows: Rows) -> tuple[float, float]:
    """The sum of the squared correlations of attributes with the label, less what sampling adds, and its standard
    error.

    Of several labels, that of the one with the largest.
    """
    d = rows.n_attributes
    inside = rows.columns < d
    where, values, labels = rows.columns[inside], rows.values[inside], rows.labels[rows.row[inside]]
    count = np.bincount(where, minlength=d)
    seen = count > 0
    scale = np.sqrt(np.bincount(where, values**2, minlength=d)[seen] / count[seen])
    sampling = 1.0 / count[seen]
    most = -np.inf, 0.0
    for label in labels.T:
        product = np.bincount(where, values * label, minlength=d)[seen] / count[seen]
        square = np.divide(product, scale, out=np.zeros_like(scale), where=scale > 0) ** 2 - sampling
        variance = np.sum(4.0 * np.maximum(square, 0.0) * sampling + 2.0 * sampling**2)
        most = max(most, (float(square.sum()), float(np.sqrt(variance))))
    return most


@njit(cache=True, nogil=True)
def product_parts(
    start: np.ndarray,
    columns: np.ndarray,
    values: np.ndarray,
    labels: np.ndarray,
    loadings: np.ndarray,
    implied: np.ndarray,
    covariances: np.ndarray,
) -> np.ndarray:
    """For every row: the squared error of its products with labels under the diagonal less that under the factors; and
    over pairs of its cells, the sum of product times predicted covariance, and of the squares of the latter."""
    n, L = labels.shape
    parts = np.zeros((n, 3))
    for t in range(n):
        for s in range(start[t], start[t + 1] - L):
            i = columns[s]
            for label in range(L):
                product = values[s] * labels[t, label]
                parts[t, 0] += (product - covariances[i, label]) ** 2 - (product - implied[i, label]) ** 2
            for q in range(start[t], s):
                predicted = np.sum(loadings[i] * loadings[columns[q]])
                parts[t, 1] += predicted * values[s] * values[q]
                parts[t, 2] += predicted * predicted
    return parts
