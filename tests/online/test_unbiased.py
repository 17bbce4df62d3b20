"""Unbiasedness by exact enumeration of all draws at small d.

For every possible ask, with its exact probability, the compiled step is run from one and the same state; the
mean of the steps must be the full-information gradient step.
"""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

import keyhole as kh
from keyhole.compiled import copied
from keyhole.observe.ask import INNER_PRODUCT, X_ESTIMATE, Ask
from keyhole.online.aesvr import MINUS, PLUS, SmoothedLoss, estimated_derivative, taylor_coefficient
from keyhole.online.averaging import U
from keyhole.online.l1_ball import weight_of
from keyhole.online.lasso import lasso_step
from keyhole.sampling import sum_tree

D = 3
STEP = 1e-3
MOMENTS = np.array([0.2, 1.0, 3.0])
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
]


def ridge_weights(state):
    return state.numbers[0] * state.weights[:, U]


@pytest.mark.parametrize("learner", RIDGE, ids=["AERR", "AERR textbook", "DDAERR"])
def test_ridge_step_averages_to_the_gradient_step(learner):
    learner = started(learner)
    w = ridge_weights(learner.state_)
    known = isinstance(learner, kh.DDAERR)
    p = np.abs(w) * np.sqrt(MOMENTS) if known else w**2
    q = np.sqrt(MOMENTS) if known else np.ones(D)
    rule = learner.rule_
    asks = with_replacement(learner, p / p.sum(), q / q.sum(), rule.x_draws, rule.inner_draws)
    gradient = (w @ X - Y) * X
    np.testing.assert_allclose(mean_change(learner, asks, ridge_weights), -STEP * gradient, rtol=1e-9)


LASSO = [
    kh.AELR(3, 2.0, STEP, scaling="none", random_state=0),
    kh.DDAELR(3, 2.0, STEP, moments=MOMENTS, scaling="none", random_state=0),
]


@pytest.mark.parametrize("learner", LASSO, ids=["AELR", "DDAELR"])
def test_lasso_step_averages_to_the_gradient_step(learner):
    learner = started(learner)
    state = learner.state_
    w = learner.radius * state.weights[:, U] / sum_tree.total(state.mass)
    known = isinstance(learner, kh.DDAELR)
    p = np.abs(w) * (np.sqrt(MOMENTS) if known else 1.0)
    q = MOMENTS if known else np.ones(D)
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


def test_genest_averages_to_the_taylor_sum():
    """Over all draws of the orders up to 5, at w = (0.5, -0.3), with N small enough that order 5 averages."""
    w, x, target = np.array([0.5, -0.3]), np.array([0.8, 0.6]), 0.2
    loss = SmoothedLoss(insensitivity=0.0, accuracy=0.7, repeats=2)
    p = w**2 / np.sum(w**2)
    theta = w @ x / loss.accuracy - target
    expectation, taylor = 0.0, 0.0
    for order in range(6):
        size = 1 if order <= 2 * np.log2(loss.repeats) else loss.repeats
        draws = order * size if order % 2 else 0
        for j in itertools.product(range(2), repeat=draws):
            j = np.array(j, dtype=np.int64)
            ask = Ask(np.arange(2), np.empty(0), j, np.full(draws, PLUS), w[j] / p[j] / size, np.empty(0))
            estimate = estimated_derivative(loss, ask, x, PLUS, float(order), target)
            expectation += 0.5 ** (order + 1) * np.prod(p[j]) * estimate
        if order % 2:
            taylor += taylor_coefficient(float(order)) * theta**order
    assert expectation == pytest.approx(taylor, rel=1e-10)
    assert taylor == pytest.approx(math.erf(theta), abs=0.01)


def test_aesvr_knows_the_derivative_at_zero():
    ask = kh.AESVR(7, random_state=0).start(8).ask()
    assert not np.isin(ask.roles, [PLUS, MINUS]).any()
    loss = SmoothedLoss(0.1, 0.5, 16)
    assert estimated_derivative(loss, ask, np.zeros(8), PLUS, ask.notes[0], 0.4) == pytest.approx(math.erf(-0.4))


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


def test_lasso_step_of_the_theorem():
    """The proof of Theorem 3.4: eta = 1/G sqrt(log(2d) / (5m)) with G = 2B sqrt(2d/k)."""
    B, d, k, m = 3.0, 50, 4, 1000
    G = 2 * B * np.sqrt(2 * d / k)
    assert lasso_step(B, d, m, 2 * d / k) == pytest.approx(np.sqrt(np.log(2 * d) / (5 * m)) / G)
    learner = kh.AELR(5, B, scaling="none", draws="textbook", n_expected=m).start(d)
    assert learner.state_.numbers[5] == pytest.approx(np.sqrt(np.log(2 * d) / (5 * m)) / G)


def test_ridge_steps_of_the_theorems():
    d, k, m = 50, 4, 1000
    textbook = {"scaling": "none", "draws": "textbook", "n_expected": m}
    assert kh.AERR(k + 1, **textbook).start(d).state_.numbers[5] == pytest.approx(np.sqrt(k / (2 * d * m)))
    moments = np.linspace(0.01, 0.03, d)
    known = kh.DDAERR(k + 1, moments=moments, **textbook).start(d).state_.numbers[5]
    assert known == pytest.approx(1 / np.sqrt(m * (np.sqrt(moments).sum() ** 2 / k + 1)))


def test_two_phases_take_their_theorem_steps():
    """After m1 = m/10 examples the step is that of Theorem 3.4 (4.5 for lasso), with its margin on the moments."""
    d, k, m, delta = 6, 2, 200, 0.1
    rng = np.random.default_rng(0)
    table = rng.normal(size=(m, d)) / np.sqrt(d)
    settings = {"scaling": "none", "draws": "textbook", "n_expected": m, "confidence": delta, "random_state": 0}
    m1, m2 = 20, 180
    eps = d * np.log(2 * d / delta) / ((k + 1) * m1)
    ridge = kh.DDAERR(k + 1, **settings).fit(table[:m1], table[:m1, 0])
    seen = ridge.state_.distribution.seen
    mean = seen[:, 1].sum() / seen[:, 0].sum()
    A = (seen[:, 1] + 5 * mean) / (seen[:, 0] + 5)
    D2 = np.sqrt(2 * A + 10 / 3 * eps).sum() ** 2
    eta1 = np.sqrt(k / (6 * d * m2))
    margin = np.sqrt(5 * d**3 * D2 * np.log(2 * d / delta) / (3 * (k + 1) * m1))
    eta2 = np.sqrt(k / m2 / (2 * D2 + 2 * margin + k))
    assert ridge.state_.numbers[5] == pytest.approx(max(eta1, eta2))
    q = np.sqrt(A + 13 / 6 * eps)
    np.testing.assert_allclose(ridge.state_.distribution.table.probability, q / q.sum())

    lasso = kh.DDAELR(k + 1, **settings).fit(table[:m1], table[:m1, 0])
    seen = lasso.state_.distribution.seen
    mean = seen[:, 1].sum() / seen[:, 0].sum()
    A = (seen[:, 1] + 5 * mean) / (seen[:, 0] + 5)
    eps = min(eps, 1.0)
    eta = np.sqrt(k * np.log(2 * d) / (20 * m2 * (8 * A.sum() + 20 * d * eps + k)))
    assert lasso.state_.numbers[5] == pytest.approx(eta)
    q = A + 13 / 6 * eps
    np.testing.assert_allclose(lasso.state_.distribution.table.probability, q / q.sum())
