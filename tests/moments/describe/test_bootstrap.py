"""Intervals of coefficients: rows drawn again, ridge by the textbook, groups, and wrong arguments."""

import numpy as np
import pytest

import keyhole as kh
from keyhole.moments.bootstrap import drawn_rows, resampled
from keyhole.moments.refitting import refit, refit_in_units
from keyhole.moments.rows import Rows, standard_rows


def correlated(n=400, d=8, seed=0):
    rng = np.random.default_rng(seed)
    h = rng.normal(size=(n, 2))
    X = h @ rng.normal(size=(2, d)) + 0.7 * rng.normal(size=(n, d))
    return X, h @ np.array([1.0, -1.0]) + 0.5 * rng.normal(size=n)


def test_rows_are_drawn_with_their_cells():
    rows = Rows(np.array([0, 2, 3, 6]), np.array([0, 3, 3, 1, 2, 3]), np.arange(6.0), 4, 1)
    drawn = drawn_rows(rows, np.array([2, 0, 2]))
    assert drawn.start.tolist() == [0, 3, 5, 8]
    assert drawn.values.tolist() == [3, 4, 5, 0, 1, 3, 4, 5]
    assert drawn.columns.tolist() == [1, 2, 3, 0, 3, 1, 2, 3]


@pytest.mark.parametrize("budget", [3, None])
def test_a_refit_to_all_rows_from_nothing_is_the_fit(budget):
    X, y = correlated()
    learner = kh.KeyholeRegressor(budget, random_state=0).fit(X, y)
    again = refit(learner._solution(), learner.cells_, learner._targets(), 60, learner.seed_)
    np.testing.assert_allclose(again.coef[0], learner.coef_, rtol=1e-9, atol=1e-12)
    assert again.intercept[0] == pytest.approx(learner.intercept_)


def test_ridge_refitted_to_its_own_rows_stays():
    X, y = correlated()
    learner = kh.KeyholeRegressor(random_state=0).fit(X, y)
    solution = learner._solution()
    rows = standard_rows(learner.cells_, learner._targets(), solution.units)
    np.testing.assert_allclose(refit_in_units(solution, rows, 30).coef, solution.coef, rtol=1e-8)


def test_ridge_has_the_standard_errors_of_least_squares():
    X, y = correlated(2000)
    said = kh.KeyholeRegressor(random_state=0).fit(X, y).coef_interval(n_bootstrap=200, random_state=0)
    Z = np.column_stack([np.ones(2000), X])
    left = y - Z @ np.linalg.lstsq(Z, y, rcond=None)[0]
    errors = np.sqrt(np.diag(np.linalg.inv(Z.T @ Z))[1:] * np.sum(left**2) / (2000 - 9))
    np.testing.assert_allclose(said.standard_error, errors, rtol=0.2)  # 200 refits know it to a twentieth


def test_spread_of_revealed_cells_is_that_of_other_examples():
    fits = [kh.KeyholeRegressor(3, random_state=0).fit(*correlated_again(s)) for s in range(20)]
    spread = np.std([fit.coef_ for fit in fits], axis=0, ddof=1)
    said = fits[0].coef_interval(n_bootstrap=40, random_state=0).standard_error
    assert 0.5 < np.sqrt(np.mean(said**2) / np.mean(spread**2)) < 2.0


def correlated_again(seed):
    """Other examples of one distribution."""
    X, y = correlated(20 * 400)
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
    X, y = correlated(100)
    learner = kh.KeyholeRegressor(3, random_state=0).fit(X, y)
    plain, grouped = (learner.coef_interval(n_bootstrap=3, groups=g, random_state=1) for g in (None, np.arange(100)))
    np.testing.assert_array_equal(plain.low, grouped.low)
    z = 1.6448536269514722
    np.testing.assert_allclose(plain.high - plain.coef, z * plain.standard_error)
    np.testing.assert_allclose(plain.coef - plain.low, z * plain.standard_error)


def test_the_property_has_the_defaults_and_is_kept():
    X, y = correlated(100)
    learner = kh.KeyholeRegressor(3, random_state=0).fit(X, y)
    said = learner.coef_interval_
    assert learner.coef_interval_ is said
    assert (said.level, said.n_bootstrap) == (0.9, 100)
    np.testing.assert_array_equal(said.low, learner.coef_interval(random_state=learner.seed_).low)


def test_the_diagonal_is_refitted_too():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(4000, 12))
    learner = kh.KeyholeRegressor(3, random_state=0).fit(X, X @ rng.choice([-1.0, 1.0], size=12))
    solution = learner._solution()
    solution = (solution.start or solution)._replace(family="diagonal")
    refits = resampled(solution, learner.cells_, learner._targets(), np.arange(4000), 5, 0)
    again = np.array([refit.coef[0] for refit in refits])
    assert np.all(again.std(axis=0) > 0)
    assert np.abs(np.abs(again.mean(axis=0)) - 1).max() < 0.5


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"level": 1.0}, "level must be between 0 and 1, without them; got 1.0"),
        ({"n_bootstrap": 1}, "n_bootstrap must be a whole number of 2 or more; got 1"),
        ({"n_bootstrap": 2.5}, "got 2.5"),
        ({"groups": [1, 2]}, r"one entry for each of 60 examples; got shape \(2,\)"),
        ({"groups": np.zeros(60)}, "two groups or more"),
    ],
)
def test_wrong_arguments(wrong, told):
    X, y = correlated(60)
    with pytest.raises(ValueError, match=told):
        kh.KeyholeRegressor(3, random_state=0).fit(X, y).coef_interval(**wrong)
