"""The kernel of Exploration, Exploitation and Hybrid: a batch measures the gradient, then follows a step.

The gradient is 2 E[(theta'z - y) z] at the present iterate theta. Its support is observed of every example, so
theta'z is computed, not estimated. While exploring, the attributes are divided into blocks, which the examples show in
turn, and the gradient on a block is the mean over the examples that showed it. While exploiting, examples show only
the support, and the gradient is 0 elsewhere. Then theta <- H_s(theta - step * gradient), H_s keeping the s largest.

Within a batch, attributes are scaled by the running estimates at its start. An example counts if it shows all of the
present support, so answers may come late.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import njit

from ..observe.ask import INNER_PRODUCT, X_ESTIMATE, Ask, ask_for, with_probabilities
from ..observe.meter import Counts
from ..observe.reveal import FINE, reveal_row
from ..observe.scales import Scales, observe, scaled_label, scaled_values
from ..sampling.random import below
from .learning_curve import Record, record_example
from .schedule import (
    ASKED,
    BATCH,
    DAMPING,
    EXPLORING,
    IN_BATCH,
    IN_GRAM,
    LOSS,
    MEAN_LOSS,
    N_NUMBERS,
    STARTED,
    ThresholdingRule,
    begin_phase,
    n_blocks,
)


class ThresholdingState(NamedTuple):
    """The iterate, where the last step began, the sums of a batch, and the learned weights.

    ``support`` lists the support (-1: an empty place), ``place`` says where in it an attribute is (-1: nowhere).
    ``learned`` is the last exploited iterate, or the last iterate while there is none. ``frozen`` are the scales that z
    and all weights refer to.
    """

    rng: np.ndarray
    marks: np.ndarray
    numbers: np.ndarray
    order: np.ndarray
    theta: np.ndarray
    support: np.ndarray
    place: np.ndarray
    gradient: np.ndarray
    seen: np.ndarray
    gram: np.ndarray
    anchor: np.ndarray
    anchor_gradient: np.ndarray
    learned: np.ndarray
    scales: Scales
    frozen: Scales
    record: Record


def new_state(rng: np.ndarray, d: int, rule: ThresholdingRule, scales: Scales, record: Record) -> ThresholdingState:
    """The start: weights of 0, or the given ones as soon as their scales are estimated."""
    s = rule.sparsity
    numbers, zeros = np.zeros(N_NUMBERS), np.zeros((6, d))
    numbers[DAMPING] = 1.0
    support, place = np.full(s, -1), np.full(d, -1)
    given = np.flatnonzero(rule.start)
    support[: len(given)] = given
    place[given] = np.arange(len(given))
    theta, gradient, seen, anchor, anchor_gradient, learned = (row.copy() for row in zeros)
    if len(given) and not len(scales.attributes):
        theta[:] = learned[:] = rule.start
        numbers[STARTED] = 1.0
    frozen = Scales(scales.attributes.copy(), scales.label.copy())
    state = ThresholdingState(
        rng=rng,
        marks=np.full(d, -1),
        numbers=numbers,
        order=np.arange(d),
        theta=theta,
        support=support,
        place=place,
        gradient=gradient,
        seen=seen,
        gram=np.zeros((s, s)),
        anchor=anchor,
        anchor_gradient=anchor_gradient,
        learned=learned,
        scales=scales,
        frozen=frozen,
        record=record,
    )
    begin_phase(numbers, rule, d, rule.explore_updates[0] != 0.0)
    new_blocks(state, rule)
    return state


@njit(cache=True, nogil=True)
def new_blocks(state: ThresholdingState, rule: ThresholdingRule) -> None:
    """Divide the attributes into blocks: runs of ``order``, which is shuffled unless blocks are contiguous."""
    if not rule.contiguous:
        for i in range(len(state.order) - 1, 0, -1):
            j = below(state.rng, i + 1)
            state.order[i], state.order[j] = state.order[j], state.order[i]


@njit(cache=True, nogil=True)
def support_size(state: ThresholdingState) -> int:
    """How many places of the support are taken; they are the first ones."""
    size = 0
    while size < len(state.support) and state.support[size] >= 0:
        size += 1
    return size


@njit(cache=True, nogil=True)
def ask_thresholding(state: ThresholdingState, rule: ThresholdingRule, want_probabilities: bool) -> Ask:
    """The support, and while exploring the next block."""
    d, n = len(state.theta), support_size(state)
    first = stop = 0
    if state.numbers[EXPLORING]:
        first = (np.int64(state.numbers[ASKED]) % n_blocks(rule, d)) * rule.width
        stop = min(first + rule.width, d)
    state.numbers[ASKED] += 1.0
    drawn = np.empty(n + stop - first, dtype=np.int64)
    drawn[:n], drawn[n:] = state.support[:n], state.order[first:stop]
    roles = np.full(len(drawn), X_ESTIMATE)
    roles[:n] = INNER_PRODUCT
    weights = np.ones(len(drawn))
    for r in range(n):
        weights[r] = state.theta[drawn[r]]
    ask = ask_for(drawn, roles, weights, state.marks)
    if want_probabilities:
        probabilities = np.full(len(ask.attributes), 1.0 if rule.contiguous else (stop - first) / d)
        probabilities[:n] = 1.0
        ask = with_probabilities(ask, probabilities)
    return ask


@njit(cache=True, nogil=True)
def is_learned(state: ThresholdingState) -> bool:
    """Whether the iterate is the learned one, and not one that explores."""
    support = state.support[: support_size(state)]
    return np.array_equal(state.theta[support], state.learned[support])


@njit(cache=True, nogil=True)
def tell_thresholding(state: ThresholdingState, ask: Ask, values: np.ndarray, label: float) -> None:
    """Add an example to the batch, and to the running scales."""
    scales = state.frozen if state.numbers[STARTED] else state.scales
    z = scaled_values(scales, ask.attributes, values)
    record_example(state.record, scales, ask, z, label, is_learned(state))
    add_to_batch(state, ask, z, scaled_label(scales, label))
    observe(state.scales, ask.attributes, values, label)


@njit(cache=True, nogil=True)
def add_to_batch(state: ThresholdingState, ask: Ask, z: np.ndarray, y: float) -> None:
    """Add an example to the sums, if it shows all of the support and, while exploring, a block."""
    numbers, n = state.numbers, support_size(state)
    at = np.full(n, -1)
    shown, residual = 0, -y
    for s in range(len(z)):
        i = ask.attributes[s]
        if state.place[i] >= 0:
            at[state.place[i]] = s
            shown += 1
            residual += state.theta[i] * z[s]
    wanted = X_ESTIMATE if numbers[EXPLORING] else INNER_PRODUCT
    if shown < n or (numbers[EXPLORING] and ask.roles[-1] != X_ESTIMATE):
        return
    numbers[IN_BATCH] += 1.0
    numbers[LOSS] += residual * residual
    numbers[MEAN_LOSS] += y * y
    for r in range(len(ask.slots)):
        i = ask.attributes[ask.slots[r]]
        if ask.roles[r] == wanted and (numbers[EXPLORING] or state.place[i] >= 0):
            state.gradient[i] += 2.0 * residual * z[ask.slots[r]]
            state.seen[i] += 1.0
    if n > 0:
        add_products(state, z[at])
    elif len(z) > 0 and ask.attributes[0] == state.order[0]:
        add_products(state, z[: len(state.support)])


@njit(cache=True, nogil=True)
def add_products(state: ThresholdingState, z: np.ndarray) -> None:
    """Add an example to the Gram matrix, of which the lower triangle is stored."""
    state.numbers[IN_GRAM] += 1.0
    for r in range(len(z)):
        for c in range(r + 1):
            state.gram[r, c] += z[r] * z[c]


@njit(cache=True, nogil=True)
def learn_thresholding(
    state: ThresholdingState,
    rule: ThresholdingRule,
    table: Any,
    labels: np.ndarray,
    start: int,
    stop: int,
    counts: Counts,
    limit: int,
) -> tuple[int, int]:
    """Ask, reveal and tell from row start to stop or the end of the batch.

    Returns the row to continue from and FINE, or the row that failed and why.
    """
    for t in range(start, stop):
        ask = ask_thresholding(state, rule, False)
        values, failure = reveal_row(table, t, ask, counts, limit)
        if failure != FINE:
            return t, ask.attributes[failure] if failure >= 0 else failure
        tell_thresholding(state, ask, values, labels[t])
        if is_full(state):
            return t + 1, FINE
    return stop, FINE


@njit(cache=True, nogil=True)
def is_full(state: ThresholdingState) -> bool:
    """Whether the batch has all its examples."""
    return state.numbers[IN_BATCH] >= state.numbers[BATCH]
