"""A sweep leaves every learner as fit would: same draws, same weights, same meter."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.base import clone

import keyhole as kh
from keyhole.experiments.shared.sweeps import BLOCK, Sweep

MOMENTS = np.linspace(0.5, 1.5, 12)
KINDS = {
    "AER": [kh.AER(4, 1.0, random_state=0), kh.AER(4, 3.0, reg=5.0, random_state=1)],
    "AER raw": [kh.AER(4, 1.0, scaling="none", random_state=0), kh.AER(4, 2.0, scaling="none", random_state=0)],
    "Baseline": [kh.Baseline(4, 1.0, random_state=0), kh.Baseline(4, 2.0, random_state=1)],
    "AERR": [kh.AERR(6, 1.0, random_state=0), kh.AERR(6, 0.3, step_size=0.01, random_state=1)],
    "AELR": [kh.AELR(4, 1.0, random_state=0), kh.AELR(4, 2.0, step_size=0.01, random_state=1)],
    "AESVR": [kh.AESVR(9, 1.0, accuracy=4.0, random_state=0), kh.AESVR(9, 0.5, accuracy=8.0, random_state=1)],
    "AER, as printed": [kh.AER.as_printed(4, radius=r, reg=5.0, random_state=0) for r in (1.0, 2.0)],
    "Baseline, as printed": [kh.Baseline.as_printed(4, radius=1.0, random_state=seed) for seed in (0, 1)],
    "AERR, as printed": [kh.AERR.as_printed(6, radius=r, step_size=0.01, random_state=0) for r in (1.0, 2.0)],
    "AELR, as printed": [kh.AELR.as_printed(4, radius=r, n_expected=600, random_state=0) for r in (1.0, 2.0)],
    "AESVR, as printed": [
        kh.AESVR.as_printed(9, radius=1.0, accuracy=4.0, step_size=step, random_state=0) for step in (0.01, 0.02)
    ],
    "DDAERR": [kh.DDAERR(6, 1.0, moments=MOMENTS, random_state=0), kh.DDAERR(6, 2.0, moments=MOMENTS, random_state=1)],
    "two-phased DDAERR": [kh.DDAERR(6, r, n_expected=600, random_state=0) for r in (1.0, 2.0)],
    "two-phased DDAELR": [kh.DDAELR(6, r, n_expected=600, random_state=0) for r in (1.0, 2.0)],
}


def table(n=2 * BLOCK + 88, d=12):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, d)).astype(np.float32)
    return X, X[:, 0] - 2.0 * X[:, 3] + 0.1 * rng.normal(size=n)


def clone_all(kind):
    return [clone(learner) for learner in KINDS[kind]]


@pytest.mark.parametrize("kind", KINDS)
def test_a_sweep_equals_fit(kind):
    X, y = table()
    alone = [learner.fit(X, y) for learner in clone_all(kind)]
    sweep = Sweep(KINDS[kind], X.shape[1]).learn(X, y, 0, 100).learn(X, y, 100)
    for together, fitted in zip(sweep.learners, alone, strict=True):
        np.testing.assert_array_equal(together.coef_, fitted.coef_)
        assert together.intercept_ == fitted.intercept_
        assert repr(together.observed_) == repr(fitted.observed_)
    expected = [np.mean((fitted.predict(X) - y) ** 2) for fitted in alone]
    np.testing.assert_allclose(sweep.errors(X, y), expected, rtol=1e-5)


@pytest.mark.parametrize("kind", KINDS)
def test_learning_from_all_rows_but_a_part_equals_a_new_sweep_without_them(kind):
    X, y = table()
    parts = [(0, 200), (200, 400), (400, len(y))]  # the first two leave out equally many rows
    sweep, seen = Sweep(clone_all(kind), X.shape[1]), []
    for start, stop in sweep.learn_others(X, y, parts):
        seen.append((start, stop))
        others = np.r_[0:start, stop : len(y)]
        alone = Sweep(clone_all(kind), X.shape[1]).learn(X[others], y[others])
        for shared, new in zip(sweep.learners, alone.learners, strict=True):
            np.testing.assert_array_equal(shared.coef_, new.coef_)
            assert shared.intercept_ == new.intercept_
            assert repr(shared.observed_) == repr(new.observed_)
    assert seen == parts


def test_learners_of_two_classes_are_refused():
    with pytest.raises(ValueError, match=r"learners of one class, not \['AER', 'AERR'\]"):
        Sweep([kh.AER(4), kh.AERR(4)], 12)


def test_a_bad_value_stops_a_sweep():
    X, y = table()
    X[:, :] = np.nan
    with pytest.raises(ValueError, match="not a finite number"):
        Sweep([kh.AER(4)], X.shape[1]).learn(X, y)
