"""AERR: the adaptive step, as its Notes state it."""

import numpy as np
import pytest

import keyhole as kh
from keyhole.online.kernels.averaging import U
from keyhole.online.kernels.ridge import SCALE, SQUARED_GRADIENTS

RADIUS = 1.5


@pytest.mark.parametrize(("scaling", "n_expected"), [("none", None), ("running", None), ("running", 150)])
def test_adaptive_step_is_root_two_radius_over_the_root_of_the_sum(scaling, n_expected):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(100, 6)), rng.normal(size=100)
    learner = kh.AERR(4, RADIUS, scaling=scaling, n_expected=n_expected, random_state=0).start(6)

    def weights():
        return learner.state_.numbers[SCALE] * learner.state_.weights[:, U]

    inside = 0
    for t in range(1, 101):
        before, total_before = weights(), learner.state_.numbers[SQUARED_GRADIENTS]
        ask = learner.ask()
        learner.tell(ask, X[t - 1, ask.attributes], y[t - 1])
        total = learner.state_.numbers[SQUARED_GRADIENTS]
        gradient_norm = np.sqrt(total - total_before)
        if gradient_norm > 0 and np.linalg.norm(weights()) < 0.999 * RADIUS:  # nothing was projected
            S = total * max((n_expected or 0) / t, 1)
            moved = np.linalg.norm(weights() - before)
            assert moved == pytest.approx(np.sqrt(2) * RADIUS / np.sqrt(S) * gradient_norm, rel=1e-6)
            inside += 1
    assert inside > 20
