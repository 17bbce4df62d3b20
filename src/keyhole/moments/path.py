"""The error against what was spent: the model fitted again to the first rows, twice as many each time.

With a test table, the error is that of predicting its rows from all attributes. Without one, every fifth row is held
out and predicted from the cells that it revealed: nothing more is read, and the error is honest, but one of
predicting from few attributes.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ..observe.cells import Cells
from ..observe.tables import check_labels, check_table, linear_predictions
from .base import TURNS, MomentLearner
from .solving import Solution, solve

HELD_OUT = 5  # one row in so many
FEWEST_ROWS = 16


class Path(NamedTuple):
    """Rows and cells that models were fitted to, their mean squared errors with standard errors, and the error of
    the mean label of all of them."""

    n_rows: np.ndarray
    n_cells: np.ndarray
    error: np.ndarray
    standard_error: np.ndarray
    error_of_mean: float


def risk_path(learner: MomentLearner, X: Any = None, y: Any = None, points: int = 5) -> Path:
    """Of a fitted learner, by the rows of a test table or else by held-out rows of its own."""
    if (X is None) != (y is None):
        raise ValueError(f"{'y' if y is None else 'X'} is missing: a test table is X with its labels y")
    cells, labels = learner.cells_, learner._targets()
    n = cells.n_examples
    order, held = np.arange(n), np.zeros(n, dtype=bool)
    if X is None:
        held = order % HELD_OUT == HELD_OUT - 1
    train = order[~held]
    if len(train) < FEWEST_ROWS:
        raise ValueError(f"{n} examples: an error against cells spent needs {FEWEST_ROWS} to fit and some to judge by")
    sizes = np.unique([max(len(train) // 2**k, FEWEST_ROWS) for k in range(points)])
    truth = labels[held, 0] if X is None else None
    if truth is None:
        source = check_table(learner, X, reset=False)
        truth = check_labels(y, source.n_examples)
    found = []
    for size in sizes:
        keep = np.isin(order, train[:size])
        part = cells.rows_of(keep)
        solution = solve(part, labels[keep], len(learner.attributes_), TURNS, learner.seed_)
        solution = learner._refined(solution, part)
        if X is None:
            predicted = from_revealed(solution, cells.rows_of(held))
        else:
            predicted = linear_predictions(source, solution.coef[0], float(solution.intercept[0]))
        squares = (predicted - truth) ** 2
        found.append((size, len(part.values), squares.mean(), squares.std() / np.sqrt(len(squares))))
    n_rows, n_cells, error, standard_error = np.array(found).T
    error_of_mean = float(np.mean((truth - labels[train, 0].mean()) ** 2))
    return Path(n_rows, n_cells, error, standard_error, error_of_mean)


def from_revealed(solution: Solution, cells: Cells) -> np.ndarray:
    """Each row's label, predicted from the cells that it revealed."""
    joint, units = solution.joint, solution.units
    start = np.searchsorted(cells.rows, np.arange(cells.n_examples + 1))
    predicted = np.full(cells.n_examples, joint.label_mean[0])
    for t in range(cells.n_examples):
        places = np.arange(start[t], start[t + 1])
        places = places[units.scale[cells.attributes[places]] > 0]
        some = cells.attributes[places]
        z = (cells.values[places] - units.mean[some]) / units.scale[some] - joint.mean[some]
        predicted[t] += joint.cross(some)[:, 0] @ np.linalg.solve(joint.covariance(some), z)
    return units.label_mean[0] + units.label_scale[0] * predicted
