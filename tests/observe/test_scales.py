"""Running means and scales, against plain loops over what was revealed."""

import numpy as np
import pytest

from keyhole.observe.scales import (
    COUNT,
    EXTRA,
    LIMIT,
    STRANGE,
    Scales,
    attribute_scales,
    carried_over,
    has_spread,
    in_scale,
    intercept_of,
    label_scale,
    new_scales,
    observe,
    out_of_scale,
    predicted_label,
    scaled_label,
    scaled_values,
    unscale,
)


def stream(n=40, d=5, seed=0):
    """Attributes and values revealed of each example, with its label."""
    rng = np.random.default_rng(seed)
    for _ in range(n):
        attributes = rng.permutation(d)[:2]
        yield attributes, rng.normal(3.0, 2.0, size=2) * (1 + attributes), float(rng.normal(10.0, 4.0))


def seen_scales(**settings):
    scales, values, labels = new_scales(5, "running"), [[] for _ in range(5)], []
    for attributes, revealed, label in stream(**settings):
        observe(scales, attributes, revealed, label)
        labels.append(label)
        for i, value in zip(attributes, revealed, strict=True):
            values[i].append(value)
    return scales, values, labels


def test_counts_means_and_squares_are_those_of_all_revealed_values():
    scales, values, labels = seen_scales()
    for row, mine in zip([*scales.attributes, scales.label], [*values, labels], strict=True):
        count, mean, squares, largest = row
        assert (count, mean) == (len(mine), pytest.approx(np.mean(mine)))
        assert squares == pytest.approx(np.sum((np.array(mine) - np.mean(mine)) ** 2))
        # The distances of values when they came, from the mean so far.
        running = [abs(mine[t] - np.mean(mine[: t + 1])) for t in range(len(mine))]
        assert largest == pytest.approx(max(running))


def test_the_scale_has_observations_at_the_largest_deviation_and_a_guard():
    scales, _, labels = seen_scales()
    count, _, squares, largest = scales.attributes.T
    wanted = np.sqrt((squares + EXTRA * largest**2) / (count + EXTRA) + (largest / LIMIT) ** 2)
    np.testing.assert_allclose(attribute_scales(scales), wanted)
    assert label_scale(scales) == pytest.approx(np.std(labels))


def test_z_is_0_before_the_first_value_and_never_above_the_limit():
    scales = new_scales(3, "running")
    assert scaled_values(scales, np.array([0, 2]), np.array([5.0, -1e9])).tolist() == [0.0, 0.0]
    for _ in range(1000):
        observe(scales, np.array([0]), np.array([1.0]), 0.0)
    (z,) = scaled_values(scales, np.array([0]), np.array([1e9]))
    assert 0 < z < LIMIT
    assert scaled_values(scales, np.array([0]), np.array([1.0])).tolist() == [0.0]


def test_units_and_zeros_do_not_matter():
    plain, other = new_scales(5, "running"), new_scales(5, "running")
    for attributes, values, label in stream():
        one = scaled_values(plain, attributes, values)
        two = scaled_values(other, attributes, 1000 * values - 7)
        np.testing.assert_allclose(two, one, rtol=1e-8, atol=1e-10)
        assert scaled_label(other, 50 * label + 3) == pytest.approx(scaled_label(plain, label))
        observe(plain, attributes, values, label)
        observe(other, attributes, 1000 * values - 7, 50 * label + 3)


def test_weights_in_z_and_coefficients_predict_the_same():
    scales, _, _ = seen_scales()
    weights, x = np.random.default_rng(1).normal(size=5), np.random.default_rng(2).normal(3.0, 1.0, size=5)
    coef, intercept = unscale(scales, weights)
    z = (x - scales.attributes[:, 1]) / attribute_scales(scales)
    assert coef @ x + intercept == pytest.approx(predicted_label(scales, weights @ z))
    assert intercept == intercept_of(scales, out_of_scale(scales, weights))
    np.testing.assert_allclose(in_scale(scales, coef), weights)
    label = 17.0
    assert predicted_label(scales, scaled_label(scales, label)) == pytest.approx(label)


def test_weights_are_carried_over_to_later_scales():
    scales, _, _ = seen_scales()
    early = Scales(scales.attributes.copy(), scales.label.copy())
    for attributes, values, label in stream(200, seed=1):
        observe(scales, attributes, values, label)
    weights = np.random.default_rng(1).normal(size=5)
    carried = carried_over(early, scales, weights)
    assert (attribute_scales(scales) < STRANGE * attribute_scales(early)).all()
    np.testing.assert_allclose(out_of_scale(scales, carried), out_of_scale(early, weights))


def test_where_a_scale_has_grown_far_the_weight_in_z_is_kept():
    early, _, _ = seen_scales()
    late = Scales(early.attributes.copy(), early.label.copy())
    observe(late, np.array([2]), np.array([1e6]), float(early.label[1]))
    weights = np.ones(5)
    carried = carried_over(early, late, weights)
    labels = label_scale(early) / label_scale(late)
    assert carried[2] == pytest.approx(labels)
    np.testing.assert_allclose(carried[[0, 1, 3, 4]], labels)  # their scales are as they were


def test_without_scaling_nothing_is_scaled():
    scales = new_scales(5, "none")
    observe(scales, np.array([1]), np.array([3.0]), 2.0)
    assert (len(scales.attributes), scales.label[COUNT]) == (0, 0)
    values = np.array([3.0, -1.0])
    np.testing.assert_array_equal(scaled_values(scales, np.array([1, 2]), values), values)
    assert (scaled_label(scales, 2.5), predicted_label(scales, 2.5), label_scale(scales)) == (2.5, 2.5, 1.0)
    weights = np.arange(5.0)
    for same in (out_of_scale(scales, weights), in_scale(scales, weights), carried_over(scales, scales, weights)):
        np.testing.assert_array_equal(same, weights)
    assert unscale(scales, weights)[1] == 0.0


def test_before_any_spread_of_the_labels_there_are_no_weights():
    scales = new_scales(2, "running")
    observe(scales, np.array([0]), np.array([1.0]), 5.0)
    observe(scales, np.array([0]), np.array([2.0]), 5.0)
    assert scaled_label(scales, 7.0) == 0.0
    assert in_scale(scales, np.ones(2)).tolist() == [0.0, 0.0]
    assert out_of_scale(scales, np.ones(2)).tolist() == [0.0, 0.0]


def test_a_scale_that_rests_on_one_value_has_no_spread():
    scales = new_scales(3, "running")
    for t in range(40):
        observe(scales, np.arange(3), np.array([t % 7, float(t == 5), 2.0]), 0.0)
    np.testing.assert_array_equal(has_spread(scales), [True, False, False])
