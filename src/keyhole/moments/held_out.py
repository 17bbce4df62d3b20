"""Held-out rows, predicted from some of the cells that they revealed: a check on what the model claims.

Where labels follow these predictions with a slope below 1 by more than two standard errors, the model claims more
than it keeps, and what it says it explains is lowered by that slope. No row shows more than the budget, so what many
attributes explain is checked in another way, by ``borne_out.py``. The same rows give ``risk_at``.
"""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np

from ..observe.cells import Cells
from .borne_out import share_borne_out
from .refits import FEWEST_ROWS, Refits, first_cells
from .solving import Solution
from .subsets import Subsets, predictor_from, view_of

ERRORS = 2.0
MOST_JUDGED = 2000  # rows; enough for a slope to a hundredth or two
MOST_WORK = 1e11  # multiplications: fewer rows where they have hundreds of cells


class HeldOut(NamedTuple):
    """Predictions of rows by the refit that had not seen them, and labels, in parts of the label's standard
    deviation; and the variance that was claimed, in parts of its variance."""

    predicted: np.ndarray
    label: np.ndarray
    variance: np.ndarray

    @property
    def left(self) -> np.ndarray:
        return self.label - self.predicted


class Risk(NamedTuple):
    """The mean squared error of predicting from some attributes, its standard error, and how many rows say so."""

    estimate: float
    standard_error: float
    n_examples: int


class Judged(NamedTuple):
    """The predictors from any subset, after held-out rows were looked at, and these rows."""

    subsets: Subsets
    fold: np.ndarray
    rows: HeldOut


def judged(solution: Solution, cells: Cells, refits: Refits, alone: np.ndarray, seed: int) -> Judged:
    """From a solution and its refits; ``alone`` are the chances of each attribute, by design."""
    units, joint = solution.units, solution.joint
    used = np.flatnonzero(units.scale > 0)
    main = view_of(joint, units, joint, units)
    views = tuple(view_of(*fit, joint, units) for fit in refits.fits)
    found = Subsets(units, main, views, used, chance_counts=solution.family != "diagonal")
    if not len(used) or not found.refits:
        nothing = np.empty(0)
        return Judged(found, refits.fold, HeldOut(nothing, nothing, nothing))
    explained = predictor_from(main, used[None, :])[2][0]
    if explained > 0:  # with slope 1 the variance is 1 - rho + J
        claimed = found.given(used[None, :]).variance[0] - 1.0 + 2.0 * explained
        found = found._replace(slope_of_all=float(explained / claimed))
    picks = _some_cells(cells, len(used), seed)
    few = held_out(found, cells, refits.fold, picks)
    found = found._replace(kept=_kept(few), seen=(max(1.0 - float(few.variance.mean()), 0.0), explained))
    if explained > 0:
        borne_out = share_borne_out(refits, cells, cells.labels[:, None], alone)
        found = found._replace(kept_of_all=borne_out.share, least=min(ERRORS * borne_out.error, 1.0))
    return Judged(found, refits.fold, held_out(found, cells, refits.fold, picks))


def held_out(subsets: Subsets, cells: Cells, fold: np.ndarray, picks: dict[int, np.ndarray]) -> HeldOut:
    """Of rows, each with the positions of the cells to predict it from."""
    units = subsets.units
    rows = np.array(list(picks), dtype=np.int64)
    chosen = [pick[units.scale[cells.attributes[pick]] > 0] for pick in picks.values()]
    lengths = np.array([len(pick) for pick in chosen], dtype=np.int64)
    predicted, variance = np.zeros(len(rows)), np.ones(len(rows))
    for k in np.unique(lengths):
        at = np.flatnonzero(lengths == k)
        where = np.array([chosen[i] for i in at], dtype=np.int64).reshape(len(at), k)
        S = cells.attributes[where]
        given = subsets.given(S, fold[rows[at]])
        predicted[at] = given.predictions(subsets.standard(cells.values[where], S))
        variance[at] = given.variance
    labels = (cells.labels[rows] - units.label_mean[0]) / (units.label_scale[0] or 1.0)
    return HeldOut(predicted, labels, variance)


def risk_at(found: Judged, cells: Cells, free: np.ndarray, n_attributes: int, seed: int) -> Risk:
    """Of rows that revealed at least so many attributes, from these; ``free`` ones are not counted and always used."""
    rng, start, picks = np.random.default_rng(seed), first_cells(cells), {}
    for t in range(cells.n_examples):
        places = np.arange(start[t], start[t + 1])
        always = free[cells.attributes[places]]
        paid = rng.permutation(places[~always])
        if len(paid) >= n_attributes:
            picks[t] = np.concatenate([places[always], paid[:n_attributes]])
    n = len(picks)
    if n >= 2 and cells.n_examples >= FEWEST_ROWS and not found.subsets.refits:
        raise ValueError(
            f"risk_at({n_attributes}): nothing was learned of the label from {cells.n_examples} examples; the warning"
            " of the fit says why"
        )
    if n < 2 or not found.subsets.refits:
        most = max((int(np.sum(~free[cells.attributes[a:b]])) for a, b in pairwise(start)), default=0)
        raise ValueError(
            f"risk_at({n_attributes}): too few examples revealed so many attributes ({n} of {cells.n_examples}; the"
            f" most that one revealed is {most}, and nothing is held out of fewer than {FEWEST_ROWS} examples)"
        )
    squares = held_out(found.subsets, cells, found.fold, picks).left ** 2
    unit = found.subsets.units.label_scale[0] ** 2
    return Risk(float(unit * squares.mean()), float(unit * squares.std(ddof=1) / np.sqrt(n)), n)


def _some_cells(cells: Cells, n_used: int, seed: int) -> dict[int, np.ndarray]:
    """A random number of the cells of each of some rows."""
    rng, start = np.random.default_rng(seed), first_cells(cells)
    longest = max(int(np.diff(start).max()), 1)
    most = int(np.clip(MOST_WORK / min(longest, n_used) ** 3, 100, MOST_JUDGED))
    rows = rng.permutation(np.flatnonzero(np.diff(start)))[:most]
    return {
        int(t): rng.permutation(np.arange(start[t], start[t + 1]))[: rng.integers(1, start[t + 1] - start[t] + 1)]
        for t in rows
    }


def _kept(rows: HeldOut) -> float:
    """The slope of labels on predictions where it is clearly below 1, and else 1."""
    squares = np.sum(rows.predicted**2)
    if squares == 0:
        return 1.0
    slope = np.sum(rows.predicted * rows.label) / squares
    error = np.sqrt(np.sum((rows.predicted * (rows.label - slope * rows.predicted)) ** 2)) / squares
    return float(max(slope, 0.0)) if slope < 1.0 - ERRORS * error else 1.0
