"""How much of what all attributes are said to explain of the label, held-out rows bear out.

No row shows all of its attributes, but a linear prediction is a sum over them, and what a row shows of it, divided by
the chances, is right on average: the prediction from the means, given the label, plus sum_i coef_i (x_i - mean_i) / p_i
over the revealed cells. Its covariance with the label needs no pairs of cells, so it is known far better than the
squared error: on MNIST with 4 of 784 pixels to 0.02 of the label's variance. A model of many attributes claims more
than that, since it follows the rows that it was fitted to.
"""

from __future__ import annotations

import numpy as np

from ..observe.cells import Cells
from .joint import Joint, predictor
from .losses import judge
from .refits import Refits
from .rows import Units
from .weighing import row_weights, standard_error_of_mean

ERRORS = 2.0


def share_borne_out(refits: Refits, cells: Cells, alone: np.ndarray) -> float:
    """The share where it is clearly below 1, and else 1; ``alone`` has the chances of ``chances_alone``."""
    products, weights, claims = np.empty(cells.n_examples), np.empty(cells.n_examples), []
    for f, (joint, units) in enumerate(refits.fits):
        held = refits.fold == f
        found = _products(joint, units, cells.rows_of(held), alone)
        products[held], weights[held] = found[0], found[1] * held.mean()
        claims.append(found[2])
    borne_out, claimed = float(weights @ products), float(np.mean(claims))
    error = standard_error_of_mean(products, weights, cells.designs)
    return max(borne_out, 0.0) / claimed if borne_out < claimed - ERRORS * error else 1.0


def _products(joint: Joint, units: Units, held: Cells, alone: np.ndarray) -> tuple[np.ndarray, np.ndarray, float]:
    """Of label and prediction, row by row; how much each row counts; and the covariance that the model claims."""
    coef, intercept = (part[0] for part in predictor(joint, joint.weights(), units))
    judged = judge(coef, intercept, joint, units)
    from_means = held.labels - judged.offset - judged.slope * held.labels
    beyond = held.values - judged.means[held.attributes] - judged.slopes[held.attributes] * held.labels[held.rows]
    chances = alone[held.designs[held.rows], held.attributes]
    predicted = from_means + np.bincount(
        held.rows, judged.coef[held.attributes] * beyond / chances, minlength=held.n_examples
    )
    weights = row_weights(judged, alone, held.labels, held.designs)
    cross = joint.cross(np.arange(len(coef)))[:, 0] * units.scale * units.label_scale[0]
    return (held.labels - weights @ held.labels) * predicted, weights, float(judged.coef @ cross)
