"""AEAnalytic: steps that average to the gradient step of any polynomial loss, and what it learns."""

import itertools

import numpy as np
import pytest

import keyhole as kh
from keyhole.compiled import copied
from keyhole.observe.ask import INNER_PRODUCT, X_ESTIMATE, Ask
from keyhole.online.kernels.averaging import U
from keyhole.online.kernels.gen_est import group_size
from keyhole.sampling import sum_tree

STEP, D = 1e-4, 4
A = [0.2, -0.5, 0.0, 0.3]  # a_2 = 0
POINT = np.array([0.7, -0.6, 0.4, -0.2])


def weights_of(learner):
    """The present weights."""
    state = learner.state_
    if learner.norm == "l2":
        return state.numbers[0] * state.weights[:, U]
    return learner.radius * state.weights[:, U] / sum_tree.total(state.mass)


def all_asks(learner, w):
    """Every ask of one draw for x, with its probability; orders above 3 have the coefficient 0."""
    p = w**2 if learner.norm == "l2" else np.abs(w)
    p, loss = p / p.sum(), learner._loss()
    for order in range(4):
        size = group_size(loss, float(order))
        draws = order * size if A[order] else 0
        for i in range(D):
            for j in itertools.product(range(D), repeat=draws):
                j = np.array(j, dtype=np.int64)
                slots = np.concatenate([[i], j]).astype(np.int64)
                roles = np.array([X_ESTIMATE] + [INNER_PRODUCT] * draws, dtype=np.int64)
                weights = np.concatenate([[float(D)], w[j] / p[j] / size])
                ask = Ask(np.arange(D), np.empty(0), slots, roles, weights, np.array([float(order)]))
                yield 0.5 ** (order + 1) / D * np.prod(p[j]), ask


@pytest.mark.parametrize("norm", ["l2", "l1"])
@pytest.mark.parametrize(("argument", "label"), [("error", 0.9), ("margin", -1.0)])
@pytest.mark.parametrize("repeats", [2, None])
def test_step_averages_to_the_gradient_step(norm, argument, label, repeats):
    rng = np.random.default_rng(5)
    X = rng.normal(size=(60, D))
    y = np.sign(X @ [1.0, -2.0, 0.5, 1.5])
    learner = kh.AEAnalytic(4, 2.0, A, argument, 0.01, norm=norm, repeats=repeats, scaling="none", random_state=0)
    learner.fit(X, y)
    learner.state_.numbers[5] = STEP
    w, state = weights_of(learner), learner.state_
    place = (lambda: weights_of(learner)) if norm == "l2" else (lambda: learner.state_.theta.copy())
    before, change, total = place(), np.zeros(D), 0.0
    assert np.abs(w).min() > 1e-3
    for probability, ask in all_asks(learner, w):
        learner.state_ = copied(state)
        learner._tell(ask, POINT, label)
        change += probability * (place() - before)
        total += probability
    assert total == pytest.approx(1 - 0.5**4)  # the remaining orders change nothing
    theta = w @ POINT - label if argument == "error" else label * (w @ POINT)
    slope = sum(a * theta**n for n, a in enumerate(A)) * (1.0 if argument == "error" else label)
    np.testing.assert_allclose(change, -STEP * slope * POINT, rtol=1e-8)


def test_its_own_asks_have_the_weights_of_the_estimates():
    rng = np.random.default_rng(5)
    X = rng.normal(size=(60, D))
    for norm in ("l2", "l1"):
        learner = kh.AEAnalytic(4, 2.0, A, step_size=0.01, norm=norm, scaling="none", random_state=0, repeats=2)
        learner.fit(X, X[:, 0])
        w = weights_of(learner)
        p = w**2 / np.sum(w**2) if norm == "l2" else np.abs(w) / np.abs(w).sum()
        orders = set()
        for _ in range(200):
            ask = learner.ask()
            orders.add(int(ask.notes[0]))
            size = group_size(learner._loss(), ask.notes[0])
            drawn = int(ask.notes[0]) * size if ask.notes[0] in (1, 3) else 0
            assert np.sum(ask.roles == INNER_PRODUCT) == drawn
            for slot, role, weight in zip(ask.slots, ask.roles, ask.weights, strict=True):
                j = ask.attributes[slot]
                wanted = float(D) if role == X_ESTIMATE else w[j] / p[j] / size
                assert weight == pytest.approx(wanted, rel=1e-9)
        assert {0, 1, 2, 3} <= orders


@pytest.mark.parametrize("norm", ["l2", "l1"])
def test_a_classification_loss_is_learned(norm):
    """f(m) = (1 - m)^2 / 2 has f'(m) = m - 1."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(20_000, 10)) / 3
    y = np.sign(X @ np.linspace(-1, 1, 10))
    learner = kh.AEAnalytic(8, 2.0, [-1.0, 1.0], "margin", norm=norm, scaling="none", random_state=0).fit(X, y)
    assert np.mean(np.sign(learner.predict(X)) == y) > 0.85


def test_bad_input():
    X = np.random.default_rng(0).normal(size=(40, 8))
    y = np.sign(X[:, 0])
    for learner, labels, message in [
        (kh.AEAnalytic(3), y, "budget=3: AEAnalytic needs at least 4 attributes"),
        (kh.AEAnalytic(8, coefficients=[]), y, r"coefficients=\[\]: AEAnalytic needs a list of finite numbers"),
        (kh.AEAnalytic(8, coefficients=[1, np.nan]), y, "coefficients=.*: AEAnalytic needs a list of finite numbers"),
        (kh.AEAnalytic(8, argument="hinge"), y, "argument='hinge': AEAnalytic takes 'error' or 'margin'"),
        (kh.AEAnalytic(8, argument="margin"), y, "scaling='running': AEAnalytic with a loss of y w'x needs"),
        (
            kh.AEAnalytic(8, argument="margin", scaling="none"),
            2 * y,
            "label of example 0 is .*2.0: AEAnalytic needs -1 or",
        ),
        (kh.AEAnalytic(8, norm="l3"), y, "norm='l3': AEAnalytic takes 'l1' or 'l2'"),
        (kh.AEAnalytic(8, norm="l1", initial_weights=0.1), y, "initial_weights=0.1: with an l1 ball AEAnalytic takes"),
        (kh.AEAnalytic(8, repeats=0), y, "repeats=0: AEAnalytic needs None, or a whole number, 1 or more"),
        (kh.AESVR(8, repeats="many"), y, "repeats='many': AESVR needs None or 'printed', or a whole number"),
    ]:
        with pytest.raises(ValueError, match=message):
            learner.fit(X, labels)
