"""Ridge regression on standardised attributes, its penalty chosen by leave-one-out cross-validation."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..common.penalties import RIDGE_PENALTIES
from ..observe.cells import of_columns, standardised, unscaled


def check_alphas(owner: str, alphas: Any) -> np.ndarray:
    """The penalties to choose from; raises unless they are finite numbers above 0."""
    given = RIDGE_PENALTIES if alphas is None else np.atleast_1d(np.asarray(alphas, dtype=np.float64))
    if given.ndim != 1 or not len(given) or not (np.isfinite(given) & (given > 0)).all():
        raise ValueError(f"alphas={alphas!r}: {owner} needs one or more penalties, finite numbers above 0")
    return given


def ridge(table: np.ndarray, labels: np.ndarray, alphas: np.ndarray, scaled: bool = True) -> tuple[np.ndarray, float]:
    """Coefficients and intercept for a full table; the coefficient of a constant attribute is 0."""
    from sklearn.linear_model import RidgeCV  # here, since it takes long to import

    summary = of_columns(table)
    scale = summary.scale() if scaled else (summary.deviation > 0).astype(np.float64)
    # By singular values: with hundreds of attributes, eigenvalues take several times as long.
    solved = RidgeCV(alphas, gcv_mode="svd").fit(standardised(table, summary.mean, scale), labels)
    return unscaled(solved.coef_, solved.intercept_, summary.mean, scale)
