"""Unbiasedness by exact enumeration of all draws at small d.

For every possible ask, with its exact probability, the compiled step is run from one and the same state; the
mean of the steps must be the full-information gradient step.
"""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import keyhole as kh
from keyhole.compiled import copied
from keyhole.observe.ask import INNER_PRODUCT, X_ESTIMATE, Ask
from keyhole.online.kernels.averaging import U
from keyhole.online.kernels.l1_ball import weight_of
from keyhole.sampling import sum_tree

D = 3
STEP = 1e-3
MOMENTS = np.array([0.2, 1.0, 3.0])
GIVEN = (0.5, 2.0, 7.0)
X = np.array([0.7, -1.3, 0.4])
Y = 0.9


def started(learner):
    """A learner with some weights in it."""
    rng = np.random.default_rng(5)
    table = rng.normal(size=(40, D))
    return learner.fit(table, table @ [1.0, -2.0, 0.5])


def make_ask(x_draws, inner_draws, x_weight, inner_weight):
    drawn = np.array([*x_draws, *inner_draws], dtype=np.int64)
    attributes, slots = np.unique(drawn, return_inverse=True)
    roles = np.array([X_ESTIMATE] * len(x_draws) + [INNER_PRODUCT] * len(inner_draws), dtype=np.int64)
    weights = np.array([x_weight[i] for i in x_draws] + [inner_weight[j] for j in inner_draws], dtype=float)
    return Ask(attributes, np.empty(0), slots.astype(np.int64), roles, weights, np.empty(0))


def weights_by_asking(learner):
    """The weights that the learner's own asks carry, per attribute and role."""
    found = {X_ESTIMATE: {}, INNER_PRODUCT: {}}
    for _ in range(500):
        ask = learner.ask()
        for slot, role, weight in zip(ask.slots, ask.roles, ask.weights, strict=True):
            found[int(role)][int(ask.attributes[slot])] = weight
    return found[X_ESTIMATE], found[INNER_PRODUCT]


def mean_change(learner, asks, weights_now):
    """The mean change of the weights over asks with their probabilities."""
    state, before = learner.state_, weights_now(learner.state_)
    change, total = np.zeros(D), 0.0
    for probability, ask in asks:
        learner.state_ = copied(state)
        learner._tell(ask, X[ask.attributes], Y)
        change += probability * (weights_now(learner.state_) - before)
        total += probability
    learner.state_ = state
    assert total == pytest.approx(1.0, abs=1e-12)
    return change


def with_replacement(learner, p, q, kx, kw):
    x_weight, inner_weight = weights_by_asking(learner)
    for i in itertools.product(range(D), repeat=kx):
        for j in itertools.product(range(D), repeat=kw):
            yield np.prod(q[list(i)]) * np.prod(p[list(j)]), make_ask(i, j, x_weight, inner_weight)


RIDGE = [
    kh.AERR(3, 1e6, STEP, scaling="none", random_state=0),
    kh.AERR(3, 1e6, STEP, scaling="none", draws="textbook", random_state=0),
    kh.DDAERR(3, 1e6, STEP, moments=MOMENTS, scaling="none", random_state=0),
    kh.AERR(3, 1e6, STEP, distribution=GIVEN, scaling="none", random_state=0),
]


def probabilities(learner):
    """What the draws for x are proportional to, by the learner's parameter."""
    return np.ones(D) if isinstance(learner.distribution, str) else np.array(learner.distribution)


def ridge_weights(state):
    return state.numbers[0] * state.weights[:, U]


@pytest.mark.parametrize("learner", RIDGE, ids=["AERR", "AERR textbook", "DDAERR", "GAERR"])
def test_ridge_step_averages_to_the_gradient_step(learner):
    learner = started(learner)
    w = ridge_weights(learner.state_)
    known = isinstance(learner, kh.DDAERR)
    p = np.abs(w) * np.sqrt(MOMENTS) if known else w**2
    q = np.sqrt(MOMENTS) if known else probabilities(learner)
    rule = learner.rule_
    asks = with_replacement(learner, p / p.sum(), q / q.sum(), rule.x_draws, rule.inner_draws)
    gradient = (w @ X - Y) * X
    np.testing.assert_allclose(mean_change(learner, asks, ridge_weights), -STEP * gradient, rtol=1e-9)


LASSO = [
    kh.AELR(3, 2.0, STEP, scaling="none", random_state=0),
    kh.DDAELR(3, 2.0, STEP, moments=MOMENTS, scaling="none", random_state=0),
    kh.AELR(3, 2.0, STEP, distribution=GIVEN, scaling="none", random_state=0),
]


@pytest.mark.parametrize("learner", LASSO, ids=["AELR", "DDAELR", "GAELR"])
def test_lasso_step_averages_to_the_gradient_step(learner):
    learner = started(learner)
    state = learner.state_
    w = learner.radius * state.weights[:, U] / sum_tree.total(state.mass)
    known = isinstance(learner, kh.DDAELR)
    p = np.abs(w) * (np.sqrt(MOMENTS) if known else 1.0)
    q = MOMENTS if known else probabilities(learner)
    asks = with_replacement(learner, p / p.sum(), q / q.sum(), learner.rule_.x_draws, learner.rule_.inner_draws)
    gradient = (w @ X - Y) * X
    np.testing.assert_allclose(mean_change(learner, asks, lambda s: s.theta), -STEP * gradient, rtol=1e-9)


def test_aer_step_averages_to_the_pegasos_step():
    learner = started(kh.AER(2, 1e6, 50.0, scaling="none", random_state=0))

    def weights(state):
        return np.array([weight_of(state.ball, i) for i in range(D)])

    w = weights(learner.state_)
    x_weight, inner_weight = weights_by_asking(learner)
    p = np.abs(w) / np.abs(w).sum()
    asks = [(p[j] / D, make_ask([i], [j], x_weight, inner_weight)) for i in range(D) for j in range(D)]
    t = learner.state_.numbers[0] + 1
    step = -w / t - 2 / (50.0 * t) * (w @ X - Y) * X
    np.testing.assert_allclose(mean_change(learner, asks, weights), step, rtol=1e-9)


def test_baseline_estimates_average_to_the_moments():
    learner = kh.Baseline(3, scaling="none", random_state=0)
    learner.start(D)
    learner.rule_ = learner.rule_._replace(pairs=2)
    pairs = list(itertools.product(range(D), repeat=2))
    subsets = list(itertools.combinations(pairs, 2))
    A, b = np.zeros((D, D)), np.zeros(D)
    state = learner.state_
    for subset in subsets:
        drawn = [i for pair in subset for i in pair]
        ask = make_ask(drawn, [], dict.fromkeys(range(D), D / 4), {})
        learner.state_ = copied(state)
        learner._tell(ask, X[ask.attributes], Y)
        A += learner.state_.A / len(subsets)
        b += learner.state_.b / len(subsets)
    np.testing.assert_allclose(A, np.outer(X, X), rtol=1e-12)
    np.testing.assert_allclose(b, Y * X, rtol=1e-12)


@pytest.mark.parametrize(
    "learner",
    [kh.AERR(3), kh.AELR(3), kh.DDAERR(3, moments=MOMENTS), kh.AER(2), kh.Baseline(3)],
    ids=lambda learner: type(learner).__name__,
)
def test_inclusion_probabilities(learner):
    """The probability in an ask is the share of asks from this state that have the attribute."""
    learner = started(learner.set_params(random_state=1))
    stated, times, n = {}, np.zeros(D), 20_000
    for _ in range(n):
        ask = learner.ask()
        stated.update(zip(ask.attributes.tolist(), ask.probabilities, strict=True))
        times[ask.attributes] += 1
    for i, probability in stated.items():
        error = np.sqrt(probability * (1 - probability) / n)
        assert abs(times[i] / n - probability) <= 4 * error + 1e-12
