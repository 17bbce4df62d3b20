"""SavedPredictor: what is loaded of a linear predictor that is none of Keyhole's estimators, or has no state."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, RegressorMixin

from ..observe.tables import check_table, linear_predictions
from .schema import Array, Plain, Store, check_names


class SavedPredictor(RegressorMixin, BaseEstimator):
    """Coefficients and an intercept from a file: it predicts, and has no state to learn on from.

    Parameters
    ----------
    learner : str
        The name of the estimator that was saved.
    params : dict
        Its parameters.

    Attributes
    ----------
    coef_ : ndarray of shape (n_attributes,)
        The coefficients.
    intercept_ : float
        The intercept.
    """

    coef_: np.ndarray
    intercept_: float

    def __init__(self, learner: str, params: dict[str, Any]) -> None:
        self.learner = learner
        self.params = params

    def predict(self, X: Any) -> np.ndarray:
        """Predict the labels of whole rows.

        Parameters
        ----------
        X : array-like, sparse matrix, data frame or Source of shape (n_examples, n_attributes)
            The rows.

        Returns
        -------
        ndarray of shape (n_examples,)
            The predictions.
        """
        return linear_predictions(check_table(self, X, reset=False), self.coef_, self.intercept_)


def predictor_state(model: Any, store: Store) -> dict[str, Any]:
    """Of anything with ``coef_`` and ``intercept_`` of one label."""
    if not hasattr(model, "coef_") or np.ndim(model.coef_) != 1:
        raise ValueError(
            f"a {type(model).__name__} cannot be saved: it is no estimator of Keyhole, and no predictor of one label"
            " with coef_ and intercept_"
        )
    learner = model.learner if isinstance(model, SavedPredictor) else type(model).__name__
    return {
        "learner": learner,
        "coef": Array("float64", "d").write(model.coef_, store),
        "intercept": float(model.intercept_),
    }


def read_predictor(params: dict[str, Any], stored: Any, store: Store) -> SavedPredictor:
    """The predictor again."""
    check_names("the state", stored, ("learner", "coef", "intercept"))
    model = SavedPredictor(Plain(str).read(stored["learner"], "learner", store), params)
    model.coef_ = Array("float64", "d").read(stored["coef"], "coef", store)
    model.intercept_ = Plain(float).read(stored["intercept"], "intercept", store)
    return model
