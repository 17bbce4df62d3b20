"""What held-out rows support of a linear predictor: its covariance with the label, and its own variance.

No row shows all of its attributes, but a linear prediction is a sum over them. With the notation of ``losses.py``, what
a row shows of it, divided by inclusion probabilities, is unbiased: g = y - rho + sum_i u_i / p_i over revealed cells.
The covariance c of label and prediction is the mean of y g (both measured from the mean label): it needs no pairs of
cells, so it is known far better than the squared error. The variance of the prediction has two estimates: the model's
w' Sigma w, and, from the estimated losses L, the mean of L - y^2 + 2 y g, which holds whatever the model, and is far
noisier. A predictor that is multiplied by s has the error 1 - 2 s c + s^2 V, in parts of the label's variance.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...observe.cells import Cells
from ..standard.joint import JointMoments
from ..standard.scales import Scales
from .fold_losses import held_out_losses
from .inclusion import ColumnInclusion
from .losses import LossModel, loss_model
from .row_weights import row_weights, standard_error_of_mean
from .settings import COMMON_BEYOND_LABEL, MODEL_ERROR, NOTHING, SURELY_LARGER


class RowSupport(NamedTuple):
    """Of m predictors on n held-out rows, in parts of the label's variance.

    The products of label and prediction (m, n); the squares of predictions by the losses (m, n), NaN where no loss can
    be estimated; the squares of what the rows show of the predictions (m, n), which are larger; the weights of rows
    (m, n); the squares of the labels (n,); the model's covariances of the predictions of two predictors (m, m); and
    whether the predictions of rows with weight are exact, since these rows show every attribute that the predictor uses
    (m,).
    """

    products: np.ndarray
    squares: np.ndarray
    shown: np.ndarray
    weights: np.ndarray
    label_squares: np.ndarray
    expected: np.ndarray
    exact: np.ndarray


class Support(NamedTuple):
    """Of m predictors, in parts of the label's variance: covariances with the label (m,), covariances with each other
    (m, m), the standard errors that the covariances with the label would have if predictors had nothing to do with it
    (m,), the standard errors of how far each is from the first's, or of its own if that is known better (m,); and which
    were assessed on rows that show all they use (m,)."""

    with_label: np.ndarray
    among: np.ndarray
    by_chance: np.ndarray
    difference_error: np.ndarray
    exact: np.ndarray


def row_support(
    coef: np.ndarray,
    intercept: np.ndarray,
    model: tuple[JointMoments, Scales],
    held_out: Cells,
    labels: np.ndarray,
    pairs: ColumnInclusion | None,
    inclusion: np.ndarray,
    exact: np.ndarray,
    complete: bool = False,
) -> RowSupport:
    """Of predictors with coefficients (m, L, d) and intercepts (m, L) for columns, on held-out cells of columns.

    With several labels all numbers are sums over them, in parts of the sum of their variances. ``pairs=None``: losses
    are not estimated, unless rows are ``complete``. A predictor that is ``exact`` (m,) is assessed on the rows that
    show all it uses, whose weights are 1 here.
    """
    joint, scales = model
    m, n, L = len(coef), held_out.n_examples, labels.shape[1]
    products, squares, shown, weights = np.zeros((4, m, n))
    expected, total, label_squares = np.zeros((m, m)), 0.0, np.zeros(n)
    low, high = np.broadcast_to(scales.label_low, L), np.broadcast_to(scales.label_high, L)
    covariance = joint.loadings, joint.noise
    for label in np.flatnonzero(scales.label_scale).tolist():
        y = labels[:, label]
        unit = float(scales.label_scale[label]) ** 2
        each = [loss_model(coef[a, label], intercept[a, label], joint, scales, label) for a in range(m)]
        losses = np.full((m, n), np.nan)
        if pairs is not None or complete:
            losses = held_out_losses(each, _with_labels(held_out, y), pairs)
        beyond = y - scales.label_mean[label]
        label_squares += beyond**2
        for a, one in enumerate(each):
            if exact[a]:
                added = np.bincount(held_out.rows, coef[a, label, held_out.attributes] * held_out.values, minlength=n)
                predicted = np.clip(intercept[a, label] + added, low[label], high[label]) - scales.label_mean[label]
                squares[a] += predicted**2
            else:
                predicted = _estimated(one, held_out, y, inclusion, complete) - scales.label_mean[label]
                squares[a] += losses[a] - beyond**2 + 2.0 * beyond * predicted
                weights[a] += row_weights(one, inclusion, y, held_out.designs)
            products[a] += beyond * predicted
            shown[a] += predicted**2
        standard = coef[:, label] * scales.scale
        by_factor = standard @ covariance[0]
        expected += by_factor @ by_factor.T + (standard * covariance[1]) @ standard.T
        total += unit
    total = total or 1.0
    weights[~exact] /= np.maximum(weights[~exact].sum(axis=1, keepdims=True), 1e-300)
    for a in np.flatnonzero(exact).tolist():
        weights[a] = shows_all(np.any(coef[a], axis=0), held_out)
    return RowSupport(
        products=products / total,
        squares=squares / total,
        shown=shown / total,
        weights=weights,
        label_squares=label_squares / total,
        expected=expected / total,
        exact=exact,
    )


def joined(parts: list[RowSupport], folds: np.ndarray) -> RowSupport:
    """Of all rows, from those of each fold; the weight of a fold is its share of the rows."""
    m, n = len(parts[0].products), len(folds)
    products, squares, shown, weights = np.zeros((4, m, n))
    expected, label_squares = np.zeros((m, m)), np.zeros(n)
    for f, part in enumerate(parts):
        mine = folds == f
        products[:, mine], squares[:, mine], shown[:, mine] = part.products, part.squares, part.shown
        label_squares[mine] = part.label_squares
        weights[:, mine] = part.weights * np.where(part.exact, 1.0, mine.mean())[:, None]
        expected += part.expected * mine.mean()
    weights /= np.maximum(weights.sum(axis=1, keepdims=True), 1e-300)
    return RowSupport(
        products=products,
        squares=squares,
        shown=shown,
        weights=weights,
        label_squares=label_squares,
        expected=expected,
        exact=parts[0].exact,
    )


def support_of(rows: RowSupport, designs: np.ndarray, keep: np.ndarray | None = None) -> Support:
    """From all rows, or from those that a mask keeps."""
    products, squares, shown, weights, labels, expected, exact = rows
    if keep is not None:
        products, squares, shown, weights = products[:, keep], squares[:, keep], shown[:, keep], weights[:, keep]
        designs, labels = designs[keep], labels[keep]
    # In parts of the label's variance over the same rows, which takes the noise of that variance out of the ratio.
    weights = weights / np.maximum((weights @ labels)[:, None], 1e-300)
    with_label = np.sum(weights * products, axis=1)
    beyond = products - with_label[:, None] * labels
    m = len(products)
    model = np.maximum(np.diag(expected), 0.0)
    variance = model.copy()
    for a in range(m):
        if np.isnan(squares[a]).any():
            continue
        observed = float(weights[a] @ squares[a])
        error = standard_error_of_mean(squares[a] - observed * labels, weights[a], designs)
        variance[a] = observed if exact[a] else _combined(observed, error, model[a])
    ratio = np.sqrt(np.divide(variance, model, out=np.ones(m), where=model > NOTHING))
    share = weights / np.maximum(np.sum(weights, axis=1, keepdims=True), 1e-300)
    mean_square = np.sum(share * shown, axis=1) * (share @ labels)
    # The folds' predictors learn from each other's rows, so that what two folds have in common by chance comes twice:
    # the variance is twice that of independent rows.
    by_chance = np.sqrt(2.0 * np.sum(weights**2, axis=1) * mean_square)
    errors = np.array([standard_error_of_mean(beyond[a], weights[a], designs) for a in range(m)])
    apart = [standard_error_of_mean(beyond[a] - beyond[0], (weights[a] + weights[0]) / 2, designs) for a in range(m)]
    # What two predictors owe to the label they have in common; a model that is wrong about them claims less. Of what is
    # beyond the label no row tells how much a predictor of complete rows has in common with another.
    c = np.maximum(with_label, 0.0)
    beyond_label = np.sqrt(np.maximum(variance - c**2, 0.0))
    one_is_exact = exact[:, None] != exact
    least = np.outer(c, c) + COMMON_BEYOND_LABEL * one_is_exact * np.outer(beyond_label, beyond_label)
    return Support(
        with_label=with_label,
        among=np.maximum(expected * np.outer(ratio, ratio), least),
        by_chance=by_chance,
        difference_error=np.minimum(errors, apart),
        exact=exact,
    )


def _combined(observed: float, error: float, model: float) -> float:
    """The variance of a predictor, from the observed one with its standard error, and the model's.

    The model's is taken to be right within ``MODEL_ERROR`` of itself, unless the observed one is surely larger.
    """
    if observed > model + SURELY_LARGER * error:
        return observed
    if model <= NOTHING:
        return 0.0
    doubt = MODEL_ERROR * model
    weight = doubt**2 / (doubt**2 + error**2)
    return max(weight * observed + (1.0 - weight) * model, 0.0)


def _estimated(
    model: LossModel, held_out: Cells, labels: np.ndarray, inclusion: np.ndarray, complete: bool
) -> np.ndarray:
    """The prediction of every row from what it shows; the prediction itself where it shows all."""
    i = held_out.attributes
    beyond = held_out.values - model.means[i] - model.slopes[i] * labels[held_out.rows]
    probabilities = np.ones(len(i)) if complete else inclusion[held_out.designs[held_out.rows], i]
    probabilities = np.where(held_out.given, np.inf, probabilities)  # no design drew a cell that was given
    added = np.bincount(held_out.rows, model.coef[i] * beyond / probabilities, minlength=held_out.n_examples)
    return labels - model.offset - model.slope * labels + added


def shows_all(used: np.ndarray, cells: Cells) -> np.ndarray:
    """Which rows show every column that a predictor uses, which is a mask."""
    count = np.bincount(cells.rows, used[cells.attributes], minlength=cells.n_examples)
    return (count == used.sum()) & used.any()


def _with_labels(cells: Cells, labels: np.ndarray) -> Cells:
    other = cells.copy()
    other.labels[:] = labels
    return other
