"""A distribution whose risks are known exactly: one of the 365 threes and fives of scikit-learn's small digits.

Each is drawn with equal probability, so the risk of any weights is a mean over these rows, and the best weights in a
ball can be solved for.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np

RADIUS = 2.0  # of the ball


class Digits(NamedTuple):
    """All rows that can be drawn, their labels -1 and 1, and the least risk in the ball (half the squared error)."""

    X: np.ndarray
    y: np.ndarray
    least_risk: float

    def risk(self, w: np.ndarray) -> float:
        """Half the mean squared error of some weights."""
        return 0.5 * float(np.mean((self.X @ w - self.y) ** 2))


@cache
def digits(norm: int) -> Digits:
    """Threes and fives with |x|_2 <= 1 (norm 2) or |x_i| <= 1 (norm 1, whose dual the l1 ball is)."""
    from sklearn.datasets import load_digits

    X, digit = load_digits(return_X_y=True)
    chosen = (digit == 3) | (digit == 5)
    X, y = X[chosen] / 16, np.where(digit[chosen] == 5, 1.0, -1.0)
    if norm == 2:
        X = X / np.linalg.norm(X, axis=1).max()
    pool = Digits(X.astype(np.float32), y, 0.0)
    best = best_in_l2_ball(X, y) if norm == 2 else best_in_l1_ball(X, y)
    return pool._replace(least_risk=pool.risk(best))


def best_in_l2_ball(X: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Least squares with |w|_2 = RADIUS: the ridge penalty at which the norm is that, found by bisection."""
    from scipy.optimize import brentq

    values, vectors = np.linalg.eigh(X.T @ X / len(y))
    b = vectors.T @ (X.T @ y) / len(y)
    penalty = brentq(lambda t: np.linalg.norm(b / (np.maximum(values, 0) + t)) - RADIUS, 1e-9, 1e3)
    return vectors @ (b / (np.maximum(values, 0) + penalty))


def best_in_l1_ball(X: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Least squares with |w|_1 = RADIUS: a point of the Lasso path, which is straight between its corners."""
    from sklearn.linear_model import lars_path

    corners = lars_path(X, y, method="lasso")[2]
    norms = np.abs(corners).sum(axis=0)
    after = int(np.searchsorted(norms, RADIUS))
    share = (RADIUS - norms[after - 1]) / (norms[after] - norms[after - 1])
    return corners[:, after - 1] + share * (corners[:, after] - corners[:, after - 1])
