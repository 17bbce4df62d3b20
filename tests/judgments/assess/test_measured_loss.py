"""The measured loss is that of least squares on held-out objects; shuffling keeps cells together."""

import numpy as np
import pytest

from keyhole.judgments import Judgments, as_judgments
from keyhole.judgments.assess.measured_loss import measured_loss, shuffled


def test_the_loss_is_the_mean_squared_error_of_least_squares(random_instance):
    values, y = random_instance(1, d=3, m=40, k=4)
    table = as_judgments(values)
    train, test = np.arange(25), np.arange(25, 40)
    repeats = np.array([4, 0, 2])
    loss = measured_loss(table.keep_objects(train), y[train], table.keep_objects(test), y[test], repeats)
    features = np.column_stack([np.ones(40), values[:, 0].mean(axis=1), values[:, 2, :2].mean(axis=1)])
    coef = np.linalg.lstsq(features[train], y[train], rcond=None)[0]
    assert loss == pytest.approx(np.mean((features[test] @ coef - y[test]) ** 2), rel=1e-9)


def test_shuffled_cells_have_the_same_judgments_in_another_order():
    values = np.array([[[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]], [[7.0, 8.0, np.nan, np.nan, np.nan, np.nan]]])
    worker = np.where(np.isnan(values), -1, np.nan_to_num(values)).astype(int)
    table = Judgments(values, ["a", "b"], ["x"], worker, tuple("abcdefghi"))
    mixed = shuffled(table, np.random.default_rng(0))
    assert sorted(mixed.values[0, 0]) == [1, 2, 3, 4, 5, 6]
    assert mixed.values[0, 0].tolist() != [1, 2, 3, 4, 5, 6]
    np.testing.assert_array_equal(np.isnan(mixed.values[1, 0]), [False, False, True, True, True, True])
    present = ~np.isnan(mixed.values)
    np.testing.assert_array_equal(mixed.worker[present], mixed.values[present])
    np.testing.assert_array_equal(mixed.values, shuffled(table, np.random.default_rng(0)).values)
