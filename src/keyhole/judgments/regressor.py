"""JudgmentRegressor: least squares on aggregated judgments, and the list of judgments still to collect."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.linear_model import LinearRegression
from sklearn.utils.validation import check_is_fitted

from ..common.parameters import check_choice
from ..errors import BadValue
from .data.columns import Columns
from .data.inputs import as_judgments, as_judgments_and_labels
from .data.parsing import listed
from .data.table import Judgments


class MissingJudgments(UserWarning):
    """Some cells have fewer judgments than the repeats ask for; the ones there were used."""


class JudgmentRegressor(RegressorMixin, BaseEstimator):
    """Least squares with an intercept on the mean (or median) of the chosen number of judgments.

    This is step 4 of Sabato and Kalai (2013): of each attribute with repeats r > 0, the first r judgments of
    an object are aggregated; attributes with no repeats are not looked at. Where a cell has fewer than r
    judgments, those it has are used, with a warning, and ``missing_judgments`` lists what to collect; a cell
    with none stops the fit.

    Parameters
    ----------
    repeats : one integer per attribute (``MultiSelector.repeats_``), or a dict from attribute names.
    aggregate : "mean", or "median" (the paper's future work; see docs/judgments.md for how it compares).

    Attributes
    ----------
    coef_ : one per attribute, 0 where not used. intercept_. repeats_ : as an array.

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
        """Learn from an array (objects, attributes, judgments), a long table or a file, and labels."""
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
        """Predictions for the objects of the judgments, in their order."""
        check_is_fitted(self)
        table = self._with_my_attributes(as_judgments(judgments))
        return aggregated(table, self.repeats_, self.aggregate) @ self.coef_[self.repeats_ > 0] + self.intercept_

    def score(self, judgments: Any, labels: Any, sample_weight: np.ndarray | None = None) -> float:
        """R^2 of the predictions."""
        table, y = as_judgments_and_labels(judgments, labels)
        return super().score(table, y, sample_weight)

    def missing_judgments(self, judgments: Any = None) -> Columns:
        """What to collect so that every chosen cell has its repeats: a row per cell with too few judgments.

        Of the training objects after ``fit``; of any judgments when given, also before ``fit``.
        """
        if judgments is None:
            check_is_fitted(self)
            return self._missing
        table = as_judgments(judgments)
        return missing_judgments(table, repeats_as_array(self.repeats, table.attributes))

    def _with_my_attributes(self, table: Judgments) -> Judgments:
        """The attributes of the fit, in its order; others are ignored, and unused ones need not be there."""
        mine = [str(name) for name in self.feature_names_in_]
        if table.attributes == mine:
            return table
        at = {name: a for a, name in enumerate(table.attributes)}
        lacking = [name for name, r in zip(mine, self.repeats_, strict=True) if r and name not in at]
        if lacking:
            raise ValueError(
                f"no judgment of attribute {listed(lacking)}; the table has {listed(table.attributes, 10)}"
            )
        values = np.full((len(table.objects), len(mine), table.values.shape[2]), np.nan)
        for a, name in enumerate(mine):
            if name in at:
                values[:, a] = table.values[:, at[name]]
        return Judgments(values, table.objects, mine)


def repeats_as_array(repeats: Any, attributes: Sequence[str]) -> np.ndarray:
    """One non-negative integer per attribute."""
    if isinstance(repeats, Mapping):
        unknown = [str(name) for name in repeats if name not in attributes]
        if unknown:
            raise ValueError(
                f"repeats name {listed(unknown)}, which nobody judged; attributes: {listed(attributes, 10)}"
            )
        repeats = [repeats.get(name, 0) for name in attributes]
    array = np.asarray(repeats)
    if array.shape != (len(attributes),):
        raise ValueError(
            f"repeats must be one integer per attribute: {len(attributes)} attributes, shape {array.shape}"
        )
    wrong = [(attributes[a], repeats[a]) for a in range(len(array)) if array[a] != np.floor(array[a]) or array[a] < 0]
    if wrong:
        raise ValueError(f"repeats of {wrong[0][0]!r} are {wrong[0][1]}; they must be whole numbers, 0 or more")
    return array.astype(np.int64)


def aggregated(table: Judgments, repeats: np.ndarray, aggregate: str) -> np.ndarray:
    """The mean or median of the first r judgments of each chosen attribute (objects, chosen attributes)."""
    chosen = np.flatnonzero(repeats)
    have = table.counts[:, chosen]
    if (have == 0).any():
        i, c = np.argwhere(have == 0)[0]
        raise BadValue(
            f"object {table.objects[i]!r} has no judgment of attribute {table.attributes[chosen[c]]!r}, but "
            f"needs {repeats[chosen[c]]} ({(have == 0).sum()} cells are empty); missing_judgments(judgments) "
            "lists what to collect"
        )
    short = np.maximum(repeats[chosen] - have, 0)
    if short.any():
        warnings.warn(
            f"{short.sum()} judgments are missing in {(short > 0).sum()} cells of "
            f"{(short > 0).any(axis=1).sum()} objects; those there were used, noisier than planned. "
            "missing_judgments() lists what to collect",
            MissingJudgments,
            stacklevel=3,
        )
    # The forms that look for NaN are many times slower.
    gaps = have.min(initial=0) < repeats[chosen].max(initial=0)
    name = ("nan" if gaps else "") + aggregate
    columns = [getattr(np, name)(table.values[:, a, : repeats[a]], axis=1) for a in chosen]
    return np.column_stack(columns) if columns else np.empty((len(table.objects), 0))


def missing_judgments(table: Judgments, repeats: np.ndarray) -> Columns:
    """The shopping list: object, attribute, how many there are, how many are needed, how many to collect."""
    have = table.counts
    rows = [
        (
            table.objects[i],
            table.attributes[a],
            int(have[i, a]),
            int(repeats[a]),
            int(repeats[a] - have[i, a]),
        )
        for i, a in np.argwhere(have < repeats)
    ]
    return Columns.from_rows(("object", "attribute", "have", "need", "collect"), rows)
