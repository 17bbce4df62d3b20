"""Steps of iterative hard thresholding: their automatic length, and what happens when one was too long."""

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning

import keyhole as kh
from keyhole.sparse.schedule import CONDITION, EXPLORING, STEP
from keyhole.sparse.thresholding_step import end_batch
from sparse.stream import STREAM, TRUTH, X, Y


@pytest.mark.parametrize("learner", [kh.Exploration(8, 4, 5.0), kh.Hybrid(8, 4, 5.0)], ids=str)
def test_a_step_that_is_too_long_is_halved_with_a_warning(learner):
    with pytest.warns(ConvergenceWarning, match=r"the step was halved, to \S+; a smaller step_size"):
        learner.set_params(random_state=0).fit(X, Y)
    np.testing.assert_array_equal(learner.support_, TRUTH)
    assert STREAM.excess(learner.coef_, learner.intercept_) < 0.1


@pytest.mark.parametrize("exploring", [True, False])
def test_automatic_step(exploring):
    """1 / (2 lambda (1 + rho)), from the Gram matrix of the support; and H_s of the step is the next iterate."""
    learner = kh.Hybrid(8, 4, scaling="none", random_state=0).start(20)
    state, rule, s, d = learner.state_, learner.rule_, 4, 20
    rng = np.random.default_rng(0)
    G = rng.normal(size=(s, s))
    G = G @ G.T
    state.support[:], state.place[:s] = np.arange(s), np.arange(s)
    state.theta[:s] = [1.0, -2.0, 0.5, 0.1]
    state.gram[:] = 50 * np.tril(G)
    state.gradient[:], state.seen[:] = 10 * rng.normal(size=d), 10.0
    state.numbers[1], state.numbers[4], state.numbers[EXPLORING] = 50.0, 50.0, exploring
    values = np.linalg.eigvalsh(G)
    blocks = 5
    rho = 2 * s * np.log(d / s) / (50 / blocks) if exploring else s / 50
    step = 1 / (2 * values[-1] * (1 + rho))
    moved = state.theta - step * state.gradient / 10
    expected = np.where(np.abs(moved) >= np.sort(np.abs(moved))[-s], moved, 0.0)
    state.numbers[13] = 1.0  # started
    end_batch(state, rule)
    assert state.numbers[STEP] == pytest.approx(step)
    assert state.numbers[CONDITION] == pytest.approx(values[-1] / values[0])
    np.testing.assert_allclose(state.theta, expected, rtol=1e-12)
