"""The kernel of DualAveraging: a sum of estimated gradients, and a tree that knows its largest entries."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import njit

from ..observe.ask import INNER_PRODUCT, X_ESTIMATE, Ask, ask_for, with_probabilities
from ..observe.meter import Counts
from ..observe.reveal import FINE, reveal_row
from ..observe.scales import Scales, observe, scaled_label, scaled_values
from ..sampling import max_tree
from ..sampling.subsets import uniform_subset
from .learning_curve import Record, record_example

EXAMPLES, SQUARED_NORM, SQUARED_GRADIENTS = range(3)


class DualState(NamedTuple):
    """The state of DualAveraging: the sum of gradients, and the tree of its absolute values."""

    rng: np.ndarray
    marks: np.ndarray
    numbers: np.ndarray
    eta: np.ndarray
    tree: np.ndarray
    scales: Scales
    record: Record


class DualRule(NamedTuple):
    """k, m, whether gradients are taken at the sparse iterate (variant 1), the radius, and the l1 term.

    With ``growing`` the l1 term is a multiple of the root of the sum of squared gradients, which entries of their sum
    are moved towards 0 by. With ``alternating`` (variants 4 and 5) every other example shows a subset and no support.
    """

    sparsity: int
    subset: int
    at_sparse: bool
    radius: float
    l1: float
    growing: bool = False
    alternating: bool = False


@njit(cache=True, nogil=True)
def weight_divisor(state: DualState, rule: DualRule) -> float:
    """max(lambda, |eta| / radius) for the next example."""
    numbers, d = state.numbers, len(state.eta)
    if rule.at_sparse:
        divisor = np.sqrt(8.0 * d * (numbers[EXAMPLES] + 1.0) / rule.subset)
    else:
        divisor = np.sqrt(numbers[SQUARED_GRADIENTS]) / rule.radius
    return max(divisor, np.sqrt(max(numbers[SQUARED_NORM], 0.0)) / rule.radius)


@njit(cache=True, nogil=True)
def weight_of(state: DualState, rule: DualRule, i: int, divisor: float) -> float:
    """One entry of the dense iterate."""
    if state.eta[i] == 0.0:
        return 0.0
    threshold = rule.l1 * np.sqrt(state.numbers[SQUARED_GRADIENTS]) / divisor if rule.growing else rule.l1
    return -np.sign(state.eta[i]) * max(abs(state.eta[i]) / divisor - threshold, 0.0)


@njit(cache=True, nogil=True)
def ask_dual(state: DualState, rule: DualRule, want_probabilities: bool) -> Ask:
    """The k largest entries, and a uniform subset: of all attributes in variant 1, of the others in 2 and 3.

    In variants 4 and 5 the examples show one or the other: first a subset of all attributes, then the support.
    """
    d, m = len(state.eta), rule.subset
    support = max_tree.largest(state.tree, rule.sparsity)
    if rule.alternating:
        if state.numbers[EXAMPLES] % 2 == 0:
            support = support[:0]
        else:
            m = 0
    n = len(support)
    if rule.at_sparse or rule.alternating:
        subset = uniform_subset(state.rng, d, m, state.marks)
    else:
        subset = uniform_subset_without(state, m, support)
    drawn = np.concatenate((support, subset))
    roles = np.full(n + m, X_ESTIMATE)
    roles[:n] = INNER_PRODUCT
    weights = np.empty(n + m)
    divisor = weight_divisor(state, rule)
    for r in range(n + m):
        weights[r] = weight_of(state, rule, drawn[r], divisor)
    ask = ask_for(drawn, roles, weights, state.marks)
    if want_probabilities:
        among = d if rule.at_sparse or rule.alternating else d - n
        probabilities = np.full(len(ask.attributes), m / among)
        probabilities[:n] = 1.0
        ask = with_probabilities(ask, probabilities)
    return ask


@njit(cache=True, nogil=True)
def uniform_subset_without(state: DualState, m: int, left_out: np.ndarray) -> np.ndarray:
    """m different attributes out of those that are not left out, every subset equally likely.

    They are drawn from the first d - n numbers; each of these numbers that is left out stands for one of the last n
    that is not.
    """
    n, marks = len(left_out), state.marks
    first_last = len(marks) - n
    subset = uniform_subset(state.rng, first_last, m, marks)
    for i in left_out:
        marks[i] = i
    stand_in = first_last
    for i in left_out:
        if i < first_last:
            while marks[stand_in] >= 0:
                stand_in += 1
            marks[i] = stand_in
            stand_in += 1
    for r in range(m):
        if marks[subset[r]] >= 0:
            subset[r] = marks[subset[r]]
    for i in left_out:
        marks[i] = -1
    return subset


@njit(cache=True, nogil=True)
def tell_dual(state: DualState, rule: DualRule, ask: Ask, values: np.ndarray, label: float) -> None:
    """Add the estimated gradient."""
    numbers, d, m = state.numbers, len(state.eta), rule.subset
    z = scaled_values(state.scales, ask.attributes, values)
    y = scaled_label(state.scales, label)
    record_example(state.record, state.scales, ask, z, label)
    seen = np.zeros(2)  # w'z on the subset and on the support
    for r in range(len(ask.slots)):
        seen[ask.roles[r]] += ask.weights[r] * z[ask.slots[r]]
    numbers[EXAMPLES] += 1.0
    if rule.alternating and (len(ask.roles) == 0 or ask.roles[0] == INNER_PRODUCT):
        observe(state.scales, ask.attributes, values, label)
        return
    others = d - (len(ask.slots) - m)
    p, both = m / d, 1.0
    if not rule.at_sparse:
        p, both = m / others, m * (m - 1.0) / (others * (others - 1.0))
    for r in range(len(ask.slots)):
        x = z[ask.slots[r]]
        if rule.at_sparse:
            error = (seen[INNER_PRODUCT] - y) / p if ask.roles[r] == X_ESTIMATE else 0.0
        elif ask.roles[r] == INNER_PRODUCT:
            error = seen[INNER_PRODUCT] + seen[X_ESTIMATE] / p - y
        else:
            own = ask.weights[r] * x
            error = (seen[INNER_PRODUCT] + own - y) / p + (seen[X_ESTIMATE] - own) / both
        if error * x != 0.0:
            add_gradient(state, ask.attributes[ask.slots[r]], 2.0 * error * x)
    observe(state.scales, ask.attributes, values, label)


@njit(cache=True, nogil=True)
def add_gradient(state: DualState, i: int, gradient: float) -> None:
    """Add to one entry of eta, and update the sums and the tree."""
    before = state.eta[i]
    state.eta[i] += gradient
    state.numbers[SQUARED_NORM] += state.eta[i] ** 2 - before**2
    state.numbers[SQUARED_GRADIENTS] += gradient**2
    max_tree.update(state.tree, i, abs(state.eta[i]))


@njit(cache=True, nogil=True)
def learn_dual(
    state: DualState,
    rule: DualRule,
    table: Any,
    labels: np.ndarray,
    start: int,
    stop: int,
    counts: Counts,
    limit: int,
) -> tuple[int, int]:
    """Ask, reveal and tell over rows start to stop; returns the row that failed and why, or (-1, FINE)."""
    for t in range(start, stop):
        ask = ask_dual(state, rule, False)
        values, failure = reveal_row(table, t, ask, counts, limit)
        if failure != FINE:
            return t, ask.attributes[failure] if failure >= 0 else failure
        tell_dual(state, rule, ask, values, labels[t])
    return -1, FINE
