"""What a run says about the predictor that it returns."""

import numpy as np
import pytest

import keyhole as kh
from keyhole.observe.scales import out_of_scale
from keyhole.online.kernels.evidence import (
    EXAMPLES,
    INNER,
    OUTER,
    PRODUCTS,
    count_evidence,
    new_evidence,
    supported,
    supported_multiple,
)


def test_with_exact_inner_products_the_sums_are_those_of_the_average():
    """Of one example seen again and again: c = y w'z and V = (w'z)^2, w being the average of all weights."""
    rng = np.random.default_rng(0)
    weights, z, y = rng.normal(size=(7, 4)), rng.normal(size=4), 1.3
    evidence, total = new_evidence(True), np.zeros(4)
    for w in weights:
        count_evidence(evidence, w @ z, w @ z, total @ z, y, y)
        total += w
    average = weights.mean(axis=0)
    assert evidence[EXAMPLES] == 7
    assert evidence[PRODUCTS] / 7**2 == pytest.approx((average @ z) ** 2)
    assert evidence[INNER] / 7 == pytest.approx(y * (average @ z))
    assert evidence[OUTER] / 7 == pytest.approx(y * (average @ z))


@pytest.mark.parametrize(
    "learner",
    [
        kh.AER(4),
        kh.AER(4, average="updated"),
        kh.AERR(4),
        kh.AERR(2),
        kh.AELR(4),
        kh.DDAERR(4, warmup=20),
        kh.DDAELR(4, warmup=20),
        kh.AESVR(8),
        kh.AESVR(8, norm="l1", reveal_zero_terms=True),
        kh.AEAnalytic(6),
    ],
    ids=str,
)
def test_both_estimates_are_unbiased(learner):
    """Over seeds, the estimates have the mean of the covariance and the variance on fresh rows."""
    rng = np.random.default_rng(0)
    mixed = rng.normal(size=(8, 8))
    X = rng.normal(size=(150_000, 8)) @ mixed
    y = X @ rng.normal(size=8) + rng.normal(size=len(X))
    fresh, differences = slice(-2000, None), []
    for seed in range(400):
        rows = slice(300 * seed, 300 * (seed + 1))
        fitted = learner.set_params(random_state=seed).partial_fit(X[:2], y[:2]).start(8)
        fitted.partial_fit(X[rows], y[rows])
        evidence, scales = fitted.state_.evidence, fitted.state_.scales
        f = X[fresh] @ out_of_scale(scales, fitted._average())
        of_label = y[fresh].std()
        c, V = np.cov(f, y[fresh])[0, 1] / of_label**2, f.var() / of_label**2
        differences.append(
            [evidence[INNER] / 300 - c, evidence[OUTER] / 300 - c, evidence[PRODUCTS] / 300**2 - V, abs(c), V]
        )
    mean, error = np.mean(differences, axis=0), np.std(differences, axis=0) / np.sqrt(len(differences))
    # Scales are estimated along the way, so a few percent remain beside the noise.
    assert (np.abs(mean[:3]) <= 4 * error[:3] + 0.1 * mean[[3, 3, 4]]).all(), (mean, error)


def test_the_multiple_is_c_over_v_where_nothing_is_uncertain():
    found = supported(0.4, 0.0, 0.5, 0.0, 0.1)
    assert found.multiple == pytest.approx(0.8)
    assert found.excess == pytest.approx(-2 * 0.8 * 0.4 + 0.8**2 * 0.5)


def test_weak_evidence_is_the_mean_label():
    assert supported(0.4, 0.2, 0.5, 0.0, 0.0) == (0.0, 0.0)
    assert supported(-0.4, 0.01, 0.5, 0.0, 0.0) == (0.0, 0.0)
    assert supported_multiple(new_evidence(True), np.zeros(3)) == 0.0


def test_doubt_makes_the_multiple_smaller():
    sure = supported(0.4, 0.0, 0.5, 0.0, 0.0).multiple
    assert 0 < supported(0.4, 0.1, 0.5, 0.0, 0.0).multiple < sure
    assert 0 < supported(0.4, 0.0, 0.5, 0.4, 0.0).multiple < sure


def test_a_variance_is_at_least_the_squared_covariance_and_not_below_the_squared_norm():
    assert supported(0.5, 0.0, -3.0, 0.0, 0.0).multiple == pytest.approx(2.0)
    assert supported(0.5, 0.0, -3.0, 0.0, 1.0).multiple == pytest.approx(0.5)
