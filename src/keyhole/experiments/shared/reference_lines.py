"""The reference lines of figures: Keyhole's own learner and rivals under the same budget, learners with every cell.

``rivals`` is for pixels, which have one scale; ``budgeted`` and ``fully_informed`` standardise, for attributes that
have scales of their own.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from sklearn.preprocessing import StandardScaler

from ...moments import KeyholeRegressor
from ...rivals import CompleteRows, ImputeThenRidge, ScreenedPanel
from .full_information import (
    LASSO_PENALTIES,
    RIDGE_PENALTIES,
    cross_validated,
    lasso_path_of,
    online,
    ridge_path,
    tuned_online,
)
from .protocol import folds

OWN, IMPUTATION = "KeyholeRegressor", "multiple imputation"
RIVALS = ("complete rows", "screened panel", IMPUTATION)
FULL = ("ridge", "Lasso", "online ridge", "online Lasso")
CUT_SHORT = (
    "Multiple imputation makes one filled-in table with two rounds instead of its defaults, because it is slow with"
    " hundreds of attributes."
)
SLOW = "KeyholeRegressor and multiple imputation, which are slow, run at some prefixes only and on fewer splits."


class Standardised(NamedTuple):
    """A predictor that was fitted to standardised attributes and labels."""

    scaler: StandardScaler
    mean: float
    scale: float
    model: Any

    def predict(self, X: np.ndarray) -> np.ndarray:
        """Predictions in the units of the labels."""
        return self.mean + self.scale * self.model.predict(self.scaler.transform(X))


def own(budget: int, seed: int) -> KeyholeRegressor:
    """Keyhole's own learner, which has no parameters to tune."""
    return KeyholeRegressor(budget, random_state=seed)


def rivals(budget: int, seed: int) -> dict[str, Any]:
    """Other ways to spend the same budget, by the names that figures show; none is tuned on test rows.

    Multiple imputation, which is slow, has a function of its own.
    """
    return {
        "complete rows": CompleteRows(budget, scaling="none"),
        "screened panel": ScreenedPanel(budget, random_state=seed),
    }


def imputation(budget: int, seed: int) -> ImputeThenRidge:
    """Multiple imputation with fewer rounds and tables than its defaults; a figure that shows it says CUT_SHORT."""
    return ImputeThenRidge(budget, n_imputations=1, turns=2, n_nearest_features=30, random_state=seed)


def budgeted(name: str, budget: int, seed: int) -> Any:
    """A learner that spends the budget, by the name that figures show."""
    made = {
        OWN: lambda: own(budget, seed),
        "complete rows": lambda: CompleteRows(budget),
        "screened panel": lambda: ScreenedPanel(budget, random_state=seed),
        IMPUTATION: lambda: imputation(budget, seed),
    }
    return made[name]()


def fully_informed(X: np.ndarray, y: np.ndarray, seed: int, n_folds: int = 10) -> dict[str, Standardised]:
    """Ridge and Lasso that see every cell, offline and in one pass, tuned by cross-validation on training rows."""
    scaler, mean, scale = StandardScaler().fit(X), float(y.mean()), float(y.std()) or 1.0
    Z, t, parts = scaler.transform(X), (y - mean) / scale, folds(len(y), n_folds)
    moments, errors = cross_validated(Z, t, parts)
    models: dict[str, Any] = {
        "ridge": ridge_path(moments, [RIDGE_PENALTIES[int(errors["ridge"].argmin())]]),
        "Lasso": lasso_path_of(moments, [LASSO_PENALTIES[int(errors["Lasso"].argmin())]]),
    }
    for name, penalty in (("online ridge", "l2"), ("online Lasso", "l1")):
        strength, step = tuned_online(penalty, Z, t, parts, seed)
        models[name] = online(penalty, strength, step, seed).partial_fit(Z, t)
    return {name: Standardised(scaler, mean, scale, model) for name, model in models.items()}
