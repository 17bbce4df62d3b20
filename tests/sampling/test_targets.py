import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from keyhole.sampling import inclusion_targets


def capped_one_by_one(shares, k, ceiling):
    """The plain way: cap whatever is above the ceiling, share out the rest, and repeat."""
    capped = np.zeros(len(shares), dtype=bool)
    while True:
        left = k - ceiling * capped.sum()
        targets = np.where(capped, ceiling, shares * left / max(shares[~capped].sum(), 1e-300))
        if np.all(targets <= ceiling * (1 + 1e-12)):
            return targets
        capped |= targets > ceiling


@settings(deadline=None)
@given(
    st.lists(st.floats(1e-3, 1e3), min_size=1, max_size=12),
    st.sampled_from([0.0, 0.2, 1.0]),
    st.sampled_from([0.0, 0.5, 1.0]),
    st.data(),
)
def test_equals_capping_one_by_one(weights, floor, looseness, data):
    weights = np.array(weights)
    d, k = len(weights), data.draw(st.integers(1, len(weights)))
    ceiling = k / d + looseness * (1 - k / d)
    targets = inclusion_targets(weights, k, floor, ceiling)
    shares = floor / d + (1 - floor) * weights / weights.sum()
    assert targets == pytest.approx(capped_one_by_one(shares, k, ceiling), rel=1e-9)
    assert targets.sum() == pytest.approx(k, rel=1e-11)
    assert np.all((targets > 0) & (targets <= ceiling))
    assert np.all(targets >= min(floor * k / d, ceiling) * (1 - 1e-12))


@pytest.mark.parametrize("scale", [1e-300, 1.0, 1e300])
def test_units_do_not_matter(scale):
    weights = np.array([10.0, 1.0, 1.0, 2.0])
    assert inclusion_targets(scale * weights, 2) == pytest.approx([1.0, 0.25, 0.25, 0.5], rel=1e-14)


def test_certain_ones_are_exactly_one():
    targets = inclusion_targets(np.array([1e6, 1.0, 1.0, 1e5, 1.0]), 3)
    assert targets[0] == targets[3] == 1.0
    assert targets[[1, 2, 4]] == pytest.approx([1 / 3] * 3)


def test_all_of_them_and_none_but_the_floor():
    assert inclusion_targets(np.array([1.0, 5.0, 0.1]), 3).tolist() == [1.0, 1.0, 1.0]
    assert inclusion_targets(np.zeros(4), 2, floor=1.0).tolist() == [0.5] * 4


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([1.0, -2.0], 1), "number 1 is -2.0"),
        (([1.0, np.nan], 1), "number 1 is nan"),
        (([1.0, 2.0], 3), "number of weights, 2; got 3"),
        (([1.0, 2.0], 0), "got 0"),
        (([1.0, 2.0], 1, 1.5), "floor must be between 0 and 1; got 1.5"),
        (([1.0, 2.0, 3.0], 2, 0.0, 0.5), "ceiling must be between k / d, 0.66.*; got 0.5"),
        (([1.0, 0.0], 1), "number 1 is 0.0, so it would never be drawn"),
        (([0.0, 0.0], 1, 0.5), "all zero"),
        (([[1.0]], 1), r"shape \(1, 1\)"),
    ],
)
def test_bad_input_is_named(arguments, message):
    weights, *rest = arguments
    with pytest.raises(ValueError, match=message):
        inclusion_targets(np.array(weights), *rest)
