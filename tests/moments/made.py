"""Data and models for the tests of predictions from subsets."""

import numpy as np

import keyhole as kh


def shared_factors(n=1200, d=12, seed=0):
    loadings = np.random.default_rng(7).normal(size=(3, d))
    rng = np.random.default_rng(seed)
    h = rng.normal(size=(n, 3))
    X = h @ loadings + 0.7 * rng.normal(size=(n, d))
    return X, h @ np.array([1.0, -1.0, 0.5]) + 0.3 * rng.normal(size=n)


def fitted(budget=4, n=800, **settings):
    X, y = shared_factors(n)
    return kh.KeyholeRegressor(budget, random_state=0, **settings).fit(X, y)


def with_holes(X, size, seed=0):
    """Each row with so many of its attributes."""
    rng = np.random.default_rng(seed)
    hidden = np.argsort(rng.random(X.shape), axis=1)[:, size:]
    holes = X.copy()
    np.put_along_axis(holes, hidden, np.nan, axis=1)
    return holes
