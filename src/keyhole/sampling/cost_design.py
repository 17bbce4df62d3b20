"""Random subsets that cost no more than a budget, with exact inclusion probabilities.

Draw each offer (an attribute, or a bundle that is bought together) independently with its working probability p_u, and
accept the result only if something was drawn and all of it is within the budget: conditional Poisson sampling, as in
``design.py``, with a limit on the cost in place of a fixed size. Every affordable subset has a positive probability,
and so has every affordable pair. Costs are whole numbers of steps, so the probability that the offers from u on cost
at most c steps is a table, filled from the last offer to the first:

    within[u, c] = (1 - p_u) within[u + 1, c] + p_u within[u + 1, c - cost_u].

The table gives the draws, one offer after the other, and the exact pi_i; with one offer set aside as bought it gives
that offer's pi_ij. Nothing is subtracted but the probability that nothing is drawn, so no precision is lost. Where no
small step divides all costs, the costs are rounded up, never down.

The working probabilities are found by iteration so that the inclusion probabilities are close to the target. Offers of
different cost rarely use a budget to its last step, so a target that costs the whole budget on average is out of reach:
the whole target is reduced by a factor, the largest of ``REDUCTIONS`` that works. ``inclusion`` holds the probabilities
that were reached.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from scipy.special import expit, logit

from .random import uniform

MOST_STEPS = 400  # of a budget; the table has this many columns
EXACT = 1e-13  # costs are whole numbers of steps up to rounding
REDUCTIONS = (0.98, 0.95, 0.9, 0.8, 0.7, 0.6, 0.5)  # of the target, tried in this order
CLOSE_ENOUGH = 0.01  # relative error of the reached inclusion probabilities
MOST_ITERATIONS = 200
EXTREME = 15.0  # the largest log odds of a working probability


class CostDesign(NamedTuple):
    """A design that draws subsets of offers within a cost.

    Parameters
    ----------
    inclusion : ndarray of shape (n_offers,)
        The inclusion probability pi of each offer.
    working : ndarray of shape (n_offers,)
        The working probability p of each offer: its probability before the limit on the cost is imposed.
    cost : ndarray of int64 of shape (n_offers,)
        The cost of each offer, in whole steps.
    within : ndarray of shape (n_offers + 1, n_steps + 1)
        In row u and column c, the probability that the offers from u on cost at most c steps.

    Examples
    --------
    >>> import numpy as np
    >>> from keyhole.sampling import new_cost_design, new_generator
    >>> design = new_cost_design(np.array([0.6, 0.6, 0.4, 0.6]), np.array([1.0, 1.0, 2.0, 3.0]), 4.0)
    >>> print(design.draw(new_generator(0)))
    [0 3]
    """

    inclusion: np.ndarray
    working: np.ndarray
    cost: np.ndarray
    within: np.ndarray

    def draw(self, rng: np.ndarray) -> np.ndarray:
        """Draw one affordable subset.

        Parameters
        ----------
        rng : ndarray of uint64 of shape (4,)
            The random generator, see ``new_generator``; it is advanced.

        Returns
        -------
        ndarray of int64
            The offers that were drawn, in ascending order.
        """
        return affordable_subset(rng, self)

    def joint(self, offers: np.ndarray) -> np.ndarray:
        """Compute the second-order inclusion probabilities of some offers.

        Parameters
        ----------
        offers : ndarray of int64 of shape (n,)
            Different offers.

        Returns
        -------
        ndarray of shape (n, n)
            The probability pi_ij that both of two offers are drawn, with pi_i on the diagonal.
        """
        joint = joint_within(self.working, self.cost, self.within, offers)
        np.fill_diagonal(joint, self.inclusion[offers])
        return joint

    def among(self, offers: np.ndarray) -> CostDesign:
        """Condition the design on drawing none but some offers.

        Parameters
        ----------
        offers : ndarray of int64 of shape (n,)
            The offers that may be drawn, in ascending order; they are numbered anew.

        Returns
        -------
        CostDesign
            The design of these offers with the same working probabilities and the same limit.
        """
        return design_of(self.working[offers], self.cost[offers], self.within.shape[1] - 1)


def new_cost_design(target: np.ndarray, cost: np.ndarray, budget: float) -> CostDesign:
    """Make a design whose inclusion probabilities are proportional to a target, and somewhat below it.

    Parameters
    ----------
    target : array-like of shape (n_offers,)
        The wanted inclusion probabilities, above 0 and at most 1.
    cost : array-like of shape (n_offers,)
        The cost of each offer, above 0 and at most the budget.
    budget : float
        The most that one subset may cost.

    Returns
    -------
    CostDesign
        The design. Its ``inclusion`` holds the probabilities that were reached: within 1% of the target times the
        largest of the factors 0.98, 0.95, 0.9, 0.8, 0.7, 0.6 and 0.5 for which that is possible.

    Raises
    ------
    ValueError
        If a probability or a cost is out of its range; the message names the first such entry.

    Examples
    --------
    >>> import numpy as np
    >>> from keyhole.sampling import new_cost_design
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
        for _ in range(MOST_ITERATIONS):
            reached = inclusion_within(expit(log_odds), steps, limit)
            error = np.max(np.abs(reached / wanted - 1.0))
            if error <= CLOSE_ENOUGH:
                break
            log_odds = np.clip(log_odds + logit(wanted) - logit(np.clip(reached, 1e-12, 1 - 1e-12)), -EXTREME, EXTREME)
        if error <= CLOSE_ENOUGH:
            break
    return design_of(expit(log_odds), steps, limit)


def design_of(working: np.ndarray, cost: np.ndarray, limit: int) -> CostDesign:
    """The design with these working probabilities; costs and limit are in steps."""
    within = probabilities_within(working, cost, limit, -1)
    return CostDesign(inclusion_within(working, cost, limit), working, cost, within)


def in_steps(cost: np.ndarray, budget: float) -> tuple[np.ndarray, int]:
    """Costs and budget as whole numbers of the longest step that divides all; else rounded up, budget / MOST_STEPS."""
    for limit in range(1, MOST_STEPS + 1):
        steps = cost * (limit / budget)
        if (np.abs(steps - np.rint(steps)) <= EXACT * limit).all():
            return np.rint(steps).astype(np.int64), limit
    return np.ceil(cost * (MOST_STEPS / budget) * (1.0 - EXACT)).astype(np.int64), MOST_STEPS


@njit(cache=True, nogil=True)
def probabilities_within(working: np.ndarray, cost: np.ndarray, limit: int, aside: int) -> np.ndarray:
    """within[u, c]: the probability that the offers from u on cost at most c steps; offer ``aside`` is left out."""
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
def drawn_within(working: np.ndarray, cost: np.ndarray, within: np.ndarray, aside: int) -> np.ndarray:
    """The probability, for each offer, that it is drawn and all that is drawn is within the limit."""
    limit = within.shape[1] - 1
    before = np.zeros(limit + 1)  # the probability that the offers so far cost exactly so much
    before[0] = 1.0
    drawn = np.zeros(len(working))
    for u in range(len(working)):
        p = 0.0 if u == aside else working[u]
        for c in range(limit - cost[u] + 1):
            drawn[u] += before[c] * within[u + 1, limit - cost[u] - c]
        drawn[u] *= p
        for c in range(limit, -1, -1):
            before[c] *= 1.0 - p
            if c >= cost[u]:
                before[c] += p * before[c - cost[u]]
    return drawn


@njit(cache=True, nogil=True)
def inclusion_within(working: np.ndarray, cost: np.ndarray, limit: int) -> np.ndarray:
    """pi_i of all offers."""
    within = probabilities_within(working, cost, limit, -1)
    return drawn_within(working, cost, within, -1) / (within[0, limit] - np.prod(1.0 - working))


@njit(cache=True, nogil=True)
def joint_within(working: np.ndarray, cost: np.ndarray, within: np.ndarray, offers: np.ndarray) -> np.ndarray:
    """pi_ij of all pairs of different offers out of the given ones; the diagonal is left at 0."""
    limit = within.shape[1] - 1
    accepted = within[0, limit] - np.prod(1.0 - working)  # the probability that a draw is accepted
    joint = np.zeros((len(offers), len(offers)))
    for r in range(len(offers)):
        i = offers[r]
        rest = probabilities_within(working, cost, limit - cost[i], i)
        drawn = drawn_within(working, cost, rest, i)
        for s in range(r):
            joint[r, s] = joint[s, r] = working[i] * drawn[offers[s]] / accepted
    return joint


@njit(cache=True, nogil=True)
def affordable_subset(rng: np.ndarray, design: CostDesign) -> np.ndarray:
    """One subset, each offer drawn by its probability given those before it."""
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
