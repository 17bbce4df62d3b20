"""Data, rows and models that several tests use."""

import numpy as np

import keyhole as kh
from keyhole.moments.rows import Rows


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


def random_rows(seed, n, d, fewest, most, n_labels=1):
    rng = np.random.default_rng(seed)
    columns, values, start = [], [], [0]
    for _ in range(n):
        chosen = np.sort(rng.choice(d, size=rng.integers(fewest, most + 1), replace=False))
        columns += [*chosen, *range(d, d + n_labels)]
        values += list(rng.normal(size=len(chosen) + n_labels))
        start.append(len(columns))
    return Rows(np.array(start), np.array(columns), np.array(values), d + n_labels, n_labels)
