"""Random subsets that cost no more than a budget, with exact inclusion probabilities.

Draw each offer (an attribute, or a bundle that is bought together) independently with its working probability p_u, and
accept the result only if something was drawn and all of it is within the budget: conditional Poisson sampling, as in
``design.py``, with a limit on the cost in place of a fixed size. What leaves r steps of the budget unspent is accepted
with the probability exp(-decay r), so that most of the budget is spent. Every affordable subset has a positive
probability, and so has every affordable pair. Costs are whole numbers of steps (``cost_steps.py``), so the probability
that the offers from u on are accepted with c steps to spend is a table, filled from the last offer to the first:

    within[u, c] = (1 - p_u) within[u + 1, c] + p_u within[u + 1, c - cost_u],    within[d, c] = exp(-decay c).

The table gives the draws, one offer after the other, and the exact pi_i; with one offer set aside as bought it gives
that offer's pi_ij. Nothing is subtracted but the probability that nothing is drawn, so no precision is lost. The
working probabilities and the decay are found by iteration (``cost_fit.py``). ``inclusion`` holds the probabilities that
were reached.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from .cost_fit import drawn_within, fitted, inclusion_within, weight_of_any, weights_within
from .cost_steps import in_steps
from .random import uniform


class CostDesign(NamedTuple):
    """A design that draws subsets of offers within a cost.

    Parameters
    ----------
    inclusion : ndarray of shape (n_offers,)
        The inclusion probability pi of each offer.
    working : ndarray of shape (n_offers,)
        The working probability p of each offer: its probability before subsets are weighted and limited by their cost.
    cost : ndarray of int64 of shape (n_offers,)
        The cost of each offer, in whole steps.
    within : ndarray of shape (n_offers + 1, n_steps + 1)
        In row u and column c, the expected weight of what is drawn from offer u on with c steps left to spend.
    decay : float
        The weight of a subset falls by the factor exp(-decay) with every step that it leaves unspent.

    Examples
    --------
    >>> import numpy as np
    >>> from keyhole.sampling import new_cost_design, new_generator
    >>> design = new_cost_design(np.array([0.6, 0.6, 0.4, 0.6]), np.array([1.0, 1.0, 2.0, 3.0]), 4.0)
    >>> print(design.draw(new_generator(0)))
    [0 1 2]
    """

    inclusion: np.ndarray
    working: np.ndarray
    cost: np.ndarray
    within: np.ndarray
    decay: float

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
        joint = joint_within(self.working, self.cost, self.within, self.decay, offers)
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
        return design_of(self.working[offers], self.cost[offers], self.within.shape[1] - 1, self.decay)


def new_cost_design(target: np.ndarray, cost: np.ndarray, budget: float, worth: np.ndarray | None = None) -> CostDesign:
    """Make a design that spends almost what can be packed, with inclusion probabilities close to a target.

    Parameters
    ----------
    target : array-like of shape (n_offers,)
        The wanted inclusion probabilities, above 0 and at most 1.
    cost : array-like of shape (n_offers,)
        The cost of each offer, above 0 and at most the budget.
    budget : float
        The most that one subset may cost.
    worth : array-like of shape (n_offers,), default=None
        What each offer is worth to the caller. None: that is not known.

    Returns
    -------
    CostDesign
        The design. Its ``inclusion`` holds the probabilities that were reached. The expected cost is 98% of the most
        that any subset within the budget costs, up to the rounding of costs to steps. It is less, down to 60%, where
        the expected worth of a subset is larger by a tenth then.

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
    [0.64 0.64 0.34 0.65]
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
    working, decay = fitted(target, steps, limit, None if worth is None else np.asarray(worth, dtype=np.float64))
    return design_of(working, steps, limit, decay)


def design_of(working: np.ndarray, cost: np.ndarray, limit: int, decay: float = 0.0) -> CostDesign:
    """The design with these working probabilities; costs and limit are in steps."""
    within = weights_within(working, cost, limit, decay, -1)
    return CostDesign(inclusion_within(working, cost, limit, decay), working, cost, within, decay)


@njit(cache=True, nogil=True)
def joint_within(
    working: np.ndarray, cost: np.ndarray, within: np.ndarray, decay: float, offers: np.ndarray
) -> np.ndarray:
    """pi_ij of all pairs of different offers out of the given ones; the diagonal is left at 0."""
    limit = within.shape[1] - 1
    whole = weight_of_any(working, within)
    joint = np.zeros((len(offers), len(offers)))
    for r in range(len(offers)):
        i = offers[r]
        rest = weights_within(working, cost, limit - cost[i], decay, i)
        drawn = drawn_within(working, cost, rest, i)
        for s in range(r):
            joint[r, s] = joint[s, r] = working[i] * drawn[offers[s]] / whole
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
