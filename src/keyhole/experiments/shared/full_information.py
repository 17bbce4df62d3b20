"""Ridge and Lasso with every cell, offline and online: what a learner loses by its budget.

Offline, everything follows from second moments, which add up over folds: one pass over the rows serves all folds and
all penalties. Ridge then is one eigendecomposition per fold; Lasso is scikit-learn's path on as many pseudo-rows as
there are attributes, which have the same moments. Online, it is scikit-learn's averaged stochastic gradient descent,
one pass. Penalties count per example, so that one penalty serves prefixes of any length; intercepts are not penalised.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from sklearn.linear_model import SGDRegressor, lasso_path

RIDGE_PENALTIES = tuple(float(f"{p:.3g}") for p in np.logspace(-4, 0.5, 10))
LASSO_PENALTIES = tuple(float(f"{p:.3g}") for p in np.logspace(-5, -1, 9))
ONLINE_STEPS = (1e-4, 3e-4, 1e-3, 3e-3)
ONLINE_PENALTIES = {"l2": (1e-4, 1e-2), "l1": (1e-5, 1e-3)}


class Moments(NamedTuple):
    """Sums over rows; those of several sets of rows add up."""

    n: float
    x: np.ndarray
    y: float
    xx: np.ndarray
    xy: np.ndarray

    def plus(self, other: Moments, sign: float = 1.0) -> Moments:
        """The moments of both sets of rows together, or with sign -1 those of the rows that are left."""
        return Moments(
            self.n + sign * other.n,
            self.x + sign * other.x,
            self.y + sign * other.y,
            self.xx + sign * other.xx,
            self.xy + sign * other.xy,
        )


class Linear(NamedTuple):
    """Predictors, a column each."""

    coef: np.ndarray
    intercept: np.ndarray

    def errors(self, X: np.ndarray, y: np.ndarray) -> np.ndarray:
        """Mean squared error of each."""
        return np.mean((X @ self.coef + self.intercept - y[:, None]) ** 2, axis=0)

    def predict(self, X: np.ndarray) -> np.ndarray:
        """Predictions of the first."""
        return X @ self.coef[:, 0] + self.intercept[0]


def moments_of(X: np.ndarray, y: np.ndarray) -> Moments:
    """The moments of some rows."""
    X = np.asarray(X, dtype=np.float64)
    return Moments(float(len(y)), X.sum(axis=0), float(y.sum()), X.T @ X, X.T @ y)


def ridge_path(moments: Moments, penalties: Sequence[float]) -> Linear:
    """argmin mean (w'x + b - y)^2 + penalty |w|^2, for each penalty."""
    values, vectors, projected, varies = _decomposed(moments)
    scaled = projected[:, None] / (values[:, None] + np.asarray(penalties)[None, :])
    return _with_intercept(moments, vectors @ scaled, varies)


def lasso_path_of(moments: Moments, penalties: Sequence[float], tolerance: float = 1e-3) -> Linear:
    """argmin mean (w'x + b - y)^2 / 2 + penalty |w|_1, for each penalty: scikit-learn's Lasso."""
    values, vectors, projected, varies = _decomposed(moments)
    real = values > 1e-12 * values.max(initial=0.0)
    root = np.sqrt(values[real])
    pseudo = root[:, None] * vectors[:, real].T * np.sqrt(real.sum())  # its mean of products is the covariance
    labels = projected[real] / root * np.sqrt(real.sum())
    order = np.argsort(penalties)[::-1]  # a path goes from the largest penalty down
    path = lasso_path(pseudo, labels, alphas=np.asarray(penalties)[order], tol=tolerance, max_iter=10_000)[1]
    coef = np.empty_like(path)
    coef[:, order] = path
    return _with_intercept(moments, coef, varies)


def cross_validated(
    X: np.ndarray, y: np.ndarray, folds: Sequence[tuple[int, int]]
) -> tuple[Moments, dict[str, np.ndarray]]:
    """The moments of all rows, and the mean held-out error of each penalty for "ridge" and "Lasso"."""
    parts = [moments_of(X[start:stop], y[start:stop]) for start, stop in folds]
    whole = parts[0]
    for part in parts[1:]:
        whole = whole.plus(part)
    errors = {"ridge": np.zeros(len(RIDGE_PENALTIES)), "Lasso": np.zeros(len(LASSO_PENALTIES))}
    for part, (start, stop) in zip(parts, folds, strict=True):
        rest = whole.plus(part, -1.0)
        errors["ridge"] += ridge_path(rest, RIDGE_PENALTIES).errors(X[start:stop], y[start:stop])
        errors["Lasso"] += lasso_path_of(rest, LASSO_PENALTIES).errors(X[start:stop], y[start:stop])
    return whole, {name: total / len(folds) for name, total in errors.items()}


def online(penalty: str, strength: float, step: float, seed: int) -> SGDRegressor:
    """Stochastic gradient descent with averaging, for ``partial_fit``: "l2" is online ridge, "l1" online Lasso."""
    return SGDRegressor(
        penalty=penalty, alpha=strength, learning_rate="constant", eta0=step, average=True, random_state=seed
    )


def tuned_online(
    penalty: str,
    X: np.ndarray,
    y: np.ndarray,
    folds: Sequence[tuple[int, int]],
    seed: int,
    grid: Sequence[tuple[float, float]] = (),
) -> tuple[float, float]:
    """Strength and step with the smallest mean held-out error, of those in the grid or else of the usual ones."""
    grid = grid or [(strength, step) for strength in ONLINE_PENALTIES[penalty] for step in ONLINE_STEPS]
    errors = np.zeros(len(grid))
    for start, stop in folds:
        for at, (strength, step) in enumerate(grid):
            learner = online(penalty, strength, step, seed)
            for first, last in ((0, start), (stop, len(y))):
                if last > first:
                    learner.partial_fit(X[first:last], y[first:last])
            errors[at] += np.mean((learner.predict(X[start:stop]) - y[start:stop]) ** 2)
    return grid[int(errors.argmin())]


def _decomposed(moments: Moments) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Eigenvalues and vectors of the covariance of the attributes that vary, and its product with the label."""
    n, mean = moments.n, moments.x / moments.n
    covariance = moments.xx / n - np.outer(mean, mean)
    varies = np.diag(covariance) > 1e-12 * max(float(np.diag(moments.xx).max()) / n, 1e-300)
    values, vectors = np.linalg.eigh(covariance[np.ix_(varies, varies)])
    towards = (moments.xy / n - mean * moments.y / n)[varies]
    return np.maximum(values, 0.0), vectors, vectors.T @ towards, varies


def _with_intercept(moments: Moments, coef: np.ndarray, varies: np.ndarray) -> Linear:
    whole = np.zeros((len(varies), coef.shape[1]))
    whole[varies] = coef
    return Linear(whole, moments.y / moments.n - (moments.x / moments.n) @ whole)
