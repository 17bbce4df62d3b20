"""By how much an alternative's error differs from the start's: a paired difference of honest losses.

Five folds of the rows: the start and every alternative are fitted to four of them, and the losses of their predictors
on the fifth are estimated (``honest/losses.py``), with the start's model for what is expected. The difference of two
losses of one row is far less noisy than either.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..honest.fold_losses import FoldLosses, all_folds, losses_of_fold
from ..honest.folds import folds_by_design, for_each_fold
from ..honest.inclusion import pair_inclusion, single_inclusion
from ..honest.row_weights import standard_error
from ..solution import Solution, Training
from .family import Family


class PairedDifferences(NamedTuple):
    """Of each alternative's squared error from the start's, as shares of the label's variance, with standard errors."""

    difference: np.ndarray
    standard_error: np.ndarray


def paired_differences(
    start: Solution, families: list[Family], data: Training, max_iterations: int
) -> PairedDifferences:
    """By cross-validation on these rows."""
    cells, d = data.cells, data.n_attributes
    pairs, inclusion = pair_inclusion(cells, data.policy, d), single_inclusion(cells, data.policy, d)
    folds = folds_by_design(cells.designs, data.seed)

    def fit_without(f: int) -> tuple[Solution, np.ndarray]:
        part = data.where(folds != f)
        begun = start.family.refit(start, part, max_iterations)
        solutions = [begun, *(family.fit(part, max_iterations, begun) for family in families)]
        return begun, np.array([np.append(one.coef[0], one.intercept[0]) for one in solutions])

    def losses(f: int) -> FoldLosses:
        model = fits[f][0].joint, fits[f][0].scales
        return losses_of_fold(f, predictors, model, cells.rows_of(folds == f), pairs, inclusion)

    fits = for_each_fold(fit_without)
    predictors = np.stack([found for _, found in fits], axis=1)
    found = all_folds(for_each_fold(losses), folds)
    less, move = ((values[1:] - values[0]) / data.labels.var() for values in (found.losses, found.changes))
    errors = [standard_error(*each, found.weights, cells.designs) for each in zip(less, move, strict=True)]
    return PairedDifferences(less @ found.weights, np.array(errors))
