"""The weight of each row in the honest risk, and the standard error of a weighted mean.

The losses of every design's rows are unbiased, and those of a good design are less noisy. With u_i what an attribute
adds to the prediction beyond its mean, var(u_i) its variance by the model and p_i its inclusion probability, the
estimated loss of a row has a variance of about

    2 S^2 + 4 E[rho^2] S + 2 (E[loss])^2,   S = sum_i var(u_i) / p_i,

as if cells were drawn one by one and Gaussian. Rows are weighted in inverse proportion to it: the designs themselves
decide, and not the losses that they gave, which would favour small ones.

Nor are the losses of two rows independent, since each helped to fit the predictor that is assessed on the other.
Beside the rows' own spread, the variance of their sum has sum_st (g_s' psi_t)(g_t' psi_s), where g is the gradient of
a row's loss and psi what the row adds to the predictor. That is 0 where the two are unrelated, and where they are
proportional it doubles what fold fits add to the spread; ``SHARED_VARIANCE`` of that is taken.
"""

from __future__ import annotations

import numpy as np

from .losses import LossModel
from .settings import FOLDS, SHARED_VARIANCE


def row_weights(model: LossModel, inclusion: np.ndarray, labels: np.ndarray, designs: np.ndarray) -> np.ndarray:
    """The weight of each row; they add up to 1. ``inclusion`` has the probability of each attribute, by design."""
    spread = np.maximum(model.own + np.sum(model.parts**2, axis=1) - model.shared**2, 0.0)
    used = spread > 0
    with np.errstate(divide="ignore"):  # a design that cannot draw what the predictor uses tells nothing of it
        S = np.sum(spread[used] / inclusion[:, used], axis=1)
    if not np.isfinite(S[designs]).any():  # no row tells anything of the predictor: risk.py says so
        return np.full(len(designs), 1.0 / len(designs))
    rho_squared = np.mean((model.offset + model.slope * labels) ** 2)
    variance = 2 * S**2 + 4 * rho_squared * S + 2 * (rho_squared + model.total) ** 2
    least = variance[np.isfinite(variance)].min()
    weights = 1 / (variance / (least or 1.0) + (least == 0))[designs]
    return weights / weights.sum()


def standard_error(losses: np.ndarray, changes: np.ndarray, weights: np.ndarray, designs: np.ndarray) -> float:
    """Of the weighted mean of held-out losses.

    ``changes`` are by how much a loss changes if the predictor moves as far as that without another fold is from the
    mean of all; its variance is ``FOLDS`` times less than that of a predictor.
    """
    own, fits = (standard_error_of_mean(values, weights, designs) for values in (losses, changes))
    return float(np.sqrt(own**2 + SHARED_VARIANCE * FOLDS * fits**2))


def standard_error_of_mean(values: np.ndarray, weights: np.ndarray, designs: np.ndarray) -> float:
    """Of a weighted mean of independent values, by their spread within the rows of each design.

    Designs of a single row, as that of an example with unavailable attributes, are taken together.
    """
    designs = np.where(np.bincount(designs)[designs] == 1, 0, designs + 1)
    rows, total = np.bincount(designs), np.bincount(designs, weights)
    means = np.divide(np.bincount(designs, weights * values), total, out=np.zeros(len(total)), where=total > 0)
    free = rows / np.maximum(rows - 1, 1)  # the mean of few rows is close to each
    return float(np.sqrt(np.sum(free[designs] * (weights * (values - means[designs])) ** 2)))
