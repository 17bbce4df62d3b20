"""A population of which pilots are drawn."""

import numpy as np


def population(n, seed, d=6):
    """Two factors, six attributes, and a label of which the attributes explain most."""
    rng = np.random.default_rng(seed)
    factors = rng.normal(size=(n, 2))
    X = factors @ np.array([[1, 1, 1, 0, 0, 0], [0, 0, 0, 1, 1, 1.0]])[:, :d] + 0.7 * rng.normal(size=(n, d))
    return X, factors @ [1.0, -0.5] + 0.5 * rng.normal(size=n)
