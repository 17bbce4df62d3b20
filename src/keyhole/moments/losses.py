"""The squared loss of a linear predictor on rows of which only some cells were revealed.

Given its label, an attribute is expected by the model to be mean_i(y), and what it adds to the prediction beyond that
is u_i = coef_i (x_i - mean_i(y)). With rho the error of the prediction from the means, the squared loss of the whole
row is

    (rho - sum_i u_i)^2 = rho^2 - 2 rho sum_i u_i + sum_ij u_i u_j,

sums of single cells and of pairs. The model says that u_i has mean 0 and u_i u_j mean v_ij; where cells were revealed
with known chances p_i and p_ij, what the model gets wrong is added back (doubly robust):

    rho^2 + sum_ij v_ij + sum_i (u_i^2 - v_ii - 2 rho u_i) / p_i + sum_(i != j) (u_i u_j - v_ij) / p_ij,

the last two sums over revealed cells. Over the draws of the cells its mean is the loss of the whole row, whatever the
model; the better the model, the smaller its noise.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from .joint import Joint
from .rows import Units


class Judge(NamedTuple):
    """A predictor and what a model expects of its parts, in raw units.

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


def judge(coef: np.ndarray, intercept: float, joint: Joint, units: Units, label: int = 0) -> Judge:
    """Of one label's predictor, with second moments that may come from elsewhere."""
    scale = np.where(units.scale > 0, units.scale, 0.0)
    coef = np.where(scale > 0, coef, 0.0)
    spread = units.label_scale[label] or 1.0
    cross, variance = joint.cross(np.arange(len(coef)))[:, label], joint.label_variance()[label]
    slopes = scale * cross / (variance * spread)
    middle = units.label_mean[label] + spread * joint.label_mean[label]
    means = units.mean + scale * joint.mean - slopes * middle
    parts = (coef * scale)[:, None] * joint.loadings
    shared = coef * scale * cross / np.sqrt(variance)
    own = (coef * scale) ** 2 * joint.noise
    total = np.sum(parts.sum(axis=0) ** 2) - shared.sum() ** 2 + own.sum()
    return Judge(coef, means, slopes, parts, shared, own, -intercept - coef @ means, 1.0 - coef @ slopes, total)


@njit(cache=True, nogil=True, fastmath={"reassoc", "contract"})
def row_losses(judge, start, attributes, values, labels, chances):
    """The estimated loss of every row; ``chances`` are those of its pairs of cells, as in ``chances.py``."""
    losses = np.empty(len(labels))
    u = np.empty(np.max(np.diff(start)) if len(labels) else 0)
    c = 0
    for t in range(len(labels)):
        rho = judge.offset + judge.slope * labels[t]
        loss = rho * rho + judge.total
        for s in range(start[t + 1] - start[t]):
            i = attributes[start[t] + s]
            u[s] = judge.coef[i] * (values[start[t] + s] - judge.means[i] - judge.slopes[i] * labels[t])
            for q in range(s + 1):
                j = attributes[start[t] + q]
                expected = -judge.shared[i] * judge.shared[j]
                for a in range(judge.parts.shape[1]):
                    expected += judge.parts[i, a] * judge.parts[j, a]
                if q < s:
                    loss += 2.0 * (u[s] * u[q] - expected) / chances[c]
                else:
                    loss += (u[s] * (u[s] - 2.0 * rho) - expected - judge.own[i]) / chances[c]
                c += 1
        losses[t] = loss
    return losses
