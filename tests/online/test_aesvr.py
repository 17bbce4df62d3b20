"""AESVR: the estimated derivative of the smoothed loss, and a budget that holds in expectation."""

import itertools
import math

import numpy as np
import pytest

import keyhole as kh
from keyhole.observe.ask import Ask
from keyhole.online.kernels.svr import (
    MINUS,
    PLUS,
    SmoothedLoss,
    estimated_derivative,
    group_size,
    taylor_coefficient,
)


def test_taylor_coefficients_are_those_of_the_error_function():
    x = 0.7
    series = sum(taylor_coefficient(float(order)) * x**order for order in range(1, 40, 2))
    assert series == pytest.approx(math.erf(x), rel=1e-12)


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


def test_nothing_is_revealed_for_the_derivative_at_zero():
    ask = kh.AESVR(7, random_state=0).start(8).ask()
    assert not np.isin(ask.roles, [PLUS, MINUS]).any()
    loss = SmoothedLoss(0.1, 0.5, 16)
    assert estimated_derivative(loss, ask, np.zeros(8), PLUS, ask.notes[0], 0.4) == pytest.approx(math.erf(-0.4))


def test_large_orders_average_several_draws():
    loss = SmoothedLoss(insensitivity=0.1, accuracy=0.5, repeats=16)
    assert [group_size(loss, order) for order in (1.0, 7.0, 9.0, 11.0)] == [1, 1, 16, 16]


def test_budget_holds_in_expectation():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(4000, 40))
    learner = kh.AESVR(10, radius=0.3, accuracy=2.0, random_state=0).fit(X, X[:, 0])
    assert learner.observed_.mean_per_example <= 10
    assert learner.observed_.max_per_example > 4  # more than the draws for x
