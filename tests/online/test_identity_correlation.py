"""IdentityCorrelation: an unbiased estimate of E[y x], which is right for uncorrelated attributes only."""

import itertools

import numpy as np
import pytest

import keyhole as kh
from keyhole.compiled import copied
from keyhole.observe.ask import X_ESTIMATE, Ask


def test_estimate_averages_to_the_product_over_all_subsets():
    d, k, x, y = 5, 3, np.array([0.7, -1.3, 0.4, 2.0, -0.1]), 0.9
    learner = kh.IdentityCorrelation(k, scaling="none", random_state=0).start(d)
    own = learner.ask()
    np.testing.assert_allclose(own.weights, d / k)
    np.testing.assert_allclose(own.probabilities, k / d)
    state, total = learner.state_, np.zeros(d)
    subsets = list(itertools.combinations(range(d), k))
    for subset in subsets:
        learner.state_ = copied(state)
        chosen = np.array(subset, dtype=np.int64)
        ask = Ask(chosen, np.empty(0), np.arange(k), np.full(k, X_ESTIMATE), np.full(k, d / k), np.empty(0))
        learner._tell(ask, x[chosen], y)
        total += learner.state_.total / len(subsets)
    np.testing.assert_allclose(total, y * x, rtol=1e-12)


def test_correlated_attributes_are_counted_twice():
    rng = np.random.default_rng(0)
    one = rng.normal(size=20_000)
    X = np.column_stack([one, one, rng.normal(size=20_000)])
    learner = kh.IdentityCorrelation(2, scaling="none", random_state=0).fit(X, one)
    assert learner.coef_ == pytest.approx([1.0, 1.0, 0.0], abs=0.05)


def test_before_the_first_example_weights_are_zero():
    assert not kh.IdentityCorrelation(2).start(4).coef_.any()
