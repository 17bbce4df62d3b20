"""Steps of the ridge kernel against the estimated derivative of an analytic loss (see ``gen_est.py``)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from ...observe.ask import Ask, ask_for
from ...observe.meter import Counts
from ...observe.reveal import FINE, reveal_row
from ...observe.scales import observe, scaled_label, scaled_values
from ...sampling import sum_tree
from .estimates import start_draws, x_estimate
from .gen_est import AnalyticLoss, derivative_estimate, draw_orders, group_size, inner_estimate, run_of
from .inclusion import fill_probabilities
from .ridge import RidgeState, assess, descend, draw_inner
from .update_rule import UpdateRule


@njit(cache=True, nogil=True)
def ask_analytic(state: RidgeState, rule: UpdateRule, loss: AnalyticLoss, want_probabilities: bool) -> Ask:
    """Draws for x, then those of the runs of GenEst, whose orders are noted."""
    d = len(state.marks)
    orders, counts = draw_orders(state.rng, loss, sum_tree.total(state.tree) <= 0.0)
    drawn, roles, weights = start_draws(state.distribution, state.rng, d, rule.x_draws, counts.sum())
    for r in range(rule.x_draws, len(drawn)):
        g = run_of(counts, r - rule.x_draws)
        drawn[r], weights[r] = draw_inner(state)
        roles[r] += g  # the first run has the role of the inner product
        weights[r] /= group_size(loss, orders[g])
    ask = ask_for(drawn, roles, weights, state.marks)
    if want_probabilities:
        ask = fill_probabilities(ask, state.distribution, state.tree, rule.x_draws, counts.sum(), d)
    return Ask(ask.attributes, ask.probabilities, ask.slots, ask.roles, ask.weights, orders, ask.number)


@njit(cache=True, nogil=True)
def tell_analytic(
    state: RidgeState, rule: UpdateRule, loss: AnalyticLoss, ask: Ask, values: np.ndarray, label: float
) -> None:
    """One step against the estimated derivative."""
    z = scaled_values(state.scales, ask.attributes, values)
    y = scaled_label(state.scales, label)
    phi = derivative_estimate(loss, ask, z, y)
    x = x_estimate(ask, z)
    assess(state, ask, x, inner_estimate(loss, ask, z), y, label)
    descend(state, rule, ask, z, x, phi)
    observe(state.scales, ask.attributes, values, label)


@njit(cache=True, nogil=True)
def learn_analytic(
    state: RidgeState,
    rule: UpdateRule,
    loss: AnalyticLoss,
    table: Any,
    labels: np.ndarray,
    start: int,
    stop: int,
    counts: Counts,
    limit: int,
) -> tuple[int, int]:
    """Ask, reveal and tell over rows start to stop; returns the row that failed and why, or (-1, FINE)."""
    for t in range(start, stop):
        ask = ask_analytic(state, rule, loss, False)
        values, failure = reveal_row(table, t, ask, counts, limit)
        if failure != FINE:
            return t, ask.attributes[failure] if failure >= 0 else failure
        tell_analytic(state, rule, loss, ask, values, labels[t])
    return -1, FINE
