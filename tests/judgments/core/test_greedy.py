"""The greedy choice by rank-one steps against the plain form, in which every candidate gets its own pseudo-inverse."""

import numpy as np
import pytest

from judgments import reference
from keyhole.judgments.core.greedy import buy_greedily
from keyhole.judgments.core.offers import Offer


def population(seed, d=6):
    """A covariance matrix, covariances with a label, and variances of noise."""
    rng = np.random.default_rng(seed)
    root = rng.normal(size=(d, d))
    sigma, weights = root @ root.T, rng.normal(size=d)
    return sigma, sigma @ weights, rng.uniform(0, 3, size=d), float(weights @ sigma @ weights + 1)


def singles(d, cost=1.0, limit=np.inf):
    return [Offer(f"x{a}", np.array([a]), cost, limit) for a in range(d)]


@pytest.mark.parametrize("per_cost", [True, False])
def test_equal_to_the_plain_form_with_costs_and_bundles(per_cost):
    for seed in range(20):
        sigma, b, v, variance = population(seed)
        columns, costs = [[0], [1, 4], [2], [3, 5]], [1.0, 1.5, 0.5, 2.5]
        offers = [
            Offer(str(g), np.array(c), cost, np.inf) for g, (c, cost) in enumerate(zip(columns, costs, strict=True))
        ]
        purchases = buy_greedily(sigma, b, v, offers, 9.0, variance, per_cost)
        plain = list(zip(columns, costs, strict=True))
        bought, _, path = reference.naive_greedy(sigma, b, v, plain, 9.0, variance, per_cost)
        np.testing.assert_array_equal(np.bincount([p.offer for p in purchases], minlength=4), bought)
        np.testing.assert_allclose(np.cumsum([p.gain for p in purchases]), path, rtol=1e-8)


def test_the_gain_is_the_explained_variance():
    sigma, b, v, variance = population(0, d=2)
    purchases = buy_greedily(sigma, b, v, singles(2), 1.0, variance, True)
    assert len(purchases) == 1
    assert purchases[0].gain == pytest.approx(max(b**2 / (np.diag(sigma) + v)))


def test_limits_and_budget_are_kept():
    sigma, b, v, variance = population(1)
    purchases = buy_greedily(sigma, b, v, singles(6, cost=0.1, limit=2), 1.0, variance, True)
    assert len(purchases) == 10  # ten purchases at 0.1 fit a budget of 1
    assert np.bincount([p.offer for p in purchases]).max() == 2


def test_ties_go_to_the_first_offer_and_copies_gain_nothing():
    sigma = np.ones((3, 3))
    purchases = buy_greedily(sigma, np.ones(3), np.zeros(3), singles(3), 5.0, 2.0, True)
    assert [p.offer for p in purchases] == [0]
    assert purchases[0].gain == pytest.approx(1.0)


def test_nothing_is_bought_that_does_not_gain():
    assert buy_greedily(np.eye(2), np.zeros(2), np.ones(2), singles(2), 5.0, 1.0, True) == []
    assert buy_greedily(np.zeros((2, 2)), np.zeros(2), np.zeros(2), singles(2), 5.0, 1.0, True) == []
