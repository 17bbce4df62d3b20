"""GenEst of Hazan and Koren (2012, Procedure 3): unbiased estimates of a function given by its Taylor coefficients.

For a derivative f'(theta) = sum over n of a_n theta^n, an order n is drawn with probability 2^-(n + 1), and

    phi^ = 2^(n + 1) a_n theta~_1 ... theta~_n

with n independent, unbiased estimates theta~ of theta, has the expectation f'(theta). Here theta is (w'x - y) / width
or, for a classification loss f(y w'x), y w'x / width. For n above 2 log2(N) each factor is the mean of N draws.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numba import njit

from ...observe.ask import X_ESTIMATE, Ask
from ...sampling.random import uniform

MOST_ORDERS = 54  # a uniform number of 53 bits gives no order above 53
EXPECTED_DRAWS = 3  # of one run of GenEst, at most (Lemma 4.1)
AT_ZERO = -1.0  # noted instead of an order where the derivative at w = 0 follows from the label


class AnalyticLoss(NamedTuple):
    """A loss by the Taylor coefficients of its derivative, which is the mean of one run of GenEst for each shift.

    A run with the shift s estimates f'((w'x - y - s) / width), and with ``margin`` y f'(y w'x / width). ``repeats`` is
    the paper's N. With ``zero_terms`` attributes are drawn for orders whose coefficient is 0, too. ``some`` is the
    probability that a factor is drawn at all. With ``erf`` the function is the error function, which is computed and
    not estimated at w = 0.
    """

    coefficients: np.ndarray
    shifts: np.ndarray
    width: float
    repeats: int
    zero_terms: bool
    margin: bool
    erf: bool
    some: float


def analytic_loss(
    coefficients: np.ndarray,
    repeats: int,
    *,
    shifts: tuple[float, ...] = (0.0,),
    width: float = 1.0,
    zero_terms: bool = False,
    margin: bool = False,
    erf: bool = False,
) -> AnalyticLoss:
    """A loss from as many Taylor coefficients of its derivative as there are; the others are 0."""
    a = np.zeros(MOST_ORDERS)
    a[: len(coefficients)] = coefficients[:MOST_ORDERS]
    drawn = [n for n in range(1, MOST_ORDERS) if zero_terms or a[n] != 0.0]
    none = 1.0 - sum(0.5 ** (n + 1) for n in drawn)
    return AnalyticLoss(
        coefficients=a,
        shifts=np.array(shifts),
        width=width,
        repeats=repeats,
        zero_terms=zero_terms,
        margin=margin,
        erf=erf,
        some=1.0 - none ** len(shifts),
    )


def erf_coefficients() -> np.ndarray:
    """a_n of the error function: 2 / sqrt(pi) (-1)^m / (m! (2m + 1)) for n = 2m + 1, and 0 for even n."""
    a = np.zeros(MOST_ORDERS)
    for m in range(MOST_ORDERS // 2):
        order = 2.0 * m + 1.0
        a[2 * m + 1] = (-1.0) ** m * 2.0 / np.sqrt(np.pi) / (math.gamma(m + 1.0) * order)
    return a


@njit(cache=True, nogil=True)
def draw_orders(rng: np.ndarray, loss: AnalyticLoss, at_zero: bool) -> tuple[np.ndarray, np.ndarray]:
    """The order of each run of GenEst, and how many attributes it draws; at w = 0 there is nothing to draw from."""
    runs = len(loss.shifts)
    orders, counts = np.full(runs, AT_ZERO), np.zeros(runs, dtype=np.int64)
    if not (at_zero and loss.erf):
        for g in range(runs):
            orders[g] = np.floor(-np.log2(1.0 - uniform(rng)))
            n = np.int64(orders[g])
            if not at_zero and (loss.zero_terms or loss.coefficients[n] != 0.0):
                counts[g] = n * group_size(loss, orders[g])
    return orders, counts


@njit(cache=True, nogil=True)
def group_size(loss: AnalyticLoss, order: float) -> int:
    """How many draws each of the n factors averages: one, or N for large n."""
    return 1 if order <= 2.0 * np.log2(loss.repeats) else loss.repeats


@njit(cache=True, nogil=True)
def run_of(counts: np.ndarray, r: int) -> int:
    """The run of GenEst that the r-th of their draws belongs to."""
    g = 0
    while r >= counts[g]:
        r -= counts[g]
        g += 1
    return g


@njit(cache=True, nogil=True)
def derivative_estimate(loss: AnalyticLoss, ask: Ask, z: np.ndarray, y: float) -> float:
    """The estimated derivative of the loss in w'x."""
    total = 0.0
    for g in range(len(loss.shifts)):
        total += run_estimate(loss, ask, z, g, y)
    return (y if loss.margin else 1.0) * total / len(loss.shifts)


@njit(cache=True, nogil=True)
def run_estimate(loss: AnalyticLoss, ask: Ask, z: np.ndarray, g: int, y: float) -> float:
    """One run of GenEst: 2^(n+1) a_n times the product of n estimates of its argument."""
    sign, target = (y, 0.0) if loss.margin else (1.0, (y + loss.shifts[g]) / loss.width)
    order = ask.notes[g]
    if order == AT_ZERO:
        return math.erf(-target)
    coefficient = loss.coefficients[np.int64(order)]
    if coefficient == 0.0:
        return 0.0
    product, total, members, groups, size = 1.0, 0.0, 0, 0, group_size(loss, order)
    for r in range(len(ask.slots)):
        if ask.roles[r] == X_ESTIMATE + 1 + g:
            total += ask.weights[r] * z[ask.slots[r]]
            members += 1
            if members == size:
                product *= sign * total / loss.width - target
                total, members, groups = 0.0, 0, groups + 1
    if groups == 0:  # at w = 0, where every estimate of w'x is 0
        product = (-target) ** order
    return 2.0 ** (order + 1.0) * coefficient * product


@njit(cache=True, nogil=True)
def inner_estimate(loss: AnalyticLoss, ask: Ask, z: np.ndarray) -> float:
    """The mean of all factors' estimates of w'z, divided by the probability that there are any; 0 without one."""
    total, factors = 0.0, 0.0
    for r in range(len(ask.slots)):
        if ask.roles[r] != X_ESTIMATE:
            total += ask.weights[r] * z[ask.slots[r]]
    for order in ask.notes:
        if order > 0 and (loss.zero_terms or loss.coefficients[np.int64(order)] != 0.0):
            factors += order
    return total / (factors * loss.some) if factors > 0.0 else 0.0
