"""AESVR: a budget that holds in expectation, its l1 form, and what Lemma 4.1 of its paper allows."""

import math

import numpy as np
import pytest

import keyhole as kh
from keyhole.observe.ask import X_ESTIMATE


def test_nothing_is_revealed_for_the_derivative_at_zero():
    ask = kh.AESVR(7, random_state=0).start(8).ask()
    assert (ask.roles == X_ESTIMATE).all()


@pytest.mark.parametrize("norm", ["l2", "l1"])
@pytest.mark.parametrize("reveal_zero_terms", [False, True])
def test_budget_holds_in_expectation(norm, reveal_zero_terms):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(4000, 40))
    given = {"norm": norm, "reveal_zero_terms": reveal_zero_terms, "radius": 0.3, "accuracy": 2.0}
    learner = kh.AESVR(10, **given, random_state=0).fit(X, X[:, 0])
    assert learner.observed_.mean_per_example <= 10
    assert learner.observed_.max_per_example > 4  # more than the draws for x


def test_in_an_l1_ball_a_sparse_predictor_is_learned():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(20_000, 30))
    learner = kh.AESVR(10, radius=1.0, accuracy=2.0, norm="l1", scaling="none", random_state=0).fit(X, 0.5 * X[:, 3])
    assert np.abs(learner.coef_).sum() <= 1.0 + 1e-9
    assert np.argmax(np.abs(learner.coef_)) == 3
    assert learner.coef_[3] > 0.3


def test_lemma_4_1_does_not_hold_as_printed():
    """At d = 1, x = 1, w = B and y = -B every estimate of w'x - y is 2 B, whatever N is: the exact second moment of
    GenEst for the error function is 2 sum of a_n^2 2^n (2 B)^(2n), and exceeds the bound of the lemma's proof."""
    moments, allowed = [], []
    for B in (2, 4, 8):
        terms = [
            2 * (math.log(2 / math.sqrt(math.pi)) - math.lgamma(m + 1) - math.log(2 * m + 1))
            + (2 * m + 1) * math.log(2 * (2 * B) ** 2)
            for m in range(3000)
        ]
        moments.append(math.log(2) + np.logaddexp.reduce(terms))
        nu = 2 * math.log2(math.ceil(4 * B**2))
        at_one = sum(2 / math.sqrt(math.pi) / (math.factorial(m) * (2 * m + 1)) for m in range(60))
        allowed.append(2 * nu * math.log(4 * B) + math.log(2 * at_one**2))
    np.testing.assert_allclose(moments, [57.1, 247.0, 1012.9], atol=0.05)
    np.testing.assert_allclose(allowed, [35.0, 68.2, 112.6], atol=0.05)
    # What does hold: with E[theta~^2] <= M the second moment is at most (16 M / pi) exp(4 M).
    for B, moment in zip((2, 4, 8), moments, strict=True):
        M = 4 * B**2
        assert moment <= math.log(16 * M / math.pi) + 4 * M
