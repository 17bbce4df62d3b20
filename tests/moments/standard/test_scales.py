"""Means and scales of attributes and labels, from revealed cells alone."""

import warnings

import numpy as np
import pytest

from keyhole.moments.standard.scales import (
    LEAST_OBSERVATIONS,
    SCALE_CAUTION,
    Scales,
    effective_observations,
    label_scales,
    scales_of,
)
from keyhole.moments.standard.values import RAW
from keyhole.observe.cells import Cells, summarised
from moments.conftest import cells_of, with_holes


def test_means_and_deviations_are_those_of_the_revealed_cells():
    rng = np.random.default_rng(0)
    X, y = with_holes(rng.normal(3.0, 2.0, size=(500, 4)), 2), rng.normal(5.0, 3.0, size=500)
    scales = scales_of(RAW, cells_of(X, y), y[:, None], 4)
    np.testing.assert_allclose(scales.mean, np.nanmean(X, axis=0))
    z = (X - np.nanmean(X, axis=0)) / np.nanstd(X, axis=0)
    observations = np.sum(~np.isnan(X), axis=0) ** 2 / np.nansum(z**4, axis=0)
    np.testing.assert_allclose(scales.scale, np.nanstd(X, axis=0) * (1 + SCALE_CAUTION / observations))
    np.testing.assert_allclose((scales.label_mean[0], scales.label_scale[0]), (y.mean(), y.std()))
    assert scales.used.tolist() == [0, 1, 2, 3]


def test_effective_observations_are_a_third_of_gaussian_values_and_one_of_a_single_value():
    values = np.column_stack([np.random.default_rng(0).normal(size=30_000), np.zeros(30_000), np.zeros(30_000)])
    values[17, 1] = 5.0
    cells = cells_of(values, np.zeros(30_000))
    found = effective_observations(cells, summarised(cells.attributes, cells.values, 4), 4)
    assert found[0] == pytest.approx(10_000, rel=0.05)
    assert found[1] == pytest.approx(1.0, rel=1e-3)
    assert found[2:].tolist() == [0.0, 0.0]  # always the same, and never revealed


def test_an_attribute_takes_part_when_its_spread_rests_on_enough_values():
    X = np.zeros((1000, 3))
    X[0, 1] = 1.0
    X[:4, 2] = 1.0
    cells = cells_of(X, np.zeros(1000))
    assert scales_of(RAW, cells, np.zeros((1000, 1)), 3).used.tolist() == [2]
    assert scales_of(RAW, cells, np.zeros((1000, 1)), 3, least_observations=0.5).used.tolist() == [1, 2]
    assert LEAST_OBSERVATIONS == 3.0


def test_units_and_zeros_of_attributes_change_no_standardised_value():
    X, y = np.random.default_rng(0).normal(size=(60, 3)), np.zeros((60, 1))
    plain = scales_of(RAW, cells_of(X, y[:, 0]), y, 3)
    other = scales_of(RAW, cells_of(1000 * X - 7, y[:, 0]), y, 3)
    np.testing.assert_allclose(other.scale, 1000 * plain.scale, rtol=1e-12)
    np.testing.assert_allclose(other.mean, 1000 * plain.mean - 7, rtol=1e-12)


def test_equal_labels_have_the_scale_zero_in_spite_of_rounding():
    labels = np.column_stack([np.full(7, 0.1), np.arange(7)])
    assert label_scales(labels).tolist() == [0.0, 2.0]


def test_before_the_first_example_nothing_is_used():
    scales = scales_of(RAW, Cells(), np.empty((0, 2)), 3)
    assert isinstance(scales, Scales)
    assert scales.used.tolist() == []
    assert scales.label_scale.tolist() == [0.0, 0.0]


def test_with_a_common_unit_every_column_has_one_scale():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(400, 4)) * [1.0, 2.0, 5.0, 0.0], rng.normal(size=400)
    scales = scales_of(RAW, cells_of(X, y), y[:, None], 4, common_unit=True)
    own = scales_of(RAW, cells_of(X, y), y[:, None], 4)
    # The root mean square of the standard deviations, with the caution of each.
    common = np.sqrt(np.mean(X.var(axis=0)))
    np.testing.assert_allclose(scales.scale[:3], common * own.scale[:3] / X.std(axis=0)[:3])
    assert scales.scale[3] == 0.0  # what never varies takes no part in any unit
    np.testing.assert_array_equal(scales.mean, own.mean)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        huge = scales_of(RAW, cells_of(1e300 * X, y), y[:, None], 4, common_unit=True)
        nothing = scales_of(RAW, Cells(), np.empty((0, 1)), 4, common_unit=True)
    np.testing.assert_allclose(huge.scale, 1e300 * scales.scale)
    assert nothing.used.tolist() == []


def test_predictions_are_held_within_the_labels_seen():
    y = np.array([3.0, -1.0, 5.0])
    scales = scales_of(RAW, cells_of(np.ones((3, 1)), y), y[:, None], 1)
    assert (scales.label_low.tolist(), scales.label_high.tolist()) == ([-1.0], [5.0])
    held = scales.held(np.array([-7.0, 0.5, 9.0, np.nan, np.inf]))
    np.testing.assert_array_equal(held, [-1.0, 0.5, 5.0, np.nan, np.inf])  # what is not finite is for the caller
    free = Scales(np.zeros(1), np.ones(1), np.zeros(1), np.ones(1))
    np.testing.assert_array_equal(free.held(np.array([-1e9, 1e9])), [-1e9, 1e9])
