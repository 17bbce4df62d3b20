"""AELR: the adaptive step, as its Notes state it, is the theorem's with 2 S / d in place of m G^2."""

import numpy as np
import pytest

import keyhole as kh
from keyhole.online.kernels.lasso import SQUARED_GRADIENTS, lasso_step


@pytest.mark.parametrize(("scaling", "n_expected"), [("none", None), ("running", None), ("running", 90)])
def test_adaptive_step(scaling, n_expected):
    rng = np.random.default_rng(0)
    d, radius = 8, 3.0
    X, y = rng.normal(size=(60, d)), rng.normal(size=60)
    learner = kh.AELR(4, radius, scaling=scaling, n_expected=n_expected, random_state=0).start(d)
    unclipped = 0
    for t in range(1, 61):
        theta, total_before = learner.state_.theta.copy(), learner.state_.numbers[SQUARED_GRADIENTS]
        ask = learner.ask()
        learner.tell(ask, X[t - 1, ask.attributes], y[t - 1])
        total = learner.state_.numbers[SQUARED_GRADIENTS]
        change = learner.state_.theta - theta
        if 0 < np.abs(change).max() < 1:
            S = total * max((n_expected or 0) / t, 1)
            step = np.linalg.norm(change) / np.sqrt(total - total_before)
            # lasso_step is sqrt(log(2d) / (5 m)) / G with G^2 = 4 B^2 second_moment.
            m, G_squared = 1.0, 2 * S / d
            assert step == pytest.approx(lasso_step(radius, d, m, G_squared / (4 * radius**2)), rel=1e-9)
            unclipped += 1
    assert unclipped > 20
