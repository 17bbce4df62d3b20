"""Knots and landmarks of sorted values, against numpy on small arrays."""

import numpy as np
import pytest

from keyhole.moments.standard.knots import (
    LEAST_FOR_SECOND,
    LEAST_FOR_THIRD,
    MAX_KNOTS,
    interpolated,
    knots_of,
    landmarks_of,
)


def sorted_parts(*parts):
    """Values of several attributes, each in ascending order, and where each begins."""
    begins = np.concatenate([[0], np.cumsum([len(part) for part in parts])])
    return begins, np.concatenate([np.sort(np.asarray(part, dtype=float)) for part in parts])


def test_few_distinct_values_are_the_knots_with_the_middle_of_their_ranks():
    knots = knots_of(*sorted_parts([3, 1, 1, 2], [], [7, 7]))
    assert knots.first.tolist() == [0, 3, 3, 4]
    assert knots.values.tolist() == [1, 2, 3, 7]
    # Of four values, the two smallest are equal: the middle of [0, 2] / 4, then of [2, 3] / 4 and of [3, 4] / 4.
    assert knots.ranks.tolist() == [0.25, 0.625, 0.875, 0.5]


def test_up_to_64_distinct_values_all_are_knots():
    values = np.random.default_rng(0).permutation(np.repeat(np.arange(MAX_KNOTS), 30))
    np.testing.assert_array_equal(knots_of(*sorted_parts(values)).values, np.arange(MAX_KNOTS))


@pytest.mark.parametrize("n", [65, 200, 100_000])
def test_of_many_values_the_ends_and_even_ranks_are_knots(n):
    x = np.random.default_rng(0).standard_cauchy(n)
    knots = knots_of(*sorted_parts(x))
    x = np.sort(x)
    assert len(knots.values) <= MAX_KNOTS
    at = np.searchsorted(x, knots.values)
    np.testing.assert_array_equal(x[at], knots.values)  # knots are revealed values
    np.testing.assert_allclose(knots.ranks, (at + 0.5) / n)
    ends = [0, 1, 2, 4, 8]
    assert set(ends) <= set(at.tolist())
    assert {n - 1 - t for t in ends} <= set(at.tolist())
    assert np.diff(at).max() <= np.ceil((n - 1) / 39)


def test_landmarks_are_medians_and_order_statistics():
    rng = np.random.default_rng(1)
    parts = [rng.lognormal(size=n) for n in (5, LEAST_FOR_SECOND, LEAST_FOR_THIRD, 301)]
    found = landmarks_of(*sorted_parts(*parts))
    for i, (part, k) in enumerate(zip(parts, (0, 1, 2, 2), strict=True)):
        x = np.sort(part)
        assert (found.low[i], found.high[i]) == (x[k], x[-1 - k])
        assert found.median[i] == pytest.approx(np.median(x))
        distances = np.abs(x - np.median(x))
        assert found.spread[i] == pytest.approx(np.median(distances[distances > 0]))
        upper = x[-1 - k] - np.median(x) >= np.median(x) - x[k]
        from_edge = x - x[k] if upper else x[-1 - k] - x
        assert found.edge_spread[i] == pytest.approx(np.median(from_edge[from_edge > 0]))


def test_a_long_lower_tail_is_measured_from_the_upper_edge():
    x = -np.random.default_rng(2).lognormal(size=100)
    found, mirrored = landmarks_of(*sorted_parts(x)), landmarks_of(*sorted_parts(-x))
    for name, other, sign in (("low", "high", -1), ("median", "median", -1), ("edge_spread", "edge_spread", 1)):
        np.testing.assert_allclose(getattr(found, name), sign * getattr(mirrored, other))


def test_among_many_zeros_the_nearest_others_are_the_edges():
    """One of 98 zeros, 0.5 and 1000: the third value from each end is 0, and no spread would be left."""
    found = landmarks_of(*sorted_parts([0.0] * 98 + [0.5, 1000.0]))
    assert (found.low[0], found.high[0], found.median[0]) == (0.0, 0.5, 0.0)
    assert (found.spread[0], found.edge_spread[0]) == (500.25, 500.25)


def test_equal_values_and_none_have_landmarks_that_divide_nothing_by_0():
    found = landmarks_of(*sorted_parts([4.0] * 50, [], [1.0]))
    assert found.spread.tolist() == found.edge_spread.tolist() == [1.0, 1.0, 1.0]
    assert found.low.tolist() == found.high.tolist() == [0.0, 0.0, 0.0]


def test_interpolation_is_numpys_and_held_at_the_edges():
    rng = np.random.default_rng(3)
    parts = [np.sort(rng.normal(size=n)) for n in (7, 1, 30)]
    begins, knots = sorted_parts(*parts)
    first = np.insert(begins, 2, begins[2])  # the third attribute has no knots
    heights = rng.normal(size=len(knots))
    attributes, values = rng.integers(4, size=500), rng.normal(scale=2.0, size=500)
    found = interpolated(first, knots, heights, attributes, values)
    for i, x, height in zip(attributes, values, found, strict=True):
        inside = slice(first[i], first[i + 1])
        expected = x if i == 2 else np.interp(x, knots[inside], heights[inside])
        assert height == pytest.approx(expected, rel=1e-12, abs=1e-12)
    edges = interpolated(first, knots, heights, np.array([0, 0, 0]), np.array([-1e300, 1e300, np.nan]))
    np.testing.assert_array_equal(edges, [heights[0], heights[6], np.nan])
    np.testing.assert_array_equal(interpolated(begins, knots, heights, np.zeros(7, dtype=int), knots[:7]), heights[:7])
