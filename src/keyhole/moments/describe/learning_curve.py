"""The error against the number of revealed cells: the model fitted again to the first rows, twice as many each time.

With a test table, the error is that of predicting its rows from all attributes. Without one, every fifth row is held
out and predicted from the cells that it revealed: nothing more is read, and the error is honest, but one of
predicting from few attributes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from ...observe.cells import Cells
from ..families.selection import select
from ..settings import MAX_ITERATIONS
from ..solution import Solution, Training
from .extrapolation import Extrapolation, extrapolated
from .settings import HELD_OUT_EVERY, LEAST_ROWS_FITTED


class LearningCurve(NamedTuple):
    """The mean squared error against the number of revealed cells.

    Attributes
    ----------
    n_rows : ndarray of shape (n_points,)
        The numbers of examples that models were fitted to.
    n_cells : ndarray of shape (n_points,)
        The numbers of cells that these had revealed.
    error : ndarray of shape (n_points,)
        The mean squared errors.
    standard_error : ndarray of shape (n_points,)
        Their standard errors, over the examples that were predicted.
    error_of_mean : float
        The mean squared error of predicting the mean label.
    extrapolated : Extrapolation or None
        ``n_cells``, ``error`` and ``standard_error`` for 2, 4 and 8 times as many cells; None with fewer than 3 points.
    """

    n_rows: np.ndarray
    n_cells: np.ndarray
    error: np.ndarray
    standard_error: np.ndarray
    error_of_mean: float
    extrapolated: Extrapolation | None = None


def learning_curve(
    data: Training,
    refine: Callable[[Solution, Training], Solution],
    test: tuple[Any, np.ndarray] | None = None,
    points: int = 5,
) -> LearningCurve:
    """By the source and the labels of a test table, or else by held-out rows of the training data."""
    n = data.n_rows
    order, held_out = np.arange(n), np.zeros(n, dtype=bool)
    if test is None:
        held_out = order % HELD_OUT_EVERY == HELD_OUT_EVERY - 1
    train = order[~held_out]
    if len(train) < LEAST_ROWS_FITTED:
        raise ValueError(
            f"{n} examples: a learning curve needs at least {LEAST_ROWS_FITTED} to fit to, beside those held out"
        )
    sizes = np.unique([max(len(train) // 2**k, LEAST_ROWS_FITTED) for k in range(points)])
    labels = data.labels[held_out, 0] if test is None else test[1]
    found, each = [], []
    for size in sizes:
        part = data.where(np.isin(order, train[:size]))._replace(sparsity=None)
        solution = refine(select(part, MAX_ITERATIONS, alternatives=True).solution, part)
        if test is None:
            predicted = predict_from_revealed(solution, data.as_revealed.rows_of(held_out))
        else:
            predicted = solution.predictions(test[0])
        squares = (predicted - labels) ** 2
        found.append((size, len(part.as_revealed.values), squares.mean(), squares.std() / np.sqrt(len(squares))))
        each.append(squares)
    n_rows, n_cells, error, standard_error = np.array(found).T
    error_of_mean = float(np.mean((labels - data.labels[train, 0].mean()) ** 2))
    further = extrapolated(n_cells, np.array(each), data.seed)
    return LearningCurve(n_rows, n_cells, error, standard_error, error_of_mean, further)


def predict_from_revealed(solution: Solution, cells: Cells) -> np.ndarray:
    """Each row's label, predicted from the cells that it revealed."""
    joint, scales = solution.joint, solution.scales
    cells = scales.values.of_cells(cells)
    start = cells.row_starts
    predicted = np.full(cells.n_examples, joint.label_mean[0])
    for t in range(cells.n_examples):
        places = np.arange(start[t], start[t + 1])
        places = places[scales.scale[cells.attributes[places]] > 0]
        some = cells.attributes[places]
        z = (cells.values[places] - scales.mean[some]) / scales.scale[some] - joint.mean[some]
        predicted[t] += joint.cross_covariance(some)[:, 0] @ np.linalg.solve(joint.covariance(some), z)
    return scales.held(scales.label_mean[0] + scales.label_scale[0] * predicted)
