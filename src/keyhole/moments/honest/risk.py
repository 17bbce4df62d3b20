"""Honest risk: the squared error on new, fully observed examples, from the revealed cells alone.

Five folds of the rows: the model is fitted to four of them, and the losses of its predictor on the fifth are estimated
(``losses.py``), with the model of the other four for what is expected. The estimate is a weighted mean over all rows
(``row_weights.py``) or, where that tells far more, over those that show all that the predictor uses
(``exact_rows.py``). So predictors from four fifths of the rows are assessed; the one that is returned had a quarter
more, and errs a little less on average: the interval is on the cautious side.

Given the rows before it, a row's cells are drawn independently of its values, so its loss is unbiased. Later designs do
follow from it, and through them, faintly, the model that it is assessed with; this is neglected.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.special import ndtri

from ...common.progress import steps
from ...observe.cells import Cells
from ..solution import Solution, Training
from .exact_rows import exact_rows, is_much_better_known
from .fold_fits import FoldFits
from .fold_losses import FoldLosses, all_folds, losses_of_fold
from .folds import for_each_fold
from .inclusion import ColumnInclusion, availability_remark, pairs_of_columns, singles_of_columns
from .losses import loss_model
from .row_weights import standard_error
from .settings import CONFIDENCE, FOLDS, LEAST_ROWS_FOR_RISK, MOST_UNSEEN_PAIRS, WIDE

MISSING_AT_RANDOM = "This assumes that cells are missing completely at random."


@dataclass(frozen=True)
class RiskInterval:
    """The expected squared error on new, fully observed examples, with a confidence interval.

    Attributes
    ----------
    estimate : float
        The estimated mean squared error; NaN where it cannot be estimated.
    low, high : float
        The ends of the confidence interval.
    standard_error : float
        The standard error of the estimate.
    level : float
        The probability with which the interval contains the true error.
    label_variance : float
        The variance of the labels: the squared error of predicting their mean.
    remark : str
        What the estimate assumes, or why there is none; empty if there is nothing to say.
    """

    estimate: float
    low: float
    high: float
    standard_error: float
    level: float
    label_variance: float
    remark: str = ""

    @property
    def too_wide(self) -> bool:
        """Whether the interval is wider than a quarter of the label's variance."""
        return not self.high - self.low <= WIDE * self.label_variance

    def __str__(self) -> str:
        if not np.isfinite(self.standard_error):
            return f"squared error on new, fully observed examples: not estimable. {self.remark}".strip()
        warning = ""
        if self.too_wide:
            warning = (
                f" The interval is wider than {WIDE:.0%} of the label's variance, so it does not tell how good the"
                " predictor is."
            )
        return (
            f"squared error on new, fully observed examples: {self.estimate:.3g} ± {self.standard_error:.2g}"
            f" (standard error); {self.level:.0%} confidence interval {self.low:.3g} to {self.high:.3g}; variance of"
            f" the label: {self.label_variance:.3g}.{warning} {self.remark}".strip()
        )


def risk_interval(solution: Solution, data: Training, fold_fits: Callable[[], FoldFits]) -> RiskInterval:
    """Of the procedure that led to ``solution``, by the fits without each fold of the rows it was fitted to."""
    cells, n = data.as_revealed, data.n_rows
    variance = float(np.var(data.labels[:, 0]))
    if n < LEAST_ROWS_FOR_RISK:
        return _not_estimable(variance, f"There are {n} examples, and at least {LEAST_ROWS_FOR_RISK} are needed.")
    if not solution.family.learns:
        return _of_mean_label(data.labels[:, 0], variance)
    pairs = None if data.complete else pairs_of_columns(data)
    remark = "" if data.complete or data.policy is not None else MISSING_AT_RANDOM
    if pairs is not None and data.policy is not None:
        remark = availability_remark(cells, data.policy)
    used = solution.coef[0] != 0
    remark_of_all, unchecked = remark, 0.0
    unseen, share = (0, 0.0) if pairs is None else pairs.unseen_pairs(used)
    if pairs is not None and unseen:
        why = f"{unseen} pairs of attributes were never present together."
        if data.policy is not None:
            why = f"The budget does not pay for both attributes of {unseen} pairs, which are never revealed together."
        if share > MOST_UNSEEN_PAIRS:
            return _not_estimable(variance, why)
        why += " Their covariances are the model's, and the standard error counts each as its own error."
        remark_of_all, unchecked = f"{remark} {why}".strip(), _unchecked(solution, pairs)
    inclusion = singles_of_columns(data)
    can_draw_all = np.all(inclusion[:, used] > 0, axis=1)
    n_telling = int(np.sum(can_draw_all[cells.designs]))
    if pairs is not None and data.policy is not None and n_telling < LEAST_ROWS_FOR_RISK:
        why = (
            f"All attributes that the predictor uses could be drawn for {n_telling} examples, and at least"
            f" {LEAST_ROWS_FOR_RISK} are needed: of the others some were unavailable, or given beforehand. An attribute"
            " whose value is given for every example is a free attribute."
        )
        return _not_estimable(variance, why)

    with steps("honest risk", 1 + FOLDS) as step:
        fits = fold_fits()
        if not fits.fits:
            return _not_estimable(variance, "Nothing was learned of the label.")
        step()
        scales = solution.scales
        largest = float(np.broadcast_to(scales.label_high - scales.label_low, 1)[0]) ** 2
        found = _losses(fits, cells, pairs, inclusion, step)
        by_all = interval_of(found, cells.designs, variance, remark_of_all, largest, unchecked)
        shown = exact_rows(fits, data)
        if not shown.any():
            return by_all
        some = FoldFits(fits.fold[shown], fits.fits)
        found = _losses(some, cells.rows_of(shown), None, np.ones_like(inclusion))
        by_exact = interval_of(found, cells.designs[shown], variance, remark, largest)
        return by_exact if is_much_better_known(by_exact.standard_error, by_all.standard_error) else by_all


def _losses(
    fits: FoldFits,
    cells: Cells,
    pairs: ColumnInclusion | None,
    inclusion: np.ndarray,
    step: Callable[[], None] = lambda: None,
) -> FoldLosses:
    """Of rows, by the fits without the fold of each."""
    predictors = np.array([[np.append(fit.coef[0], fit.intercept[0]) for fit in fits.fits]])

    def losses(f: int) -> FoldLosses:
        fit = fits.fits[f]
        held_out = fit.scales.values.of_cells(cells.rows_of(fits.fold == f))
        found = losses_of_fold(f, predictors, (fit.joint, fit.scales), held_out, pairs, inclusion)
        step()
        return found

    return all_folds(for_each_fold(losses), fits.fold)


def interval_of(
    found: FoldLosses,
    designs: np.ndarray,
    label_variance: float,
    remark: str = "",
    largest: float = np.inf,
    unchecked: float = 0.0,
) -> RiskInterval:
    """From the held-out losses of one predictor; predictions that are held within the labels err by ``largest`` at
    most. ``unchecked`` is the standard error of what no row can show."""
    (losses,), (changes,), weights = found
    error = float(np.hypot(standard_error(losses, changes, weights, designs), unchecked))
    estimate, reach = float(weights @ losses), float(ndtri(0.5 + 0.5 * CONFIDENCE)) * error
    low, estimate, high = (float(np.clip(v, 0.0, largest)) for v in (estimate - reach, estimate, estimate + reach))
    return RiskInterval(
        estimate=estimate,
        low=low,
        high=high,
        standard_error=error,
        level=CONFIDENCE,
        label_variance=label_variance,
        remark=remark,
    )


def _unchecked(solution: Solution, pairs: ColumnInclusion) -> float:
    """The root of the sum of squares of what pairs that no row shows add to the squared error, by the model."""
    used = np.flatnonzero(solution.coef[0])
    model = loss_model(solution.coef[0], float(solution.intercept[0]), solution.joint, solution.scales)
    expected = model.parts[used] @ model.parts[used].T - np.outer(model.shared[used], model.shared[used])
    return float(np.sqrt(2.0 * np.sum(expected[pairs.never_together(used)] ** 2)))


def _of_mean_label(labels: np.ndarray, variance: float) -> RiskInterval:
    """Of predicting the mean of the other labels, which no cell is needed for."""
    n = len(labels)
    losses = ((labels - labels.mean()) * n / (n - 1)) ** 2
    one_fold = FoldLosses(losses[None], np.zeros((1, n)), np.full(n, 1.0 / n))
    return interval_of(one_fold, np.zeros(n, dtype=np.int64), variance)


def _not_estimable(label_variance: float, why: str) -> RiskInterval:
    return RiskInterval(
        estimate=np.nan,
        low=0.0,
        high=np.inf,
        standard_error=np.inf,
        level=CONFIDENCE,
        label_variance=label_variance,
        remark=why,
    )
