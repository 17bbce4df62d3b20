"""Honest risk: the squared error for new, fully observed examples, from the revealed cells alone.

Five folds of the rows: the model is fitted to four of them, and its predictor is judged on the fifth by the doubly
robust losses of ``losses.py``, with the model of the other four as what is expected. The estimate is the mean over all
rows, and its standard error follows from their spread within the rows of each design. So what is judged are
predictors from four fifths of the rows; the one that is returned had a quarter more, and errs a little less on
average: the interval leans to the cautious side.

Given the rows before it, a row's cells are drawn independently of what is in it, so its loss is right on average. Later
designs do follow from it, and through them, faintly, the model that judges it; this is neglected.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
from scipy.stats import norm

from ..observe.cells import Cells
from ..progress import steps
from .base import TURNS, MomentLearner
from .chances import ByDesign, ByRate, chances_of
from .losses import Judge, judge, row_losses
from .policy import Policy
from .refitting import refit
from .solving import Solution

FOLDS = 5
FEWEST_ROWS = 20
LEVEL = 0.95
PAIRS_AT_ONCE = 2_000_000
RANDOM_HOLES = "taking cells to be missing completely at random"


@dataclass(frozen=True)
class RiskInterval:
    """The mean squared error of new examples, as far as it can be known; ``print`` says it in words."""

    estimate: float
    low: float
    high: float
    standard_error: float
    level: float
    label_variance: float
    remark: str = ""

    @property
    def too_wide(self) -> bool:
        """Whether it leaves open more than half of what lies between a perfect predictor and the mean label."""
        return not self.high - self.low <= 0.5 * self.label_variance

    def __str__(self) -> str:
        known = "cannot be known"
        if np.isfinite(self.standard_error):
            known = (
                f"{self.estimate:.3g}, and between {self.low:.3g} and {self.high:.3g} at {self.level:.0%} confidence"
            )
            known = f"too wide to tell ({known})" if self.too_wide else known
        remark = f"; {self.remark}" if self.remark else ""
        return (
            f"squared error for new, fully observed examples: {known}; the label's variance is"
            f" {self.label_variance:.3g}{remark}"
        )


def risk_interval(
    solution: Solution,
    cells: Cells,
    labels: np.ndarray,
    policy: Policy | None,
    most_turns: int,
    seed: int,
    refined: Callable[[Solution, Cells], Solution],
) -> RiskInterval:
    """Of the procedure that led to ``solution``, judged over five folds of the rows that it was fitted to.

    ``refined`` is what the learner makes of a solution from some cells.
    """
    n, d, variance = cells.n_examples, len(solution.units.mean), float(np.var(labels[:, 0]))
    if n < FEWEST_ROWS:
        return _unknown(variance, f"{n} examples are too few, {FEWEST_ROWS} are the least")
    complete = len(cells.values) == n * d
    known = None if complete else chances_of(cells, policy, d)
    remark = "" if complete or policy is not None else RANDOM_HOLES
    apart = 0 if known is None else known.never_together(solution.coef[0] != 0)
    if apart:
        return _unknown(variance, f"{apart} pairs of attributes were never revealed together")
    folds = new_folds(cells.designs, seed)
    losses = np.empty(n)

    def one_fold(f: int) -> None:
        train, held = folds != f, folds == f
        part = cells.rows_of(train)
        said = refined(refit(solution, part, labels[train], most_turns, seed), part)
        judged = judge(said.coef[0], said.intercept[0], said.joint, said.units)
        losses[held] = losses_of(judged, cells.rows_of(held), known)
        step()

    with steps("honest risk", FOLDS) as step, ThreadPoolExecutor(FOLDS) as pool:  # compiled code lets go of the lock
        list(pool.map(one_fold, range(FOLDS)))
    return interval_of(losses, cells.designs, variance, remark)


def new_folds(designs: np.ndarray, seed: int) -> np.ndarray:
    """A fold for each row, at random, with an equal share of every design in each."""
    order = np.lexsort((np.random.default_rng(seed).random(len(designs)), designs))
    folds = np.empty(len(designs), dtype=np.int64)
    folds[order] = np.arange(len(designs)) % FOLDS
    return folds


def losses_of(judged: Judge, cells: Cells, known: ByDesign | ByRate | None) -> np.ndarray:
    """The estimated loss of each row; with ``known=None`` every cell was revealed, and it is the loss itself."""
    n = cells.n_examples
    count = np.bincount(cells.rows, minlength=n)
    if known is None:
        # rho less what the cells add beyond their means is the error of the prediction.
        beyond = (
            cells.values - judged.means[cells.attributes] - judged.slopes[cells.attributes] * cells.labels[cells.rows]
        )
        added = np.bincount(cells.rows, judged.coef[cells.attributes] * beyond, minlength=n)
        return (judged.offset + judged.slope * cells.labels - added) ** 2
    start = np.concatenate([[0], np.cumsum(count)])
    at_once = max(1, PAIRS_AT_ONCE // (int(count.max()) ** 2 + 1))
    losses = np.empty(n)
    for first in range(0, n, at_once):
        last = min(first + at_once, n)
        inside = slice(start[first], start[last])
        begins, attributes = start[first : last + 1] - start[first], cells.attributes[inside]
        losses[first:last] = row_losses(
            judged,
            begins,
            attributes,
            cells.values[inside],
            cells.labels[first:last],
            known.of(begins, attributes),
        )
    return losses


def interval_of(losses: np.ndarray, designs: np.ndarray, label_variance: float, remark: str = "") -> RiskInterval:
    """Mean and standard error, by the spread of the losses within the rows of each design."""
    rows = np.bincount(designs)
    deviations = losses - (np.bincount(designs, losses) / np.maximum(rows, 1))[designs]
    free = rows / np.maximum(rows - 1, 1)  # the mean of few rows is close to each
    error = float(np.sqrt(np.sum(free[designs] * deviations**2)) / len(losses))
    estimate, reach = float(losses.mean()), float(norm.isf((1 - LEVEL) / 2)) * error
    low, high = (max(0.0, end) for end in (estimate - reach, estimate + reach))
    return RiskInterval(estimate, low, high, error, LEVEL, label_variance, remark)


def _unknown(label_variance: float, why: str) -> RiskInterval:
    return RiskInterval(np.nan, 0.0, np.inf, np.inf, LEVEL, label_variance, why)


class JudgesItsRisk(MomentLearner):
    """Gives a learner of one label ``risk_interval_``."""

    @property
    def risk_interval_(self) -> RiskInterval:
        """The squared error for new, fully observed examples, cross-fitted when first asked for; see RiskInterval."""
        solution = self._solution()
        if getattr(self, "_judged_", (None, None))[0] is not solution:
            known = solution, self.cells_, self._targets(), self.policy_
            found = risk_interval(*known, TURNS, self.seed_, self._refined)
            self._judged_ = solution, found
        return self._judged_[1]
