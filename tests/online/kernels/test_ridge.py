"""The ridge kernel: steps of the theorems, and the projection onto the ball."""

import numpy as np
import pytest

import keyhole as kh
from keyhole.online.kernels.averaging import U
from keyhole.online.kernels.ridge import SCALE, SQUARED_NORM


def test_ridge_steps_of_the_theorems():
    d, k, m = 50, 4, 1000
    textbook = {"scaling": "none", "draws": "textbook", "n_expected": m}
    assert kh.AERR(k + 1, **textbook).start(d).state_.numbers[5] == pytest.approx(np.sqrt(k / (2 * d * m)))
    moments = np.linspace(0.01, 0.03, d)
    known = kh.DDAERR(k + 1, moments=moments, **textbook).start(d).state_.numbers[5]
    assert known == pytest.approx(1 / np.sqrt(m * (np.sqrt(moments).sum() ** 2 / k + 1)))


def test_weights_stay_in_the_ball_and_the_norm_is_that_of_the_weights():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(2000, 8))
    learner = kh.AERR(4, radius=0.01, step_size=1.0, scaling="none", random_state=0).fit(X, 5 * X[:, 0])
    numbers, u = learner.state_.numbers, learner.state_.weights[:, U]
    assert numbers[SQUARED_NORM] == pytest.approx(u @ u, rel=1e-9)
    assert numbers[SCALE] * np.linalg.norm(u) <= 0.01 * (1 + 1e-9)
    assert np.linalg.norm(learner.coef_) <= 0.01 * (1 + 1e-9)
