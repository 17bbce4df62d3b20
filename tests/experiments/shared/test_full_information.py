"""Ridge and Lasso from moments are scikit-learn's on the rows."""

from __future__ import annotations

import numpy as np
from sklearn.linear_model import Lasso, Ridge

from keyhole.experiments.shared.full_information import (
    LASSO_PENALTIES,
    RIDGE_PENALTIES,
    cross_validated,
    lasso_path_of,
    moments_of,
    ridge_path,
    tuned_online,
)
from keyhole.experiments.shared.protocol import folds


def table():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 30)) @ rng.normal(size=(30, 30)) + rng.normal(size=30)
    X[:, 7] = 3.0
    return X, X[:, 0] - 0.5 * X[:, 4] + rng.normal(size=200) + 2.0


def test_ridge_is_scikit_learns():
    X, y = table()
    found = ridge_path(moments_of(X, y), [0.1, 2.0])
    for at, penalty in enumerate((0.1, 2.0)):
        expected = Ridge(alpha=penalty * len(y)).fit(X, y)
        np.testing.assert_allclose(found.coef[:, at], expected.coef_, atol=1e-9)
        np.testing.assert_allclose(found.intercept[at], expected.intercept_)


def test_lasso_is_scikit_learns():
    X, y = table()
    found = lasso_path_of(moments_of(X, y), [0.05, 0.5])
    for at, penalty in enumerate((0.05, 0.5)):
        best = Lasso(alpha=penalty, tol=1e-10, max_iter=100_000).fit(X, y)
        least = np.mean((best.predict(X) - y) ** 2) / 2 + penalty * np.abs(best.coef_).sum()
        reached = found.errors(X, y)[at] / 2 + penalty * np.abs(found.coef[:, at]).sum()
        assert least <= reached + 1e-12
        assert reached <= least * (1 + 1e-3)  # the tolerance of the path


def test_more_attributes_than_rows():
    X, y = table()
    found = ridge_path(moments_of(X[:12], y[:12]), [0.1])
    np.testing.assert_allclose(found.coef[:, 0], Ridge(alpha=1.2).fit(X[:12], y[:12]).coef_, atol=1e-8)
    assert np.isfinite(lasso_path_of(moments_of(X[:12], y[:12]), [0.1]).coef).all()


def test_cross_validation_holds_each_fold_out():
    X, y = table()
    parts = folds(len(y), 4)
    whole, errors = cross_validated(X, y, parts)
    np.testing.assert_allclose(whole.xx, X.T @ X)
    expected = []
    for start, stop in parts:
        kept = np.r_[0:start, stop : len(y)]
        model = Ridge(alpha=RIDGE_PENALTIES[3] * len(kept)).fit(X[kept], y[kept])
        expected.append(np.mean((model.predict(X[start:stop]) - y[start:stop]) ** 2))
    np.testing.assert_allclose(errors["ridge"][3], np.mean(expected))
    assert len(errors["Lasso"]) == len(LASSO_PENALTIES)


def test_online_tuning_picks_from_the_grid():
    X, y = table()
    strength, step = tuned_online("l2", X / 10, y, folds(len(y), 2), seed=0)
    assert strength in (1e-4, 1e-2)
    assert step > 0


def test_online_tuning_takes_a_grid():
    X, y = table()
    assert tuned_online("l2", X / 10, y, folds(len(y), 2), seed=0, grid=[(1e-3, 1e-9), (1e-3, 2e-3)]) == (1e-3, 2e-3)
