"""The kernel of AESVR: steps of the ridge kernel against the estimated derivative of a smoothed loss."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numba import njit

from ...observe.ask import X_ESTIMATE, Ask, ask_for
from ...observe.meter import Counts
from ...observe.reveal import FINE, reveal_row
from ...observe.scales import observe, scaled_label, scaled_values
from ...sampling import sum_tree
from ...sampling.random import uniform
from .estimates import start_draws, x_estimate
from .inclusion import fill_probabilities
from .ridge import RidgeState, assess, descend, draw_inner
from .update_rule import UpdateRule


class SmoothedLoss(NamedTuple):
    """The paper's delta, epsilon and N."""

    insensitivity: float
    accuracy: float
    repeats: int


PLUS, MINUS = 1, 2  # roles: draws for the derivative at y + delta and at y - delta
SOME_ODD = 5.0 / 9.0  # the probability that at least one of two orders is odd: each is even with probability 2/3
AT_ZERO = -1.0  # noted instead of an order when w was 0


@njit(cache=True, nogil=True)
def ask_svr(state: RidgeState, rule: UpdateRule, loss: SmoothedLoss, want_probabilities: bool) -> Ask:
    """Uniform draws for x, then those of two runs of GenEst, whose orders are noted."""
    d = len(state.marks)
    at_zero = sum_tree.total(state.tree) <= 0.0
    notes = np.array([AT_ZERO, AT_ZERO])
    counts = np.zeros(2, dtype=np.int64)
    if not at_zero:
        for g in range(2):
            notes[g] = np.floor(-np.log2(1.0 - uniform(state.rng)))
            if notes[g] % 2 == 1:  # even orders have coefficient 0: nothing to reveal
                counts[g] = np.int64(notes[g]) * group_size(loss, notes[g])
    drawn, roles, weights = start_draws(state.distribution, state.rng, d, rule.x_draws, counts.sum())
    for r in range(rule.x_draws, len(drawn)):
        g = 0 if r < rule.x_draws + counts[0] else 1
        drawn[r], weights[r] = draw_inner(state)
        roles[r] = PLUS if g == 0 else MINUS
        weights[r] /= group_size(loss, notes[g])
    ask = ask_for(drawn, roles, weights, state.marks)
    if want_probabilities:
        ask = fill_probabilities(ask, state.distribution, state.tree, rule.x_draws, counts.sum(), d)
    return Ask(ask.attributes, ask.probabilities, ask.slots, ask.roles, ask.weights, notes, ask.number)


@njit(cache=True, nogil=True)
def group_size(loss: SmoothedLoss, order: float) -> int:
    """How many draws each of the n factors averages: one, or N for large n, which limits the variance."""
    return 1 if order <= 2.0 * np.log2(loss.repeats) else loss.repeats


@njit(cache=True, nogil=True)
def tell_svr(
    state: RidgeState, rule: UpdateRule, loss: SmoothedLoss, ask: Ask, values: np.ndarray, label: float
) -> None:
    """One step against the estimated derivative of the smoothed loss."""
    z = scaled_values(state.scales, ask.attributes, values)
    y = scaled_label(state.scales, label)
    plus = estimated_derivative(loss, ask, z, PLUS, ask.notes[0], (y + loss.insensitivity) / loss.accuracy)
    minus = estimated_derivative(loss, ask, z, MINUS, ask.notes[1], (y - loss.insensitivity) / loss.accuracy)
    x = x_estimate(ask, z)
    assess(state, ask, x, inner_estimate(ask, z), y, label)
    descend(state, rule, ask, z, x, 0.5 * (plus + minus))
    observe(state.scales, ask.attributes, values, label)


@njit(cache=True, nogil=True)
def inner_estimate(ask: Ask, z: np.ndarray) -> float:
    """The mean of all factors' estimates of w'z, divided by the probability that there are any; 0 without one."""
    total, factors = 0.0, 0.0
    for r in range(len(ask.slots)):
        if ask.roles[r] != X_ESTIMATE:
            total += ask.weights[r] * z[ask.slots[r]]
    for order in ask.notes:
        if order % 2 == 1 and order > 0:
            factors += order
    return total / (factors * SOME_ODD) if factors > 0.0 else 0.0


@njit(cache=True, nogil=True)
def estimated_derivative(loss: SmoothedLoss, ask: Ask, z: np.ndarray, role: int, order: float, target: float) -> float:
    """GenEst: 2^(n+1) a_n times the product of n estimates of w'x / accuracy - target."""
    if order == AT_ZERO:
        return math.erf(-target)
    if order % 2 == 0:
        return 0.0
    product, total, members, size = 1.0, 0.0, 0, group_size(loss, order)
    for r in range(len(ask.slots)):
        if ask.roles[r] == role:
            total += ask.weights[r] * z[ask.slots[r]]
            members += 1
            if members == size:
                product *= total / loss.accuracy - target
                total, members = 0.0, 0
    return 2.0 ** (order + 1.0) * taylor_coefficient(order) * product


@njit(cache=True, nogil=True)
def taylor_coefficient(order: float) -> float:
    """a_n of the error function: 2 / sqrt(pi) (-1)^m / (m! (2m + 1)) for n = 2m + 1."""
    m = (order - 1.0) / 2.0
    sign = 1.0 if m % 2 == 0 else -1.0
    return sign * 2.0 / np.sqrt(np.pi) / (math.gamma(m + 1.0) * order)


@njit(cache=True, nogil=True)
def learn_svr(
    state: RidgeState,
    rule: UpdateRule,
    loss: SmoothedLoss,
    table: Any,
    labels: np.ndarray,
    start: int,
    stop: int,
    counts: Counts,
    limit: int,
) -> tuple[int, int]:
    """Ask, reveal and tell over rows start to stop; returns the row that failed and why, or (-1, FINE)."""
    for t in range(start, stop):
        ask = ask_svr(state, rule, loss, False)
        values, failure = reveal_row(table, t, ask, counts, limit)
        if failure != FINE:
            return t, ask.attributes[failure] if failure >= 0 else failure
        tell_svr(state, rule, loss, ask, values, labels[t])
    return -1, FINE
