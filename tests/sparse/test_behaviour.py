"""What users of the sparse learners count on, beyond the conformance checks."""

from __future__ import annotations

import itertools
import warnings

import numpy as np
import pytest
from scipy import sparse as sp
from sklearn.exceptions import ConvergenceWarning

import keyhole as kh
from keyhole.datasets import murata_suzuki
from keyhole.observe import CallableSource
from keyhole.sparse.learning_curve import learning_curve
from keyhole.sparse.schedule import BATCH, CYCLE, EXPLORING, UPDATES_LEFT

STREAM = murata_suzuki(12_000, n_attributes=20, n_nonzero=4, random_state=0)
X, Y = STREAM.table(), STREAM.labels()
TRUTH = np.arange(4)
LEARNERS = [
    kh.Exploration(8, 4),
    kh.Hybrid(8, 4),
    kh.Exploitation(4, np.where(np.arange(20) < 4, 0.1, 0.0)),
    kh.Dantzig(8, 4),
    kh.DualAveraging(8, 4),
    kh.DualAveraging(8, 4, 2),
    kh.DualAveraging(8, 4, 3),
]


@pytest.fixture(params=LEARNERS, ids=str)
def fitted(request):
    return request.param.set_params(random_state=0).fit(X, Y)


def test_the_support_is_found(fitted):
    np.testing.assert_array_equal(fitted.support_, TRUTH)
    assert fitted.attributes_per_prediction_ == 4
    assert STREAM.excess(fitted.coef_, fitted.intercept_) < 1.0
    assert fitted.observed_.max_per_example <= fitted.budget


def test_a_prediction_reads_the_support_alone_and_is_metered(fitted):
    def read(example, attributes):
        assert set(attributes) <= set(TRUTH)
        return X[example, attributes]

    expected = X[:50].astype(float) @ fitted.coef_ + fitted.intercept_
    hidden = np.where(np.isin(np.arange(20), TRUTH), X[:50], np.nan)
    tables = [CallableSource(read, 50, 20), hidden, np.asfortranarray(hidden), sp.csr_array(X[:50])]
    for times, table in enumerate(tables, start=1):
        np.testing.assert_allclose(fitted.predict(table), expected, rtol=1e-5)
        assert fitted.predicted_.n_examples == 50 * times
        assert fitted.predicted_.distinct == fitted.predicted_.cost == 4 * 50 * times
    np.testing.assert_array_equal(fitted.predicted_.per_attribute[TRUTH], 200)
    assert fitted.predicted_.max_per_example == 4
    assert fitted.observed_.n_examples == len(Y), "what predictions reveal is counted apart"


def test_learning_curve(fitted):
    curve = fitted.learning_curve_
    assert 32 <= len(curve.examples) <= 65
    assert curve.examples[-1] == len(Y)
    assert curve.attributes[-1] == fitted.observed_.distinct
    assert (np.diff(curve.examples) > 0).all()
    assert curve.support_size[-1] == 4
    early, late = curve.squared_error[:2].mean(), curve.squared_error[-5:].mean()
    assert late < 0.6 * early, "predictions made while learning get better"


def test_learning_curve_of_any_length():
    learner = kh.DualAveraging(8, 4, scaling="none", curve_points=5, random_state=0).start(20)
    errors = []
    for t in range(60):
        ask = learner.ask()
        errors.append((learner.predict(X[t : t + 1])[0] - Y[t]) ** 2)
        learner.tell(ask, X[t, ask.attributes], Y[t])
        curve = learning_curve(learner.state_.record)
        assert len(curve.examples) <= 6
        assert curve.examples[-1] == t + 1
        starts = [0, *curve.examples[:-1]]
        means = [np.mean(errors[a:b]) for a, b in zip(starts, curve.examples, strict=True)]
        np.testing.assert_allclose(curve.squared_error, means, rtol=1e-5)  # predict sums in single precision


def test_a_stream_that_ends_while_exploring_returns_the_last_exploited_iterate():
    learner = kh.Hybrid(8, 4, random_state=0).start(20)
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


@pytest.mark.parametrize("learner", [kh.Exploration(8, 4, 5.0), kh.Hybrid(8, 4, 5.0)], ids=str)
def test_a_step_that_is_too_long_is_halved_with_a_warning(learner):
    with pytest.warns(ConvergenceWarning, match=r"the step was halved, to \S+; a smaller step_size"):
        learner.set_params(random_state=0).fit(X, Y)
    np.testing.assert_array_equal(learner.support_, TRUTH)
    assert STREAM.excess(learner.coef_, learner.intercept_) < 0.1


def test_no_warning_with_defaults():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        kh.Hybrid(8, 4, random_state=0).fit(X, Y)


@pytest.mark.parametrize("learner", LEARNERS, ids=str)
def test_answers_may_come_late_and_out_of_order(learner):
    learner = learner.set_params(random_state=0).start(20)
    waiting = []
    for t in range(len(Y)):
        waiting.append((learner.ask(), t))
        if len(waiting) == 20:
            for ask, example in reversed(waiting):
                learner.tell(ask, X[example, ask.attributes], Y[example])
            waiting = []
    np.testing.assert_array_equal(learner.support_, TRUTH)
    assert STREAM.excess(learner.coef_, learner.intercept_) < 1.0


def test_examples_that_could_not_be_had_do_not_upset_a_batch():
    learner = kh.Hybrid(8, 4, random_state=0).start(20)
    for t in range(len(Y)):
        ask = learner.ask()
        learner.tell(ask, [None] * len(ask.attributes) if t % 3 == 0 else X[t, ask.attributes], Y[t])
    assert learner.n_skipped_ == len(Y) / 3
    np.testing.assert_array_equal(learner.support_, TRUTH)


def test_blocks():
    """A round shows every attribute once: contiguous runs as in the paper, or a random partition drawn anew."""
    rounds = {}
    for blocks in ("contiguous", "random"):
        learner = kh.Exploration(8, 4, batch_size=1, growth=1, blocks=blocks, random_state=0).start(20)
        asked = []
        for t in range(10):
            ask = learner.ask()
            asked.append(ask.attributes[ask.slots[ask.roles == 0]])
            learner.tell(ask, X[t, ask.attributes], Y[t])
        rounds[blocks] = [np.concatenate(asked[:5]), np.concatenate(asked[5:])]
        assert all(sorted(shown) == list(range(20)) for shown in rounds[blocks])
    np.testing.assert_array_equal(rounds["contiguous"], [np.arange(20)] * 2)
    assert not np.array_equal(*rounds["random"])


@pytest.mark.parametrize(
    "learner",
    [
        kh.Exploration(200, 10, batch_size=1),
        kh.Hybrid(200, 10, explore_batch=1),
        kh.DualAveraging(200, 10),
    ],
    ids=str,
)
def test_memory_is_of_order_d(learner):
    """At d = 100,000 the state is a few dozen numbers per attribute, before and after learning from a stream."""
    d = 100_000
    stream = murata_suzuki(1200, n_attributes=d, n_nonzero=10, random_state=0)
    learner.set_params(random_state=0).fit(stream.source, stream.labels())
    assert arrays_in(learner.state_) <= 40 * d
    assert learner.observed_.max_per_example <= 200
    assert learner.attributes_per_prediction_ <= 10


def arrays_in(state):
    return sum(part.size if isinstance(part, np.ndarray) else arrays_in(part) for part in state)


def test_exploitation_goes_on_from_what_exploration_found():
    half = len(Y) // 2
    found = kh.Exploration(8, 4, random_state=0).fit(X[:half], Y[:half])
    refined = kh.Exploitation(4, found.coef_, random_state=0).fit(X[half:], Y[half:])
    np.testing.assert_array_equal(refined.support_, found.support_)
    excess = [STREAM.excess(learner.coef_, learner.intercept_) for learner in (refined, found)]
    assert excess[0] < excess[1]


def test_exploitation_predicts_from_its_start_at_once():
    start = np.where(np.arange(20) < 4, [1.0, 1.0, -1.0, -1.0] + [0.0] * 16, 0.0)
    for scaling in ("running", "none"):
        learner = kh.Exploitation(4, start, scaling=scaling, random_state=0).start(20)
        np.testing.assert_array_equal(learner.coef_, start)
        learner.partial_fit(X[:5], Y[:5])
        np.testing.assert_array_equal(learner.coef_, start)


def test_attributes_that_never_change_are_left_out():
    Z = X.copy()
    Z[:, 10:] = 3.0
    for learner in LEARNERS:
        learner.set_params(random_state=0).fit(Z, Y)
        assert (learner.support_ < 10).all()
        assert np.isfinite(learner.predict(Z[:3])).all()


def test_labels_that_never_change_are_predicted():
    for learner, label in itertools.product(LEARNERS, (0.0, 7.0)):
        learner.set_params(random_state=0).fit(X[:1500], np.full(1500, label))
        np.testing.assert_allclose(learner.predict(X[:3]), label, atol=1e-9)
