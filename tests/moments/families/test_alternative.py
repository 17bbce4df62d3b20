"""What alternative families share: products of revealed cells, and all that follows from a derived solution."""

import numpy as np
import pytest

import keyhole as kh
from keyhole.moments.families.alternative import products_of, with_weights
from keyhole.moments.families.family import Role
from keyhole.moments.families.registry import FAMILIES, families_with
from keyhole.moments.standard.rows import standardised_rows
from moments.conftest import few_matter, plain_products, random_rows, some_start, with_holes

ALTERNATIVES = [family.name for family in families_with(Role.ALTERNATIVE)]


def test_products_are_those_of_a_loop_over_rows():
    start, rows = some_start(), random_rows(0, 40, 6, 1, 4)
    for found, plain in zip(products_of(start, rows), plain_products(start, rows), strict=True):
        np.testing.assert_allclose(found, plain, atol=1e-12)


def test_given_weights_are_those_of_the_moments_and_the_covariance_stays():
    start, weights = some_start(), np.random.default_rng(1).normal(size=6)
    found = with_weights(start, weights)
    np.testing.assert_allclose(found.weights()[0], weights, rtol=1e-10)
    np.testing.assert_array_equal(found.covariance(np.arange(6)), start.covariance(np.arange(6)))
    np.testing.assert_array_equal(found.label_variance(), start.label_variance())


@pytest.fixture(scope="module")
def table():
    X, y, _ = few_matter(4000)
    return X, y


@pytest.fixture(scope="module")
def begun(table):
    """A learner, and the solution that it started from."""
    X, y = table
    learner = kh.KeyholeRegressor(8, values="raw", random_state=0).fit(X[:3000], y[:3000])
    return learner, learner._solution().start


@pytest.mark.parametrize("family", ALTERNATIVES)
def test_all_that_follows_from_a_solution_follows_from_a_derived_one(table, begun, family):
    (X, y), (learner, start) = table, begun
    data = learner._training()
    solution = FAMILIES[family].fit(data, 60, start)
    if not solution.coef.any():
        pytest.skip("no set of attributes was shown to enough examples")
    learner.cache_.clear()
    learner.cache_.put("solution", solution)
    assert learner.family_ == family
    new, targets = X[3000:], y[3000:]
    held = np.clip(new @ solution.coef[0] + solution.intercept[0], y[:3000].min(), y[:3000].max())
    np.testing.assert_allclose(learner.predict(new), held)
    again = solution.family.refit(solution, data, 60)
    np.testing.assert_allclose(again.coef, solution.coef, rtol=1e-8, atol=1e-10)
    near = solution.family.resume(solution, standardised_rows(data.cells, data.labels, solution.scales), 5)
    # A few iterations more may select another attribute, and change predictions by little.
    apart = new @ (near.coef[0] - solution.coef[0]) + near.intercept[0] - solution.intercept[0]
    assert np.mean(apart**2) < 0.02 * y.var()
    predicted, deviation = learner.predict(with_holes(new, 20), return_std=True)
    left = np.mean((targets - predicted) ** 2)
    assert left < y.var()
    assert 0.5 < left / np.mean(deviation**2) < 1.5
    assert learner.next_attributes(np.full(60, np.nan))[0].drop > 0


@pytest.mark.parametrize("family", ALTERNATIVES)
def test_the_start_is_kept_beside_it_and_no_longer_called_kept(begun, family):
    learner, start = begun
    solution = FAMILIES[family].fit(learner._training(), 60, start)
    assert solution.start is start
    assert solution.family is FAMILIES[family]
    assert [one["family"] for one in solution.candidates] == [one["family"] for one in start.candidates]
    assert not any(one["kept"] for one in solution.candidates)
    assert any(one["kept"] for one in start.candidates)
