"""The further lines of every figure: Keyhole's own learner, the rivals under the same budget, and full information."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import KeyholeRegressor, rivals

OWN = "KeyholeRegressor"
RIVALS = ("complete rows", "screened panel", "multiple imputation")
FULL = ("ridge", "Lasso", "online ridge", "online Lasso")


def further_learner(name: str, budget: int, seed: int) -> Any:
    """A learner by the name in the legend; those with full information see every cell and use no budget."""
    from sklearn.linear_model import LassoCV, RidgeCV, SGDRegressor
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    budgeted = {
        OWN: KeyholeRegressor,
        "complete rows": rivals.CompleteRows,
        "screened panel": rivals.ScreenedPanel,
        "multiple imputation": rivals.ImputeThenRidge,
    }
    if name in budgeted:
        return budgeted[name](budget, random_state=seed)
    models = {
        "ridge": lambda: RidgeCV(np.logspace(-3, 6, 28)),
        "Lasso": lambda: LassoCV(cv=10, random_state=seed),
        "online ridge": lambda: SGDRegressor(penalty="l2", max_iter=1, tol=None, average=True, random_state=seed),
        "online Lasso": lambda: SGDRegressor(penalty="l1", max_iter=1, tol=None, average=True, random_state=seed),
    }
    return make_pipeline(StandardScaler(), models[name]())
