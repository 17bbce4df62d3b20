"""Predictors through the origin."""

import numpy as np
import pytest
from sklearn.linear_model import Ridge, RidgeCV

import keyhole as kh
from moments.conftest import shared_factors, with_holes


def far_from_the_origin(n=400, d=8, seed=0, intercept=0.0):
    rng = np.random.default_rng(seed)
    h = rng.normal(size=(n, 2))
    X = h @ rng.normal(size=(2, d)) + 0.5 * rng.normal(size=(n, d)) + rng.uniform(-3, 3, size=d)
    return X, X @ rng.normal(size=d) + 0.5 * rng.normal(size=n) + intercept


def test_with_every_cell_it_is_ridge_about_zero():
    X, y = far_from_the_origin()
    learner = kh.KeyholeRegressor(fit_intercept=False).fit(X, y)
    solution = learner._solution()
    scale, penalty = solution.scales.scale, solution.joint.noise[0] * len(y)
    ridge = Ridge(penalty, fit_intercept=False).fit(X / scale, y)
    assert learner.intercept_ == 0.0
    np.testing.assert_allclose(learner.coef_, ridge.coef_ / scale, rtol=1e-8)


@pytest.mark.parametrize("intercept", [0.0, 5.0])
def test_with_every_cell_it_is_as_good_as_ridge_about_zero_by_cross_validation(intercept):
    ratios = []
    for seed in range(10, 20):
        X, y = far_from_the_origin(1200, seed=seed, intercept=intercept)
        train, test = slice(200), slice(200, None)
        scale = X[train].std(axis=0)
        ridge = RidgeCV(np.logspace(-3, 6, 28), fit_intercept=False).fit(X[train] / scale, y[train])
        learner = kh.KeyholeRegressor(fit_intercept=False).fit(X[train], y[train])
        errors = [np.mean((p - y[test]) ** 2) for p in (learner.predict(X[test]), ridge.predict(X[test] / scale))]
        ratios.append(errors[0] / errors[1])
    assert np.mean(ratios) < 1.02


def test_from_a_few_cells_it_comes_near_full_information():
    X, y = far_from_the_origin(3000)
    learner = kh.KeyholeRegressor(4, fit_intercept=False, random_state=0).fit(X[:2000], y[:2000])
    full = RidgeCV(fit_intercept=False).fit(X[:2000], y[:2000])
    np.testing.assert_array_equal(learner.predict(np.zeros((1, 8))), 0.0)
    assert learner.score(X[2000:], y[2000:]) > 0.9 * full.score(X[2000:], y[2000:])


@pytest.mark.parametrize("budget", [None, 4])
def test_a_column_of_ones_is_an_intercept_of_ones_own(budget):
    X, y = far_from_the_origin(2000, intercept=20.0)
    with_ones = np.column_stack([X, np.ones(len(y))])
    learner = kh.KeyholeRegressor(budget, fit_intercept=False, random_state=0).fit(with_ones, y)
    with pytest.warns(UserWarning, match="the same value in 'x8': the coefficient is 0"):
        usual = kh.KeyholeRegressor(budget, values="raw", random_state=0).fit(with_ones, y)
    assert usual.coef_[-1] == 0.0
    assert learner.coef_[-1] == pytest.approx(usual.intercept_, rel=0.1)
    np.testing.assert_allclose(learner.predict(with_ones), usual.predict(with_ones), atol=0.1 * y.std())


def test_labels_and_attributes_that_never_vary():
    X, _ = far_from_the_origin(50)
    with pytest.warns(UserWarning, match="all labels are equal"):
        learner = kh.KeyholeRegressor(4, fit_intercept=False, random_state=0).fit(np.ones_like(X), np.full(50, 7.0))
    np.testing.assert_allclose(learner.predict(np.ones_like(X)), 7.0, rtol=0.05)


def test_units_change_nothing():
    X, y = far_from_the_origin()
    factor = np.array([1e3, 1e-3, 1, 1, 1e3, 1, 1e-3, 1])
    learner = kh.KeyholeRegressor(3, fit_intercept=False, random_state=0)
    plain = learner.fit(X, y).predict(X)
    np.testing.assert_allclose(learner.fit(X * factor, 1000 * y).predict(X * factor), 1000 * plain, rtol=1e-7)


def test_labels_far_from_0_are_not_predicted_with_too_much_certainty():
    X, y = shared_factors(3000)
    X, y = X + 5.0, y + 3.0
    learner = kh.KeyholeRegressor(4, fit_intercept=False, random_state=0).fit(X[:1000], y[:1000])
    nothing = np.full((1, 12), np.nan)
    assert learner.predict(nothing, return_std=True)[1] == pytest.approx(np.sqrt(np.mean(y[:1000] ** 2)), rel=0.01)
    for size in (1, 4, 8):
        holes = with_holes(X[1000:], size)
        predicted, std = learner.predict(holes, return_std=True)
        assert np.mean((predicted - y[1000:]) ** 2 / std**2) < 1.25
        low, high = learner.predict_interval(holes).T
        assert np.mean((low <= y[1000:]) & (y[1000:] <= high)) > 0.85
