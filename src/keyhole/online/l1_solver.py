"""Quadratic losses minimised over an l1 ball."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..common.warn import warn_user

MOST_ITERATIONS = 20_000


class Minimum(NamedTuple):
    """The weights of the least loss that was found, and the number of iterations that it took."""

    weights: np.ndarray
    n_iter: int


def minimise_in_l1_ball(
    A: np.ndarray,
    b: np.ndarray,
    radius: float,
    lipschitz: float,
    gap: float = 1e-6,
    most_iterations: int = MOST_ITERATIONS,
) -> Minimum:
    """argmin w'Aw - 2 b'w over |w|_1 <= radius, by accelerated projected gradient steps with restarts.

    ``lipschitz`` is twice the largest absolute eigenvalue of A. The iteration stops when the Frank-Wolfe gap, which
    bounds the distance to the minimum of a convex loss, is below ``gap`` times the scale of the loss. A warning says if
    it did not get there.
    """
    w = np.zeros(len(b))
    scale = radius * np.abs(b).max() + radius**2 * np.abs(A).max()
    if scale == 0.0:
        return Minimum(w, 0)
    if lipschitz == 0.0:  # a linear loss, whose minimum is a corner of the ball
        lipschitz = np.abs(b).max() / radius
    ahead, momentum, reached = w, 1.0, np.inf
    for n_iter in range(1, most_iterations + 1):
        gradient = 2.0 * (A @ ahead - b)
        moved = project_to_l1_ball(ahead - gradient / lipschitz, radius)
        if (ahead - moved) @ (moved - w) > 0.0:  # the momentum points uphill: restart it
            ahead, momentum = w, 1.0
            continue
        following = 0.5 * (1.0 + np.sqrt(1.0 + 4.0 * momentum**2))
        ahead, momentum = moved + (momentum - 1.0) / following * (moved - w), following
        w = moved
        slope = 2.0 * (A @ w - b)
        reached = (slope @ w + radius * np.abs(slope).max()) / scale
        if reached <= gap:
            return Minimum(w, n_iter)
    warn_user(
        f"the weights in the l1 ball of radius {radius:.4g} are not certified: after {most_iterations:,} iterations the"
        f" duality gap is {reached:.2g} of the scale of the loss, and {gap:.2g} was asked for. Give a larger max_iter,"
        " a larger tol or a smaller radius"
    )
    return Minimum(w, most_iterations)


def project_to_l1_ball(v: np.ndarray, radius: float) -> np.ndarray:
    """The nearest point of the l1 ball (Duchi et al. 2008)."""
    magnitude = np.abs(v)
    if magnitude.sum() <= radius:
        return v
    falling = np.sort(magnitude)[::-1]
    threshold = (np.cumsum(falling) - radius) / np.arange(1, len(v) + 1)
    last = np.flatnonzero(falling > threshold)[-1]
    return np.sign(v) * np.maximum(magnitude - threshold[last], 0.0)
