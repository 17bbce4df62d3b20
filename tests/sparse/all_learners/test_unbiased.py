"""Unbiasedness by exact enumeration of all draws at small d, through the compiled kernels."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import keyhole as kh
from keyhole.compiled import copied
from keyhole.observe.ask import INNER_PRODUCT, X_ESTIMATE, Ask
from keyhole.sparse.dantzig_kernel import estimated_moments

D, K, M = 5, 2, 2
X = np.array([0.7, -1.3, 0.4, 2.0, -0.6])
Y = 0.9


def started(learner):
    """A learner with some weights in it."""
    rng = np.random.default_rng(5)
    table = rng.normal(size=(64, D))
    return learner.fit(table, table @ [1.0, -2.0, 0.5, 0.0, 0.3])


def ask_of(support, subset, weights):
    drawn = np.array([*support, *subset], dtype=np.int64)
    attributes, slots = np.unique(drawn, return_inverse=True)
    roles = np.array([INNER_PRODUCT] * len(support) + [X_ESTIMATE] * len(subset), dtype=np.int64)
    return Ask(attributes, np.empty(0), slots.astype(np.int64), roles, weights[drawn], np.empty(0))


def mean_over_asks(learner, asks, reading):
    """The mean over equally likely asks of what a reading of the state is after the tell."""
    state, values = learner.state_, []
    for ask in asks:
        learner.state_ = copied(state)
        learner._tell(ask, X[ask.attributes], Y)
        values.append(reading(learner.state_))
    learner.state_ = state
    return np.mean(values, axis=0)


def dense_weights(learner):
    """All weights of the iterate, as the learner's own asks carry them, and its support."""
    weights, support = np.full(D, np.nan), None
    for _ in range(200):
        ask = learner.ask()
        weights[ask.attributes[ask.slots]] = ask.weights
        support = ask.attributes[ask.slots[ask.roles == INNER_PRODUCT]]
    assert np.isfinite(weights).all()
    return weights, support


@pytest.mark.parametrize("variant", [2, 3])
def test_gradient_of_variants_2_and_3(variant):
    learner = started(kh.DualAveraging(K + M, K, variant, l1=1e-3, scaling="none", random_state=0))
    w, support = dense_weights(learner)
    others = [i for i in range(D) if i not in support]
    asks = [ask_of(support, subset, w) for subset in itertools.combinations(others, M)]
    before = learner.state_.eta.copy()
    gradient = mean_over_asks(learner, asks, lambda state: state.eta - before)
    np.testing.assert_allclose(gradient, 2 * (w @ X - Y) * X, rtol=1e-12)


def test_gradient_of_variant_1():
    learner = started(kh.DualAveraging(K + M, K, scaling="none", random_state=0))
    w, support = dense_weights(learner)
    u = np.where(np.isin(np.arange(D), support), w, 0.0)
    asks = [ask_of(support, subset, w) for subset in itertools.combinations(range(D), M)]
    before = learner.state_.eta.copy()
    gradient = mean_over_asks(learner, asks, lambda state: state.eta - before)
    np.testing.assert_allclose(gradient, 2 * (u @ X - Y) * X, rtol=1e-12)


@pytest.mark.parametrize("k0", [2, 3])
def test_moments_of_dantzig(k0):
    learner = kh.Dantzig(1 + k0, 1, scaling="none", random_state=0).start(D)
    asks = [ask_of([], subset, np.ones(D)) for subset in itertools.combinations(range(D), k0)]
    A = mean_over_asks(learner, asks, lambda state: estimated_moments(state, k0, True)[0])
    b = mean_over_asks(learner, asks, lambda state: estimated_moments(state, k0, True)[1])
    np.testing.assert_allclose(A, np.outer(X, X), rtol=1e-12)
    np.testing.assert_allclose(b, Y * X, rtol=1e-12)
    printed = mean_over_asks(learner, asks, lambda state: estimated_moments(state, k0, False)[0])
    bias = np.where(np.eye(D), 1.0, D * (k0 - 1) / (k0 * (D - 1)))
    np.testing.assert_allclose(printed, np.outer(X, X) * bias, rtol=1e-12)


@pytest.mark.parametrize("blocks", ["random", "contiguous"])
def test_the_blocks_of_a_round_make_the_whole_gradient(blocks):
    """A batch of one example per block, all alike: the gradient is that of the example, whatever the partition."""
    learner = kh.Exploration(K + M, K, step_size=0.01, batch_size=1, growth=1, blocks=blocks, scaling="none")
    learner = started(learner.set_params(random_state=0))
    while learner.state_.numbers[1]:  # up to the end of a batch
        ask = learner.ask()
        learner.tell(ask, X[ask.attributes], Y)
    theta = learner.coef_.copy()
    assert np.count_nonzero(theta) == K
    for _ in range(3):
        ask = learner.ask()
        learner.tell(ask, X[ask.attributes], Y)
    np.testing.assert_allclose(learner.state_.anchor, theta)
    np.testing.assert_allclose(learner.state_.anchor_gradient, 2 * (theta @ X - Y) * X, rtol=1e-12)


def test_subsets_beside_the_support_are_uniform():
    """Variant 2 draws from all but the support, every subset alike."""
    learner = started(kh.DualAveraging(K + M, K, 2, scaling="none", random_state=0))
    counts: dict[tuple[int, ...], int] = {}
    for _ in range(6000):
        ask = learner.ask()
        subset = tuple(sorted(int(i) for i in ask.attributes[ask.slots[ask.roles == X_ESTIMATE]]))
        counts[subset] = counts.get(subset, 0) + 1
    _, support = dense_weights(learner)
    others = [i for i in range(D) if i not in support]
    assert set(counts) == set(itertools.combinations(others, M))
    expected = 6000 / len(counts)
    assert sum((n - expected) ** 2 / expected for n in counts.values()) < 24  # chi-square, 2 degrees, one in 100,000
