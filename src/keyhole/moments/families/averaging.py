"""Families averaged by what held-out rows support (``weights.py``), and shrunk toward the mean label.

The predictors of the start and of every alternative are measured from the mean label, and fitted without each fold of
the rows to be held against it.

The average is one more linear predictor. Its joint moments are the start's, with the covariances with the label that
make it the best predictor from all attributes; predictors from some of them follow.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..honest.folds import folds_by_design, for_each_fold
from ..honest.inclusion import pairs_of_columns, singles_of_columns
from ..honest.settings import FOLDS, LEAST_EXACT_ROWS, MOST_UNSEEN_PAIRS
from ..honest.support import RowSupport, joined, row_support, shows_all, support_of
from ..solution import Solution, Training
from ..standard.rows import Rows, standardised_rows
from .family import Averageable, Role
from .ridge import is_evident
from .settings import LEAST_SHARE_OF_ROWS, SUM_IS_ONE
from .weights import best_weights, shrunk_less


class CrossFit(NamedTuple):
    """Of each fold the solutions without it, the start's first; the fold of every row; what each row supports; and the
    weights of the solutions by the rows of all folds but each, (folds, solutions), and by all rows."""

    fits: list[list[Solution]]
    folds: np.ndarray
    rows: RowSupport
    weights: np.ndarray
    weights_by_all: np.ndarray

    def averages(self) -> list[Solution]:
        """The average without each fold, with weights that owe nothing to it."""
        return [averaged(fits, weights) for fits, weights in zip(self.fits, self.weights, strict=True)]


def cross_fit(start: Solution, families: Sequence[Averageable], data: Training, max_iterations: int) -> CrossFit:
    """The start and alternatives, fitted without each fold of the rows and held against that fold."""
    cells, inclusion = data.as_revealed, singles_of_columns(data)
    pairs = None
    if not data.complete:
        found = pairs_of_columns(data)
        # Losses take the covariance of two attributes from the model where no row shows both.
        pairs = found if found.unseen_pairs(np.any(start.coef, axis=0))[1] <= MOST_UNSEEN_PAIRS else None
    folds = folds_by_design(cells.designs, data.seed)

    def fit_without(f: int) -> list[Solution]:
        part = data.where(folds != f)
        begun = start.family.refit(start, part, max_iterations)
        return with_derived(begun, families, standardised_rows(part.cells, part.labels, begun.scales))

    def exactly_predicted() -> np.ndarray:
        """Which solutions are predicted exactly in enough rows, since these show all that they use."""
        if data.complete:
            return np.array([True] * (1 + len(families)))
        shown = np.zeros(1 + len(families))
        for f in range(FOLDS):
            part = data.cells.rows_of(folds == f)
            shown += [shows_all(np.any(fit.coef, axis=0), part).sum() for fit in fits[f]]
        return shown >= max(LEAST_EXACT_ROWS, LEAST_SHARE_OF_ROWS * data.n_rows)

    def hold_against(f: int) -> RowSupport:
        begun = fits[f][0]
        held_out = begun.scales.values.of_cells(cells.rows_of(folds == f))
        coef, intercept = (np.array([getattr(one, name) for one in fits[f]]) for name in ("coef", "intercept"))
        model = begun.joint, begun.scales
        labels = data.labels[folds == f]
        return row_support(coef, intercept, model, held_out, labels, pairs, inclusion, exact, data.complete)

    fits = for_each_fold(fit_without)
    exact = exactly_predicted()
    rows = joined(for_each_fold(hold_against), folds)
    labels = data.labels[:, 0] if data.labels.shape[1] == 1 else None

    def weights_by(keep: np.ndarray, fitted: Solution) -> np.ndarray:
        support = support_of(rows, cells.designs, keep)
        weights = best_weights(support, None if labels is None else labels[keep])
        if start.family.role is not Role.SETTLED or weights.sum() >= 1.0 - SUM_IS_ONE:
            return weights
        part = data.where(keep)
        evident = is_evident(standardised_rows(part.cells, part.labels, fitted.scales), data.seed)
        return shrunk_less(weights, evident)

    everyone = np.ones(len(folds), dtype=bool)
    weights = [weights_by(folds != f, fits[f][0]) for f in range(FOLDS)]
    return CrossFit(fits, folds, rows, np.array(weights), weights_by(everyone, start))


def averaged(solutions: Sequence[Solution], weights: np.ndarray) -> Solution:
    """The average of solutions with the same columns, the start's first; its family is that of the largest weight."""
    start = solutions[0]
    left = 1.0 - weights.sum()
    coef = np.tensordot(weights, np.array([one.coef for one in solutions]), axes=1)
    scales, joint = start.scales, start.joint
    mean = scales.label_mean
    intercept = left * mean + np.tensordot(weights, np.array([one.intercept for one in solutions]), axes=1)
    unit = np.where(scales.label_scale > 0, scales.label_scale, 1.0)
    standard = coef * scales.scale / unit[:, None]
    W = joint.loadings
    cross = W @ (W.T @ standard.T) + joint.noise[:, None] * standard.T
    # What all attributes predict where they have their means: the label's mean in the model.
    centre = (intercept + coef @ (scales.mean + scales.scale * joint.mean) - mean) / unit
    about = joint._replace(label_mean=centre, residual_cross=cross - W @ joint.label_loadings.T)
    members = tuple((one.family, float(weight)) for one, weight in zip(solutions, weights, strict=True))
    largest = solutions[int(np.argmax(weights))].family
    return start._replace(
        joint=about, coef=coef, intercept=intercept, family=largest, members=members, start=start, candidates=[]
    )


def refitted(like: Solution, data: Training, max_iterations: int) -> Solution:
    """A solution for other rows, with the choices of an earlier one and the same weights of its families."""
    if not like.members:
        return like.family.refit(like, data, max_iterations)
    assert like.start is not None
    begun = like.start.family.refit(like.start, data, max_iterations)
    return _like(like, begun, standardised_rows(data.cells, data.labels, begun.scales))


def resumed(like: Solution, rows: Rows, max_iterations: int) -> Solution:
    """The same for other rows in the scales of the earlier solution, from where it ended."""
    if not like.members:
        return like.family.resume(like, rows, max_iterations)
    assert like.start is not None
    return _like(like, like.start.family.resume(like.start, rows, max_iterations), rows)


def with_derived(start: Solution, families: Sequence[Averageable], rows: Rows) -> list[Solution]:
    """A start, and the solutions of other families that are derived from it and from rows in its scales."""
    if not len(start.scales.used):  # no attribute varies in these rows, and every family is the mean label
        return [start] * (1 + len(families))
    return [start, *(family.derived(start, rows) for family in families)]


def averageable(solutions: Sequence[Solution]) -> list[Averageable]:
    """The families of solutions that were derived from a start."""
    return [one.family for one in solutions if isinstance(one.family, Averageable)]


def _like(like: Solution, begun: Solution, rows: Rows) -> Solution:
    """The average of families with the weights of another; a family without weight is not derived again."""
    first, *others = like.members
    kept = [(family, weight) for family, weight in others if weight > 0 and isinstance(family, Averageable)]
    fits = with_derived(begun, [family for family, _ in kept], rows)
    return averaged(fits, np.array([first[1], *(weight for _, weight in kept)]))
