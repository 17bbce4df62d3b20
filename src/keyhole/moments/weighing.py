"""How much the rows of each design count in the honest risk, and how far its estimate may be off.

Every design's rows are right on average, and those of a good design are less noisy. With u_i what an attribute adds to
the prediction beyond its mean, var(u_i) its variance by the model and p_i its chance, the estimated loss of a row has a
variance of about

    2 S^2 + 4 E[rho^2] S + 2 (E[loss])^2,   S = sum_i var(u_i) / p_i,

as if cells were drawn one by one and Gaussian. Rows count in inverse proportion to it: the designs themselves decide,
not the losses that they gave, which would favour small ones.

Nor are the losses of two rows independent, since each helped to fit the predictor that the other is judged by. Beside
the rows' own spread, the variance of their sum has sum_st (g_s' psi_t)(g_t' psi_s), where g is the gradient of a row's
loss and psi what the row adds to the predictor. That is 0 where the two have nothing to do with each other, and where
they are proportional it is all that refits add to the spread once more; ``SHARED`` of that is taken. (0.2 to 0.5 would
have been right in some 900 runs on three kinds of generated data.)
"""

from __future__ import annotations

import numpy as np

from .losses import Judge

SHARED = 0.5


def row_weights(judged: Judge, alone: np.ndarray, labels: np.ndarray, designs: np.ndarray) -> np.ndarray:
    """How much each row counts; they add up to 1. ``alone`` are the chances of each attribute, by design."""
    spread = np.maximum(judged.own + np.sum(judged.parts**2, axis=1) - judged.shared**2, 0.0)
    used = spread > 0
    with np.errstate(divide="ignore"):  # a design that cannot draw what the predictor uses tells nothing of it
        S = np.sum(spread[used] / alone[:, used], axis=1)
    rho_squared = np.mean((judged.offset + judged.slope * labels) ** 2)
    variance = 2 * S**2 + 4 * rho_squared * S + 2 * (rho_squared + judged.total) ** 2
    weights = 1 / (variance / (variance.min() or 1.0) + (variance.min() == 0))[designs]
    return weights / weights.sum()


def standard_error(
    losses: np.ndarray, changes: np.ndarray, weights: np.ndarray, designs: np.ndarray, folds: int
) -> float:
    """Of the weighted mean of the losses.

    ``changes`` are by how much a loss changes if the predictor moves as far as that without another fold is from the
    mean of all; its variance is ``folds`` times less than that of a predictor.
    """
    own, refits = (standard_error_of_mean(values, weights, designs) for values in (losses, changes))
    return float(np.sqrt(own**2 + SHARED * folds * refits**2))


def standard_error_of_mean(values: np.ndarray, weights: np.ndarray, designs: np.ndarray) -> float:
    """Of a weighted mean of independent values, by their spread within the rows of each design."""
    rows, total = np.bincount(designs), np.bincount(designs, weights)
    means = np.divide(np.bincount(designs, weights * values), total, out=np.zeros(len(total)), where=total > 0)
    free = rows / np.maximum(rows - 1, 1)  # the mean of few rows is close to each
    return float(np.sqrt(np.sum(free[designs] * (weights * (values - means[designs])) ** 2)))
