"""DualAveraging: sparse weights in a ball, and what each variant needs beside the support."""

import numpy as np
import pytest

import keyhole as kh
from keyhole.sparse.dual_kernel import weight_divisor
from sparse.stream import TRUTH, X, Y


@pytest.mark.parametrize("variant", [1, 2, 3])
def test_weights_are_sparse_and_in_the_ball(variant):
    learner = kh.DualAveraging(8, 4, variant, radius=0.3, scaling="none", random_state=0).fit(X[:3000], Y[:3000])
    assert np.linalg.norm(learner.coef_) <= 0.3 * (1 + 1e-9)
    assert 1 <= len(learner.support_) <= 4


def test_the_l1_term_moves_weights_towards_zero():
    settings = {"scaling": "none", "random_state": 0}
    strong = kh.DualAveraging(8, 4, 3, l1=10.0, **settings).fit(X[:300], Y[:300])
    assert len(strong.support_) == 0
    np.testing.assert_array_equal(strong.predict(X[:3]), 0.0)


def test_the_growing_threshold_is_of_the_order_of_the_root_of_the_examples():
    """In the coordinates of the sum of gradients; four times as many examples about double it."""
    thresholds = []
    for n in (3000, 12_000):
        learner = kh.DualAveraging(8, 4, 5, threshold="growing", scaling="none", random_state=0).fit(X[:n], Y[:n])
        thresholds.append(0.01 * np.sqrt(learner.state_.numbers[2]))
        eta, divisor = learner.state_.eta, weight_divisor(learner.state_, learner.rule_)
        kept = np.argsort(-np.abs(eta))[:4]
        expected = np.maximum(np.abs(eta[kept]) - thresholds[-1], 0) / divisor
        np.testing.assert_allclose(np.abs(learner.coef_[kept]), expected, rtol=1e-9)
    assert 1.6 < thresholds[1] / thresholds[0] < 2.4


@pytest.mark.parametrize("variant", [4, 5])
def test_a_support_as_large_as_the_budget(variant):
    """Support and subset are shown by different examples, and the true attributes are found."""
    learner = kh.DualAveraging(4, 4, variant, radius=2.0, scaling="none", random_state=0).fit(X, Y)
    assert learner.observed_.max_per_example == 4
    np.testing.assert_array_equal(learner.support_, TRUTH)


def test_room_beside_the_support():
    assert [kh.DualAveraging(8, 4, variant).least_room for variant in (1, 2, 3, 4, 5)] == [1, 2, 2, 0, 0]
    kh.DualAveraging(4, 3, 1).start(10)
    with pytest.raises(ValueError, match="at least 2 more"):
        kh.DualAveraging(4, 3, 2).start(10)
