"""The kernel of AER: Pegasos steps on estimated gradients, with weights in an l1 ball."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import njit

from ...observe.ask import INNER_PRODUCT, X_ESTIMATE, Ask, ask_for, with_probabilities
from ...observe.meter import Counts
from ...observe.reveal import FINE, reveal_row
from ...observe.scales import Scales, observe, scaled_label, scaled_values
from ...sampling.random import uniform
from ...sampling.subsets import uniform_subset
from . import l1_ball
from .estimates import error_estimate, x_estimate
from .evidence import count_evidence
from .l1_ball import Ball
from .update_rule import radius_at

STEPS, SQUARED_GRADIENTS = range(2)


class AERState(NamedTuple):
    """The state of AER."""

    rng: np.ndarray
    marks: np.ndarray
    numbers: np.ndarray
    ball: Ball
    scales: Scales
    evidence: np.ndarray


class AERRule(NamedTuple):
    """Half of the budget, the radius, the regularisation (nan: adaptive), the expected number of examples (0: none).

    With ``growing`` the radius is that of the first example, and grows with the fourth root of their number.
    ``l2_bound`` is the paper's B_2 (nan: radius / d^(1/4)), which the adaptive regularisation follows. With ``updated``
    the average is that of the weights after each update.
    """

    half: int
    radius: float
    reg: float
    horizon: float
    growing: bool = False
    l2_bound: float = np.nan
    updated: bool = False


@njit(cache=True, nogil=True)
def regularisation(rule: AERRule, squared_gradients: float, t: float, d: int) -> float:
    """The regularisation of Pegasos at step t."""
    if not np.isnan(rule.reg):
        return rule.reg
    T = max(rule.horizon, t)
    G, B2 = np.sqrt(squared_gradients / t), rule.l2_bound
    if np.isnan(B2):
        B2 = radius_at(rule.radius, rule.growing, t) / d**0.25
    return G / B2 * np.sqrt(np.log(T + 1.0) / T)


@njit(cache=True, nogil=True)
def ask_aer(state: AERState, rule: AERRule, want_probabilities: bool) -> Ask:
    """A uniform subset for x, and draws in proportion to |w| for the inner product."""
    d, half = len(state.marks), rule.half
    norm = l1_ball.norm(state.ball)
    inner_draws = half if norm > 0.0 else 0
    drawn = np.empty(half + inner_draws, dtype=np.int64)
    roles = np.empty(half + inner_draws, dtype=np.int64)
    weights = np.empty(half + inner_draws)
    drawn[:half] = uniform_subset(state.rng, d, half, state.marks)
    roles[:half] = X_ESTIMATE
    weights[:half] = d / half
    for r in range(half, len(drawn)):
        drawn[r] = l1_ball.draw(state.ball, uniform(state.rng))
        roles[r] = INNER_PRODUCT
        weights[r] = np.sign(l1_ball.weight_of(state.ball, drawn[r])) * norm / inner_draws
    ask = ask_for(drawn, roles, weights, state.marks)
    if want_probabilities:
        probabilities = np.empty(len(ask.attributes))
        for s in range(len(probabilities)):
            p = abs(l1_ball.weight_of(state.ball, ask.attributes[s])) / norm if inner_draws > 0 else 0.0
            probabilities[s] = 1.0 - (1.0 - half / d) * (1.0 - p) ** inner_draws
        ask = with_probabilities(ask, probabilities)
    return ask


@njit(cache=True, nogil=True)
def tell_aer(state: AERState, rule: AERRule, ask: Ask, values: np.ndarray, label: float) -> None:
    """A Pegasos step against the gradient 2 (y_hat - y) v, then the projection."""
    numbers, ball = state.numbers, state.ball
    z = scaled_values(state.scales, ask.attributes, values)
    y = scaled_label(state.scales, label)
    error = error_estimate(ask, z, y)
    v = x_estimate(ask, z)
    assess(state, rule, ask, v, error + y, y, label)

    if not rule.updated:
        l1_ball.tick(ball)
    numbers[STEPS] += 1.0
    t = numbers[STEPS]
    if t > 1.0:  # at t = 1 the factor is 0, and so is w
        l1_ball.shrink(ball, 1.0 - 1.0 / t)
    squared = 4.0 * error * error * np.sum(v * v)
    if squared > 0.0:
        numbers[SQUARED_GRADIENTS] += squared
        step = 1.0 / (regularisation(rule, numbers[SQUARED_GRADIENTS], t, len(state.marks)) * t)
        for s in range(len(v)):
            if v[s] != 0.0:
                l1_ball.add(ball, ask.attributes[s], -2.0 * step * error * v[s])
        l1_ball.project(ball, radius_at(rule.radius, rule.growing, t))
    if rule.updated:
        l1_ball.tick(ball)
    observe(state.scales, ask.attributes, values, label)


@njit(cache=True, nogil=True)
def assess(state: AERState, rule: AERRule, ask: Ask, v: np.ndarray, inner: float, y: float, label: float) -> None:
    """Add an example to the evidence, where that is wanted: ``inner`` is the estimate of w'z."""
    if len(state.evidence) == 0:
        return
    outer, outer_of_sum = 0.0, 0.0
    for s in range(len(v)):
        if v[s] != 0.0:
            outer += v[s] * l1_ball.weight_of(state.ball, ask.attributes[s])
            outer_of_sum += v[s] * l1_ball.sum_so_far(state.ball, ask.attributes[s])
    if rule.updated:  # the sum has the present weights already
        outer_of_sum -= outer
    count_evidence(state.evidence, inner, outer, outer_of_sum, y, label)


@njit(cache=True, nogil=True)
def learn_aer(
    state: AERState,
    rule: AERRule,
    table: Any,
    labels: np.ndarray,
    start: int,
    stop: int,
    counts: Counts,
    limit: int,
) -> tuple[int, int]:
    """Ask, reveal and tell over rows start to stop; returns the row that failed and why, or (-1, FINE)."""
    for t in range(start, stop):
        ask = ask_aer(state, rule, False)
        values, failure = reveal_row(table, t, ask, counts, limit)
        if failure != FINE:
            return t, ask.attributes[failure] if failure >= 0 else failure
        tell_aer(state, rule, ask, values, labels[t])
    return -1, FINE
