"""Baseline: the solution from its estimated moments, and one pass for several radii."""

import numpy as np
import pytest

import keyhole as kh

rng = np.random.default_rng(0)
X = rng.normal(size=(3000, 5)) @ rng.normal(size=(5, 5))
Y = X[:, 0] - 0.5 * X[:, 2]


def test_path_holds_the_weights_of_each_radius():
    learner = kh.Baseline(4, 1.0, scaling="none", random_state=0).fit(X, Y)
    path = learner.path([0.5, 1.0, 2.0])
    assert path.shape == (5, 3)
    np.testing.assert_allclose(path[:, 1], learner.coef_)
    for column, radius in enumerate([0.5, 1.0, 2.0]):
        alone = kh.Baseline(4, radius, scaling="none", random_state=0).fit(X, Y)
        np.testing.assert_allclose(path[:, column], alone.coef_)
        assert np.abs(path[:, column]).sum() <= radius * (1 + 1e-9)


@pytest.mark.parametrize("psd", [True, False])
def test_weights_minimise_the_estimated_loss(psd):
    learner = kh.Baseline(4, 0.8, psd=psd, scaling="none", random_state=0).fit(X, Y)
    m = learner.state_.numbers[0]
    A, b, w = learner.state_.A / m, learner.state_.b / m, learner.coef_
    np.testing.assert_allclose(A, A.T)
    if psd:
        values, vectors = np.linalg.eigh(A)
        A = (vectors * np.maximum(values, 0)) @ vectors.T
    gradient = 2 * (A @ w - b)
    # No direction within the ball goes down: the Frank-Wolfe gap.
    scale = 0.8 * np.abs(b).max() + 0.64 * np.abs(A).max()
    assert gradient @ w + 0.8 * np.abs(gradient).max() <= 1e-6 * scale


def test_an_attribute_that_is_always_zero_has_no_weight():
    table = X.copy()
    table[:, 3] = 0.0
    assert kh.Baseline(4, random_state=0).fit(table, Y).coef_[3] == 0.0
