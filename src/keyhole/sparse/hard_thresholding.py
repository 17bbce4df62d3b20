"""The kernel of Exploration, Exploitation and Hybrid: a batch measures the gradient, then follows a step.

The gradient is 2 E[(theta'z - y) z] at the present iterate theta. Its support is observed of every example, so
theta'z is known without an estimate. While exploring, the attributes are divided into blocks, which the examples take
in turn, and the gradient on a block is the mean over the examples that showed it. While exploiting, examples show the
support alone, and the gradient is 0 elsewhere. Then theta <- H_s(theta - step * gradient), H_s keeping the s largest.

The step is 1 / (2 lambda (1 + rho)). lambda is the largest eigenvalue of the Gram matrix of the support in this batch;
for the first step, which has no support yet, that of s attributes of the first block. rho, the share of the
gradient's noise in what is kept of it, is s / batch on a known support, and 2 s log(d / s) / batch where the s largest
of d are kept; this step minimises (1 - a)^2 + a^2 rho, the factor by which the excess shrinks. Should an iterate lose
more than DIVERGED times what predicting the mean label loses, the last step is made again with half its length, and
all that follow are halved.

Within a batch, attributes are scaled by the running estimates as of its start. An example counts if it shows all of
the present support, so answers may come late.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from ..observe.ask import INNER_PRODUCT, X_ESTIMATE, ask_for, with_probabilities
from ..observe.reveal import FINE, reveal_row
from ..observe.scales import Scales, carried_over, in_scale, observe, scaled_label, scaled_values
from ..sampling.random import below
from .learning_curve import Record, record_example
from .schedule import (
    ASKED,
    BATCH,
    CONDITION,
    COUNTED,
    CYCLE,
    DAMPING,
    EXPLORING,
    HALVINGS,
    LOSS,
    MEAN_LOSS,
    N_NUMBERS,
    STARTED,
    STEP,
    TOLD,
    Rule,
    begin_phase,
    end_update,
    n_blocks,
)

DIVERGED = 2.0


class State(NamedTuple):
    """All that is known: the iterate, where the last step began, the sums of a batch, and what is returned.

    ``support`` lists the support (-1: an empty place), ``place`` says where in it an attribute is (-1: nowhere).
    ``learned`` is the last exploited iterate, and while there is none the last one. ``frozen`` are the scales that z
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


def new_state(rng: np.ndarray, d: int, rule: Rule, scales: Scales, record: Record) -> State:
    """The start: weights of 0, or the given ones as soon as their scales are known."""
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
    state = State(
        rng, np.full(d, -1), numbers, np.arange(d), theta, support, place, gradient, seen, np.zeros((s, s)),
        anchor, anchor_gradient, learned, scales, frozen, record,
    )  # fmt: skip
    begin_phase(numbers, rule, d, rule.explore_updates[0] != 0.0)
    new_blocks(state, rule)
    return state


@njit(cache=True, nogil=True)
def new_blocks(state, rule):
    """Divide the attributes into blocks: runs of ``order``, which is shuffled unless blocks are contiguous."""
    if not rule.contiguous:
        for i in range(len(state.order) - 1, 0, -1):
            j = below(state.rng, i + 1)
            state.order[i], state.order[j] = state.order[j], state.order[i]


@njit(cache=True, nogil=True)
def support_size(state):
    """How many places of the support are taken; they are the first ones."""
    size = 0
    while size < len(state.support) and state.support[size] >= 0:
        size += 1
    return size


@njit(cache=True, nogil=True)
def ask_thresholding(state, rule, want_probabilities):
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
def tell_thresholding(state, ask, values, label):
    """Add an example to the batch, and to the running scales."""
    scales = state.frozen if state.numbers[STARTED] else state.scales
    z = scaled_values(scales, ask.attributes, values)
    record_example(state.record, scales, ask, z, label)
    add_to_batch(state, ask, z, scaled_label(scales, label))
    observe(state.scales, ask.attributes, values, label)


@njit(cache=True, nogil=True)
def add_to_batch(state, ask, z, y):
    """Add an example to the sums, if it shows all of the support and what this phase is about."""
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
    numbers[TOLD] += 1.0
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
def add_products(state, z):
    """Add an example to the Gram matrix, of which the lower triangle is kept."""
    state.numbers[COUNTED] += 1.0
    for r in range(len(z)):
        for c in range(r + 1):
            state.gram[r, c] += z[r] * z[c]


@njit(cache=True, nogil=True)
def learn_thresholding(state, rule, cells, labels, start, stop, counts, limit):
    """Ask, reveal, tell from row start to stop or the end of the batch.

    Returns the row to go on from and FINE, or the row and what went wrong there.
    """
    for t in range(start, stop):
        ask = ask_thresholding(state, rule, False)
        values, failure = reveal_row(cells, t, ask, counts, limit)
        if failure != FINE:
            return t, ask.attributes[failure] if failure >= 0 else failure
        tell_thresholding(state, ask, values, labels[t])
        if is_full(state):
            return t + 1, FINE
    return stop, FINE


@njit(cache=True, nogil=True)
def is_full(state):
    """Whether the batch has all its examples."""
    return state.numbers[TOLD] >= state.numbers[BATCH]


def end_batch(state: State, rule: Rule) -> None:
    """Make a step, keep what was learned, take up the new scales, and begin the next batch."""
    numbers = state.numbers
    if numbers[STARTED] or not len(rule.start):
        make_step(state, rule)
    refresh_scales(state, rule)
    if not numbers[EXPLORING] or rule.exploit_updates[0] == 0 or numbers[CYCLE] == 0:
        state.learned[:] = state.theta
    end_update(numbers, rule, len(state.theta))
    numbers[: COUNTED + 1] = 0.0
    for sums in (state.gradient, state.seen, state.gram):
        sums[:] = 0.0
    if numbers[EXPLORING]:
        new_blocks(state, rule)


def make_step(state: State, rule: Rule) -> None:
    """theta <- H_s(theta - step * gradient), or the last step again with half its length."""
    numbers, s = state.numbers, rule.sparsity
    if not numbers[LOSS] <= DIVERGED * numbers[MEAN_LOSS] and numbers[STEP] > 0:
        numbers[DAMPING] *= 0.5
        numbers[STEP] *= 0.5
        numbers[HALVINGS] += 1
    else:
        state.anchor[:] = state.theta
        state.anchor_gradient[:] = state.gradient / np.maximum(state.seen, 1.0)
        numbers[STEP] = numbers[DAMPING] * step_size(state, rule)
    moved = state.anchor - numbers[STEP] * state.anchor_gradient
    kept = np.sort(np.argsort(-np.abs(moved), kind="stable")[:s])
    kept = kept[moved[kept] != 0]
    state.theta[:] = 0.0
    state.theta[kept] = moved[kept]
    state.support[:] = -1
    state.support[: len(kept)] = kept
    state.place[:] = -1
    state.place[kept] = np.arange(len(kept))


def step_size(state: State, rule: Rule) -> float:
    """The given step, or 1 / (2 lambda (1 + rho)); and the condition number, for the schedule."""
    numbers, s, d = state.numbers, rule.sparsity, len(state.theta)
    below = np.tril(state.gram, -1)
    gram = (below + below.T + np.diag(np.diag(state.gram))) / max(numbers[COUNTED], 1.0)
    eigenvalues = np.linalg.eigvalsh(gram)
    largest, smallest = eigenvalues[-1], eigenvalues[s - max(support_size(state), 1)]
    numbers[CONDITION] = largest / max(smallest, 1e-9 * largest) if largest > 0 else 1.0
    if not np.isnan(rule.step_size):
        return rule.step_size
    rho = s / numbers[TOLD]
    if numbers[EXPLORING]:
        rho *= 2 * np.log(d / s) * n_blocks(rule, d)
    return 0.5 / (largest * (1 + rho)) if largest > 0 else 0.0


def refresh_scales(state: State, rule: Rule) -> None:
    """Take up the running scales, and bring all weights into them."""
    if state.numbers[STARTED]:
        for weights in (state.theta, state.learned, state.anchor):
            weights[:] = carried_over(state.frozen, state.scales, weights)
    elif len(rule.start):
        state.theta[:] = in_scale(state.scales, rule.start)
    state.numbers[STARTED] = 1.0
    state.frozen.attributes[:] = state.scales.attributes
    state.frozen.label[:] = state.scales.label
