"""Estimates: unbiased by enumeration, exact for uneven counts, safe with weights and empty cells."""

import itertools

import numpy as np
import pytest

from judgments import reference
from keyhole.errors import BadValue
from keyhole.judgments.core.estimated_moments import estimate


def test_internal_variance_is_unbiased_by_enumeration():
    """Two objects, two attributes, two binary judgments of each cell: all 256 outcomes."""
    probability = np.array([[0.2, 0.9], [0.7, 0.4]])
    expected = np.zeros(2)
    for bits in itertools.product((0.0, 1.0), repeat=8):
        values = np.reshape(bits, (2, 2, 2))
        weight = np.prod(np.where(values == 1, probability[:, :, None], 1 - probability[:, :, None]))
        expected += weight * estimate(values, np.array([1.0, -0.5]), ["a", "b"]).v
    np.testing.assert_allclose(expected, (probability * (1 - probability)).mean(axis=0), atol=1e-12)


def test_equal_to_the_plain_moments(random_instance):
    values, y = random_instance(4)
    b, v, sigma, deviation = reference.moments(values, y)
    found = estimate(values, y, [f"x{a}" for a in range(values.shape[1])])
    for ours, plain in ((found.b, b), (found.v, v), (found.sigma, sigma), (found.deviation, deviation)):
        np.testing.assert_allclose(ours, plain, rtol=1e-10, atol=1e-10)


def test_the_path_for_gaps_agrees_with_the_fast_one(random_instance):
    values, y = random_instance(6, k=3)
    plain = estimate(values, y, ["x"] * values.shape[1])
    padded = np.concatenate([values, np.full((*values.shape[:2], 1), np.nan)], axis=2)
    for ours, other in zip(estimate(padded, y, ["x"] * values.shape[1]), plain, strict=True):
        np.testing.assert_allclose(ours, other, rtol=1e-10, atol=1e-12)


def test_an_empty_cell_leaves_the_object_out_of_that_attribute_alone(random_instance):
    values, y = random_instance(7, d=3, m=20, k=2)
    values[0, 1] = np.nan
    names = ["a", "b", "c"]
    found, without = estimate(values, y, names), estimate(values[1:], y[1:], names)
    whole = estimate(values[:, [0, 2]], y, ["a", "c"])
    assert found.v[1] == pytest.approx(without.v[1])
    assert found.sigma[1, 1] == pytest.approx(without.sigma[1, 1])
    assert found.sigma[0, 2] == pytest.approx(whole.sigma[0, 1])
    np.testing.assert_allclose(found.b[[0, 2]], whole.b)


def test_whole_number_weights_on_objects_are_repetitions(random_instance):
    values, y = random_instance(9, m=15)
    weights = np.random.default_rng(0).integers(1, 4, size=15)
    names = ["x"] * values.shape[1]
    weighted = estimate(values, y, names, object_weights=weights.astype(float))
    repeated = estimate(np.repeat(values, weights, axis=0), np.repeat(y, weights), names)
    for ours, other in zip(weighted, repeated, strict=True):
        np.testing.assert_allclose(ours, other, rtol=1e-10, atol=1e-12)


def test_fewer_than_two_judgments_of_an_attribute_everywhere():
    values = np.random.default_rng(0).normal(size=(10, 3, 2))
    values[:, 1, 1] = np.nan
    names = ["a", "b", "c"]
    with pytest.raises(BadValue, match="no object has 2 judgments of attribute 'b'"):
        estimate(values, np.arange(10.0), names)
    values[0, 1, 1] = 0.5  # once is enough
    assert np.isfinite(estimate(values, np.arange(10.0), names).sigma).all()


def test_attributes_never_judged_together():
    values = np.random.default_rng(0).normal(size=(10, 2, 2))
    values[:5, 0] = np.nan
    values[5:, 1] = np.nan
    with pytest.raises(BadValue, match="'x0' and 'x1' were never judged on one object"):
        estimate(values, np.arange(10.0), ["x0", "x1"])


def test_a_constant_attribute_has_no_unit_of_its_own():
    values = np.random.default_rng(0).normal(size=(10, 2, 2))
    values[:, 1] = 1e6
    assert estimate(values, np.arange(10.0), ["a", "b"]).deviation[1] == 1.0
