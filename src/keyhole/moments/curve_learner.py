"""A moment learner that tells how its error falls with the number of revealed cells."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from ..common.parameters import check_whole
from .base import MomentLearner
from .describe.learning_curve import Errors, LearningCurve, every_fifth, learning_curve
from .describe.plots import plot_learning_curve


class CurveLearner(MomentLearner):
    """Has ``learning_curve_`` and ``plot_risk``: of squared errors, or of the share of wrong classes."""

    error_in_words = "squared error"
    simplest_prediction = "mean label"

    @abstractmethod
    def _errors(self, X: Any, y: Any) -> Errors:
        """Of a test table, or of held-out training examples where there is none."""

    @property
    def learning_curve_(self) -> LearningCurve:
        """The error against the number of cells, of held-out examples, predicted from the cells that they revealed.

        It is fitted when it is first wanted.
        """
        check_is_fitted(self, "cells_")
        return self.cache_.get("learning curve", lambda: self._curve(None, None, 5))

    def plot_risk(self, X: Any = None, y: Any = None, ax: Any = None, points: int = 5) -> Any:
        """Plot the error against the number of revealed cells, by fits to the first examples, and extrapolate.

        Parameters
        ----------
        X : array-like of shape (n_test, n_attributes), default=None
            A test table, predicted from whole rows. None: every fifth training example is held out, and predicted from
            the cells that it revealed.
        y : array-like of shape (n_test,), default=None
            The labels of the test table, or its classes.
        ax : matplotlib Axes, default=None
            The axes to draw on; None makes a figure.
        points : int, default=5
            How many fits to make, each to twice as many examples as the one before.

        Returns
        -------
        matplotlib Axes
            The axes.
        """
        check_is_fitted(self, "cells_")
        check_whole("plot_risk", "points", points, 1)
        if (X is None) != (y is None):
            raise ValueError(f"{'y' if y is None else 'X'}=None: plot_risk needs a test table X with its labels y")
        seen = "the revealed cells of held-out examples" if X is None else "all attributes"
        found, words = self._curve(X, y, points), (self.error_in_words, self.simplest_prediction)
        return plot_learning_curve(found, seen, *words, type(self).__name__, ax)

    def _curve(self, X: Any, y: Any, points: int) -> LearningCurve:
        return learning_curve(self._training(), self._fit_again, self._errors(X, y), points)

    def _held_out_rows(self, X: Any) -> np.ndarray:
        n_rows = self.cells_.n_examples
        return every_fifth(n_rows) if X is None else np.zeros(n_rows, dtype=bool)
