"""JudgmentRegressor: least squares on aggregated judgments, and the list of judgments still to collect."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.utils.validation import check_is_fitted

from ..common.parameters import ParameterError, check_choice
from ..common.wording import listed
from .core.repeats import MOST_NAMES, aggregated, missing_judgments, repeats_as_array
from .data.columns import Columns
from .data.inputs import as_judgments, as_judgments_and_labels
from .data.parsing import named
from .data.table import Judgments


class JudgmentRegressor(RegressorMixin, BaseEstimator):
    """Least squares with an intercept on the mean (or median) of a chosen number of judgments.

    This is step 4 of the procedure of Sabato and Kalai [1]_: of each attribute with r > 0 repeats, the first r
    judgments of an object are aggregated; attributes with no repeats are not used. A cell with fewer than r judgments
    is aggregated over those that it has, with a warning, and ``missing_judgments`` lists the judgments to collect; a
    cell without any judgment stops the fit.

    Parameters
    ----------
    repeats : sequence of int or dict of str to int
        The number of judgments of each attribute (``MultiSelector.repeats_``), or a dict from names of attributes,
        in which an attribute that is not named has 0.
    aggregate : {"mean", "median"}, default="mean"
        How the judgments of a cell become one number.

    Attributes
    ----------
    coef_ : ndarray of shape (n_attributes,)
        One coefficient per attribute, 0 where it has no repeats.
    intercept_ : float
        The intercept.
    repeats_ : ndarray of int of shape (n_attributes,)
        The repeats as an array.
    n_features_in_ : int
        Number of attributes.
    feature_names_in_ : ndarray of str of shape (n_attributes,)
        Names of the attributes.

    See Also
    --------
    MultiSelector : The choice of the repeats.

    References
    ----------
    .. [1] S. Sabato and A. Kalai, "Feature Multi-Selection among Subjective Features", Proceedings of the 30th
       International Conference on Machine Learning (ICML), 2013.

    Examples
    --------
    >>> import numpy as np
    >>> from keyhole.judgments import JudgmentRegressor
    >>> judgments = np.array([[[1.0, 3.0]], [[4.0, np.nan]], [[5.0, 7.0]]])
    >>> import warnings
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("ignore")
    ...     model = JudgmentRegressor(repeats=[2]).fit(judgments, [20.0, 40.0, 60.0])
    >>> model.predict(np.array([[[7.0, 9.0]]])).round(6)
    array([80.])
    >>> print(model.missing_judgments())
    object  attribute  have  need  collect
    1       x0            1     2        1
    """

    def __init__(self, repeats: Sequence[int] | Mapping[str, int] | np.ndarray, aggregate: str = "mean") -> None:
        self.repeats = repeats
        self.aggregate = aggregate

    def fit(self, judgments: Any, labels: Any) -> JudgmentRegressor:
        """Fit the predictor.

        Parameters
        ----------
        judgments : array-like of shape (n_objects, n_attributes, n_judgments), table, path or Judgments
            The judgments, in any form that ``as_judgments`` takes.
        labels : array-like of shape (n_objects,), dict, table or path
            A label for each object. With an array of judgments, labels are in the order of the objects; with a long
            table, they name their objects: a dict, a table with the columns object and label, or a file of it.

        Returns
        -------
        JudgmentRegressor
            The fitted regressor.

        Raises
        ------
        BadValue
            If a cell of a chosen attribute has no judgment, or judgments or labels are not finite numbers.
        ParameterError
            If a parameter has a wrong value.

        Warns
        -----
        MissingJudgments
            If cells have fewer judgments than the repeats require.
        """
        from sklearn.linear_model import LinearRegression

        table, y = as_judgments_and_labels(judgments, labels)
        check_choice("JudgmentRegressor", "aggregate", self.aggregate, ("mean", "median"))
        repeats = repeats_as_array(self.repeats, table.attributes)
        features = aggregated(table, repeats, self.aggregate)
        self.repeats_ = repeats
        self.feature_names_in_ = np.array(table.attributes, dtype=object)
        self.n_features_in_ = len(table.attributes)
        self._missing = missing_judgments(table, repeats)
        self.coef_ = np.zeros(len(repeats))
        self.intercept_ = float(y.mean())
        if features.shape[1]:
            model = LinearRegression().fit(features, y)
            self.coef_[repeats > 0] = model.coef_
            self.intercept_ = float(model.intercept_)
        return self

    def predict(self, judgments: Any) -> np.ndarray:
        """Predict labels.

        Parameters
        ----------
        judgments : array-like of shape (n_objects, n_attributes, n_judgments), table, path or Judgments
            The judgments. A table is matched to the fit by the names of its attributes: attributes of the fit that
            have no repeats may be absent, and further attributes are ignored.

        Returns
        -------
        ndarray of shape (n_objects,)
            The predicted labels, in the order of the objects.

        Raises
        ------
        BadValue
            If a cell of a chosen attribute has no judgment.
        ParameterError
            If the table has no judgment of a chosen attribute.
        """
        check_is_fitted(self)
        table = self._with_attributes_of_fit(as_judgments(judgments))
        return aggregated(table, self.repeats_, self.aggregate) @ self.coef_[self.repeats_ > 0] + self.intercept_

    def score(self, judgments: Any, labels: Any, sample_weight: np.ndarray | None = None) -> float:
        """Compute the coefficient of determination (R^2) of the predictions.

        Parameters
        ----------
        judgments : array-like of shape (n_objects, n_attributes, n_judgments), table, path or Judgments
            The judgments, in any form that ``as_judgments`` takes.
        labels : array-like of shape (n_objects,), dict, table or path
            A label for each object, in the order of the objects or by their names (a dict, a table with the columns
            object and label, or a file).
        sample_weight : ndarray of shape (n_objects,), optional
            Weights of the objects.

        Returns
        -------
        float
            The share of the labels' variance that the predictions explain; negative if they are worse than the mean.
        """
        table, y = as_judgments_and_labels(judgments, labels)
        return float(super().score(table, y, sample_weight))

    def missing_judgments(self, judgments: Any = None) -> Columns:
        """List the judgments to collect so that every chosen cell has its repeats.

        Parameters
        ----------
        judgments : array-like, dict, path or Judgments, default=None
            The judgments that there are; they may be given before ``fit``. By default those of ``fit``.

        Returns
        -------
        Columns
            One row per cell with too few judgments: ``object``, ``attribute``, ``have``, ``need`` and ``collect``,
            the number to collect.
        """
        if judgments is None:
            check_is_fitted(self)
            return self._missing
        table = as_judgments(judgments)
        return missing_judgments(table, repeats_as_array(self.repeats, table.attributes))

    def _with_attributes_of_fit(self, table: Judgments) -> Judgments:
        """The attributes of the fit, in its order; others are ignored, and unused ones need not be there."""
        names = [str(name) for name in self.feature_names_in_]
        if table.attributes == names:
            return table
        at = {name: a for a, name in enumerate(table.attributes)}
        lacking = [name for name, r in zip(names, self.repeats_, strict=True) if r and name not in at]
        if lacking:
            raise ParameterError(
                "judgments",
                f"there is no judgment of {named('attribute', lacking)}; the table has"
                f" {listed(table.attributes, MOST_NAMES)}",
            )
        values = np.full((len(table.objects), len(names), table.values.shape[2]), np.nan)
        for a, name in enumerate(names):
            if name in at:
                values[:, a] = table.values[:, at[name]]
        return Judgments(values, table.objects, names)
