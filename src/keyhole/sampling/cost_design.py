"""Subsets that cost no more than a budget, with known inclusion probabilities.

Toss one coin for each unit (an attribute, or a bundle that is bought together) and keep the toss only when something
shows heads and all that does is within the budget: conditional Poisson sampling, as in ``design.py``, with a limit on
cost in place of a fixed number. Every subset that can be afforded has a chance above 0, and so has every pair. Costs
are whole numbers of steps, so the chance that the units from u on cost at most c is a table, filled from the last unit
to the first:

    within[u, c] = (1 - p_u) within[u + 1, c] + p_u within[u + 1, c - cost_u].

It gives the draws, one unit after the other, and the exact pi_i; with one unit put aside as bought, its pi_ij. Nothing
is subtracted but the chance that nothing shows heads, so no digit is lost. Where no small step divides all costs they
are rounded up, never down.

The p are found so that the pi are near what was asked for, all of it reduced by a few percent where there would be no
room: units of unlike cost rarely fill a budget to the last step. What is reported is what was reached.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from scipy.special import expit, logit

from .random import uniform

MOST_STEPS = 400  # in a budget
EXACT = 1e-13  # costs are whole numbers of steps up to rounding
REDUCTIONS = (0.98, 0.95, 0.9, 0.8, 0.7, 0.6, 0.5)
CLOSE_ENOUGH = 0.01  # relative, of the reached pi to the wanted one
TURNS = 200
EXTREME = 15.0  # of log odds


class CostDesign(NamedTuple):
    """``inclusion`` is pi, ``working`` is p, ``cost`` is in steps; ``within`` has one column for 0, 1, ... steps."""

    inclusion: np.ndarray
    working: np.ndarray
    cost: np.ndarray
    within: np.ndarray

    def draw(self, rng: np.ndarray) -> np.ndarray:
        """One affordable subset of the units, in ascending order."""
        return affordable_subset(rng, self)

    def joint(self, units: np.ndarray) -> np.ndarray:
        """pi_ij for all pairs of the given, different units, with pi_i on the diagonal."""
        joint = joint_heads(self.working, self.cost, self.within, units)
        np.fill_diagonal(joint, self.inclusion[units])
        return joint


def new_cost_design(target: np.ndarray, cost: np.ndarray, budget: float) -> CostDesign:
    """A design whose inclusion probabilities are near ``target``, or somewhat below; every unit fits the budget.

    >>> design = new_cost_design(np.array([0.6, 0.6, 0.4, 0.6]), np.array([1.0, 1.0, 2.0, 3.0]), 4.0)
    >>> print(design.inclusion.round(2))
    [0.48 0.48 0.32 0.48]
    """
    target, cost = np.asarray(target, dtype=np.float64), np.asarray(cost, dtype=np.float64)
    wrong = np.flatnonzero(~((target > 0) & (target <= 1)))
    if wrong.size:
        raise ValueError(
            f"inclusion probabilities must be above 0 and at most 1; number {wrong[0]} is {target[wrong[0]]}"
        )
    wrong = np.flatnonzero(~((cost > 0) & (cost <= budget)))
    if wrong.size:
        raise ValueError(
            f"costs must be above 0 and at most the budget, {budget}; number {wrong[0]} is {cost[wrong[0]]}"
        )
    steps, limit = in_steps(cost, budget)
    for reduction in REDUCTIONS:
        wanted = reduction * target
        log_odds = logit(wanted)
        for _ in range(TURNS):
            reached = first_heads(expit(log_odds), steps, limit)
            error = np.max(np.abs(reached / wanted - 1.0))
            if error <= CLOSE_ENOUGH:
                break
            log_odds = np.clip(log_odds + logit(wanted) - logit(np.clip(reached, 1e-12, 1 - 1e-12)), -EXTREME, EXTREME)
        if error <= CLOSE_ENOUGH:
            break
    return design_of_coins(expit(log_odds), steps, limit)


def design_of_coins(working: np.ndarray, cost: np.ndarray, limit: int) -> CostDesign:
    """The design of coins with these chances, and costs and a budget in steps."""
    within = chances_within(working, cost, limit, -1)
    return CostDesign(first_heads(working, cost, limit), working, cost, within)


def in_steps(cost: np.ndarray, budget: float) -> tuple[np.ndarray, int]:
    """Costs and budget as whole numbers of the longest step that divides all; else rounded up, budget / MOST_STEPS."""
    for limit in range(1, MOST_STEPS + 1):
        steps = cost * (limit / budget)
        if (np.abs(steps - np.rint(steps)) <= EXACT * limit).all():
            return np.rint(steps).astype(np.int64), limit
    return np.ceil(cost * (MOST_STEPS / budget) * (1.0 - EXACT)).astype(np.int64), MOST_STEPS


@njit(cache=True, nogil=True)
def chances_within(working, cost, limit, aside):
    """within[u, c]: the chance that the units from u on cost at most c steps; unit ``aside`` is left out."""
    d = len(working)
    within = np.ones((d + 1, limit + 1))
    for u in range(d - 1, -1, -1):
        p = 0.0 if u == aside else working[u]
        for c in range(limit + 1):
            within[u, c] = (1.0 - p) * within[u + 1, c]
            if c >= cost[u]:
                within[u, c] += p * within[u + 1, c - cost[u]]
    return within


@njit(cache=True, nogil=True)
def heads_within(working, cost, within, aside):
    """The chance, for each unit, that it shows heads and all that do are within the limit."""
    limit = within.shape[1] - 1
    before = np.zeros(limit + 1)  # the chance that the units so far cost exactly so much
    before[0] = 1.0
    heads = np.zeros(len(working))
    for u in range(len(working)):
        p = 0.0 if u == aside else working[u]
        for c in range(limit - cost[u] + 1):
            heads[u] += before[c] * within[u + 1, limit - cost[u] - c]
        heads[u] *= p
        for c in range(limit, -1, -1):
            before[c] *= 1.0 - p
            if c >= cost[u]:
                before[c] += p * before[c - cost[u]]
    return heads


@njit(cache=True, nogil=True)
def first_heads(working, cost, limit):
    """pi_i of all units."""
    within = chances_within(working, cost, limit, -1)
    return heads_within(working, cost, within, -1) / (within[0, limit] - np.prod(1.0 - working))


@njit(cache=True, nogil=True)
def joint_heads(working, cost, within, units):
    """pi_ij of all pairs of different units out of the given ones; the diagonal is left at 0."""
    limit = within.shape[1] - 1
    kept = within[0, limit] - np.prod(1.0 - working)  # the chance of a toss that is kept
    joint = np.zeros((len(units), len(units)))
    for r in range(len(units)):
        i = units[r]
        rest = chances_within(working, cost, limit - cost[i], i)
        heads = heads_within(working, cost, rest, i)
        for s in range(r):
            joint[r, s] = joint[s, r] = working[i] * heads[units[s]] / kept
    return joint


@njit(cache=True, nogil=True)
def affordable_subset(rng, design):
    """One subset, by the chances of each unit given those before it."""
    chosen = np.empty(len(design.working), dtype=np.int64)
    count = 0
    while count == 0:
        left = design.within.shape[1] - 1
        for u in range(len(design.working)):
            if design.cost[u] <= left:
                taken = design.working[u] * design.within[u + 1, left - design.cost[u]]
                if uniform(rng) * design.within[u, left] < taken:
                    chosen[count] = u
                    count += 1
                    left -= design.cost[u]
    return chosen[:count]
