"""The kernel of Baseline: sums of products over pairs of attributes."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import njit

from ...observe.ask import X_ESTIMATE, Ask, ask_for, with_probabilities
from ...observe.label_range import count_label
from ...observe.meter import Counts
from ...observe.reveal import FINE, reveal_row
from ...observe.scales import Scales, observe, scaled_label, scaled_values
from ...sampling.random import below


class BaselineState(NamedTuple):
    """The state of Baseline: the summed estimates of x x' and y x.

    ``half_A`` and ``half_b`` are the same sums over the first, third, fifth and so on example, and ``evidence`` is the
    range of the labels; all three are empty where the radius is given.
    """

    rng: np.ndarray
    marks: np.ndarray
    numbers: np.ndarray
    A: np.ndarray
    b: np.ndarray
    scales: Scales
    half_A: np.ndarray
    half_b: np.ndarray
    evidence: np.ndarray


class BaselineRule(NamedTuple):
    """How many pairs to draw."""

    pairs: int


@njit(cache=True, nogil=True)
def ask_pairs(state: BaselineState, rule: BaselineRule, want_probabilities: bool) -> Ask:
    """A uniform subset of all d^2 pairs (Floyd's algorithm, with a plain search among the few chosen)."""
    d, pairs = len(state.marks), rule.pairs
    chosen = np.empty(pairs, dtype=np.int64)
    for r in range(pairs):
        candidate = below(state.rng, d * d - pairs + r + 1)
        for s in range(r):
            if chosen[s] == candidate:
                candidate = d * d - pairs + r
                break
        chosen[r] = candidate
    drawn = np.empty(2 * pairs, dtype=np.int64)
    for r in range(pairs):
        drawn[2 * r], drawn[2 * r + 1] = chosen[r] // d, chosen[r] % d
    roles = np.full(2 * pairs, X_ESTIMATE)
    ask = ask_for(drawn, roles, np.full(2 * pairs, 0.5 * d / pairs), state.marks)
    if want_probabilities:
        # An attribute is not revealed if all pairs are among the (d - 1)^2 without it.
        not_revealed = 1.0
        for r in range(pairs):
            not_revealed *= max((d - 1.0) ** 2 - r, 0.0) / (d * d - r)
        ask = with_probabilities(ask, np.full(len(ask.attributes), 1.0 - not_revealed))
    return ask


@njit(cache=True, nogil=True)
def tell_pairs(state: BaselineState, rule: BaselineRule, ask: Ask, values: np.ndarray, label: float) -> None:
    """Add the estimates of x x' and y x."""
    d, k = len(state.marks), 2.0 * rule.pairs
    z = scaled_values(state.scales, ask.attributes, values)
    y = scaled_label(state.scales, label)
    state.numbers[0] += 1.0
    in_half = len(state.half_b) > 0 and state.numbers[0] % 2.0 == 1.0
    for r in range(rule.pairs):
        s, t = ask.slots[2 * r], ask.slots[2 * r + 1]
        i, j = ask.attributes[s], ask.attributes[t]
        state.A[i, j] += d * d / k * z[s] * z[t]
        state.A[j, i] += d * d / k * z[s] * z[t]
        if in_half:
            state.half_A[i, j] += d * d / k * z[s] * z[t]
            state.half_A[j, i] += d * d / k * z[s] * z[t]
    for r in range(len(ask.slots)):
        i = ask.attributes[ask.slots[r]]
        state.b[i] += y * ask.weights[r] * z[ask.slots[r]]
        if in_half:
            state.half_b[i] += y * ask.weights[r] * z[ask.slots[r]]
    if len(state.evidence) > 0:
        count_label(state.evidence, label)
    observe(state.scales, ask.attributes, values, label)


@njit(cache=True, nogil=True)
def learn_pairs(
    state: BaselineState,
    rule: BaselineRule,
    table: Any,
    labels: np.ndarray,
    start: int,
    stop: int,
    counts: Counts,
    limit: int,
) -> tuple[int, int]:
    """Ask, reveal and tell over rows start to stop; returns the row that failed and why, or (-1, FINE)."""
    for t in range(start, stop):
        ask = ask_pairs(state, rule, False)
        values, failure = reveal_row(table, t, ask, counts, limit)
        if failure != FINE:
            return t, ask.attributes[failure] if failure >= 0 else failure
        tell_pairs(state, rule, ask, values, labels[t])
    return -1, FINE
