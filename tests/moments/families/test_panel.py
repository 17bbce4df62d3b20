"""The panel family: ridge regression on complete rows of the attributes that were revealed together most often."""

import numpy as np
import pytest
from sklearn.linear_model import RidgeCV

from keyhole.common.penalties import RIDGE_PENALTIES
from keyhole.moments.families.panel import Panel
from keyhole.moments.families.registry import FAMILIES
from keyhole.moments.families.settings import LEAST_ROWS_PER_WEIGHT
from keyhole.moments.standard.rows import Rows, standardised_rows
from moments.conftest import correlated, random_rows, some_start, training, with_holes

SET = np.array([1, 4, 7])


def with_panel(n=300, every=3, seed=0):
    """Rows that show four random attributes of twelve, and every third one that shows the same three."""
    X, y = correlated(n, seed=seed)
    table = with_holes(X, 4)
    table[::every] = np.where(np.isin(np.arange(12), SET), X[::every], np.nan)
    return X, table, y


def test_it_is_ridge_on_the_complete_rows():
    X, table, y = with_panel()
    data = training(table, y)
    start = FAMILIES["factors"].fit(data, 30)
    found = Panel().fit(data, 30, start)
    assert np.flatnonzero(found.coef[0]).tolist() == SET.tolist()
    shown = ~np.isnan(table[:, SET]).any(axis=1)
    assert shown.sum() >= 100
    # In the scales of the start, since the penalty depends on them.
    Z = (table[shown][:, SET] - start.scales.mean[SET]) / start.scales.scale[SET]
    ridge = RidgeCV(RIDGE_PENALTIES, gcv_mode="svd").fit(Z, (y[shown] - y.mean()) / y.std())
    np.testing.assert_allclose(found.coef[0, SET] * start.scales.scale[SET] / y.std(), ridge.coef_, rtol=1e-6)
    predicted = X[:5] @ found.coef[0] + found.intercept[0]
    by_ridge = ridge.predict((X[:5][:, SET] - start.scales.mean[SET]) / start.scales.scale[SET])
    np.testing.assert_allclose(predicted, y.mean() + y.std() * by_ridge, rtol=1e-6)


def test_its_moments_keep_the_covariance_of_the_start_and_imply_its_weights():
    _, table, y = with_panel()
    data = training(table, y)
    start = FAMILIES["factors"].fit(data, 30)
    joint = Panel().moments(start.joint, standardised_rows(data.cells, data.labels, start.scales))
    everything = np.arange(12)
    np.testing.assert_array_equal(joint.covariance(everything), start.joint.covariance(everything))
    found = Panel().fit(data, 30, start)
    weights = found.coef[0] * start.scales.scale / start.scales.label_scale[0]
    np.testing.assert_allclose(joint.weights()[0], weights, atol=1e-8)


def few_complete(n):
    """n rows that show the attributes 0 and 1, and two that show others."""
    rng = np.random.default_rng(0)
    sets = [np.array([0, 1])] * n + [np.array([2, 3, 4, 5])[: 1 + t % 2] for t in range(2)]
    columns = np.concatenate([np.append(some, 6) for some in sets])
    start = np.concatenate([[0], np.cumsum([len(some) + 1 for some in sets])])
    return Rows(start, columns, rng.normal(size=len(columns)), 7, 1)


@pytest.mark.parametrize("short", [0, 1])
def test_too_few_complete_rows_give_the_mean_label(short):
    rows = few_complete(3 * LEAST_ROWS_PER_WEIGHT - short)
    labels = rows.labels[: rows.n_rows - 2, 0]
    rows.values[rows.start[1:-2] - 1] = labels + rows.values[rows.start[:-3]] * 5.0  # attribute 0 makes the label
    joint = Panel().moments(some_start(), rows)
    assert joint.weights()[0, :2].any() == (short == 0)
    if short:
        np.testing.assert_allclose(joint.weights(), 0.0, atol=1e-12)
        assert joint.label_mean.tolist() == [0.0]  # in standardised units: the mean label


def test_rows_that_show_nothing_give_the_mean_label():
    n = 50
    labels_alone = Rows(np.arange(n + 1), np.full(n, 6), np.random.default_rng(0).normal(size=n), 7, 1)
    joint = Panel().moments(some_start(), labels_alone)
    np.testing.assert_allclose(joint.weights(), 0.0, atol=1e-12)
    assert joint.label_mean.tolist() == [0.0]


def test_rows_that_are_all_different_give_the_mean_label():
    joint = Panel().moments(some_start(), random_rows(0, 12, 6, 1, 5))
    np.testing.assert_allclose(joint.weights(), 0.0, atol=1e-12)


def test_the_set_follows_from_the_rows_it_is_fitted_to():
    _, table, y = with_panel()
    others = np.array([0, 2])
    table[1::3] = np.nan
    table[1:150:3, others] = correlated(300)[0][1:150:3, others]
    data = training(table, y)
    start = FAMILIES["factors"].fit(data, 30)
    found = Panel().fit(data, 30, start)
    assert np.flatnonzero(found.coef[0]).tolist() == SET.tolist()
    keep = np.arange(300) % 3 != 0
    again = Panel().refit(found, data.where(keep), 30)
    assert np.flatnonzero(again.coef[0]).tolist() == others.tolist()


def test_it_is_tried_with_any_number_of_attributes_and_asks_for_a_fixed_set():
    assert Panel().max_attributes == float("inf")
    assert Panel().shows_fixed_set
