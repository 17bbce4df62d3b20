"""GenEst: the estimated derivative averages to the Taylor sum, by enumeration of all draws."""

import itertools
import math

import numpy as np
import pytest

from keyhole.observe.ask import INNER_PRODUCT, Ask
from keyhole.online.kernels.gen_est import (
    AT_ZERO,
    MOST_ORDERS,
    analytic_loss,
    derivative_estimate,
    draw_orders,
    erf_coefficients,
    group_size,
    inner_estimate,
    run_of,
)
from keyhole.sampling import new_generator

W, X, Y = np.array([0.5, -0.3]), np.array([0.8, 0.6]), -1.0
P = W**2 / np.sum(W**2)


def enumerated(loss, estimate, most, runs=1):
    """The expectation of an estimate over the orders up to the highest, and over all draws."""
    expectation = 0.0
    for orders in itertools.product(range(most + 1), repeat=runs):
        sizes = [group_size(loss, float(n)) for n in orders]
        counts = [
            n * size if loss.zero_terms or loss.coefficients[n] else 0 for n, size in zip(orders, sizes, strict=True)
        ]
        for j in itertools.product(range(2), repeat=sum(counts)):
            j = np.array(j, dtype=np.int64)
            runs_of = np.repeat(np.arange(runs), counts)
            weights = W[j] / P[j] / np.repeat(sizes, counts)
            ask = Ask(np.arange(2), np.empty(0), j, INNER_PRODUCT + runs_of, weights, np.array(orders, dtype=float))
            expectation += 0.5 ** (sum(orders) + runs) * np.prod(P[j]) * estimate(loss, ask)
    return expectation


def polynomial(coefficients, x):
    return sum(a * x**n for n, a in enumerate(coefficients))


@pytest.mark.parametrize("zero_terms", [False, True])
@pytest.mark.parametrize("repeats", [1, 2, 9])  # with 1 and 2, factors of order 3 average one draw and two
def test_estimate_of_any_polynomial_is_unbiased(zero_terms, repeats):
    a = [0.3, -1.0, 0.0, 0.7]
    loss = analytic_loss(np.array(a), repeats, width=0.7, zero_terms=zero_terms)
    theta = (W @ X - Y) / 0.7
    found = enumerated(loss, lambda loss, ask: derivative_estimate(loss, ask, X, Y), 3)
    assert found == pytest.approx(polynomial(a, theta), rel=1e-12)


def test_estimate_for_a_classification_loss_is_unbiased():
    """The gradient of f(y w'x) is y f'(y w'x) x."""
    a = [0.3, -1.0, 0.2, 0.7]
    loss = analytic_loss(np.array(a), 2, margin=True)
    found = enumerated(loss, lambda loss, ask: derivative_estimate(loss, ask, X, Y), 3)
    assert found == pytest.approx(Y * polynomial(a, Y * (W @ X)), rel=1e-12)


def test_shifted_runs_are_averaged():
    a = [0.3, -1.0, 0.4]
    loss = analytic_loss(np.array(a), 5, shifts=(0.2, -0.2), width=0.5)
    found = enumerated(loss, lambda loss, ask: derivative_estimate(loss, ask, X, Y), 2, runs=2)
    wanted = np.mean([polynomial(a, (W @ X - Y - shift) / 0.5) for shift in (0.2, -0.2)])
    missing = 1 - (1 - 0.5**3) ** 2  # the probability that an order is above 2, where each term is 0
    assert 0 < missing < 1
    # Orders above 2 contribute 0 to their own run, and leave the other as it is.
    single = enumerated(analytic_loss(np.array(a), 5, shifts=(0.2,), width=0.5), estimate_of_one, 2)
    other = enumerated(analytic_loss(np.array(a), 5, shifts=(-0.2,), width=0.5), estimate_of_one, 2)
    assert (single + other) / 2 == pytest.approx(wanted, rel=1e-12)
    assert found == pytest.approx(wanted * (1 - 0.5**3), rel=1e-12)


def estimate_of_one(loss, ask):
    return derivative_estimate(loss, ask, X, Y)


@pytest.mark.parametrize("zero_terms", [False, True])
def test_estimate_of_the_inner_product_is_unbiased(zero_terms):
    a = np.array([0.3, 0.0, 0.5, 0.0, 1.0])
    loss = analytic_loss(a, 9, zero_terms=zero_terms)
    found = enumerated(loss, lambda loss, ask: inner_estimate(loss, ask, X), 6)
    covered = sum(0.5 ** (n + 1) for n in range(1, 7) if zero_terms or (n < 5 and a[n]))
    assert found * loss.some / covered == pytest.approx(W @ X, rel=1e-12)


def test_coefficients_are_those_of_the_error_function():
    for x in (0.7, -1.5):
        assert polynomial(erf_coefficients(), x) == pytest.approx(math.erf(x), rel=1e-12)


def test_at_zero_nothing_is_drawn_and_every_factor_is_known():
    a = np.array([0.3, -1.0, 0.4])
    loss, rng, total = analytic_loss(a, 5), new_generator(0), 0.0
    empty = np.empty(0, dtype=np.int64)
    for order in range(3):
        ask = Ask(empty, np.empty(0), empty, empty, np.empty(0), np.array([float(order)]))
        total += 0.5 ** (order + 1) * derivative_estimate(loss, ask, np.empty(0), 0.6)
    assert total == pytest.approx(polynomial(a, -0.6), rel=1e-12)
    assert all(draw_orders(rng, loss, True)[1].sum() == 0 for _ in range(50))
    smooth = analytic_loss(erf_coefficients(), 5, erf=True)
    assert draw_orders(rng, smooth, True)[0][0] == AT_ZERO
    ask = Ask(empty, np.empty(0), empty, empty, np.empty(0), np.array([AT_ZERO]))
    assert derivative_estimate(smooth, ask, np.empty(0), 0.6) == pytest.approx(math.erf(-0.6))


def test_orders_are_drawn_with_halving_probabilities_and_zero_terms_draw_nothing():
    loss, rng = analytic_loss(np.array([0.0, 1.0, 0.0, 1.0]), 5), new_generator(1)
    drawn = [draw_orders(rng, loss, False) for _ in range(20_000)]
    orders = np.array([orders[0] for orders, _ in drawn])
    for n in range(4):
        assert np.mean(orders == n) == pytest.approx(0.5 ** (n + 1), abs=0.015)
    assert orders.max() < MOST_ORDERS
    assert {int(counts[0]) for orders, counts in drawn if orders[0] % 2 == 0 or orders[0] > 3} == {0}
    assert {int(counts[0]) for orders, counts in drawn if orders[0] == 3} == {3}


def test_large_orders_average_several_draws():
    loss = analytic_loss(erf_coefficients(), 16)
    assert [group_size(loss, order) for order in (1.0, 7.0, 8.0, 9.0, 11.0)] == [1, 1, 1, 16, 16]


def test_draws_belong_to_their_runs():
    assert [run_of(np.array([2, 0, 3]), r) for r in range(5)] == [0, 0, 2, 2, 2]
