"""Costs in steps: exact where they can be, else rounded up without making much impossible."""

from itertools import chain, combinations

import numpy as np
import pytest

from keyhole.sampling.cost_steps import in_steps, most_packed


def test_costs_with_a_common_step_are_exact():
    steps, limit = in_steps(np.array([0.1, 0.25, 0.7]), 1.0)
    assert (steps.tolist(), limit) == ([2, 5, 14], 20)


@pytest.mark.parametrize("budget", [4.0, 7.0, 13.0])
def test_costs_that_are_almost_equal_lose_no_place(budget):
    cost = np.repeat([1.0, 1.0001], 15)
    steps, limit = in_steps(cost, budget)
    assert limit // steps[0] == budget
    assert limit // steps[-1] == budget - 1
    assert most_packed(steps, limit) == limit


def test_rounding_is_upward_loses_little_and_no_pair():
    rng = np.random.default_rng(0)
    cost = rng.uniform(3.0, 40.0, 60)
    steps, limit = in_steps(cost, 60.0)
    assert (steps * (60.0 / limit) >= cost * (1 - 1e-12)).all()
    assert steps.sum() * (60.0 / limit) <= 1.005 * cost.sum()
    possible = np.add.outer(cost, cost) <= 60.0
    np.testing.assert_array_equal(np.add.outer(steps, steps) <= limit, possible)


def test_the_most_that_can_be_packed_is_that_of_the_best_subset():
    rng = np.random.default_rng(1)
    for _ in range(20):
        cost, limit = rng.integers(3, 30, 7), 41
        sums = [sum(s) for s in chain.from_iterable(combinations(cost.tolist(), k) for k in range(8))]
        assert most_packed(cost, limit) == max(s for s in sums if s <= limit)
