"""The kernel of IdentityCorrelation: the mean of y x, estimated from a uniform subset of the attributes."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import njit

from ...observe.ask import X_ESTIMATE, Ask, ask_for, with_probabilities
from ...observe.meter import Counts
from ...observe.reveal import FINE, reveal_row
from ...observe.scales import Scales, observe, scaled_label, scaled_values
from ...sampling.subsets import uniform_subset


class MeansState(NamedTuple):
    """``total`` is the sum of the estimates of y x, and ``numbers`` holds the number of examples."""

    rng: np.ndarray
    marks: np.ndarray
    numbers: np.ndarray
    total: np.ndarray
    scales: Scales


class MeansRule(NamedTuple):
    """How many attributes to draw."""

    draws: int


@njit(cache=True, nogil=True)
def ask_means(state: MeansState, rule: MeansRule, want_probabilities: bool) -> Ask:
    """A uniform subset."""
    d, k = len(state.marks), rule.draws
    drawn = uniform_subset(state.rng, d, k, state.marks)
    ask = ask_for(drawn, np.full(k, X_ESTIMATE), np.full(k, d / k), state.marks)
    if want_probabilities:
        ask = with_probabilities(ask, np.full(k, k / d))
    return ask


@njit(cache=True, nogil=True)
def tell_means(state: MeansState, ask: Ask, values: np.ndarray, label: float) -> None:
    """Add the estimate of y x."""
    z = scaled_values(state.scales, ask.attributes, values)
    y = scaled_label(state.scales, label)
    state.numbers[0] += 1.0
    for r in range(len(ask.slots)):
        state.total[ask.attributes[ask.slots[r]]] += y * ask.weights[r] * z[ask.slots[r]]
    observe(state.scales, ask.attributes, values, label)


@njit(cache=True, nogil=True)
def learn_means(
    state: MeansState,
    rule: MeansRule,
    table: Any,
    labels: np.ndarray,
    start: int,
    stop: int,
    counts: Counts,
    limit: int,
) -> tuple[int, int]:
    """Ask, reveal and tell over rows start to stop; returns the row that failed and why, or (-1, FINE)."""
    for t in range(start, stop):
        ask = ask_means(state, rule, False)
        values, failure = reveal_row(table, t, ask, counts, limit)
        if failure != FINE:
            return t, ask.attributes[failure] if failure >= 0 else failure
        tell_means(state, ask, values, labels[t])
    return -1, FINE
