"""The learning curve against a list of all errors."""

import numpy as np

import keyhole as kh
from keyhole.sparse.learning_curve import learning_curve, new_record
from sparse.stream import X, Y


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


def test_nothing_recorded_is_an_empty_curve():
    assert all(len(part) == 0 for part in learning_curve(new_record(4)))
