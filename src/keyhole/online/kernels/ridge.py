"""The ridge kernel: online gradient descent in an l2 ball on estimated gradients.

This is GAERR of Kukliansky and Shamir (2015, Algorithm 1), which is AERR of Hazan and Koren (2012) when draws are
uniform. With x_draws + inner_draws attributes of an example,

    x~   = mean over the x draws i of (x_i / q_i) e_i
    phi~ = mean over the inner draws j of (w_j / p_j) x_j  -  y
    w   <- project(w - step * phi~ x~)  onto |w|_2 <= radius

and the learned weights are the average of all w. The first w is 0, where the draw for the inner product is not defined:
the inner product is 0, and nothing is revealed for it. Weights are stored as scale * u, so the projection is a change
of the scale; a sum tree draws the attributes of the inner product; a step costs O(budget log d).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import njit

from ...observe.ask import Ask, ask_for
from ...observe.meter import Counts
from ...observe.reveal import FINE, reveal_row
from ...observe.scales import Scales, observe, scaled_label, scaled_values
from ...sampling import sum_tree
from ...sampling.random import uniform
from .averaging import FOLD, SUM, U, fold, new_weights, settle, sum_so_far
from .draw_distribution import (
    EXTRA_CELLS,
    DrawDistribution,
    count_squares,
    estimated_moments,
    follow_moments,
    moment_norm,
)
from .estimates import error_estimate, start_draws, x_estimate
from .evidence import count_evidence
from .inclusion import fill_probabilities
from .update_rule import UpdateRule, radius_of, sum_at_horizon, warmup_ends

SCALE, SQUARED_NORM, CLOCK, STEPS, SQUARED_GRADIENTS, STEP_SIZE = range(6)


class RidgeState(NamedTuple):
    """The state of a ridge learner; ``numbers`` are indexed by the constants above."""

    rng: np.ndarray
    marks: np.ndarray
    numbers: np.ndarray
    weights: np.ndarray
    tree: np.ndarray
    scales: Scales
    distribution: DrawDistribution
    evidence: np.ndarray


def new_ridge_state(
    rng: np.ndarray, d: int, step_size: float, scales: Scales, distribution: DrawDistribution, evidence: np.ndarray
) -> RidgeState:
    """Zero weights; a step size of nan is the adaptive one."""
    numbers = np.array([1.0, 0.0, 0.0, 0.0, 0.0, step_size])
    return RidgeState(
        rng=rng,
        marks=np.full(d, -1),
        numbers=numbers,
        weights=new_weights(d),
        tree=sum_tree.new_tree(d),
        scales=scales,
        distribution=distribution,
        evidence=evidence,
    )


@njit(cache=True, nogil=True)
def ridge_step(examples: float, second_moment: float) -> float:
    """2 B / (G sqrt(m)), with G^2 = 4 B^2 E|x~|^2 the bound on E|g~|^2 (Hazan and Koren 2012, Theorem 3.1)."""
    return 1.0 / np.sqrt(second_moment * examples)


@njit(cache=True, nogil=True)
def ask_ridge(state: RidgeState, rule: UpdateRule, want_probabilities: bool) -> Ask:
    """Draw the attributes of the next example."""
    d = len(state.marks)
    total = sum_tree.total(state.tree)
    inner_draws = rule.inner_draws if total > 0.0 else 0
    drawn, roles, weights = start_draws(state.distribution, state.rng, d, rule.x_draws, inner_draws)
    for r in range(rule.x_draws, len(drawn)):
        drawn[r], weights[r] = draw_inner(state)
        weights[r] /= inner_draws
    ask = ask_for(drawn, roles, weights, state.marks)
    if want_probabilities:
        ask = fill_probabilities(ask, state.distribution, state.tree, rule.x_draws, inner_draws, d)
    return ask


@njit(cache=True, nogil=True)
def draw_inner(state: RidgeState) -> tuple[int, float]:
    """An attribute j for the inner product, and w_j / p_j."""
    j = sum_tree.draw(state.tree, uniform(state.rng))
    p = sum_tree.weight_of(state.tree, j) / sum_tree.total(state.tree)
    return j, state.numbers[SCALE] * state.weights[j, U] / p


@njit(cache=True, nogil=True)
def tell_ridge(state: RidgeState, rule: UpdateRule, ask: Ask, values: np.ndarray, label: float) -> None:
    """Learn from the revealed values by the squared loss."""
    z = scaled_values(state.scales, ask.attributes, values)
    y = scaled_label(state.scales, label)
    phi = error_estimate(ask, z, y)
    x = x_estimate(ask, z)
    assess(state, ask, x, phi + y, y, label)
    descend(state, rule, ask, z, x, phi)
    observe(state.scales, ask.attributes, values, label)


@njit(cache=True, nogil=True)
def assess(state: RidgeState, ask: Ask, x: np.ndarray, inner: float, y: float, label: float) -> None:
    """Add an example to the evidence, where that is wanted: ``inner`` is the estimate of w'z."""
    if len(state.evidence) == 0:
        return
    outer, outer_of_sum = 0.0, 0.0
    for s in range(len(x)):
        if x[s] != 0.0:
            i = ask.attributes[s]
            outer += x[s] * state.numbers[SCALE] * state.weights[i, U]
            outer_of_sum += x[s] * sum_so_far(state.weights, i, state.numbers[CLOCK])
    count_evidence(state.evidence, inner, outer, outer_of_sum, y, label)


@njit(cache=True, nogil=True)
def descend(state: RidgeState, rule: UpdateRule, ask: Ask, z: np.ndarray, x: np.ndarray, phi: float) -> None:
    """One projected step against phi times the estimate x."""
    numbers, weights = state.numbers, state.weights
    numbers[CLOCK] += numbers[SCALE]
    numbers[STEPS] += 1.0
    squared = phi * phi * np.sum(x * x)
    radius = radius_of(rule, numbers[STEPS])
    if squared > 0.0:
        numbers[SQUARED_GRADIENTS] += squared
        step = numbers[STEP_SIZE]
        if np.isnan(step):  # 2 B / sqrt(2 S), with S the sum of squared norms: see AERR
            step = radius * np.sqrt(2.0 / sum_at_horizon(rule, numbers[SQUARED_GRADIENTS], numbers[STEPS]))
        for s in range(len(x)):
            if x[s] != 0.0:
                i = ask.attributes[s]
                settle(weights, i, numbers[CLOCK])
                before = weights[i, U]
                weights[i, U] -= step * phi * x[s] / numbers[SCALE]
                numbers[SQUARED_NORM] += weights[i, U] ** 2 - before**2
                sum_tree.update(state.tree, i, draw_weight(state, i))
        norm = np.sqrt(max(numbers[SQUARED_NORM], 0.0))
        if norm * numbers[SCALE] > radius:
            numbers[SCALE] = radius / norm
            if numbers[SCALE] < FOLD:
                fold(weights, numbers[CLOCK], numbers[SCALE])
                numbers[CLOCK], numbers[SCALE] = 0.0, 1.0
                rebuild_draws(state)
    count_squares(state.distribution, ask.attributes, z)
    if warmup_ends(rule, numbers[STEPS]):
        end_warmup(state, rule)


@njit(cache=True, nogil=True)
def draw_weight(state: RidgeState, i: int) -> float:
    """What the inner draw of attribute i is proportional to: w_i^2, or |w_i| sqrt(E[x_i^2]) where that is available."""
    u, distribution = state.weights[i, U], state.distribution
    return abs(u) * distribution.root[i] if distribution.on[0] and len(distribution.root) > 0 else u * u


@njit(cache=True, nogil=True)
def rebuild_draws(state: RidgeState) -> None:
    """Compute the norm and the tree of draw weights anew from the weights."""
    leaves = np.empty(len(state.weights))
    state.numbers[SQUARED_NORM] = np.sum(state.weights[:, U] ** 2)
    for i in range(len(leaves)):
        leaves[i] = draw_weight(state, i)
    sum_tree.rebuild(state.tree, leaves)


@njit(cache=True, nogil=True)
def end_warmup(state: RidgeState, rule: UpdateRule) -> None:
    """Draw by the estimated moments from now on.

    The second phase starts from the present weights, or from the average of the first phase if phases are separate.
    """
    d, k, m1 = len(state.marks), rule.x_draws, rule.warmup
    log_term, uncertainty = 0.0, 0.0
    if rule.confidence > 0.0:
        log_term = np.log(2.0 * d / rule.confidence)
        uncertainty = d * log_term / ((k + rule.inner_draws) * m1)
    A = estimated_moments(state.distribution, uncertainty, 0.0 if rule.separate else EXTRA_CELLS)
    follow_moments(state.distribution, A, 0.5)
    if rule.separate:
        start_from_average(state, rule)
    rebuild_draws(state)
    if rule.second_step > 0.0:
        state.numbers[STEP_SIZE] = rule.second_step
    if rule.theorem:
        if rule.confidence > 0.0:  # Theorem 3.4
            D = moment_norm(2.0 * A - uncertainty, 0.5)
            margin = np.sqrt(5.0 * d**3 * D * log_term / (3.0 * (k + rule.inner_draws) * m1))
            second_moment = min(6.0 * d, 2.0 * D + 2.0 * margin + k) / k
        else:  # Theorem 3.3, with the estimated moments
            second_moment = moment_norm(A, 0.5) / k + 1.0
        state.numbers[STEP_SIZE] = ridge_step(max(rule.horizon - m1, 1.0), second_moment)


@njit(cache=True, nogil=True)
def start_from_average(state: RidgeState, rule: UpdateRule) -> None:
    """Let the average of the weights so far be the present weights, and begin a new average."""
    numbers, weights = state.numbers, state.weights
    fold(weights, numbers[CLOCK], 1.0)
    weights[:, U] = weights[:, SUM] / numbers[STEPS]
    weights[:, SUM] = 0.0
    norm = np.sqrt(np.sum(weights[:, U] ** 2))
    if norm > rule.radius:
        weights[:, U] *= rule.radius / norm
    numbers[CLOCK], numbers[SCALE], numbers[SQUARED_GRADIENTS] = 0.0, 1.0, 0.0


@njit(cache=True, nogil=True)
def learn_ridge(
    state: RidgeState,
    rule: UpdateRule,
    table: Any,
    labels: np.ndarray,
    start: int,
    stop: int,
    counts: Counts,
    limit: int,
) -> tuple[int, int]:
    """Ask, reveal and tell over rows start to stop; returns the row that failed and why, or (-1, FINE)."""
    for t in range(start, stop):
        ask = ask_ridge(state, rule, False)
        values, failure = reveal_row(table, t, ask, counts, limit)
        if failure != FINE:
            return t, ask.attributes[failure] if failure >= 0 else failure
        tell_ridge(state, rule, ask, values, labels[t])
    return -1, FINE
