"""The kernel of iterative hard thresholding: which examples count, and the sums of a batch."""

import numpy as np

import keyhole as kh
from keyhole.observe.ask import X_ESTIMATE
from keyhole.sparse.hard_thresholding import support_size
from keyhole.sparse.schedule import IN_BATCH, LOSS, MEAN_LOSS
from sparse.stream import X, Y


def explored():
    """A learner with a support, at the start of a batch."""
    learner = kh.Exploration(8, 4, batch_size=30, scaling="none", random_state=0).start(20)
    learner.partial_fit(X[:150], Y[:150])
    assert support_size(learner.state_) == 4
    assert learner.state_.numbers[IN_BATCH] == 0
    return learner


def test_sums_of_a_batch():
    learner = explored()
    theta = learner.state_.theta.copy()
    gradient, seen, loss = np.zeros(20), np.zeros(20), 0.0
    for t in range(150, 200):
        ask = learner.ask()
        block = ask.attributes[ask.slots[ask.roles == X_ESTIMATE]]
        residual = theta @ X[t] - Y[t]
        gradient[block] += 2 * residual * X[t, block]
        seen[block] += 1
        loss += residual**2
        learner.tell(ask, X[t, ask.attributes], Y[t])
    state = learner.state_
    np.testing.assert_allclose(state.gradient, gradient, rtol=1e-5)
    np.testing.assert_array_equal(state.seen, seen)
    np.testing.assert_allclose(state.numbers[[LOSS, MEAN_LOSS]], [loss, np.sum(Y[150:200] ** 2)], rtol=1e-5)
    support = state.support
    np.testing.assert_allclose(state.gram, np.tril(X[150:200, support].T @ X[150:200, support]), rtol=1e-4, atol=1e-4)


def test_an_answer_that_lacks_the_present_support_does_not_count():
    learner = kh.Exploration(8, 4, batch_size=30, scaling="none", random_state=0).start(20)
    late = learner.ask()  # asked while there was no support
    learner.partial_fit(X[:150], Y[:150])
    before = learner.state_.gradient.copy()
    learner.tell(late, X[0, late.attributes], Y[0])
    assert learner.state_.numbers[IN_BATCH] == 0
    np.testing.assert_array_equal(learner.state_.gradient, before)
