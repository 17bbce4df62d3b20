"""Tables, rows, designs and models that several tests of Keyhole's own learner use, and learners that are fitted once.

Fixtures come by their names; the functions are imported from ``moments.conftest``.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pandas as pd
import pytest

import keyhole as kh
from keyhole.moments.factors.settings import LOADING_PRIOR, NOISE_PRIOR
from keyhole.moments.policy.offers import Offers
from keyhole.moments.policy.policy import Policy
from keyhole.moments.solution import Training
from keyhole.moments.standard.joint import JointMoments
from keyhole.moments.standard.rows import Rows
from keyhole.moments.standard.scales import Scales
from keyhole.observe.cells import Cells
from keyhole.sampling import Panels, new_design

NAMES = [f"test {i}" for i in range(12)]
COSTS = np.array([1.0, 2.0, 0.5, 3.0, 1.0, 2.5, 1.0, 1.0])
CLASSES = np.array(["apple", "fig", "pear"])
TARGETS = np.array([[0.6, 0.6, 0.6, 0.6, 0.6], [0.9, 0.3, 0.8, 0.6, 0.4]])


# Fitted learners, which no test changes.


@pytest.fixture(scope="session")
def learner():
    """800 rows of 12 attributes that share three factors, 4 attributes revealed of each."""
    return fitted()


@pytest.fixture(scope="session")
def unseen_rows():
    """Rows of the same kind that the learner never saw."""
    return shared_factors(2800, seed=1)


@pytest.fixture(scope="session")
def named_learner():
    """600 rows of a frame whose columns have names, 4 attributes revealed of each."""
    X, y = named_table(1000)
    return kh.KeyholeRegressor(4, random_state=0).fit(X[:600], y[:600])


@pytest.fixture(scope="session")
def bundled():
    """A table with missing cells, free attributes and a bundle."""
    X, y = shared_factors()
    X = np.where(np.random.default_rng(0).random(X.shape) < 0.6, np.nan, X)
    return kh.KeyholeRegressor(random_state=0).fit(kh.observe.ArraySource(X, bundled_attributes()), y)


# Tables.


def shared_factors(n=1200, d=12, seed=0):
    """Attributes and a label that share three factors, the same for every seed."""
    loadings = np.random.default_rng(7).normal(size=(3, d))
    rng = np.random.default_rng(seed)
    h = rng.normal(size=(n, 3))
    X = h @ loadings + 0.7 * rng.normal(size=(n, d))
    return X, h @ np.array([1.0, -1.0, 0.5]) + 0.3 * rng.normal(size=n)


def correlated(n=600, d=12, seed=0):
    """The same with factors that follow from the seed."""
    rng = np.random.default_rng(seed)
    h = rng.normal(size=(n, 3))
    X = h @ rng.normal(size=(3, d)) + 0.7 * rng.normal(size=(n, d))
    return X, h @ np.array([1.0, -1.0, 0.5]) + 0.3 * rng.normal(size=n)


def named_table(n=600, seed=0):
    """The same as a frame whose columns have names."""
    X, y = correlated(n, seed=seed)
    return pd.DataFrame(X, columns=NAMES), y


def few_matter(n=3000, d=60, seed=0):
    """Attributes that share factors, and a label that depends on four of them alone; and its coefficients."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 6)) @ rng.normal(size=(6, d)) / 2 + rng.normal(size=(n, d))
    weights = np.zeros(d)
    weights[rng.permutation(d)[:4]] = [1.0, -1.0, 1.0, -1.0]
    return X, X @ weights + 0.5 * rng.normal(size=n), weights


def costly_table(n=300, d=8, seed=0):
    """Attributes that share two factors, for ``COSTS`` or ``described()``."""
    rng = np.random.default_rng(seed)
    h = rng.normal(size=(n, 2))
    X = h @ rng.normal(size=(2, d)) + 0.5 * rng.normal(size=(n, d))
    return X, h @ np.array([1.0, -1.0]) + 0.2 * rng.normal(size=n)


def described():
    """A free attribute, a bundle of two for 2, and costs."""
    attributes = [kh.Attribute(f"a{i}", cost=COSTS[i]) for i in range(8)]
    attributes[0] = kh.Attribute("a0", free=True)
    attributes[1] = kh.Attribute("a1", cost=2, bundle="blood")
    attributes[4] = kh.Attribute("a4", cost=1, bundle="blood")
    return attributes


def bundled_attributes():
    """Twelve: two that are free, and a bundle of three that costs 2."""
    bundle = dict.fromkeys((0, 1, 2), "draw")
    return [
        kh.Attribute(f"a{i}", cost=2.0 if i in bundle else 1.0, free=i in (5, 6), bundle=bundle.get(i))
        for i in range(12)
    ]


def three_classes(n=900, d=12, seed=0):
    rng = np.random.default_rng(seed)
    own = rng.choice(3, size=n, p=[0.5, 0.3, 0.2])
    centres, loadings = np.random.default_rng(7).normal(size=(3, d)), np.random.default_rng(8).normal(size=(2, d))
    X = centres[own] + rng.normal(size=(n, 2)) @ loadings + rng.normal(size=(n, d))
    return X, CLASSES[own]


def two_classes(n=900, seed=0):
    X, y = three_classes(n, seed=seed)
    return X, y == "apple"


def with_holes(X, size, seed=0):
    """Each row with so many of its attributes, and NaN for the others."""
    rng = np.random.default_rng(seed)
    hidden = np.argsort(rng.random(X.shape), axis=1)[:, size:]
    holes = X.copy()
    np.put_along_axis(holes, hidden, np.nan, axis=1)
    return holes


def columns(learner, X):
    """A table of attributes as the table of columns that ``coef_`` belongs to."""
    return learner._solution().scales.values.of_table(np.asarray(X, dtype=np.float64))


def fitted(budget=4, n=800, **settings):
    X, y = shared_factors(n)
    return kh.KeyholeRegressor(budget, random_state=0, **settings).fit(X, y)


def moments_of(X, y):
    """The arguments of ``fit_from_moments``."""
    S = np.cov(np.column_stack([X, y]), rowvar=False, ddof=0)
    means = {"mean": X.mean(axis=0), "covariance": S[:-1, :-1], "cross_covariance": S[:-1, -1], "n_rows": len(y)}
    return means | {"label_mean": y.mean(), "label_variance": S[-1, -1]}


def away_from_zero(n=200, d=6, seed=0):
    """Attributes with means near 3, and a label with a mean near 10 that all of them make."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 2)) @ rng.normal(size=(2, d)) + rng.normal(size=(n, d)) + 3.0
    return X, X @ rng.normal(size=d) + rng.normal(size=n) + 10.0


# Cells and rows.


def cells_of(X, y, designs=None):
    """The cells of a table that are not NaN, as if they had been revealed."""
    cells = Cells()
    for t, (row, label) in enumerate(zip(X, y, strict=True)):
        present = np.flatnonzero(~np.isnan(row))
        cells.append(present, row[present], label, 0 if designs is None else designs[t])
    return cells


def training(X, y, **settings):
    """What a family is fitted to, from the cells of a table that are not NaN."""
    data = Training(cells=cells_of(X, y), labels=np.asarray(y)[:, None], n_attributes=X.shape[1], policy=None, seed=0)
    return data._replace(**settings)


def random_rows(seed, n, d, fewest, most, n_labels=1):
    rng = np.random.default_rng(seed)
    columns, values, start = [], [], [0]
    for _ in range(n):
        chosen = np.sort(rng.choice(d, size=rng.integers(fewest, most + 1), replace=False))
        columns += [*chosen, *range(d, d + n_labels)]
        values += list(rng.normal(size=len(chosen) + n_labels))
        start.append(len(columns))
    return Rows(np.array(start), np.array(columns), np.array(values), d + n_labels, n_labels)


def complete_rows(X, label):
    n, d = X.shape
    columns = np.tile(np.arange(d + 1), n)
    return Rows(np.arange(n + 1) * (d + 1), columns, np.column_stack([X, label]).ravel(), d + 1, 1)


def plain_products(start, rows):
    """Sums of products of two attributes, their number, and sums of products with the label, by a loop over rows."""
    d, n = rows.n_attributes, len(rows.start) - 1
    pairs, counts, with_label = np.zeros((d, d)), np.zeros((d, d)), np.zeros(d)
    for t in range(n):
        inside = slice(rows.start[t], rows.start[t + 1] - 1)
        columns, z = rows.columns[inside], rows.values[inside] - start.mean[rows.columns[inside]]
        label = rows.values[rows.start[t + 1] - 1] - start.label_mean[0]
        pairs[np.ix_(columns, columns)] += np.outer(z, z)
        counts[np.ix_(columns, columns)] += 1
        with_label[columns] += label * z
    return pairs, counts, with_label


# Joint moments and scales.


def random_joint(seed, d=9, r=3, residual=0.0):
    rng = np.random.default_rng(seed)
    return JointMoments(
        mean=rng.normal(size=d),
        loadings=rng.normal(size=(d, r)),
        noise=rng.uniform(0.5, 2, size=d),
        label_mean=rng.normal(size=1),
        label_loadings=rng.normal(size=(1, r)),
        label_noise=np.full(1, 4.0),
        residual_cross=residual * rng.normal(size=(d, 1)),
    )


def random_scales(seed, d=9):
    rng = np.random.default_rng(seed)
    return Scales(
        mean=rng.normal(size=d),
        scale=rng.uniform(0.1, 10, size=d),
        label_mean=rng.normal(size=1),
        label_scale=rng.uniform(0.1, 10, size=1),
    )


def some_start(d=6, r=2, seed=0):
    """Joint moments of a factor model, from which an alternative family is derived."""
    rng = np.random.default_rng(seed)
    return JointMoments(
        mean=0.1 * rng.normal(size=d),
        loadings=rng.normal(size=(d, r)) / 2,
        noise=rng.uniform(0.5, 1.0, size=d),
        label_mean=np.array([0.2]),
        label_loadings=rng.normal(size=(1, r)) / 2,
        label_noise=np.array([0.5]),
        residual_cross=np.zeros((d, 1)),
    )


def some_model(seed, d=7, r=2):
    """Coefficients, an intercept, joint moments and scales, with which the losses of rows are estimated."""
    rng = np.random.default_rng(seed)
    joint = JointMoments(
        mean=rng.normal(size=d),
        loadings=rng.normal(size=(d, r)),
        noise=rng.uniform(0.5, 1, size=d),
        label_mean=rng.normal(size=1),
        label_loadings=rng.normal(size=(1, r)),
        label_noise=np.array([0.7]),
        residual_cross=rng.normal(size=(d, 1)),
    )
    scales = Scales(
        mean=rng.normal(size=d),
        scale=rng.uniform(0.5, 2, size=d),
        label_mean=np.array([0.3]),
        label_scale=np.array([1.7]),
    )
    return rng.normal(size=d), 0.4, joint, scales


# The factor model by the textbook: dense matrices, one row and one column at a time.


def textbook_moments(W, noise, deviations):
    """E[h] and the covariance of the factors h of a row, given the deviations of its cells from their means."""
    precision = np.eye(W.shape[1]) + W.T @ np.diag(1 / noise) @ W
    covariance = np.linalg.inv(precision)
    return covariance @ W.T @ np.diag(1 / noise) @ deviations, covariance


def textbook_column(z, h, hh, mean):
    """Mean, loadings and noise of a column, from its cells z with E[h] and E[h h'] of their rows."""
    r = h.shape[1]
    w = np.linalg.solve(hh.sum(axis=0) + LOADING_PRIOR * r * np.eye(r), h.T @ (z - mean))
    mean = np.mean(z - h @ w)
    deviation = z - mean
    left = np.sum(deviation**2 - 2 * deviation * (h @ w) + np.einsum("a,tab,b->t", w, hh, w))
    return mean, w, (left + NOISE_PRIOR * r**2) / (len(z) + NOISE_PRIOR * r**2)


def textbook_iteration(rows, mean, W, noise):
    """One iteration of EM: means, loadings and noise by column."""
    columns = len(W)
    mean, W, noise = mean.copy(), W.copy(), noise.copy()
    seen = [[] for _ in range(columns)]
    for t in range(len(rows.start) - 1):
        cells = slice(rows.start[t], rows.start[t + 1])
        which, z = rows.columns[cells], rows.values[cells]
        h, covariance = textbook_moments(W[which], noise[which], z - mean[which])
        for i, value in zip(which, z, strict=True):
            seen[i].append((value, h, covariance + np.outer(h, h)))
    for i, observations in enumerate(seen):
        if observations:
            z, h, hh = (np.array(part) for part in zip(*observations, strict=True))
            mean[i], W[i], noise[i] = textbook_column(z, h, hh, mean[i])
    return mean, W, noise


# Designs with all their draws.


def two_designs():
    """Of 7 attributes, 0 and 4 are free, and 3 of the other 5 are drawn."""
    free, members, first = np.array([0, 4]), np.array([1, 2, 3, 5, 6]), np.arange(6)
    offers = Offers(free=free, members=members, first=first, cost=np.ones(5), limit=3, equal_costs=True)
    nothing = np.empty(0, dtype=np.int64)
    return Policy(
        offers=offers,
        designs=tuple(Panels(free, members, first, new_design(target)) for target in TARGETS),
        starts=(0, 10),
        selected=(nothing, nothing),
        uniform_rows=10,
        growth=2.0,
        excluded=(nothing, nothing),
    )


def every_draw(policy, design):
    """All subsets with their probabilities, by the definition of the design: in proportion to the product of odds."""
    panels = policy.designs[design]
    odds = panels.design.working / (1 - panels.design.working)
    subsets = [np.array(s) for s in combinations(range(len(odds)), int(policy.offers.limit))]
    likely = np.array([np.prod(odds[s]) for s in subsets])
    for s, probability in zip(subsets, likely / likely.sum(), strict=True):
        yield np.concatenate([panels.always, panels.members[s]]), probability
