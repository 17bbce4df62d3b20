"""Online ridge and online Lasso: one pass over whole rows, the full-information counterparts of AERR and AELR.

Both take a step against the gradient (w'x - y) x of half the squared error of each example, computed from every
attribute, where AERR and AELR estimate it from a few. As in those, rows are raw and there is no intercept, the first
weights are 0, the step is constant, and the predictor is the average of the weights before each update.

    ridge   w <- w - step (w'x - y) x, projected onto |w|_2 <= radius
    lasso   theta <- theta - step (w'x - y) x, with w_i = radius sinh(theta_i) / sum_j cosh(theta_j)

The second is exponentiated gradient with positive and negative weights in the l1 ball. AELR clips its estimated
gradients, which have no bound; exact gradients are not clipped.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numba import njit

# Step sizes are these multiples of a unit, which follows from the training rows: see `step_size`.
STEPS = {
    "ridge": (0.03, 0.1, 0.3, 0.5, 1.0, 1.5, 2.0, 3.0, 5.0, 8.0),
    "lasso": (0.1, 1.0, 3.0, 10.0, 30.0, 100.0, 300.0, 1000.0),
}


class OnlineSettings(NamedTuple):
    """A step size as a multiple of its unit, and the radius of the ball."""

    step: float
    radius: float


def learned(norm: str, X: np.ndarray, y: np.ndarray, settings: OnlineSettings) -> np.ndarray:
    """The weights after one pass over the rows, for ``norm="ridge"`` or "lasso"."""
    descend = gradient_descent if norm == "ridge" else exponentiated_gradient
    return descend(X, y, step_size(norm, X, settings), settings.radius)


def step_size(norm: str, X: np.ndarray, settings: OnlineSettings) -> float:
    """The step of these settings, in the units of the rows.

    The unit is one over the mean of |x|_2^2 for ridge, and of radius |x|_inf^2 for lasso.
    """
    squared = np.sum(X**2, axis=1) if norm == "ridge" else settings.radius * np.max(X**2, axis=1)
    return settings.step / float(np.mean(squared)) if squared.any() else settings.step


def tuned(
    norm: str, X: np.ndarray, y: np.ndarray, radii: Sequence[float], folds: Sequence[tuple[int, int]]
) -> OnlineSettings:
    """The step and the radius with the smallest squared error on held-out rows.

    Folds follow each other from row 0 on, so the rows before a fold are learned from once for it and all later ones.
    """
    points = [OnlineSettings(step, radius) for step in STEPS[norm] for radius in radii]
    errors = [held_out_error(norm, X, y, point, folds) for point in points]
    return points[int(np.argmin(errors))]


def held_out_error(
    norm: str, X: np.ndarray, y: np.ndarray, settings: OnlineSettings, folds: Sequence[tuple[int, int]]
) -> float:
    """The sum of squared errors of all folds, each predicted after one pass over the rows outside it."""
    descend, step = descend_ridge if norm == "ridge" else descend_lasso, step_size(norm, X, settings)
    n, (state, total), error = len(y), np.zeros((2, X.shape[1])), 0.0
    for start, stop in folds:
        state_here, total_here = state.copy(), total.copy()
        descend(state_here, total_here, X, y, stop, n, step, settings.radius)
        w = total_here / (n - stop + start)
        error += float(np.sum((X[start:stop] @ w - y[start:stop]) ** 2))
        descend(state, total, X, y, start, stop, step, settings.radius)
    return error


@njit(cache=True, nogil=True)
def gradient_descent(X: np.ndarray, y: np.ndarray, step: float, radius: float) -> np.ndarray:
    """One pass of gradient descent in the l2 ball; the average of its weights."""
    w, total = np.zeros(X.shape[1]), np.zeros(X.shape[1])
    descend_ridge(w, total, X, y, 0, len(y), step, radius)
    return total / len(y)


@njit(cache=True, nogil=True)
def exponentiated_gradient(X: np.ndarray, y: np.ndarray, step: float, radius: float) -> np.ndarray:
    """One pass of exponentiated gradient in the l1 ball; the average of its weights."""
    theta, total = np.zeros(X.shape[1]), np.zeros(X.shape[1])
    descend_lasso(theta, total, X, y, 0, len(y), step, radius)
    return total / len(y)


@njit(cache=True, nogil=True)
def descend_ridge(w, total, X, y, start, stop, step, radius):
    """Rows start to stop; ``total`` is the sum of the weights before each update."""
    for t in range(start, stop):
        total += w
        w -= step * (np.dot(w, X[t]) - y[t]) * X[t]
        norm = np.sqrt(np.dot(w, w))
        if norm > radius:
            w *= radius / norm


@njit(cache=True, nogil=True)
def descend_lasso(theta, total, X, y, start, stop, step, radius):
    """Rows start to stop; ``total`` is the sum of the weights before each update."""
    w = np.empty(len(theta))
    for t in range(start, stop):
        shift, mass = np.max(np.abs(theta)), 0.0  # sinh and cosh are divided by exp(shift), and cannot overflow
        least = np.exp(-2.0 * shift)
        for i in range(len(theta)):
            large = np.exp(abs(theta[i]) - shift)
            small = least / large if large > 0.0 else 0.0
            w[i] = 0.5 * (large - small) if theta[i] > 0.0 else 0.5 * (small - large)
            mass += 0.5 * (large + small)
        w *= radius / mass
        total += w
        theta -= step * (np.dot(w, X[t]) - y[t]) * X[t]
