"""Families averaged by what held-out rows support, and shrunk toward the mean label.

The predictors of the start and of every alternative are measured from the mean label. With c their covariances with the
label and H those with each other (``honest/support.py``), the average with the weights a has the error
1 - 2 a'c + a'H a. It is minimised over a >= 0 with sum a <= 1; what is left to 1 is the weight of the mean label. Each
alternative pays ``CAUTION`` standard errors of its difference from the start, in proportion to its weight, and weights
are drawn toward the start alone (``PULL``): where rows do not tell families apart the start is kept, and nothing is
decided by a threshold.

The average is one more linear predictor. Its joint moments are the start's, with the covariances with the label that
make it the best predictor from all attributes; predictors from some of them follow.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, combinations
from typing import NamedTuple

import numpy as np

from ..honest.folds import folds_by_design, for_each_fold
from ..honest.inclusion import pairs_of_columns, singles_of_columns
from ..honest.settings import FOLDS, LEAST_EXACT_ROWS
from ..honest.support import RowSupport, Support, joined, row_support, shows_all, support_of
from ..solution import Solution, Training
from ..standard.rows import Rows, standardised_rows
from .family import Family
from .settings import (
    CAUTION,
    DOUBT,
    DOUBT_OF_OTHERS,
    DOUBTED_ROWS,
    LEAST_LEFT,
    LEAST_WEIGHT,
    PULL,
    PULL_OF_OTHERS,
)


class CrossFit(NamedTuple):
    """Of each fold the solutions without it, the start's first; the fold of every row; what each row supports, and all
    of them; and the weights of the solutions by the rows of all folds but each, (folds, solutions)."""

    fits: list[list[Solution]]
    folds: np.ndarray
    rows: RowSupport
    support: Support
    weights: np.ndarray

    def averages(self) -> list[Solution]:
        """The average without each fold, with weights that owe nothing to it."""
        return [averaged(fits, weights) for fits, weights in zip(self.fits, self.weights, strict=True)]


def cross_fit(start: Solution, families: Sequence[Family], data: Training, max_iterations: int) -> CrossFit:
    """The start and alternatives, fitted without each fold of the rows and held against that fold."""
    cells, inclusion = data.as_revealed, singles_of_columns(data)
    pairs = None
    if not data.complete:
        found = pairs_of_columns(data)
        pairs = None if found.n_impossible_pairs(np.any(start.coef, axis=0)) else found
    folds = folds_by_design(cells.designs, data.seed)

    def fit_without(f: int) -> list[Solution]:
        part = data.where(folds != f)
        begun = start.family.refit(start, part, max_iterations)
        return with_derived(begun, families, standardised_rows(part.cells, part.labels, begun.scales))

    def exactly_predicted() -> np.ndarray:
        """Which solutions are predicted exactly in enough rows, since these show all that they use."""
        shown = np.zeros(1 + len(families))
        for f in range(FOLDS * (not data.complete)):
            part = data.cells.rows_of(folds == f)
            shown += [shows_all(np.any(fit.coef, axis=0), part).sum() for fit in fits[f]]
        return shown >= LEAST_EXACT_ROWS

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
    designs = cells.designs
    weights = [best_weights(support_of(rows, designs, folds != f)) for f in range(FOLDS)]
    return CrossFit(fits, folds, rows, support_of(rows, designs), np.array(weights))


def best_weights(support: Support) -> np.ndarray:
    """The weights that minimise the error; what they lack to 1 is the mean label's."""
    c, H = support.with_label, support.among
    # A covariance that may well be 0 counts less: the start's by a third where it is two standard errors.
    others = np.arange(len(c)) > 0
    few = 1.0 + DOUBTED_ROWS / np.maximum(support.n_rows, 1.0)
    doubt = np.where(others, DOUBT_OF_OTHERS, DOUBT) * few * support.error**2
    c = c**3 / np.maximum(c**2 + doubt, 1e-300) - CAUTION * others * support.difference_error
    # The start alone, shrunk as it would be without the others.
    toward = np.zeros(len(c))
    toward[0] = np.clip(c[0] / H[0, 0], 0.0, 1.0) if H[0, 0] > 0 else 0.0
    # In parts of what the start leaves of the label: where labels are nearly exact, small differences matter.
    left = 1.0 - 2.0 * toward[0] * c[0] + toward[0] ** 2 * H[0, 0]
    pull = np.where(others & ~support.exact, PULL_OF_OTHERS, PULL) * np.clip(left, LEAST_LEFT, 1.0)
    c, H = c + pull * toward, H + np.diag(pull)
    best, least = np.zeros(len(c)), 0.0
    numbers = range(len(c))
    for some in chain.from_iterable(combinations(numbers, size) for size in range(1, len(c) + 1)):
        S = np.array(some)
        inside = H[np.ix_(S, S)] + 1e-9 * np.trace(H) / len(c) * np.eye(len(S))
        free = _solved(inside, c[S])
        ones = _solved(inside, np.ones(len(S)))
        whole = free + ones * (1.0 - free.sum()) / ones.sum()
        for a in (free, whole):
            if (a >= -1e-12).all() and a.sum() <= 1.0 + 1e-9:
                value = a @ H[np.ix_(S, S)] @ a - 2.0 * a @ c[S]
                if value < least:
                    best, least = np.zeros(len(c)), value
                    best[S] = np.maximum(a, 0.0)
    best[best < LEAST_WEIGHT] = 0.0
    return best


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


def with_derived(start: Solution, families: Sequence[Family], rows: Rows) -> list[Solution]:
    """A start, and the solutions of other families that are derived from it and from rows in its scales."""
    if not len(start.scales.used):  # no attribute varies in these rows, and every family is the mean label
        return [start] * (1 + len(families))
    return [start, *(family.derived(start, rows) for family in families)]


def _like(like: Solution, begun: Solution, rows: Rows) -> Solution:
    """The average of families with the weights of another; a family without weight is not derived again."""
    members = [like.members[0], *(member for member in like.members[1:] if member[1] > 0)]
    fits = with_derived(begun, [family for family, _ in members[1:]], rows)
    return averaged(fits, np.array([weight for _, weight in members]))


def _solved(H: np.ndarray, c: np.ndarray) -> np.ndarray:
    return np.linalg.lstsq(H, c, rcond=None)[0]
