"""The learning curve of a sparse learner, recorded from its own predictions during training, at no extra cost.

Before an example is used, the learner predicts its label from the support, which it observes anyway. The squared errors
of these predictions are the progressive error; their sum minus that of a competitor is the regret.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from ..observe.ask import INNER_PRODUCT, Ask
from ..observe.label_range import count_label
from ..observe.scales import Scales, predicted_label, scaled_label
from .shrinkage import count_prediction, new_shrinkage

EXAMPLES, CELLS, ERRORS, SUPPORT = range(4)
RECORDED, INTERVAL = range(2)


class LearningCurve(NamedTuple):
    """Progress of a learner, at points spread evenly over the examples.

    Parameters
    ----------
    examples : ndarray of int64 of shape (n_points,)
        Examples used so far.
    attributes : ndarray of int64 of shape (n_points,)
        Cells revealed so far.
    squared_error : ndarray of shape (n_points,)
        Mean squared error, in squared units of the label, of the predictions since the point before; each prediction
        was made before its label was used.
    support_size : ndarray of int64 of shape (n_points,)
        Number of attributes that the prediction at the point used.
    """

    examples: np.ndarray
    attributes: np.ndarray
    squared_error: np.ndarray
    support_size: np.ndarray


class Record(NamedTuple):
    """``points`` are rows of totals (errors: since the row before), and ``now`` is the row in progress.

    ``filling`` holds the number of points and the number of examples between two of them. When all places are taken,
    every two points are merged and the distance doubles, so that a stream of any length fills between half and all of
    the places. ``shrinkage`` has the sums of ``shrinkage.py``.
    """

    points: np.ndarray
    now: np.ndarray
    filling: np.ndarray
    shrinkage: np.ndarray


def new_record(n_points: int, shrink: bool = False) -> Record:
    """An empty record, for at most so many points."""
    return Record(np.zeros((n_points, 4)), np.zeros(4), np.array([0, 1]), new_shrinkage(shrink))


def learning_curve(record: Record) -> LearningCurve:
    """The curve of a record up to now."""
    points = record.points[: record.filling[RECORDED]]
    if record.now[EXAMPLES] > (points[-1, EXAMPLES] if len(points) else 0):
        points = np.vstack([points, record.now])
    examples = points[:, EXAMPLES].astype(np.int64)
    errors = points[:, ERRORS] / np.diff(examples, prepend=0)
    return LearningCurve(examples, points[:, CELLS].astype(np.int64), errors, points[:, SUPPORT].astype(np.int64))


@njit(cache=True, nogil=True)
def record_example(
    record: Record, scales: Scales, ask: Ask, z: np.ndarray, label: float, is_learned: bool = True
) -> None:
    """Count an example: what its support predicted when it was asked for, against its label.

    Only predictions by the learned weights say how far these are to be shrunk.
    """
    prediction, squared_norm, support = 0.0, 0.0, 0
    for r in range(len(ask.slots)):
        if ask.roles[r] == INNER_PRODUCT:
            prediction += ask.weights[r] * z[ask.slots[r]]
            squared_norm += ask.weights[r] ** 2
            support += 1
    if len(record.shrinkage) > 0:
        count_label(record.shrinkage, label)
        if is_learned and support > 0:
            count_prediction(record.shrinkage, prediction, scaled_label(scales, label), squared_norm)
    now, points, filling = record.now, record.points, record.filling
    now[EXAMPLES] += 1.0
    now[CELLS] += len(ask.attributes)
    now[ERRORS] += (predicted_label(scales, prediction) - label) ** 2
    now[SUPPORT] = support
    if now[EXAMPLES] >= (filling[RECORDED] + 1) * filling[INTERVAL]:
        if filling[RECORDED] == len(points):
            if len(points) % 2 == 1:
                now[ERRORS] += points[-1, ERRORS]
            for r in range(len(points) // 2):
                errors = points[2 * r, ERRORS] + points[2 * r + 1, ERRORS]
                points[r] = points[2 * r + 1]
                points[r, ERRORS] = errors
            filling[RECORDED] = len(points) // 2
            filling[INTERVAL] *= 2
        if now[EXAMPLES] >= (filling[RECORDED] + 1) * filling[INTERVAL]:
            points[filling[RECORDED]] = now
            now[ERRORS] = 0.0
            filling[RECORDED] += 1
