"""AER: the regularisation, as its Notes state it."""

import numpy as np
import pytest

import keyhole as kh
from keyhole.online.kernels.aer import AERRule, regularisation


def test_the_theorems_regularisation_is_for_unscaled_attributes_and_an_expected_number_of_examples():
    B, d, m, k = 2.0, 30, 500, 4
    rule = kh.AER(k, B, scaling="none", n_expected=m).start(d).rule_
    assert rule.reg == pytest.approx((B + 1) * d / B * np.sqrt(np.log(m) / (m * k)))
    for other in (kh.AER(k, B), kh.AER(k, B, scaling="none"), kh.AER(k, B, n_expected=m)):
        assert np.isnan(other.start(d).rule_.reg)
    assert kh.AER(k, B, 0.7, scaling="none", n_expected=m).start(d).rule_.reg == 0.7


@pytest.mark.parametrize(("horizon", "T"), [(0.0, 25), (10.0, 25), (400.0, 400)])
def test_adaptive_regularisation(horizon, T):
    rule = AERRule(half=2, radius=2.0, reg=np.nan, horizon=horizon)
    G, B2 = np.sqrt(9.0), 2.0 / 16**0.25
    expected = G / B2 * np.sqrt(np.log(T + 1) / T)
    assert regularisation(rule, 9.0 * 25, 25.0, 16) == pytest.approx(expected)


def test_an_odd_budget_uses_one_attribute_fewer():
    X = np.random.default_rng(0).normal(size=(200, 12))
    assert kh.AER(5, random_state=0).fit(X, X[:, 0]).observed_.max_per_example == 4
