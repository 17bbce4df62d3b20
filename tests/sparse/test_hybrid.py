"""Hybrid: its phases, its schedules and its defaults."""

import warnings

import numpy as np

import keyhole as kh
from keyhole.sparse.schedule import BATCH, CYCLE, EXPLORING, UPDATES_LEFT
from sparse.stream import TRUTH, X, Y


def test_a_stream_that_ends_while_exploring_returns_the_last_exploited_iterate():
    learner = kh.Hybrid(8, 4, shrink_to_mean=False, random_state=0).start(20)
    exploited, iterates = None, set()
    for t in range(len(Y)):
        exploring, cycle = learner.state_.numbers[EXPLORING], learner.state_.numbers[CYCLE]
        if cycle == 1 and not exploring:
            break
        if cycle == 1:
            exploited = learner.coef_.copy() if exploited is None else exploited
            np.testing.assert_allclose(learner.coef_, exploited, rtol=1e-12)
            iterates.add(tuple(learner.state_.theta))
        ask = learner.ask()
        learner.tell(ask, X[t, ask.attributes], Y[t])
    assert len(iterates) == 6, "the iterate itself went on"


def test_schedules_of_hybrid():
    """Explicit schedules are followed, the last entries hold, and batches grow from then on."""
    learner = kh.Hybrid(8, 4, 0.1, [3, 5], 7, [2, 1], 2, growth=2.0, random_state=0).start(20)
    found = []
    for t in range(400):
        numbers = learner.state_.numbers
        state = (bool(numbers[EXPLORING]), int(numbers[BATCH]), int(numbers[CYCLE]), int(numbers[UPDATES_LEFT]))
        if not found or found[-1] != state:
            found.append(state)
        ask = learner.ask()
        learner.tell(ask, X[t, ask.attributes], Y[t])
    assert found[:12] == [
        (True, 15, 0, 2), (True, 15, 0, 1), (False, 7, 0, 2), (False, 7, 0, 1),
        (True, 25, 1, 1), (False, 14, 1, 2), (False, 14, 1, 1),
        (True, 50, 2, 1), (False, 28, 2, 2), (False, 28, 2, 1),
        (True, 100, 3, 1), (False, 56, 3, 2),
    ]  # fmt: skip


def test_defaults_of_hybrid_follow_the_condition_number():
    """Two attributes that are nearly the same need more exploiting updates than independent ones."""
    updates = {}
    for alike in (0.0, 0.95):
        Z = X.copy()
        Z[:, 1] = alike * Z[:, 0] + np.sqrt(1 - alike**2) * Z[:, 1]
        learner = kh.Hybrid(8, 4, random_state=0)
        for t in range(0, len(Y), 10):
            learner.partial_fit(Z[t : t + 10], Z[t : t + 10, :4].sum(axis=1))
            if not learner.state_.numbers[EXPLORING]:
                break
        updates[alike] = learner.state_.numbers[UPDATES_LEFT]
        assert learner.state_.numbers[BATCH] >= 6 * 5 * 13 / 20
    assert 3 <= updates[0.0] <= 6
    assert updates[0.95] == 20


def test_no_warning_with_defaults():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        kh.Hybrid(8, 4, random_state=0).fit(X, Y)


def test_examples_that_could_not_be_had_do_not_upset_a_batch():
    learner = kh.Hybrid(8, 4, random_state=0).start(20)
    for t in range(len(Y)):
        ask = learner.ask()
        learner.tell(ask, [None] * len(ask.attributes) if t % 3 == 0 else X[t, ask.attributes], Y[t])
    assert learner.n_skipped_ == len(Y) / 3
    np.testing.assert_array_equal(learner.support_, TRUTH)
