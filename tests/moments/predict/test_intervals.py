"""Intervals around predictions."""

import warnings

import numpy as np
import pytest

import keyhole as kh
from keyhole.moments.predict.held_out import HeldOut
from keyhole.moments.predict.intervals import half_widths

NOTHING = HeldOut(np.empty(0), np.empty(0), np.empty(0))
SHARES = np.array([0.01, 0.1, 0.33, 0.7, 0.95, 1.0])


def test_gaussian_labels_have_gaussian_intervals():
    labels = np.random.default_rng(0).normal(size=20_000)
    np.testing.assert_allclose(half_widths(SHARES, 0.9, labels, NOTHING), 1.645 * np.sqrt(SHARES), rtol=0.02)


@pytest.mark.parametrize("level", [0.5, 0.9])
def test_errors_of_two_valued_labels_are_covered(level):
    rng = np.random.default_rng(0)
    labels = np.where(rng.random(50_000) < 0.4, 1.0, -1.0)
    labels = (labels - labels.mean()) / labels.std()
    for v in SHARES[:-1]:
        predicted = (1 - v) * labels + np.sqrt(v * (1 - v)) * rng.normal(size=len(labels))
        width = half_widths(np.array([v]), level, labels, NOTHING)[0]
        assert np.mean(np.abs(labels - predicted) <= width) == pytest.approx(level, abs=0.012)
    # With nothing known, the interval must reach to the rarer of the two.
    assert half_widths(np.ones(1), 0.9, labels, NOTHING)[0] == pytest.approx(np.abs(labels).max())


def test_held_out_rows_widen_but_never_narrow():
    labels, v = np.random.default_rng(0).normal(size=2000), np.full(2000, 0.5)
    plain = half_widths(v[:1], 0.9, labels, NOTHING)
    for factor, wanted in ((2.0, 2.0), (0.5, 1.0)):
        rows = HeldOut(np.zeros(2000), factor * np.sqrt(0.5) * labels, v)
        np.testing.assert_allclose(half_widths(v[:1], 0.9, labels, rows), wanted * plain, rtol=0.06)


@pytest.mark.parametrize("level", [0, 1, 90, "much"])
def test_wrong_levels(learner, level):
    with pytest.raises(ValueError, match="between 0 and 1"):
        learner.predict_interval(np.zeros((1, 12)), level)


@pytest.mark.parametrize("n_examples", [0, 1])
def test_before_the_second_example_anything_is_possible(n_examples):
    learner = kh.KeyholeRegressor(1, random_state=0).start(4)
    for _ in range(n_examples):
        ask = learner.ask()
        learner.tell(ask, values=[0.3], label=2.0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        predicted, std = learner.predict(np.full((1, 4), np.nan), return_std=True)
        interval = learner.predict_interval(np.zeros((1, 4)))
    assert predicted == [2.0 * n_examples]
    assert std == [np.inf]
    assert interval.tolist() == [[-np.inf, np.inf]]


@pytest.mark.filterwarnings("error::RuntimeWarning")
def test_a_table_with_holes_and_few_rows_has_intervals():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(1150, 20))
    y = X[:, :4] @ [2.0, -1.5, 1.0, 1.0] + 0.3 * rng.normal(size=1150)
    holes = np.where(np.random.default_rng(3).random(X.shape) < 0.6, np.nan, X)
    learner = kh.KeyholeRegressor(random_state=0).fit(holes[:150], y[:150])
    for table in (X[150:], holes[150:]):
        low, high = learner.predict_interval(table).T
        assert 0.8 < np.mean((low <= y[150:]) & (y[150:] <= high)) < 0.98
