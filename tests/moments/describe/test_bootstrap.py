"""Intervals of coefficients: rows drawn again, ridge by the textbook, groups, and wrong arguments."""

import numpy as np
import pytest

import keyhole as kh
from keyhole.moments.describe.bootstrap import bootstrap_fits
from keyhole.moments.families.averaging import refitted
from keyhole.moments.families.registry import FAMILIES


def two_factors(n=400, d=8, seed=0):
    rng = np.random.default_rng(seed)
    h = rng.normal(size=(n, 2))
    X = h @ rng.normal(size=(2, d)) + 0.7 * rng.normal(size=(n, d))
    return X, h @ np.array([1.0, -1.0]) + 0.5 * rng.normal(size=n)


@pytest.mark.parametrize("budget", [3, None])
def test_a_refit_to_all_rows_from_nothing_is_the_fit(budget):
    X, y = two_factors()
    learner = kh.KeyholeRegressor(budget, random_state=0).fit(X, y)
    solution = learner._solution()
    again = refitted(solution, learner._training(), 60)
    np.testing.assert_allclose(again.coef[0], learner.coef_, rtol=1e-9, atol=1e-12)
    assert again.intercept[0] == pytest.approx(learner.intercept_)


def test_ridge_has_the_standard_errors_of_least_squares():
    X, y = two_factors(2000)
    learner = kh.KeyholeRegressor(values="raw", random_state=0).fit(X, y)
    found = learner.coef_interval(n_bootstrap=200, random_state=0)
    Z = np.column_stack([np.ones(2000), X])
    left = y - Z @ np.linalg.lstsq(Z, y, rcond=None)[0]
    errors = np.sqrt(np.diag(np.linalg.inv(Z.T @ Z))[1:] * np.sum(left**2) / (2000 - 9))
    np.testing.assert_allclose(found.standard_error, errors, rtol=0.2)  # 200 fits give it to a twentieth


def test_spread_of_revealed_cells_is_that_of_other_examples():
    fits = [kh.KeyholeRegressor(3, random_state=0).fit(*other_examples(s)) for s in range(20)]
    spread = np.std([fit.coef_ for fit in fits], axis=0, ddof=1)
    found = fits[0].coef_interval(n_bootstrap=40, random_state=0).standard_error
    assert 0.5 < np.sqrt(np.mean(found**2) / np.mean(spread**2)) < 2.0


def other_examples(seed):
    """Other examples of one distribution."""
    X, y = two_factors(20 * 400)
    return X[seed * 400 : (seed + 1) * 400], y[seed * 400 : (seed + 1) * 400]


def test_groups_that_share_their_noise_widen_the_intervals():
    rng = np.random.default_rng(0)
    groups = np.repeat([f"site {g}" for g in range(20)], 30)
    place = np.repeat(rng.normal(size=(20, 4)), 30, axis=0)
    X = place + 0.3 * rng.normal(size=(600, 4))
    y = X.sum(axis=1) + np.repeat(rng.normal(size=20), 30)
    learner = kh.KeyholeRegressor(random_state=0).fit(X, y)
    alone = learner.coef_interval(n_bootstrap=60, random_state=0)
    together = learner.coef_interval(n_bootstrap=60, groups=groups, random_state=0)
    assert np.all(together.standard_error > 1.5 * alone.standard_error)
    assert "20 groups" in str(together)
    assert "600 examples" in str(alone)


def test_groups_of_one_example_are_examples():
    X, y = two_factors(100)
    learner = kh.KeyholeRegressor(3, random_state=0).fit(X, y)
    plain, grouped = (learner.coef_interval(n_bootstrap=3, groups=g, random_state=1) for g in (None, np.arange(100)))
    np.testing.assert_array_equal(plain.low, grouped.low)
    z = 1.6448536269514722
    np.testing.assert_allclose(plain.high - plain.coef, z * plain.standard_error)
    np.testing.assert_allclose(plain.coef - plain.low, z * plain.standard_error)


def test_the_property_has_the_defaults_and_is_kept():
    X, y = two_factors(100)
    learner = kh.KeyholeRegressor(3, random_state=0).fit(X, y)
    found = learner.coef_interval_
    assert learner.coef_interval_ is found
    assert (found.level, found.n_bootstrap) == (0.9, 100)
    np.testing.assert_array_equal(found.low, learner.coef_interval(random_state=learner.seed_).low)


def test_the_diagonal_is_refitted_too():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(4000, 12))
    learner = kh.KeyholeRegressor(3, random_state=0).fit(X, X @ rng.choice([-1.0, 1.0], size=12))
    solution = learner._solution()
    solution = (solution.start or solution)._replace(family=FAMILIES["diagonal"])
    fits = bootstrap_fits(solution, learner._training(), np.arange(4000), 5, 0)
    again = np.array([fit.coef[0] for fit in fits])
    assert np.all(again.std(axis=0) > 0)
    assert np.abs(np.abs(again.mean(axis=0)) - 1).max() < 0.5


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"level": 1.0}, "level=1.0: coef_interval needs a number between 0 and 1"),
        ({"n_bootstrap": 1}, "n_bootstrap=1: coef_interval needs a whole number, 2 or more"),
        ({"n_bootstrap": 2.5}, "n_bootstrap=2.5"),
        ({"groups": [1, 2]}, r"groups has the shape \(2,\): coef_interval needs one entry for each of the 60 examples"),
        ({"groups": np.zeros(60)}, "two groups or more"),
    ],
)
def test_wrong_arguments(wrong, message):
    X, y = two_factors(60)
    with pytest.raises(ValueError, match=message):
        kh.KeyholeRegressor(3, random_state=0).fit(X, y).coef_interval(**wrong)


def test_groups_are_drawn_whole():
    """Each of three groups has its own label, so a fit to two of them, or one, shows which were drawn."""
    X, y = two_factors(90)
    learner = kh.KeyholeRegressor(random_state=0).fit(X, np.repeat([0.0, 1.0, 3.0], 30) + 1e-6 * y)
    data, solution = learner._training(), learner._solution()
    possible = {0.0, 1.0, 3.0, 1 / 3, 2 / 3, 2.0, 5 / 3, 7 / 3, 4 / 3}
    for fit in bootstrap_fits(solution, data, np.repeat([0, 1, 2], 30), 10, 0):
        mean = solution.scales.label_mean[0] + solution.scales.label_scale[0] * fit.joint.label_mean[0]
        assert min(abs(mean - other) for other in possible) < 1e-3


def test_an_interval_in_words_says_how_many_do_not_contain_0():
    X, y = two_factors(300)
    found = kh.KeyholeRegressor(random_state=0).fit(X, y).coef_interval(n_bootstrap=20, random_state=0)
    away = int(np.sum((found.low > 0) | (found.high < 0)))
    assert str(found).startswith("90% intervals of 8 coefficients, from 20 bootstrap fits to 300 examples")
    assert str(found).endswith(f"; {away} intervals do not contain 0")
