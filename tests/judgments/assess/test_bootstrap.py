"""The bootstrap: what it promises, on crowds whose truth is known."""

import numpy as np
import pytest

from judgments import reference
from keyhole.common.parameters import ParameterError
from keyhole.errors import BadValue
from keyhole.judgments import MultiSelector, as_judgments, bootstrap


def test_same_seed_same_intervals(random_instance):
    values, y = random_instance(0, m=50)
    first = bootstrap(MultiSelector(6), values, y, n_resamples=30, random_state=4)
    second = bootstrap(MultiSelector(6), values, y, n_resamples=30, random_state=4)
    np.testing.assert_array_equal(first.repeats, second.repeats)
    assert first.loss_interval == second.loss_interval
    assert first.loss_interval[0] < first.loss_interval[1]
    assert first.table()["repeats"] == MultiSelector(6).fit(values, y).repeats_.tolist()


def test_a_clear_choice_is_certain_and_one_between_equal_attributes_is_not():
    rng = np.random.default_rng(0)
    truth = rng.normal(size=(300, 3))
    last_two_equal = np.column_stack([truth[:, 0], truth[:, 1], truth[:, 1]])
    values = last_two_equal[:, :, None] + 0.5 * rng.normal(size=(300, 3, 2))
    table = bootstrap(MultiSelector(2), values, truth[:, 0] + truth[:, 1], 100, random_state=0).table()
    assert table["chosen_share"][0] == 1.0
    assert 0.05 < table["chosen_share"][1] < 0.95
    assert (table["low"][1], table["high"][1]) == (0, 1)


def test_intervals_by_worker_are_wider_when_few_workers_differ(crowd):
    """Six workers of very different severity on which each object's value depends."""
    table, labels = crowd(1, objects=200, workers=6, judgments=2, severity=2.0, noise=0.3)
    judgments = as_judgments(table)
    y = np.array([labels[name] for name in judgments.objects])
    width = {}
    for by in ("objects", "both"):
        low, high = bootstrap(MultiSelector(6), judgments, y, 150, by=by, random_state=0).loss_interval
        width[by] = high - low
    assert width["both"] > 1.3 * width["objects"]


def test_wrong_arguments_are_refused_by_name(random_instance):
    values, y = random_instance(0, m=20)
    with pytest.raises(BadValue, match="resamples of workers require the worker of each judgment"):
        bootstrap(MultiSelector(4), values, y, by="workers")
    with pytest.raises(ParameterError, match="by='faces': bootstrap takes 'objects' or"):
        bootstrap(MultiSelector(4), values, y, by="faces")
    with pytest.raises(ParameterError, match="level=1: bootstrap needs a number between 0 and 1"):
        bootstrap(MultiSelector(4), values, y, level=1)
    with pytest.raises(ParameterError, match="n_resamples=1: bootstrap needs a whole number, 2 or more"):
        bootstrap(MultiSelector(4), values, y, n_resamples=1)


def test_the_interval_covers_the_true_loss():
    """60 samples from a known population: the 90% interval should contain the true loss of the choice."""
    rng = np.random.default_rng(0)
    mixing, weights = rng.normal(size=(4, 4)), np.array([1.0, 0.5, 0.0, 0.2])
    sigma, noise = mixing.T @ mixing, np.array([1.0, 2.0, 1.0, 3.0])
    covered = 0
    for _ in range(60):
        truth = rng.normal(size=(250, 4)) @ mixing
        y = truth @ weights + 0.5 * rng.normal(size=250)
        values = truth[:, :, None] + np.sqrt(noise)[:, None] * rng.normal(size=(250, 4, 2))
        found = bootstrap(MultiSelector(6), values, y, 80, level=0.9, random_state=rng.integers(1 << 30))
        b = sigma @ weights
        explained = reference.objective(sigma, b, noise, found.selector.repeats_)
        low, high = found.loss_interval
        covered += low <= weights @ b + 0.25 - explained <= high
    assert 48 <= covered <= 60  # 54 expected; 48 is 2.6 standard deviations below
