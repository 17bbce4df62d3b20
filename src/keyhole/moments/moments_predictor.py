"""MomentsPredictor: what ``fit_from_moments`` returns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.exceptions import NotFittedError

from ..observe.attributes import Attribute
from ..observe.tables import check_table
from .describe.plots import plot_weights
from .describe.summary import COEFFICIENTS, Summary, coefficient_lines, selection_lines
from .predict.methods import BuyingRegressor
from .predict.partial import PartialPredictor
from .predict.subsets import Subsets, rescaled
from .solution import Solution


class MomentsPredictor(BuyingRegressor, BaseEstimator):
    """The predictor that ``fit_from_moments`` returns; without rows nothing is known of its error.

    Attributes
    ----------
    coef_ : ndarray of shape (n_attributes,)
        The coefficients of the raw attributes.
    intercept_ : float
        The intercept.
    candidates_ : list of dict
        The penalty that was chosen, and why.
    n_rows_ : int
        The number of rows behind the moments.
    attributes_ : sequence of Attribute
        The attributes.
    n_features_in_ : int
        The number of attributes.
    feature_names_in_ : ndarray of shape (n_attributes,)
        The names of the attributes, where they were given.

    Examples
    --------
    >>> import numpy as np
    >>> from keyhole import fit_from_moments
    >>> model = fit_from_moments([0, 0], np.eye(2), [1, 0], 1000, label_mean=3, label_variance=2, names=["a", "b"])
    >>> model.next_attributes([np.nan, np.nan])[0].names
    ('a',)
    """

    predicts_from_subsets = True
    solution_: Solution
    attributes_: Sequence[Attribute]
    n_rows_: int

    @property
    def coef_(self) -> np.ndarray:
        """The coefficients of the raw attributes."""
        return self.solution_.coef[0].copy()

    @property
    def intercept_(self) -> float:
        """The intercept."""
        return float(self.solution_.intercept[0])

    @property
    def candidates_(self) -> list[dict[str, Any]]:
        """The penalty that was chosen, and why."""
        return [dict(one) for one in self.solution_.candidates]

    def predict(self, X: Any, return_std: bool = False) -> Any:
        """Predict from whatever is known of each row.

        Parameters
        ----------
        X : array-like, sparse matrix, data frame or Source of shape (n_examples, n_attributes)
            The rows; a cell that is not known is NaN or None.
        return_std : bool, default=False
            Whether to return standard deviations as well, as the moments imply them.

        Returns
        -------
        ndarray of shape (n_examples,), or tuple of two of them
            The predictions and, with ``return_std``, the standard deviation of the label around each.
        """
        predictor = self._partial()
        predictions, variances = predictor.predict(check_table(self, X, reset=False), return_std)
        return (predictions, predictor.label_scale * np.sqrt(variances)) if return_std else predictions

    def summary(self) -> Summary:
        """Describe the penalty that was chosen and the largest coefficients.

        Returns
        -------
        Summary
            Sections of named lines, to print.
        """
        rows, d = f"moments of {self.n_rows_:,} rows", len(self.attributes_)
        summary = Summary(f"{type(self).__name__}: {rows}, {d:,} attributes")
        summary.add("Families", selection_lines(self.solution_))
        scales = self.solution_.scales
        lines = coefficient_lines(self.solution_.coef, scales.scale, self._names(), scales.label_scale)
        summary.add(COEFFICIENTS, lines)
        return summary

    def plot_weights(self, ax: Any = None, shape: tuple[int, int] | None = None) -> Any:
        """Plot the change of the prediction per standard deviation of each attribute.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            The axes to draw on; None makes a figure.
        shape : tuple of int, default=None
            Rows and columns of an image, where attributes are pixels; None draws bars.

        Returns
        -------
        matplotlib Axes
            The axes.
        """
        return plot_weights(self.solution_, self.solution_.scales.scale, self._names(), ax, shape)

    def _names(self) -> list[str]:
        return [attribute.name for attribute in self.attributes_]

    def _partial(self) -> PartialPredictor:
        if not hasattr(self, "solution_"):
            raise NotFittedError(
                f"This {type(self).__name__} has no moments: fit_from_moments(...) returns one that has"
            )
        joint, scales = self.solution_.joint, self.solution_.scales
        return PartialPredictor(
            self.solution_, lambda: Subsets(scales=scales, main=rescaled(joint, scales, joint, scales), fold_fits=())
        )

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "solution_")
