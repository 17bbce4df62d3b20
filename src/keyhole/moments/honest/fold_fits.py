"""The family of a solution, fitted again without each fold of the rows: held-out rows are predicted by these fits.

How much the fits differ from one another also tells how uncertain the model is, for any subset of attributes and
without one more cell.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..solution import Solution, Training
from ..standard.joint import JointMoments
from ..standard.scales import Scales
from .folds import for_each_fold, random_folds
from .settings import LEAST_ROWS_HELD_OUT


class FoldFits(NamedTuple):
    """The ``fold`` of every row, and the joint moments fitted without each fold, with their scales."""

    fold: np.ndarray
    fits: list[tuple[JointMoments, Scales]]


def cross_fit(solution: Solution, data: Training, max_iterations: int) -> FoldFits:
    """The family of a solution without each fold; no fits where rows are too few, or nothing was learned."""
    n = data.n_rows
    if n < LEAST_ROWS_HELD_OUT or not solution.family.learns:
        return FoldFits(np.zeros(n, dtype=np.int64), [])
    fold = random_folds(n, data.seed)

    def fit_without(f: int) -> tuple[JointMoments, Scales]:
        again = solution.family.refit(solution, data.where(fold != f), max_iterations)
        return again.joint, again.scales

    return FoldFits(fold, for_each_fold(fit_without))
