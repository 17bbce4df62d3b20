"""The two unbiased estimates that every published learner multiplies: of x, and of the error w'x - y."""

from __future__ import annotations

import numpy as np
from numba import njit

from ...observe.ask import INNER_PRODUCT, X_ESTIMATE, Ask
from .draw_distribution import DrawDistribution, draw_attribute, draw_probability


@njit(cache=True, nogil=True)
def start_draws(
    distribution: DrawDistribution, rng: np.ndarray, d: int, x_draws: int, inner_draws: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Attributes, roles and weights of all draws of an example.

    The draws for x are made here, and an attribute i has the weight 1 / (k q_i); those for the inner product follow,
    and the caller fills them in.
    """
    n = x_draws + inner_draws
    drawn = np.empty(n, dtype=np.int64)
    roles = np.empty(n, dtype=np.int64)
    weights = np.empty(n)
    roles[:x_draws] = X_ESTIMATE
    roles[x_draws:] = INNER_PRODUCT
    for r in range(x_draws):
        drawn[r] = draw_attribute(distribution, d, rng)
        weights[r] = 1.0 / (x_draws * draw_probability(distribution, d, drawn[r]))
    return drawn, roles, weights


@njit(cache=True, nogil=True)
def x_estimate(ask: Ask, z: np.ndarray) -> np.ndarray:
    """The estimate of x, as one number for each attribute of the ask; elsewhere it is 0."""
    x = np.zeros(len(ask.attributes))
    for r in range(len(ask.slots)):
        if ask.roles[r] == X_ESTIMATE:
            x[ask.slots[r]] += ask.weights[r] * z[ask.slots[r]]
    return x


@njit(cache=True, nogil=True)
def error_estimate(ask: Ask, z: np.ndarray, y: float) -> float:
    """The estimate of w'x - y, for the w at the time of the ask."""
    error = -y
    for r in range(len(ask.slots)):
        if ask.roles[r] == INNER_PRODUCT:
            error += ask.weights[r] * z[ask.slots[r]]
    return error
