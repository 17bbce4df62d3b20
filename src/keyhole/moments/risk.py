"""Honest risk: the squared error for new, fully observed examples, from the revealed cells alone.

Five folds of the rows: the model is fitted to four of them, and its predictor is judged on the fifth by the doubly
robust losses of ``losses.py``, with the model of the other four as what is expected. The estimate is a mean over all
rows, weighed as in ``weighing.py``. So what is judged are predictors from four fifths of the rows; the one that is
returned had a quarter more, and errs a little less on average: the interval leans to the cautious side.

Given the rows before it, a row's cells are drawn independently of what is in it, so its loss is right on average. Later
designs do follow from it, and through them, faintly, the model that judges it; this is neglected.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
from scipy.stats import norm

from ..common.progress import steps
from ..observe.cells import Cells
from .base import TURNS, MomentLearner
from .chances import ByDesign, ByRate, chances_alone, chances_of
from .joint import Joint
from .losses import Judge, judge, row_losses
from .policy import Policy
from .refitting import refit
from .rows import Units
from .solving import Solution
from .weighing import row_weights, standard_error

FOLDS = 5
FEWEST_ROWS = 20
LEVEL = 0.95
TOO_WIDE = 0.25
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
        """Whether it leaves open more than a quarter of what lies between a perfect predictor and the mean label."""
        return not self.high - self.low <= TOO_WIDE * self.label_variance

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
    folds, alone = new_folds(cells.designs, seed), chances_alone(cells, policy, d)

    def without(f: int) -> Solution:
        part = cells.rows_of(folds != f)
        said = refined(refit(solution, part, labels[folds != f], most_turns, seed), part)
        step()
        return said

    def judged(f: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        model = refits[f].joint, refits[f].units
        found = judged_fold(f, predictors, model, cells.rows_of(folds == f), known, alone)
        step()
        return found

    with steps("honest risk", 2 * FOLDS) as step, ThreadPoolExecutor(FOLDS) as pool:  # compiled code frees the lock
        refits = list(pool.map(without, range(FOLDS)))
        predictors = np.array([[np.append(said.coef[0], said.intercept[0]) for said in refits]])
        found = pool.map(judged, range(FOLDS))
    return interval_of(found, folds, cells.designs, variance, remark)


def judged_fold(
    f: int,
    predictors: np.ndarray,
    model: tuple[Joint, Units],
    held: Cells,
    known: ByDesign | ByRate | None,
    alone: np.ndarray,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Losses of the held-out rows by each of m predictors, their changes if these moved like those of the next fold,
    and the weights of the rows by the first predictor.

    ``predictors`` (m, folds, d + 1) are coefficients and intercepts without each fold; the model is the one without
    this fold; ``known`` and ``alone`` are the chances of pairs and of single attributes.
    """
    moved = predictors[:, f] + predictors[:, (f + 1) % FOLDS] - predictors.mean(axis=1)
    each = [judge(said[:-1], said[-1], *model) for said in (*predictors[:, f], *moved)]
    losses, there = np.split(losses_of(each, held, known), 2)
    return losses, there - losses, row_weights(each[0], alone, held.labels, held.designs)


def together(
    judged: Iterable[tuple[np.ndarray, np.ndarray, np.ndarray]], folds: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """What ``judged_fold`` says of each fold, for all rows; a fold counts by its rows."""
    parts = list(judged)
    losses, changes = np.empty((2, len(parts[0][0]), len(folds)))
    weights = np.empty(len(folds))
    for f, part in enumerate(parts):
        held = folds == f
        losses[:, held], changes[:, held], weights[held] = part[0], part[1], part[2] * held.mean()
    return losses, changes, weights


def new_folds(designs: np.ndarray, seed: int) -> np.ndarray:
    """A fold for each row, at random, with an equal share of every design in each."""
    order = np.lexsort((np.random.default_rng(seed).random(len(designs)), designs))
    folds = np.empty(len(designs), dtype=np.int64)
    folds[order] = np.arange(len(designs)) % FOLDS
    return folds


def losses_of(judged: Sequence[Judge], cells: Cells, known: ByDesign | ByRate | None) -> np.ndarray:
    """The estimated loss of each row, by each of some predictors; with ``known=None`` every cell was revealed, and it
    is the loss itself."""
    n = cells.n_examples
    count = np.bincount(cells.rows, minlength=n)
    losses = np.empty((len(judged), n))
    if known is None:
        i, label = cells.attributes, cells.labels[cells.rows]
        for one, found in zip(judged, losses, strict=True):
            # rho less what the cells add beyond their means is the error of the prediction.
            beyond = cells.values - one.means[i] - one.slopes[i] * label
            added = np.bincount(cells.rows, one.coef[i] * beyond, minlength=n)
            found[:] = (one.offset + one.slope * cells.labels - added) ** 2
        return losses
    start = np.concatenate([[0], np.cumsum(count)])
    at_once = max(1, PAIRS_AT_ONCE // (int(count.max()) ** 2 + 1))
    for first in range(0, n, at_once):
        last = min(first + at_once, n)
        inside = slice(start[first], start[last])
        begins, attributes = start[first : last + 1] - start[first], cells.attributes[inside]
        values, labels = cells.values[inside], cells.labels[first:last]
        chances = known.of(begins, attributes, cells.designs[first:last])
        for one, found in zip(judged, losses, strict=True):
            found[first:last] = row_losses(one, begins, attributes, values, labels, chances)
    return losses


def interval_of(
    judged: Iterable[tuple[np.ndarray, np.ndarray, np.ndarray]],
    folds: np.ndarray,
    designs: np.ndarray,
    label_variance: float,
    remark: str = "",
) -> RiskInterval:
    """From what ``judged_fold`` says of the one predictor on each fold."""
    (losses,), (changes,), weights = together(judged, folds)
    error = standard_error(losses, changes, weights, designs, FOLDS)
    estimate, reach = float(weights @ losses), float(norm.isf((1 - LEVEL) / 2)) * error
    low, estimate, high = (max(0.0, value) for value in (estimate - reach, estimate, estimate + reach))
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
