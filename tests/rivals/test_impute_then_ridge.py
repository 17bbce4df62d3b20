"""ImputeThenRidge: fill in what was not seen, several times over, then ridge regression."""

import numpy as np
import pytest

from keyhole.observe import ArraySource, Attribute
from keyhole.rivals import CompleteRows, ImputeThenRidge


def factor_problem(n=300, d=8, seed=0):
    """Attributes that say much about each other."""
    rng = np.random.default_rng(seed)
    hidden = rng.normal(size=(n, 2))
    X = hidden @ rng.normal(size=(2, d)) + 0.5 * rng.normal(size=(n, d))
    return X * np.logspace(-2, 2, d), hidden @ [1.0, -1.0]


def test_learns_from_a_quarter_of_the_cells():
    X, y = factor_problem(600)
    rival = ImputeThenRidge(2, 2, random_state=0).fit(X[:300], y[:300])
    assert rival.observed_.per_attribute.sum() == 600
    assert rival.observed_.max_per_example == 2
    assert rival.score(X[300:], y[300:]) > 0.7


def test_with_all_cells_it_is_ridge():
    X, y = factor_problem()
    rival = ImputeThenRidge(8, random_state=0).fit(X, y)
    np.testing.assert_allclose(rival.predict(X), CompleteRows(8).fit(X, y).predict(X), rtol=1e-8)


def test_more_attributes_than_cells_of_each():
    """Some attributes are never seen, some once, most rows show nothing that was seen twice."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 120))
    X[:, :60] = 7.0
    rival = ImputeThenRidge(1, 1, turns=2, n_nearest_features=5, random_state=0).fit(X, X[:, 119])
    never = rival.observed_.per_attribute == 0
    assert never.any()
    assert not rival.coef_[never].any()
    assert not rival.coef_[:60].any()
    assert np.isfinite(rival.predict(X)).all()


def test_nothing_to_learn_from():
    with pytest.warns(UserWarning, match="no attribute was seen with two different values"):
        rival = ImputeThenRidge(1, random_state=0).fit(np.ones((5, 3)), np.arange(5))
    np.testing.assert_allclose(rival.predict(np.zeros((2, 3))), 2.0)


def test_one_label_only():
    X, _ = factor_problem(60)
    rival = ImputeThenRidge(2, 1, turns=2, random_state=0).fit(X, np.full(60, 0.1))
    np.testing.assert_allclose(rival.predict(X), 0.1, atol=1e-9)


def test_free_attributes():
    X, y = factor_problem(100)
    attributes = [Attribute(f"x{i}", free=i == 7) for i in range(8)]
    rival = ImputeThenRidge(2, 1, turns=2, random_state=0).fit(ArraySource(X, attributes), y)
    assert rival.observed_.per_attribute[7] == 100
    assert rival.observed_.cost == 200
