"""The estimated losses of held-out rows, fold by fold, by one or several predictors."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from ...observe.cells import Cells
from ..standard.joint import JointMoments
from ..standard.scales import Scales
from .inclusion import ColumnInclusion
from .losses import LossModel, loss_model, row_losses
from .row_weights import row_weights
from .settings import FOLDS, PAIRS_AT_ONCE


class FoldLosses(NamedTuple):
    """Losses of rows by each of m predictors (m, n); their changes if these moved like those of the next fold (m, n);
    and the weights of the rows (n,)."""

    losses: np.ndarray
    changes: np.ndarray
    weights: np.ndarray


def losses_of_fold(
    f: int,
    predictors: np.ndarray,
    model: tuple[JointMoments, Scales],
    held_out: Cells,
    pairs: ColumnInclusion | None,
    inclusion: np.ndarray,
) -> FoldLosses:
    """Of the held-out rows of fold f.

    ``predictors`` (m, folds, d + 1) are coefficients and intercepts without each fold; the model is the one without
    this fold; ``pairs`` and ``inclusion`` are the inclusion probabilities of two attributes and of one. Rows are
    weighted by the first predictor.
    """
    moved = predictors[:, f] + predictors[:, (f + 1) % FOLDS] - predictors.mean(axis=1)
    each = [loss_model(vector[:-1], vector[-1], *model) for vector in (*predictors[:, f], *moved)]
    losses, after = np.split(held_out_losses(each, held_out, pairs), 2)
    return FoldLosses(losses, after - losses, row_weights(each[0], inclusion, held_out.labels, held_out.designs))


def all_folds(parts: Iterable[FoldLosses], folds: np.ndarray) -> FoldLosses:
    """The losses of all rows, from those of each fold; the weight of a fold is its share of the rows."""
    parts = list(parts)
    losses, changes = np.empty((2, len(parts[0].losses), len(folds)))
    weights = np.empty(len(folds))
    for f, part in enumerate(parts):
        mine = folds == f
        losses[:, mine], changes[:, mine], weights[mine] = part.losses, part.changes, part.weights * mine.mean()
    return FoldLosses(losses, changes, weights)


def held_out_losses(models: Sequence[LossModel], cells: Cells, pairs: ColumnInclusion | None) -> np.ndarray:
    """The estimated loss of each row, by each of some predictors.

    With ``pairs=None`` every cell was revealed, and it is the loss itself.
    """
    n = cells.n_examples
    count = np.bincount(cells.rows, minlength=n)
    losses = np.empty((len(models), n))
    if pairs is None:
        i, label = cells.attributes, cells.labels[cells.rows]
        for model, found in zip(models, losses, strict=True):
            # rho less what the cells add beyond their means is the error of the prediction.
            beyond = cells.values - model.means[i] - model.slopes[i] * label
            added = np.bincount(cells.rows, model.coef[i] * beyond, minlength=n)
            found[:] = (model.offset + model.slope * cells.labels - added) ** 2
        return losses
    start = np.concatenate([[0], np.cumsum(count)])
    at_once = max(1, PAIRS_AT_ONCE // (int(count.max()) ** 2 + 1))
    for first in range(0, n, at_once):
        last = min(first + at_once, n)
        inside = slice(start[first], start[last])
        begins, attributes = start[first : last + 1] - start[first], cells.attributes[inside]
        values, labels = cells.values[inside], cells.labels[first:last]
        probabilities = pairs.of_pairs(begins, attributes, cells.designs[first:last])
        for model, found in zip(models, losses, strict=True):
            found[first:last] = row_losses(model, begins, attributes, values, labels, probabilities)
    return losses
