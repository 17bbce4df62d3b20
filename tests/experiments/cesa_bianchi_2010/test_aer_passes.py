"""Passes, averages and last iterates of a sweep are those of learners that make the passes one by one."""

from __future__ import annotations

import numpy as np

import keyhole as kh
from keyhole.experiments.cesa_bianchi_2010.aer_passes import (
    AVERAGE,
    LAST,
    POINTS,
    SECOND_HALF,
    held_out_errors,
    weights_by_variant,
)
from keyhole.experiments.shared.protocol import Split
from keyhole.online.kernels import l1_ball


def table(n=61, d=12):
    rng = np.random.default_rng(0)
    X = rng.random((n, d)).astype(np.float32)
    return X, np.where(X[:, 0] > X[:, 1], 1.0, -1.0)


def weights_now(learner):
    return np.array([l1_ball.weight_of(learner.state_.ball, i) for i in range(learner.n_features_in_)])


def test_weights_are_those_of_steps_made_one_by_one():
    X, y = table()
    found = {(n, which): weights for n, which, weights in weights_by_variant(X, y, 4, seed=3, passes=[1, 5])}
    for at in (0, 7, len(POINTS) - 1):
        learner, after = kh.AER(4, scaling="none", random_state=3, **POINTS[at]), []
        for t in [*range(len(y))] * 5:
            learner.partial_fit(X[t : t + 1], y[t : t + 1])
            after.append(weights_now(learner))
        for passes in (1, 5):
            steps = passes * len(y)
            mine = np.array(after[:steps])
            np.testing.assert_allclose(found[passes, AVERAGE][:, at], mine.mean(axis=0), atol=1e-10)
            np.testing.assert_allclose(found[passes, SECOND_HALF][:, at], mine[steps // 2 :].mean(axis=0), atol=1e-10)
            np.testing.assert_allclose(found[passes, LAST][:, at], mine[-1], atol=1e-10)


def test_held_out_errors_are_of_rows_that_were_left_out():
    X, y = table()
    data = Split(X, y, X[:5], y[:5])
    found = held_out_errors(data, 4, seed=0, n_folds=2, passes=[1])
    total = np.zeros(len(POINTS))
    for rest, held_out in ((slice(30, None), slice(30)), (slice(30), slice(30, None))):
        weights = next(w for _, which, w in weights_by_variant(X[rest], y[rest], 4, 0, [1]) if which == LAST)
        total += np.mean((X[held_out] @ weights - y[held_out, None]) ** 2, axis=0) / 2
    np.testing.assert_allclose(found[1, LAST], total, rtol=1e-6)
