"""What users of the sparse learners count on, beyond the conformance checks."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import keyhole as kh
from keyhole.datasets import murata_suzuki
from sparse.stream import STREAM, TRUTH, X, Y

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


def test_learning_curve(fitted):
    curve = fitted.learning_curve_
    assert 32 <= len(curve.examples) <= 65
    assert curve.examples[-1] == len(Y)
    assert curve.attributes[-1] == fitted.observed_.distinct
    assert (np.diff(curve.examples) > 0).all()
    assert curve.support_size[-1] == 4
    early, late = curve.squared_error[:2].mean(), curve.squared_error[-5:].mean()
    assert late < 0.6 * early, "predictions made while learning get better"


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
