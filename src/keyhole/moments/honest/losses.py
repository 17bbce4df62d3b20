"""The squared loss of a linear predictor on rows of which only some cells were revealed.

Given its label, an attribute has the expected value mean_i(y) by the model, and what it adds to the prediction beyond
that is u_i = coef_i (x_i - mean_i(y)). With rho the error of the prediction from these expected values, the squared
loss of the whole row is

    (rho - sum_i u_i)^2 = rho^2 - 2 rho sum_i u_i + sum_ij u_i u_j,

sums of single cells and of pairs. By the model, u_i has mean 0 and u_i u_j has mean v_ij; where cells were revealed
with known inclusion probabilities p_i and p_ij, what the model gets wrong is added back (doubly robust):

    rho^2 + sum_ij v_ij + sum_i (u_i^2 - v_ii - 2 rho u_i) / p_i + sum_(i != j) (u_i u_j - v_ij) / p_ij,

the last two sums over revealed cells. Over the draws of the cells its mean is the loss of the whole row, whatever the
model; the better the model, the smaller its noise.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from ..standard.joint import JointMoments
from ..standard.scales import Scales


class LossModel(NamedTuple):
    """A predictor, and what a model expects of its parts, in raw units.

    rho = offset + slope y, mean_i(y) = means_i + slopes_i y, and v_ij = parts_i' parts_j - shared_i shared_j, with
    own_i added where i = j; total is the sum of all v_ij.
    """

    coef: np.ndarray
    means: np.ndarray
    slopes: np.ndarray
    parts: np.ndarray
    shared: np.ndarray
    own: np.ndarray
    offset: float
    slope: float
    total: float


def loss_model(coef: np.ndarray, intercept: float, joint: JointMoments, scales: Scales, label: int = 0) -> LossModel:
    """Of one label's predictor, with joint moments that may come from another fit."""
    scale = np.where(scales.scale > 0, scales.scale, 0.0)
    coef = np.where(scale > 0, coef, 0.0)
    spread = scales.label_scale[label] or 1.0
    cross, variance = joint.cross_covariance()[:, label], joint.label_variance()[label]
    slopes = scale * cross / (variance * spread)
    middle = scales.label_mean[label] + spread * joint.label_mean[label]
    means = scales.mean + scale * joint.mean - slopes * middle
    parts = (coef * scale)[:, None] * joint.loadings
    shared = coef * scale * cross / np.sqrt(variance)
    own = (coef * scale) ** 2 * joint.noise
    return LossModel(
        coef=coef,
        means=means,
        slopes=slopes,
        parts=parts,
        shared=shared,
        own=own,
        offset=-intercept - coef @ means,
        slope=1.0 - coef @ slopes,
        total=np.sum(parts.sum(axis=0) ** 2) - shared.sum() ** 2 + own.sum(),
    )


@njit(cache=True, nogil=True, fastmath={"reassoc", "contract"})
def row_losses(
    model: LossModel,
    start: np.ndarray,
    attributes: np.ndarray,
    values: np.ndarray,
    labels: np.ndarray,
    probabilities: np.ndarray,
) -> np.ndarray:
    """The estimated loss of every row; ``probabilities`` are those of its pairs of cells, as in ``inclusion.py``."""
    losses = np.empty(len(labels))
    u = np.empty(np.max(np.diff(start)) if len(labels) else 0)
    c = 0
    for t in range(len(labels)):
        rho = model.offset + model.slope * labels[t]
        loss = rho * rho + model.total
        for s in range(start[t + 1] - start[t]):
            i = attributes[start[t] + s]
            u[s] = model.coef[i] * (values[start[t] + s] - model.means[i] - model.slopes[i] * labels[t])
            for q in range(s + 1):
                j = attributes[start[t] + q]
                expected = -model.shared[i] * model.shared[j]
                for a in range(model.parts.shape[1]):
                    expected += model.parts[i, a] * model.parts[j, a]
                if q < s:
                    loss += 2.0 * (u[s] * u[q] - expected) / probabilities[c]
                else:
                    loss += (u[s] * (u[s] - 2.0 * rho) - expected - model.own[i]) / probabilities[c]
                c += 1
        losses[t] = loss
    return losses
