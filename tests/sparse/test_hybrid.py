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


def phases_of(learner, examples):
    """Whether an update explores, its examples, its cycle, and the updates that are left, for each update."""
    learner, found = learner.start(20), []
    for t in range(examples):
        numbers = learner.state_.numbers
        state = (bool(numbers[EXPLORING]), int(numbers[BATCH]), int(numbers[CYCLE]), int(numbers[UPDATES_LEFT]))
        if not found or found[-1] != state:
            found.append(state)
        ask = learner.ask()
        learner.tell(ask, X[t, ask.attributes], Y[t])
    return found


def test_schedules_of_hybrid():
    """Explicit schedules are followed, the last entries hold, and batches grow from then on."""
    learner = kh.Hybrid(8, 4, 0.1, [3, 5], 7, [2, 1], 2, growth=2.0, random_state=0)
    assert phases_of(learner, 400)[:12] == [
        (True, 15, 0, 2), (True, 15, 0, 1), (False, 7, 0, 2), (False, 7, 0, 1),
        (True, 25, 1, 1), (False, 14, 1, 2), (False, 14, 1, 1),
        (True, 50, 2, 1), (False, 28, 2, 2), (False, 28, 2, 1),
        (True, 100, 3, 1), (False, 56, 3, 2),
    ]  # fmt: skip


def test_batches_for_each_update():
    """A cycle may have a batch for each update, or one for all of them; the last cycle's batches grow from then on."""
    learner = kh.Hybrid(8, 4, 0.1, [[3, 4], [2]], [7, [5, 6]], [2, 1], 2, growth=2.0, random_state=0)
    assert phases_of(learner, 200)[:10] == [
        (True, 15, 0, 2), (True, 20, 0, 1), (False, 7, 0, 2), (False, 7, 0, 1),
        (True, 10, 1, 1), (False, 5, 1, 2), (False, 6, 1, 1),
        (True, 20, 2, 1), (False, 10, 2, 2), (False, 12, 2, 1),
    ]  # fmt: skip


def test_automatic_exploitation_takes_as_many_examples_as_the_batches_of_exploration():
    learner = kh.Hybrid(8, 4, 0.1, [[3, 4, 5]], None, 3, 4, random_state=0)
    assert phases_of(learner, 100)[:4] == [(True, 15, 0, 3), (True, 20, 0, 2), (True, 25, 0, 1), (False, 15, 0, 4)]


def test_a_learner_with_batches_for_each_update_is_saved(tmp_path):
    learner = kh.Hybrid(8, 4, 0.1, [[3, 4]], [[7, 5]], 2, 2, random_state=0).partial_fit(X[:100], Y[:100])
    kh.save_model(learner, tmp_path / "hybrid.keyhole")
    loaded = kh.load_model(tmp_path / "hybrid.keyhole").partial_fit(X[100:300], Y[100:300])
    np.testing.assert_array_equal(loaded.coef_, learner.partial_fit(X[100:300], Y[100:300]).coef_)


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
