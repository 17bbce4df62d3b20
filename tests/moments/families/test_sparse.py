"""A predictor that needs few attributes: which it chooses, what it then reveals, and how it is fitted."""

import numpy as np
import pytest

import keyhole as kh
from keyhole.moments.gaussian import gaussian
from keyhole.moments.joint import Joint
from keyhole.moments.rows import Units
from keyhole.moments.solving import Solution
from keyhole.moments.sparse_choice import choose


def few_that_matter(n=1500, d=20, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)) * 7.0 + 3.0
    return X, X[:, 3] - X[:, 7] + X[:, 11] + 7.0 * rng.normal(size=n)


def solution_of(covariance, cross):
    """Second moments as a solution, all attributes seen to vary."""
    d = len(cross)
    values, vectors = np.linalg.eigh(np.asarray(covariance))
    noise = 0.5 * values[0]
    rest = np.asarray(cross)[:, None]
    joint = Joint(
        np.zeros(d),
        vectors * np.sqrt(values - noise),
        np.full(d, noise),
        np.zeros(1),
        np.zeros((1, d)),
        np.ones(1),
        rest,
    )
    units = Units(np.zeros(d), np.ones(d), np.zeros(1), np.ones(1))
    return Solution(joint, units, np.zeros((1, d)), np.zeros(1), np.abs(joint.weights()[0]), "factors", [])


def test_the_second_choice_adds_something_of_its_own():
    covariance = [[1.0, 0.9, 0.0], [0.9, 1.0, 0.0], [0.0, 0.0, 1.0]]
    choice = choose(solution_of(covariance, [0.7, 0.69, 0.3]), 2)
    assert choice.attributes.tolist() == [0, 2]
    assert 0.9 < choice.share <= 1.0


@pytest.mark.parametrize(("budget", "sparsity"), [(3, 3), (6, 3), (2, 3)])
def test_finds_the_few_and_spends_the_budget_on_them(budget, sparsity):
    X, y = few_that_matter()
    learner = kh.KeyholeRegressor(budget, sparsity=sparsity, random_state=0).fit(X, y)
    assert np.flatnonzero(learner.coef_).tolist() == [3, 7, 11]
    assert learner.family_ == "sparse"
    assert learner.observed_.max_per_example == budget
    assert learner.policy_.survivors[-1].tolist() == [3, 7, 11]
    chances = learner.policy_.designs[-1].design.inclusion
    assert set(np.argsort(-chances)[:3]) == {3, 7, 11}
    if budget > sparsity:
        np.testing.assert_allclose(chances[[3, 7, 11]], 1.0, rtol=1e-12)
    # Four standard errors of rows that show the three, of which a third is never there at a budget of two.
    unseen = max(3 - budget, 0)
    np.testing.assert_allclose(learner.coef_[[3, 7, 11]], [1, -1, 1], atol=4 * np.sqrt((1 + unseen) / 750))


def test_fit_is_partial_fit_is_ask_and_tell():
    X, y = few_that_matter(700)
    make = lambda: kh.KeyholeRegressor(4, sparsity=3, random_state=0)  # noqa: E731
    whole, pieces, by_hand = make().fit(X, y), make(), make().start(20)
    pieces.partial_fit(X[:150], y[:150]).partial_fit(X[150:], y[150:])
    for t in range(len(y)):
        ask = by_hand.ask()
        by_hand.tell(ask, X[t, ask.attributes], y[t])
    np.testing.assert_array_equal(whole.coef_, pieces.coef_)
    np.testing.assert_array_equal(whole.coef_, by_hand.coef_)


def test_a_partial_table_is_taken_too():
    X, y = few_that_matter()
    holes = np.where(np.random.default_rng(1).random(X.shape) < 0.5, np.nan, X)
    learner = kh.KeyholeRegressor(sparsity=3, random_state=0).fit(holes, y)
    assert np.flatnonzero(learner.coef_).tolist() == [3, 7, 11]


def test_with_every_cell_it_is_least_squares_on_the_chosen():
    X, y = few_that_matter(500)
    learner = kh.KeyholeRegressor(20, sparsity=3, random_state=0).fit(X, y)
    design = np.column_stack([np.ones(500), X[:, [3, 7, 11]]])
    expected = np.linalg.lstsq(design, y, rcond=None)[0]
    np.testing.assert_allclose(learner.coef_[[3, 7, 11]], expected[1:], rtol=0.01)


@pytest.mark.parametrize("sparsity", [0, 1.5, "few", True])
def test_wrong_sparsities(sparsity):
    with pytest.raises(ValueError, match="sparsity="):
        kh.KeyholeRegressor(4, sparsity=sparsity).start(12)


def test_gaussian_without_gaps_is_mean_and_covariance():
    table = np.random.default_rng(0).normal(size=(4000, 3)) @ np.array([[1.0, 0.5, 0], [0, 1, 0.3], [0, 0, 1]])
    mean, covariance = gaussian(table)
    np.testing.assert_allclose(mean, table.mean(axis=0), atol=1e-3)
    np.testing.assert_allclose(covariance, np.cov(table.T, bias=True), atol=2e-3)


def test_gaussian_with_gaps_finds_the_maximum_of_the_likelihood():
    """The gradient of the observed likelihood, by differences, is that of the prior alone: next to nothing."""
    rng = np.random.default_rng(0)
    table = rng.normal(size=(600, 3)) @ np.array([[1.0, 0.8, 0.2], [0, 0.6, 0.3], [0, 0, 1]])
    table[rng.random(table.shape) < 0.4] = np.nan

    def likelihood(mean, covariance):
        total = 0.0
        for row in table:
            seen = ~np.isnan(row)
            if seen.any():
                inside, away = covariance[np.ix_(seen, seen)], row[seen] - mean[seen]
                total -= 0.5 * (np.linalg.slogdet(inside)[1] + away @ np.linalg.solve(inside, away))
        return total / len(table)

    mean, covariance = gaussian(table)
    best = likelihood(mean, covariance)
    for i in range(3):
        for step in (-0.05, 0.05):
            moved = mean.copy()
            moved[i] += step
            assert likelihood(moved, covariance) < best
            for j in range(i + 1):
                other = covariance.copy()
                other[i, j] += step
                other[j, i] = other[i, j]
                assert likelihood(mean, other) < best


@pytest.mark.parametrize(("budget", "sparsity"), [(1, 1), (1, 2), (1, 9), (3, 9), (3, 10), (3, 25), (9, 10)])
def test_every_budget_goes_with_every_sparsity(budget, sparsity):
    X, y = few_that_matter(900, 12)
    X = X[:, 2:]
    learner = kh.KeyholeRegressor(budget, sparsity=sparsity, random_state=0).fit(X, y)
    assert np.count_nonzero(learner.coef_) <= sparsity
    assert learner.observed_.max_per_example <= budget
    assert learner.observed_.per_attribute.min() > 0
    assert "too rarely" not in str(learner.summary(risk=False))
