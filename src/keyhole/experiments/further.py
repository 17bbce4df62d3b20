"""The further lines of every figure where attributes have units: everything is standardised.

Keyhole's own learner and the rivals spend the same budget as the paper's learners; ridge and Lasso see every cell.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from sklearn.preprocessing import StandardScaler

from ..rivals import CompleteRows, ScreenedPanel
from .full_information import (
    LASSO_PENALTIES,
    RIDGE_PENALTIES,
    cross_validated,
    lasso_path_of,
    online,
    ridge_path,
    tuned_online,
)
from .protocol import folds, imputation, own

OWN, IMPUTATION = "KeyholeRegressor", "multiple imputation"
RIVALS = ("complete rows", "screened panel", IMPUTATION)
FULL = ("ridge", "Lasso", "online ridge", "online Lasso")


class Standardised(NamedTuple):
    """A predictor that was fitted to standardised attributes and labels."""

    scaler: StandardScaler
    mean: float
    scale: float
    model: Any

    def predict(self, X: np.ndarray) -> np.ndarray:
        return self.mean + self.scale * self.model.predict(self.scaler.transform(X))


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
