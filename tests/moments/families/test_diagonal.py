"""The diagonal family: each attribute by its own, shrunk covariance with the label."""

import numpy as np
import pytest

import keyhole as kh
from keyhole.moments.families.diagonal import Diagonal, diagonal_weights, sweep
from keyhole.moments.families.registry import FAMILIES
from keyhole.moments.families.settings import LEAST_NOISE
from keyhole.moments.standard.rows import standardised_rows
from moments.conftest import complete_rows, correlated, random_rows, training, with_holes


def test_independent_attributes_get_the_diagonal():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(4000, 30))
    y = X @ rng.choice([-1.0, 1.0], size=30)
    learner = kh.KeyholeRegressor(4, random_state=0).fit(X[:3000], y[:3000])
    assert learner.family_ == "diagonal"
    weights = {c["family"]: c["weight"] for c in learner.candidates_}
    assert weights["factors"] == 0
    assert weights["diagonal"] > 0.5
    # The weights differ by noise of variance about 30 / 400, on 30 attributes.
    assert learner.score(X[3000:], y[3000:]) > 0.8


def test_equal_values_have_no_weight_whatever_their_rounding_errors():
    rng = np.random.default_rng(0)
    X = np.column_stack([np.full(70, 0.1), np.full(70, -1 / 3), rng.normal(size=70)])
    assert np.mean((X[:, :2] - X[:, :2].sum(axis=0) / 70) ** 2) > 0  # they are not equal to their computed mean
    found = diagonal_weights(complete_rows(X, X[:, 2] + rng.normal(size=70)))
    assert (found.variance[:2] == 0).all()
    assert np.abs(found.weights[:2]).max() < 1e-12
    assert np.abs(found.weights[2]).max() > 0.3


def test_shrinking_makes_correlations_better_than_they_were():
    rng = np.random.default_rng(0)
    n, d = 400, 200
    X = rng.normal(size=(n, d))
    coef = rng.normal(size=d) / np.sqrt(d)
    label = X @ coef
    rows = complete_rows(X, label / label.std())
    found = diagonal_weights(rows)
    raw = np.array([np.corrcoef(x, label)[0, 1] for x in X.T])
    true = coef * X.std(axis=0) / label.std()
    assert np.sum((found.weights[:, 0] - true) ** 2) < 0.8 * np.sum((raw - true) ** 2)
    np.testing.assert_allclose(found.variance, X.var(axis=0), rtol=1e-10)


def test_weights_are_a_fixed_point_of_the_weighted_regression():
    """Each posterior mean follows from the others, by plain sums over rows."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(3000, 4))
    y = X @ [1.0, 0.5, -0.5, 0.2] + rng.normal(size=3000)
    X, y = with_holes(X, 2), (y - y.mean()) / y.std()
    present = ~np.isnan(X)
    first = np.concatenate([[0], np.cumsum(present.sum(axis=0))])
    row = np.concatenate([np.flatnonzero(present[:, i]) for i in range(4)])
    values = np.concatenate([X[present[:, i], i] for i in range(4)])
    w, v = sweep(first, row, values, y)
    A = (np.sum(w**2) + np.sum(v)) / 4
    Z = np.where(present, X, 0.0)
    noise = np.maximum(1.0 - present @ w**2, LEAST_NOISE)
    for i in range(4):
        others = y - Z @ w + Z[:, i] * w[i]
        precision = 1 / A + np.sum(Z[:, i] ** 2 / noise)
        assert w[i] == pytest.approx(np.sum(Z[:, i] * others / noise) / precision, rel=1e-3)
        assert v[i] == pytest.approx(1 / precision, rel=1e-3)


def test_uncertain_weights_are_useful_too():
    found = diagonal_weights(random_rows(0, 200, 5, 1, 3, n_labels=2))
    wanted = np.sqrt(np.sum(found.weights**2 + found.uncertainty, axis=1))
    np.testing.assert_allclose(found.usefulness, wanted)
    assert (found.usefulness > np.linalg.norm(found.weights, axis=1)).all()


def test_moments_have_no_covariance_between_attributes():
    joint = diagonal_weights(random_rows(0, 200, 5, 1, 3)).joint_moments()
    covariance = joint.covariance(np.arange(5))
    np.testing.assert_array_equal(covariance, np.diag(np.diag(covariance)))


def test_an_attribute_takes_part_when_its_spread_rests_on_three_observations():
    X = np.zeros((100, 4))
    X[0, 1] = X[:50, 2] = X[:4, 3] = 1.0
    data = training(X, np.arange(100.0))
    assert data.scales().used.tolist() == [2, 3]
    solution = Diagonal().fit(data, 60)
    assert np.flatnonzero(solution.coef[0]).tolist() == [2, 3]
    found = diagonal_weights(standardised_rows(data.cells, data.labels, data.scales()))
    np.testing.assert_allclose(solution.usefulness, found.usefulness)


def test_derived_from_a_start_it_is_the_same_in_the_scales_of_the_start():
    X, y = correlated(300)
    data = training(with_holes(X, 5), y)
    start, alone = FAMILIES["factors"].fit(data, 30), Diagonal().fit(data, 30)
    derived = Diagonal().derived(start, standardised_rows(data.cells, data.labels, start.scales))
    np.testing.assert_allclose(derived.coef, alone.coef, rtol=1e-10)
    np.testing.assert_allclose(derived.intercept, alone.intercept, rtol=1e-10)
    assert (derived.family.name, derived.start, derived.scales) == ("diagonal", start, start.scales)
