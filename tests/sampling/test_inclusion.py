"""Against the sum over all subsets: 1e-10 is asked for, relative, of every single pi_ij."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import brentq
from scipy.special import expit

from keyhole.sampling.inclusion import first_order, new_circle, second_order
from sampling.enumeration import inclusion_matrix, subset_probabilities


def computed(working, k):
    working = np.array(working)
    circle = new_circle(working, k)
    joint = second_order(working, circle, k, np.arange(len(working)))
    np.fill_diagonal(joint, first_order(working, circle))
    return joint


CASES = {
    "unequal": ([0.9, 0.5, 0.4, 0.1, 0.6, 0.5], 3),
    "equal": ([0.5] * 6, 3),
    "all halves but one": ([0.5] * 4 + [0.3], 2),
    "nearly equal": ([0.4, 0.4 + 1e-12, 0.4 + 1e-7, 0.4 - 1e-4, 0.4], 2),
    "certain ones": ([1.0, 0.3, 1.0, 0.5, 0.2], 3),
    "one": ([0.7, 0.2, 0.1], 1),
    "all": ([1.0, 1.0, 1.0], 3),
    "all but one": ([0.9, 0.8, 0.7, 0.6], 3),
    "rarely together": ([1 - 1e-9, 0.5, 0.5, 1e-9], 2),
    "a single attribute": ([1.0], 1),
}


@pytest.mark.parametrize("case", CASES)
def test_equals_the_sum_over_all_subsets(case):
    working, k = CASES[case]
    expected = inclusion_matrix(subset_probabilities(working, k), len(working))
    assert computed(working, k) == pytest.approx(expected, rel=1e-10, abs=0.0)


@settings(deadline=None, max_examples=60)
@given(st.lists(st.floats(-8.0, 8.0), min_size=2, max_size=7), st.data())
def test_equals_the_sum_over_all_subsets_whatever_the_odds(log_odds, data):
    k = data.draw(st.integers(1, len(log_odds) - 1))
    shift = brentq(lambda shift: expit(np.add(log_odds, shift)).sum() - k, -30.0, 30.0, xtol=1e-15)
    working = expit(np.add(log_odds, shift))
    expected = inclusion_matrix(subset_probabilities(working, k), len(working))
    assert computed(working, k) == pytest.approx(expected, rel=1e-9, abs=0.0)


@pytest.mark.parametrize(("d", "k"), [(784, 4), (784, 57), (20_000, 200)])
def test_equals_the_closed_form_where_it_is_safe(d, k):
    rng = np.random.default_rng(d + k)
    working = rng.uniform(0.5, 1.5, size=d)
    working *= k / working.sum()
    circle = new_circle(working, k)
    pi, odds = first_order(working, circle), working / (1 - working)
    some = np.argsort(working)[:: d // 8]
    joint = second_order(working, circle, k, some)
    for r, i in enumerate(some):
        for s, j in enumerate(some[:r]):
            closed = (pi[i] * odds[j] - pi[j] * odds[i]) / (odds[j] - odds[i])
            assert joint[r, s] == pytest.approx(closed, rel=1e-8)


@pytest.mark.parametrize("k", [4, 57, 500])
def test_sums_that_every_fixed_size_design_obeys(k):
    d = 784
    working = np.random.default_rng(k).uniform(0.5, 1.5, size=d)
    working *= k / working.sum()
    circle = new_circle(working, k)
    pi, joint = first_order(working, circle), second_order(working, circle, k, np.arange(d))
    assert pi.sum() == pytest.approx(k, rel=1e-12)
    assert joint.sum(axis=1) == pytest.approx((k - 1) * pi, rel=1e-12)
    assert np.array_equal(joint, joint.T)
    assert np.all(joint[~np.eye(d, dtype=bool)] > 0)
