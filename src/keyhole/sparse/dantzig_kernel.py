"""The kernel of Dantzig: sums of products over uniform subsets, from which moments are estimated."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import njit

from ..observe.ask import INNER_PRODUCT, X_ESTIMATE, Ask, ask_for, with_probabilities
from ..observe.meter import Counts
from ..observe.reveal import FINE, reveal_row
from ..observe.scales import Scales, observe, scaled_label, scaled_values
from ..sampling.subsets import uniform_subset
from .learning_curve import Record, record_example

EXAMPLES, SQUARED_LABELS = range(2)


class DantzigState(NamedTuple):
    """The state of Dantzig: sums of z z' and y z over the subsets, and the present weights with their support."""

    rng: np.ndarray
    marks: np.ndarray
    numbers: np.ndarray
    products: np.ndarray
    label_products: np.ndarray
    w: np.ndarray
    support: np.ndarray
    scales: Scales
    record: Record


class DantzigRule(NamedTuple):
    """The size k0 of the subset to learn from."""

    subset: int


@njit(cache=True, nogil=True)
def ask_dantzig(state: DantzigState, rule: DantzigRule, want_probabilities: bool) -> Ask:
    """The support, to predict, and a uniform subset, to learn."""
    n, k0, d = len(state.support), rule.subset, len(state.marks)
    drawn = np.empty(n + k0, dtype=np.int64)
    drawn[:n], drawn[n:] = state.support, uniform_subset(state.rng, d, k0, state.marks)
    roles = np.full(n + k0, X_ESTIMATE)
    roles[:n] = INNER_PRODUCT
    weights = np.ones(n + k0)
    for r in range(n):
        weights[r] = state.w[drawn[r]]
    ask = ask_for(drawn, roles, weights, state.marks)
    if want_probabilities:
        probabilities = np.full(len(ask.attributes), k0 / d)
        probabilities[:n] = 1.0
        ask = with_probabilities(ask, probabilities)
    return ask


@njit(cache=True, nogil=True)
def tell_dantzig(state: DantzigState, ask: Ask, values: np.ndarray, label: float) -> None:
    """Add the products of the subset."""
    z = scaled_values(state.scales, ask.attributes, values)
    y = scaled_label(state.scales, label)
    record_example(state.record, state.scales, ask, z, label)
    state.numbers[EXAMPLES] += 1.0
    state.numbers[SQUARED_LABELS] += y * y
    for r in range(len(ask.slots)):
        if ask.roles[r] == X_ESTIMATE:
            i, z_i = ask.attributes[ask.slots[r]], z[ask.slots[r]]
            state.label_products[i] += y * z_i
            for c in range(len(ask.slots)):
                if ask.roles[c] == X_ESTIMATE:
                    state.products[i, ask.attributes[ask.slots[c]]] += z_i * z[ask.slots[c]]
    observe(state.scales, ask.attributes, values, label)


@njit(cache=True, nogil=True)
def learn_dantzig(
    state: DantzigState,
    rule: DantzigRule,
    table: Any,
    labels: np.ndarray,
    start: int,
    stop: int,
    counts: Counts,
    limit: int,
) -> tuple[int, int]:
    """Ask, reveal and tell over rows start to stop; returns the row that failed and why, or (-1, FINE)."""
    for t in range(start, stop):
        ask = ask_dantzig(state, rule, False)
        values, failure = reveal_row(table, t, ask, counts, limit)
        if failure != FINE:
            return t, ask.attributes[failure] if failure >= 0 else failure
        tell_dantzig(state, ask, values, labels[t])
    return -1, FINE


def estimated_moments(state: DantzigState, k0: int, exact: bool) -> tuple[np.ndarray, np.ndarray]:
    """The estimates of E[x x'] and E[y x] in scaled coordinates."""
    t, d = state.numbers[EXAMPLES], len(state.w)
    p = k0 / d
    both = k0 * (k0 - 1) / (d * (d - 1)) if exact else p * p
    A = state.products / (t * both)
    np.fill_diagonal(A, np.diag(state.products) / (t * p))
    return A, state.label_products / (t * p)
