"""The error against the number of revealed cells: the model fitted again to the first rows, twice as many each time.

With a test table, the error is that of predicting its rows from all attributes. Without one, every fifth row is held
out and predicted from the cells that it revealed: nothing more is read, and the error is honest, but one of
predicting from few attributes. Errors of labels are squared; of classes the error is 1 for a wrong one, else 0.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

import numpy as np

from ...observe.cells import Cells
from ..predict.discriminant import Discriminant, class_coordinates, discriminant
from ..predict.held_out_classes import log_odds_from_cells
from ..solution import Solution, Training
from .extrapolation import Extrapolation, extrapolated
from .settings import HELD_OUT_EVERY, LEAST_ROWS_FITTED


class LearningCurve(NamedTuple):
    """The error against the number of revealed cells: the mean squared error, or for classes the share of wrong ones.

    Attributes
    ----------
    n_rows : ndarray of shape (n_points,)
        The numbers of examples that models were fitted to.
    n_cells : ndarray of shape (n_points,)
        The numbers of cells that these had revealed.
    error : ndarray of shape (n_points,)
        The errors.
    standard_error : ndarray of shape (n_points,)
        Their standard errors, over the examples that were predicted.
    error_of_mean : float
        The mean squared error of predicting the mean label; for classes the share of wrong ones when the most frequent
        class is predicted.
    extrapolated : Extrapolation or None
        ``n_cells``, ``error`` and ``standard_error`` for 2, 4 and 8 times as many cells; None with fewer than 3 points.
    """

    n_rows: np.ndarray
    n_cells: np.ndarray
    error: np.ndarray
    standard_error: np.ndarray
    error_of_mean: float
    extrapolated: Extrapolation | None = None


class Errors(Protocol):
    """The errors of the examples that models are assessed on: a test table, or held-out training examples."""

    @property
    def held_out(self) -> np.ndarray:
        """A mask of the training examples that no model is fitted to."""

    def of(self, solution: Solution, train: np.ndarray) -> np.ndarray:
        """Of each assessed example, by a solution that was fitted to some of the training examples."""

    def without_attributes(self, train: np.ndarray) -> np.ndarray:
        """Of each, where the labels of these training examples alone are known."""


class SquaredErrors(NamedTuple):
    """Of the source and the labels of a test table, or else of held-out training examples."""

    data: Training
    held_out: np.ndarray
    test: tuple[Any, np.ndarray] | None = None

    def of(self, solution: Solution, train: np.ndarray) -> np.ndarray:
        if self.test is None:
            predicted = predict_from_revealed(solution, self.data.as_revealed.rows_of(self.held_out))
        else:
            predicted = solution.predictions(self.test[0])
        return (predicted - self._labels()) ** 2

    def without_attributes(self, train: np.ndarray) -> np.ndarray:
        return (self._labels() - self.data.labels[train, 0].mean()) ** 2

    def _labels(self) -> np.ndarray:
        return self.data.labels[self.held_out, 0] if self.test is None else self.test[1]


class WrongClasses(NamedTuple):
    """The same for classes, which are numbers from 0 to K - 1; of a test table they come with a function that predicts
    log odds by a model."""

    data: Training
    held_out: np.ndarray
    classes: np.ndarray
    test: tuple[Callable[[Discriminant], np.ndarray], np.ndarray] | None = None

    def of(self, solution: Solution, train: np.ndarray) -> np.ndarray:
        coordinates = class_coordinates(np.bincount(self.classes) / len(self.classes))
        model = discriminant(solution.joint, solution.scales, self._shares(train), coordinates)
        if self.test is None:
            cells = solution.scales.values.of_cells(self.data.as_revealed.rows_of(self.held_out))
            ends = cells.row_starts
            known = [np.arange(ends[t], ends[t + 1]) for t in range(cells.n_examples)]
            log_odds = log_odds_from_cells(model, cells, known)
        else:
            log_odds = self.test[0](model)
        return (log_odds.argmax(axis=1) != self._assessed()).astype(np.float64)

    def without_attributes(self, train: np.ndarray) -> np.ndarray:
        return (self._assessed() != self._shares(train).argmax()).astype(np.float64)

    def _shares(self, train: np.ndarray) -> np.ndarray:
        return np.bincount(self.classes[train], minlength=self.classes.max() + 1) / len(train)

    def _assessed(self) -> np.ndarray:
        return self.classes[self.held_out] if self.test is None else self.test[1]


def every_fifth(n_rows: int) -> np.ndarray:
    """A mask of the training examples that are held out where there is no test table."""
    return np.arange(n_rows) % HELD_OUT_EVERY == HELD_OUT_EVERY - 1


def learning_curve(
    data: Training, fit: Callable[[Training], Solution], errors: Errors, points: int = 5
) -> LearningCurve:
    """From fits to the first training examples that are not held out."""
    n = data.n_rows
    train = np.flatnonzero(~errors.held_out)
    if len(train) < LEAST_ROWS_FITTED:
        raise ValueError(
            f"{n} examples: a learning curve needs at least {LEAST_ROWS_FITTED} to fit to, beside those held out"
        )
    sizes = np.unique([max(len(train) // 2**k, LEAST_ROWS_FITTED) for k in range(points)])
    found, each = [], []
    for size in sizes:
        part = data.where(np.isin(np.arange(n), train[:size]))._replace(sparsity=None)
        one = errors.of(fit(part), train[:size])
        found.append((size, len(part.as_revealed.values), one.mean(), one.std() / np.sqrt(len(one))))
        each.append(one)
    n_rows, n_cells, error, standard_error = np.array(found).T
    error_of_mean = float(errors.without_attributes(train).mean())
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
