"""The two unbiased estimates that every published learner multiplies: of x, and of the error w'x - y."""

from __future__ import annotations

import numpy as np
from numba import njit

from ..observe.ask import INNER_PRODUCT, X_ESTIMATE
from .emphasis import chance, draw_attribute


@njit(cache=True, nogil=True)
def start_draws(emphasis, rng, d, x_draws, inner_draws):
    """Attributes, roles and weights of all draws, with those for x drawn and those for the inner product to fill in.

    An attribute i for x has the weight 1 / (k q_i).
    """
    n = x_draws + inner_draws
    drawn = np.empty(n, dtype=np.int64)
    roles = np.empty(n, dtype=np.int64)
    weights = np.empty(n)
    roles[:x_draws] = X_ESTIMATE
    roles[x_draws:] = INNER_PRODUCT
    for r in range(x_draws):
        drawn[r] = draw_attribute(emphasis, d, rng)
        weights[r] = 1.0 / (x_draws * chance(emphasis, d, drawn[r]))
    return drawn, roles, weights


@njit(cache=True, nogil=True)
def x_estimate(ask, z):
    """The estimate of x, as one number for each attribute asked for; elsewhere it is 0."""
    x = np.zeros(len(ask.attributes))
    for r in range(len(ask.slots)):
        if ask.roles[r] == X_ESTIMATE:
            x[ask.slots[r]] += ask.weights[r] * z[ask.slots[r]]
    return x


@njit(cache=True, nogil=True)
def error_estimate(ask, z, y):
    """The estimate of w'x - y, for the w at asking time."""
    error = -y
    for r in range(len(ask.slots)):
        if ask.roles[r] == INNER_PRODUCT:
            error += ask.weights[r] * z[ask.slots[r]]
    return error
