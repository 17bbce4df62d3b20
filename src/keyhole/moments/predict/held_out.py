"""Held-out rows, predicted from some of the cells that they revealed: a check on what the model estimates.

Where labels rise with these predictions by a slope below 1, by more than two standard errors, the model overestimates
what it explains, and its explained share is lowered by that slope. No row shows more than the budget, so what many
attributes explain is checked in another way (``honest/explained_share.py``). The same rows give ``risk_at``.
"""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np

from ...observe.cells import Cells
from ..honest.exact_rows import exact_rows, is_much_better_known
from ..honest.explained_share import confirmed_share
from ..honest.fold_fits import FoldFits
from ..honest.inclusion import singles_of_columns
from ..honest.settings import LEAST_ROWS_HELD_OUT
from ..solution import Solution, Training
from .settings import LEAST_CHECKED_ROWS, MAX_CHECKED_ROWS, MAX_MULTIPLICATIONS, STANDARD_ERRORS
from .subsets import Subsets, predictor_from, rescaled


class HeldOut(NamedTuple):
    """Predictions of rows by the fold fit without them, and labels, in standard deviations of the label; and the
    estimated error variance, as a share of its variance."""

    predicted: np.ndarray
    label: np.ndarray
    variance: np.ndarray

    @property
    def error(self) -> np.ndarray:
        return self.label - self.predicted


class Risk(NamedTuple):
    """An estimate from held-out examples, its standard error, and the number of these examples.

    Of ``risk_at`` it is the mean squared error, of ``error_at`` the share of wrong classes, of ``auc_at`` the area
    under the ROC curve.
    """

    estimate: float
    standard_error: float
    n_examples: int


class CheckedSubsets(NamedTuple):
    """The predictors from any subset, after a check on held-out rows; the fold fits; and the rows checked."""

    subsets: Subsets
    fits: FoldFits
    rows: HeldOut


def checked_subsets(solution: Solution, data: Training, fits: FoldFits) -> CheckedSubsets:
    """From a solution and its fold fits."""
    scales, joint, used = solution.scales, solution.joint, solution.scales.used
    subsets = Subsets(
        scales=scales,
        main=rescaled(joint, scales, joint, scales),
        fold_fits=tuple(rescaled(fit.joint, fit.scales, joint, scales) for fit in fits.fits),
        sampling_variance=not solution.family.weights_are_posterior_means,
        needed=solution.coef[0] != 0,
    )
    if not len(used) or not subsets.fold_fits:
        nothing = np.empty(0)
        return CheckedSubsets(subsets, fits, HeldOut(nothing, nothing, nothing))
    explained = predictor_from(subsets.main, used[None, :])[2][0]
    if explained > 0:  # with slope 1 the variance is 1 - rho + J
        total = subsets.predictors(used[None, :]).variance[0] - 1.0 + 2.0 * explained
        subsets = subsets._replace(slope_of_all=float(explained / total))
    subsets = subsets._replace(most_variance=1.0)
    cells = fits.columns(data.as_revealed)
    picks = _some_cells(cells, len(used), data.seed)
    few = held_out_predictions(subsets, cells, fits.fold, picks)
    explained_by_few = max(1.0 - float(few.variance.mean()), 0.0)
    subsets = subsets._replace(confirmed_few=confirmed_slope(few), explained_range=(explained_by_few, explained))
    if explained > 0:
        inclusion = singles_of_columns(data)
        confirmed = confirmed_share(fits, data.as_revealed, data.labels, inclusion)
        least = min(STANDARD_ERRORS * confirmed.standard_error, 1.0)
        subsets = subsets._replace(confirmed_all=confirmed.share, least_variance=least)
        subsets = subsets._replace(
            variance_of_all=_variance_of_all(subsets, cells, fits, data, confirmed.standard_error)
        )
    return CheckedSubsets(subsets, fits, held_out_predictions(subsets, cells, fits.fold, picks))


def _variance_of_all(subsets: Subsets, cells: Cells, fits: FoldFits, data: Training, error: float) -> float | None:
    """The error variance from all attributes, where rows that show all it needs tell it better than to ``error``."""
    shown = np.flatnonzero(exact_rows(fits, data))
    if not len(shown):
        return None
    start = cells.row_starts
    rows = held_out_predictions(subsets, cells, fits.fold, {int(t): np.arange(start[t], start[t + 1]) for t in shown})
    found = _risk_of(rows.error**2)
    return found.estimate if is_much_better_known(found.standard_error, error) else None


def held_out_predictions(subsets: Subsets, cells: Cells, fold: np.ndarray, picks: dict[int, np.ndarray]) -> HeldOut:
    """Of rows, each with the positions of the cells to predict it from."""
    scales = subsets.scales
    rows = np.array(list(picks), dtype=np.int64)
    chosen = [pick[scales.scale[cells.attributes[pick]] > 0] for pick in picks.values()]
    lengths = np.array([len(pick) for pick in chosen], dtype=np.int64)
    predicted, variance = np.zeros(len(rows)), np.ones(len(rows))
    for k in np.unique(lengths):
        at = np.flatnonzero(lengths == k)
        where = np.array([chosen[i] for i in at], dtype=np.int64).reshape(len(at), k)
        S = cells.attributes[where]
        found = subsets.predictors(S, fold[rows[at]])
        predicted[at] = found.predictions(subsets.standardise(cells.values[where], S))
        variance[at] = found.variance
    labels = (cells.labels[rows] - scales.label_mean[0]) / (scales.label_scale[0] or 1.0)
    return HeldOut(predicted, labels, variance)


def risk_at(checked: CheckedSubsets, cells: Cells, free: np.ndarray, n_attributes: int, seed: int) -> Risk:
    """Of rows that revealed at least so many attributes, from these; ``free`` ones are always used, and not counted.

    Values that were given beforehand are not used: no policy chose them. Where nothing was learned of the label, it is
    the risk of the mean of the other labels.
    """
    cells = cells.drawn()
    rng, start, picks = np.random.default_rng(seed), cells.row_starts, {}
    for t in range(cells.n_examples):
        places = np.arange(start[t], start[t + 1])
        always = free[cells.attributes[places]]
        paid = rng.permutation(places[~always])
        if len(paid) >= n_attributes:
            picks[t] = np.concatenate([places[always], paid[:n_attributes]])
    n = len(picks)
    if n < 2 or cells.n_examples < LEAST_ROWS_HELD_OUT:
        most = max((int(np.sum(~free[cells.attributes[a:b]])) for a, b in pairwise(start)), default=0)
        raise ValueError(
            f"risk_at({n_attributes}): {n} of {cells.n_examples} examples revealed so many attributes. At least 2 are"
            f" needed, of at least {LEAST_ROWS_HELD_OUT} examples; the most attributes that one revealed are {most}"
        )
    if not checked.subsets.fold_fits:
        beyond = cells.labels - cells.labels.mean()
        squares = (beyond[list(picks)] * cells.n_examples / (cells.n_examples - 1)) ** 2
        return _risk_of(squares)
    picks = {t: checked.fits.places(cells, places) for t, places in picks.items()}
    cells = checked.fits.columns(cells)
    squares = held_out_predictions(checked.subsets, cells, checked.fits.fold, picks).error ** 2
    return _risk_of(checked.subsets.scales.label_scale[0] ** 2 * squares)


def _risk_of(squares: np.ndarray) -> Risk:
    return Risk(float(squares.mean()), float(squares.std(ddof=1) / np.sqrt(len(squares))), len(squares))


def _some_cells(cells: Cells, n_used: int, seed: int) -> dict[int, np.ndarray]:
    """A random number of the cells of each of some rows."""
    rng, start = np.random.default_rng(seed), cells.row_starts
    longest = max(int(np.diff(start).max()), 1)
    most = int(np.clip(MAX_MULTIPLICATIONS / min(longest, n_used) ** 3, LEAST_CHECKED_ROWS, MAX_CHECKED_ROWS))
    rows = rng.permutation(np.flatnonzero(np.diff(start)))[:most]
    return {
        int(t): rng.permutation(np.arange(start[t], start[t + 1]))[: rng.integers(1, start[t + 1] - start[t] + 1)]
        for t in rows
    }


def confirmed_slope(rows: HeldOut) -> float:
    """The slope of labels on predictions where it is clearly below 1, and else 1."""
    squares = np.sum(rows.predicted**2)
    if squares == 0:
        return 1.0
    slope = np.sum(rows.predicted * rows.label) / squares
    error = np.sqrt(np.sum((rows.predicted * (rows.label - slope * rows.predicted)) ** 2)) / squares
    return float(max(slope, 0.0)) if slope < 1.0 - STANDARD_ERRORS * error else 1.0
