"""The lasso kernel: exponentiated gradient in an l1 ball on estimated, clipped gradients.

This is GAELR of Kukliansky and Shamir (2015, Algorithm 3), which is AELR of Hazan and Koren (2012, Algorithm 2) when
draws are uniform. With z+ = exp(theta) and z- = exp(-theta) the weights are

    w_i = radius * sinh(theta_i) / sum_j cosh(theta_j)
    theta_i <- theta_i - step * clip(phi~ x~_i, 1 / step)

where phi~ and x~ are as in the ridge kernel, except that the attributes j of the inner product are drawn in proportion
to |w_j|. sinh and cosh are stored divided by exp(shift), so they cannot overflow. The common factor radius / sum cosh
is the scale of the averaged weights, see ``averaging.py``.
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
from .draw_distribution import EXTRA_CELLS, DrawDistribution, count_squares, estimated_moments, follow_moments
from .estimates import error_estimate, start_draws, x_estimate
from .evidence import count_evidence
from .inclusion import fill_probabilities
from .update_rule import UpdateRule, radius_of, sum_at_horizon, warmup_ends

SHIFT, FIRST_SCALE, CLOCK, STEPS, SQUARED_GRADIENTS, STEP_SIZE = range(6)
MOST_OF_BALL = 0.99  # the share of the radius that a second phase may start from; at 1 a weight z would be 0


class LassoState(NamedTuple):
    """The state of a lasso learner. The u of ``weights`` is sinh(theta); ``mass`` is a tree of cosh(theta)."""

    rng: np.ndarray
    marks: np.ndarray
    numbers: np.ndarray
    weights: np.ndarray
    theta: np.ndarray
    tree: np.ndarray
    mass: np.ndarray
    scales: Scales
    distribution: DrawDistribution
    evidence: np.ndarray


def new_lasso_state(
    rng: np.ndarray,
    d: int,
    radius: float,
    step_size: float,
    scales: Scales,
    distribution: DrawDistribution,
    evidence: np.ndarray,
) -> LassoState:
    """Zero weights (cosh = 1 everywhere); a step size of nan is the adaptive one."""
    numbers = np.array([0.0, radius / d, 0.0, 0.0, 0.0, step_size])
    mass = sum_tree.new_tree(d)
    sum_tree.rebuild(mass, np.ones(d))
    marks, tree = np.full(d, -1), sum_tree.new_tree(d)
    return LassoState(
        rng=rng,
        marks=marks,
        numbers=numbers,
        weights=new_weights(d),
        theta=np.zeros(d),
        tree=tree,
        mass=mass,
        scales=scales,
        distribution=distribution,
        evidence=evidence,
    )


@njit(cache=True, nogil=True)
def lasso_step(radius: float, d: int, examples: float, second_moment: float) -> float:
    """sqrt(log(2d) / (5 m)) / G, with G^2 = 4 B^2 E[x~_i^2] the bound on E[g~_i^2] (Hazan and Koren 2012).

    Their Theorem 3.4 prints 1 / (4 B^2) where its proof has 1 / (4 B), which is used here.
    """
    return np.sqrt(np.log(2.0 * d) / (5.0 * examples * second_moment)) / (2.0 * radius)


@njit(cache=True, nogil=True)
def common_factor(state: LassoState, rule: UpdateRule) -> float:
    """What sinh(theta) is multiplied by to give the weights of the next example."""
    return radius_of(rule, state.numbers[STEPS] + 1.0) / sum_tree.total(state.mass)


@njit(cache=True, nogil=True)
def ask_lasso(state: LassoState, rule: UpdateRule, want_probabilities: bool) -> Ask:
    """Draw the attributes of the next example."""
    d = len(state.marks)
    total = sum_tree.total(state.tree)
    inner_draws = rule.inner_draws if total > 0.0 else 0
    scale = common_factor(state, rule)
    drawn, roles, weights = start_draws(state.distribution, state.rng, d, rule.x_draws, inner_draws)
    for r in range(rule.x_draws, len(drawn)):
        drawn[r], weights[r] = draw_inner(state, scale)
        weights[r] /= inner_draws
    ask = ask_for(drawn, roles, weights, state.marks)
    if want_probabilities:
        ask = fill_probabilities(ask, state.distribution, state.tree, rule.x_draws, inner_draws, d)
    return ask


@njit(cache=True, nogil=True)
def draw_inner(state: LassoState, scale: float) -> tuple[int, float]:
    """An attribute j for the inner product, and w_j / p_j."""
    j = sum_tree.draw(state.tree, uniform(state.rng))
    p = sum_tree.weight_of(state.tree, j) / sum_tree.total(state.tree)
    return j, scale * state.weights[j, U] / p


@njit(cache=True, nogil=True)
def tell_lasso(state: LassoState, rule: UpdateRule, ask: Ask, values: np.ndarray, label: float) -> None:
    """Learn from the revealed values."""
    z = scaled_values(state.scales, ask.attributes, values)
    y = scaled_label(state.scales, label)
    phi = error_estimate(ask, z, y)
    x = x_estimate(ask, z)
    assess(state, ask, x, common_factor(state, rule), phi + y, y, label)
    descend(state, rule, ask, z, x, phi)
    observe(state.scales, ask.attributes, values, label)


@njit(cache=True, nogil=True)
def descend(state: LassoState, rule: UpdateRule, ask: Ask, z: np.ndarray, x: np.ndarray, phi: float) -> None:
    """One exponentiated step against phi times the estimate x."""
    numbers, weights = state.numbers, state.weights
    numbers[CLOCK] += common_factor(state, rule)
    numbers[STEPS] += 1.0
    d = len(weights)
    squared = phi * phi * np.sum(x * x)
    if squared > 0.0:
        numbers[SQUARED_GRADIENTS] += squared
        step = numbers[STEP_SIZE]
        if np.isnan(step):  # the theorem's form with 2 S / d for its m G^2, S the sum of squared norms: see AELR
            gradients = sum_at_horizon(rule, numbers[SQUARED_GRADIENTS], numbers[STEPS])
            step = np.sqrt(np.log(2.0 * d) * d / (10.0 * gradients))
        for s in range(len(x)):
            if x[s] != 0.0:
                i = ask.attributes[s]
                settle(weights, i, numbers[CLOCK])
                state.theta[i] -= min(max(step * phi * x[s], -1.0), 1.0)
                place(state, i)
        if common_factor(state, rule) < FOLD * numbers[FIRST_SCALE]:
            refold(state, rule)
    count_squares(state.distribution, ask.attributes, z)
    if warmup_ends(rule, numbers[STEPS]):
        end_warmup(state, rule)


@njit(cache=True, nogil=True)
def assess(state: LassoState, ask: Ask, x: np.ndarray, scale: float, inner: float, y: float, label: float) -> None:
    """Add an example to the evidence, where that is wanted: ``inner`` is the estimate of w'z."""
    if len(state.evidence) == 0:
        return
    outer, outer_of_sum = 0.0, 0.0
    for s in range(len(x)):
        if x[s] != 0.0:
            i = ask.attributes[s]
            outer += x[s] * scale * state.weights[i, U]
            outer_of_sum += x[s] * sum_so_far(state.weights, i, state.numbers[CLOCK])
    count_evidence(state.evidence, inner, outer, outer_of_sum, y, label)


@njit(cache=True, nogil=True)
def place(state: LassoState, i: int) -> None:
    """Compute sinh, cosh and the draw weight of one attribute from its theta."""
    up = np.exp(state.theta[i] - state.numbers[SHIFT])
    down = np.exp(-state.theta[i] - state.numbers[SHIFT])
    state.weights[i, U] = 0.5 * (up - down)
    sum_tree.update(state.mass, i, 0.5 * (up + down))
    sum_tree.update(state.tree, i, draw_weight(state, i))


@njit(cache=True, nogil=True)
def draw_weight(state: LassoState, i: int) -> float:
    """What the inner draw of attribute i is proportional to: |w_i|, times sqrt(E[x_i^2]) where that is available."""
    u, distribution = abs(state.weights[i, U]), state.distribution
    return u * distribution.root[i] if distribution.on[0] and len(distribution.root) > 0 else u


@njit(cache=True, nogil=True)
def refold(state: LassoState, rule: UpdateRule) -> None:
    """Bring the sums of the average up to date, and choose the shift so that the largest cosh is about 1."""
    numbers, weights = state.numbers, state.weights
    fold(weights, numbers[CLOCK], 1.0)
    numbers[CLOCK] = 0.0
    numbers[SHIFT] = np.max(np.abs(state.theta))
    cosh = np.empty(len(weights))
    for i in range(len(weights)):
        up = np.exp(state.theta[i] - numbers[SHIFT])
        down = np.exp(-state.theta[i] - numbers[SHIFT])
        weights[i, U] = 0.5 * (up - down)
        cosh[i] = 0.5 * (up + down)
    sum_tree.rebuild(state.mass, cosh)
    rebuild_draws(state)
    numbers[FIRST_SCALE] = common_factor(state, rule)


@njit(cache=True, nogil=True)
def rebuild_draws(state: LassoState) -> None:
    """Compute the tree of draw weights anew."""
    leaves = np.empty(len(state.weights))
    for i in range(len(leaves)):
        leaves[i] = draw_weight(state, i)
    sum_tree.rebuild(state.tree, leaves)


@njit(cache=True, nogil=True)
def end_warmup(state: LassoState, rule: UpdateRule) -> None:
    """Draw by the estimated moments from now on.

    The second phase starts from the present weights, or from the average of the first phase if phases are separate.
    """
    d, k, m1 = len(state.marks), rule.x_draws, rule.warmup
    uncertainty = 0.0
    if rule.confidence > 0.0:
        uncertainty = min(d * np.log(2.0 * d / rule.confidence) / ((k + rule.inner_draws) * m1), 1.0)
    A = estimated_moments(state.distribution, uncertainty, 0.0 if rule.separate else EXTRA_CELLS)
    follow_moments(state.distribution, A, 1.0)
    if rule.separate:
        start_from_average(state, rule)
    rebuild_draws(state)
    if rule.second_step > 0.0:
        state.numbers[STEP_SIZE] = rule.second_step
    if rule.theorem:
        if rule.confidence > 0.0:  # Theorem 4.5
            without_margin = A.sum() - 13.0 / 6.0 * d * uncertainty
            second_moment = (8.0 * without_margin + 20.0 * d * uncertainty) / k + 1.0
        else:  # Theorem 4.4, with the estimated moments
            second_moment = A.sum() / k + 1.0
        state.numbers[STEP_SIZE] = lasso_step(rule.radius, d, max(rule.horizon - m1, 1.0), second_moment)


@njit(cache=True, nogil=True)
def start_from_average(state: LassoState, rule: UpdateRule) -> None:
    """Let the average of the weights so far be the present weights, and begin a new average.

    Of all z+ and z- that give these weights, those nearest to the uniform start in relative entropy are exp(theta) and
    exp(-theta) with theta_i = arsinh(C w_i / radius), C being the sum of cosh(theta_j).
    """
    numbers, weights, d = state.numbers, state.weights, len(state.weights)
    fold(weights, numbers[CLOCK], 1.0)
    numbers[CLOCK] = 0.0
    share = weights[:, SUM] / (numbers[STEPS] * rule.radius)
    norm = np.sum(np.abs(share))
    if norm > MOST_OF_BALL:
        share *= MOST_OF_BALL / norm
    low, high = float(d), d / (1.0 - min(norm, MOST_OF_BALL))  # C lies between: sqrt(1 + a^2) <= 1 + |a|
    for _ in range(200):
        C = 0.5 * (low + high)
        if np.sum(np.sqrt(1.0 + (C * share) ** 2)) > C:
            low = C
        else:
            high = C
    state.theta[:] = np.arcsinh(high * share)
    refold(state, rule)
    weights[:, SUM] = 0.0
    numbers[SQUARED_GRADIENTS] = 0.0


@njit(cache=True, nogil=True)
def learn_lasso(
    state: LassoState,
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
        ask = ask_lasso(state, rule, False)
        values, failure = reveal_row(table, t, ask, counts, limit)
        if failure != FINE:
            return t, ask.attributes[failure] if failure >= 0 else failure
        tell_lasso(state, rule, ask, values, labels[t])
    return -1, FINE
