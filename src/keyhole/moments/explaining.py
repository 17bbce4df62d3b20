"""The methods by which a learner explains itself: ``summary`` and pictures."""

from __future__ import annotations

from typing import Any

from sklearn.utils.validation import check_is_fitted

from ..common.parameters import check_whole
from .base import MomentLearner


class ExplainsItself(MomentLearner):
    """Gives a learner its summary and its pictures; what draws them is loaded when it is wanted."""

    def summary(self, risk: bool = True) -> Any:
        """What was revealed, what was chosen and why, the policy, honest error and the largest weights, to print.

        With ``risk=False`` the error is left out, which takes refits.
        """
        from .summary import summary_of

        return summary_of(self, risk)

    def plot_weights(self, ax: Any = None, shape: tuple[int, int] | None = None) -> Any:
        """The weights in standard deviations as bars, or as an image of ``shape``; returns the axes."""
        from .pictures import plot_weights

        return plot_weights(self, ax, shape)

    def plot_reveals(self, ax: Any = None, shape: tuple[int, int] | None = None) -> Any:
        """How often each attribute was revealed, by name or as an image of ``shape``; returns the axes."""
        from .pictures import plot_reveals

        check_is_fitted(self, "observed_")
        return plot_reveals(self, ax, shape)

    def plot_risk(self, X: Any = None, y: Any = None, ax: Any = None, points: int = 5) -> Any:
        """Squared error against cells spent, by refits to the first examples; returns the axes.

        With a test table X, y it is the error from whole rows, without one that of every fifth example from the cells
        that it revealed.
        """
        from .pictures import plot_risk

        check_is_fitted(self, "cells_")
        check_whole("plot_risk", "points", points, 1)
        return plot_risk(self, X, y, ax, points)
