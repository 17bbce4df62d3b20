"""How much of what all attributes are said to explain of the label, held-out rows bear out.

No row shows all of its attributes, but a linear prediction is a sum over them, and what a row shows of it, divided by
the chances, is right on average: the prediction from the means, given the label, plus sum_i coef_i (x_i - mean_i) / p_i
over the revealed cells. Its covariance with the label needs no pairs of cells, so it is known far better than the
squared error: on MNIST with 4 of 784 pixels to 0.02 of the label's variance. A model of many attributes claims more
than that, since it follows the rows that it was fitted to.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..observe.cells import Cells
from .joint import predictor
from .losses import Judge, judge
from .refits import Refits
from .weighing import row_weights, standard_error_of_mean

ERRORS = 2.0


class BorneOut(NamedTuple):
    """The share where it is clearly below 1, and else 1; and the standard error of what is left unexplained, in parts
    of the label's variance."""

    share: float
    error: float


def share_borne_out(refits: Refits, cells: Cells, labels: np.ndarray, alone: np.ndarray) -> BorneOut:
    """``labels`` has a row per example, and with several labels it is the share of them all. ``alone`` has the chances
    of ``chances_alone``."""
    if not all(units.label_scale.any() for _, units in refits.fits):  # nothing was learned without some fold
        return BorneOut(1.0, 0.0)
    left, weights, claims, total = np.empty(cells.n_examples), np.empty(cells.n_examples), [], 0.0
    for f, (joint, units) in enumerate(refits.fits):
        held = refits.fold == f
        part, targets = cells.rows_of(held), labels[held]
        coef, intercept = predictor(joint, joint.weights(), units)
        each = [
            _left(judge(coef[k], intercept[k], joint, units, k), part, targets[:, k], alone)
            for k in np.flatnonzero(units.label_scale).tolist()
        ]
        scale = units.label_scale[units.label_scale > 0] ** 2
        left[held] = np.sum([found[0] / s for found, s in zip(each, scale, strict=True)], axis=0)
        total += len(each) * held.mean()
        weights[held] = np.mean([found[1] for found in each], axis=0) * held.mean()
        cross = joint.cross(np.arange(len(joint.mean))).T * units.scale
        claims.append(np.sum(coef * cross / np.where(units.label_scale > 0, units.label_scale, np.inf)[:, None]))
    borne_out, claimed = total - float(weights @ left), float(np.mean(claims))
    error = standard_error_of_mean(left, weights, cells.designs)
    clearly = borne_out < claimed - ERRORS * error
    return BorneOut(max(borne_out, 0.0) / claimed if clearly else 1.0, error / total)


def _left(judged: Judge, held: Cells, labels: np.ndarray, alone: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The product of the label and what its prediction leaves of it, row by row, and how much each row counts."""
    from_means = labels - judged.offset - judged.slope * labels
    beyond = held.values - judged.means[held.attributes] - judged.slopes[held.attributes] * labels[held.rows]
    chances = alone[held.designs[held.rows], held.attributes]
    predicted = from_means + np.bincount(
        held.rows, judged.coef[held.attributes] * beyond / chances, minlength=held.n_examples
    )
    weights = row_weights(judged, alone, labels, held.designs)
    return (labels - weights @ labels) * (labels - predicted), weights
