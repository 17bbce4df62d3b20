"""Against the sum over all affordable subsets."""

from itertools import chain, combinations

import numpy as np
import pytest

from keyhole.sampling import cost_targets, new_cost_design, new_generator
from keyhole.sampling.cost_steps import in_steps
from sampling.enumeration import assert_drawn_as, inclusion_matrix


def affordable(design, cost, budget):
    """The probability of each affordable subset, from the definition: independent draws within the budget, times a
    weight that falls with what is left of it."""
    d = len(cost)
    products = {}
    for subset in chain.from_iterable(combinations(range(d), k) for k in range(1, d + 1)):
        drawn = np.isin(np.arange(d), subset)
        left = budget - np.sum(np.asarray(cost)[drawn])
        if left >= -1e-9:
            probability = np.prod(np.where(drawn, design.working, 1 - design.working))
            products[subset] = probability * np.exp(-design.decay * left)
    whole = sum(products.values())
    return {subset: product / whole for subset, product in products.items()}


CASES = {
    "unlike": ([1.0, 1.0, 2.0, 3.0, 2.5], 4.0),
    "equal": ([1.0] * 5, 2.0),
    "tenths": ([0.1, 0.2, 0.3, 0.7, 0.4], 1.0),
    "no common step": ([np.pi, np.e, 1.0, np.sqrt(2), 0.5], 5.0),
    "expensive offers": ([3.0, 3.0, 3.5, 1.0], 4.0),
}


@pytest.mark.parametrize("case", CASES)
def test_exact_probabilities_of_one_and_of_two(case):
    cost, budget = (np.array(CASES[case][0]), CASES[case][1])
    target = cost_targets(np.arange(1.0, 1 + len(cost)), cost, budget, floor=0.3, ceiling=0.9)
    design = new_cost_design(target, cost, budget)
    steps, limit = in_steps(cost, budget)
    expected = inclusion_matrix(affordable(design, steps, limit), len(cost))
    joint = design.joint(np.arange(len(cost)))
    np.testing.assert_allclose(joint, expected, rtol=1e-10)
    # Every pair that can be afforded can come, and no other.
    pairs = steps[:, None] + steps[None, :] <= limit
    np.fill_diagonal(pairs, True)
    np.testing.assert_array_equal(joint > 0, pairs)


@pytest.mark.parametrize("case", CASES)
def test_draws_follow_the_probabilities_and_are_within_the_budget(case):
    cost, budget = (np.array(CASES[case][0]), CASES[case][1])
    design, rng = new_cost_design(np.full(len(cost), 0.4), cost, budget), new_generator(0)
    draws = [design.draw(rng) for _ in range(20_000)]
    assert max(cost[drawn].sum() for drawn in draws) <= budget * (1 + 1e-12)
    probabilities = affordable(design, *in_steps(cost, budget))
    # What is too rare for a chi-square is put together.
    common = {subset: p for subset, p in probabilities.items() if p > 1e-3}
    common[(-1,)] = sum(p for subset, p in probabilities.items() if subset not in common)
    if common[(-1,)] < 1e-3:
        rare = common.pop((-1,))
        assert rare < 1e-3
        draws = [drawn for drawn in draws if tuple(drawn) in common]
    assert_drawn_as([drawn if tuple(drawn) in common else (-1,) for drawn in draws], common)


PRICE_LISTS = {
    "1 and 5": (np.repeat([1.0, 5.0], 10), 8.0),
    "few of 1": (np.repeat([1.0, 5.0], [3, 6]), 8.0),
    "clinic": (np.array([2, 2, 3, 3, 4, 5, 5, 6, 8, 8, 10, 12, 12, 15, 18, 20, 25, 30.0]), 30.0),
    "cents": (np.array([3.35, 4.21, 7.77, 8.9, 12.49, 12.5, 17.03, 18.11, 21.99, 24.0, 31.31, 38.2]), 60.0),
    "1 and 1.0001": (np.repeat([1.0, 1.0001], 10), 4.0),
    "1 and 1.0001, an odd budget": (np.repeat([1.0, 1.0001], 10), 7.0),
    "many": (np.random.default_rng(0).uniform(0.5, 1.5, 120), 30.0),
}


@pytest.mark.parametrize("name", PRICE_LISTS)
@pytest.mark.parametrize("weights", ["equal", "unequal"])
def test_at_least_97_percent_of_what_can_be_packed_is_spent(name, weights):
    cost, budget = PRICE_LISTS[name]
    strength = np.ones(len(cost)) if weights == "equal" else 1.0 + np.arange(len(cost)) % 7
    design = new_cost_design(cost_targets(strength, cost, budget, floor=0.2, ceiling=0.9), cost, budget)
    sums = {0.0}
    for c in cost[:20]:
        sums |= {round(s + c, 6) for s in sums if s + c <= budget * (1 + 1e-12)}
    packed = max(sums) if len(cost) <= 20 else budget
    assert 0.97 * packed <= design.inclusion @ cost <= packed
    joint = design.joint(np.arange(len(cost)))
    pairs = np.add.outer(cost, cost) <= budget * (1 + 1e-12)
    assert (joint[pairs] > 0).all()
    assert design.inclusion.min() > 0.002


def test_a_target_within_reach_is_almost_reached():
    rng = np.random.default_rng(0)
    cost = rng.choice([0.5, 1.0, 2.0, 5.0], size=60)
    target = cost_targets(rng.random(60), cost, 10.0, floor=0.2, ceiling=0.9)
    design = new_cost_design(target, cost, 10.0)
    assert 9.78 <= design.inclusion @ cost <= 10.0
    np.testing.assert_allclose(design.inclusion / target, 0.98, rtol=0.07)


def test_less_is_spent_where_that_is_worth_more():
    cost, target = np.array([3.0, 2.0, 2.0, 2.0]), np.array([0.8, 0.2, 0.2, 0.2])
    assert new_cost_design(target, cost, 4.0).inclusion[0] < 0.15  # two that cost 2 are a full subset
    equal = new_cost_design(target, cost, 4.0, worth=np.ones(4))
    assert equal.inclusion @ cost > 0.97 * 4.0
    better = new_cost_design(target, cost, 4.0, worth=np.array([10.0, 1.0, 1.0, 1.0]))
    assert better.inclusion[0] > 0.5
    assert better.inclusion @ cost > 0.6 * 4.0


def test_targets_cost_the_budget_and_obey_the_ceiling():
    cost = np.array([1.0, 2.0, 4.0, 1.0])
    target = cost_targets(np.array([100.0, 1.0, 1.0, 1.0]), cost, 3.0, floor=0.2, ceiling=0.9)
    assert target @ cost == pytest.approx(3.0)
    assert target[0] == 0.9
    everything = cost_targets(np.ones(4), cost, 100.0, floor=0.2, ceiling=0.9)
    np.testing.assert_array_equal(everything, 0.9)


def test_what_cannot_be_afforded_is_named():
    with pytest.raises(ValueError, match=r"at most the budget, 2.0; number 1 is 3.0"):
        new_cost_design(np.array([0.5, 0.5]), np.array([1.0, 3.0]), 2.0)
