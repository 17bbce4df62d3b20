"""The lasso kernel: the step of the theorem, and weights that stay in the ball however far theta moves."""

import numpy as np
import pytest

import keyhole as kh
from keyhole.online.kernels.lasso import lasso_step
from keyhole.sampling import sum_tree


def test_lasso_step_of_the_theorem():
    """The proof of Theorem 3.4: eta = 1/G sqrt(log(2d) / (5m)) with G = 2B sqrt(2d/k)."""
    B, d, k, m = 3.0, 50, 4, 1000
    G = 2 * B * np.sqrt(2 * d / k)
    assert lasso_step(B, d, m, 2 * d / k) == pytest.approx(np.sqrt(np.log(2 * d) / (5 * m)) / G)
    learner = kh.AELR(5, B, scaling="none", draws="textbook", n_expected=m).start(d)
    assert learner.state_.numbers[5] == pytest.approx(np.sqrt(np.log(2 * d) / (5 * m)) / G)


def test_weights_are_finite_and_in_the_ball_for_large_steps():
    """sinh(theta) overflows long before: the common shift keeps the stored numbers finite."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(3000, 6))
    learner = kh.AELR(4, radius=2.0, step_size=5.0, scaling="none", random_state=0).fit(X, 10 * X[:, 1])
    state = learner.state_
    assert np.abs(state.theta).max() > 710
    w = 2.0 * state.weights[:, 0] / sum_tree.total(state.mass)
    expected = np.sign(state.theta) * (np.arange(6) == np.argmax(np.abs(state.theta))) * 2.0
    assert np.isfinite(w).all()
    assert np.abs(w).sum() <= 2.0 * (1 + 1e-12)
    assert np.abs(learner.coef_).sum() <= 2.0 * (1 + 1e-9)
    assert np.sign(w[np.argmax(np.abs(w))]) == np.sign(expected[np.argmax(np.abs(expected))])
