"""The working probabilities of a design within a cost: close to a target, with the budget spent.

A target that costs the whole budget on average is often out of reach. Of offers that cost 5, a budget of 8 pays for
one, though a target may ask for 1.2 of them on average. To reduce the whole target until it is within reach would leave
a third of the budget unspent. So what is out of reach gives way, and what it leaves of the budget goes to the others:
an inclusion probability is its target times exp(-FORCE x), where x is the change of the log odds of the working
probability that this takes.

The weight of a subset falls by the factor exp(-decay) with every step that it leaves unspent, and the decay is as large
as it takes for an expected cost of ``SPENT_SHARE`` of the most that can be packed into the budget. With ever larger
decay only the fullest subsets would be drawn, so that much is always possible; every affordable subset keeps a positive
probability.

To spend is not the aim. An offer that costs 3 of 4 fits into no full subset where all others cost 2, and would almost
never be drawn, even if it were worth more than two others. So where it is known what offers are worth, less is spent if
the worth of what is drawn is larger by ``WORTH_LEAVING`` then.

Both conditions are those of the minimum of one convex function of the log odds and the decay: the logarithm of the
total weight of all subsets, plus target times exp(-FORCE x) / FORCE, plus the decay times what may be left unspent.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from scipy.optimize import minimize
from scipy.special import expit, logit

from .cost_steps import most_packed

SPENT_SHARE = 0.98  # of what can be packed
LOWER_SHARES = (0.9, 0.8, 0.7, 0.6)  # tried where less spent may be worth more
WORTH_LEAVING = 0.1  # by how much more at least
FORCE = 0.5  # a larger one keeps pairs more probable that fit into no full subset, a smaller one targets closer
LARGEST = 30.0  # the largest log odds of a working probability
MOST_DECAY = 400.0  # of a subset that leaves the whole budget unspent, against one that leaves nothing
MOST_ITERATIONS = 200


def fitted(
    target: np.ndarray, cost: np.ndarray, limit: int, worth: np.ndarray | None = None
) -> tuple[np.ndarray, float]:
    """The working probability of each offer, and the decay by step; costs and limit are in steps."""
    most = most_packed(cost, limit)
    best = fitted_with(SPENT_SHARE * most, target, cost, limit)
    if worth is None:
        return best
    least = (1.0 + WORTH_LEAVING) * (worth @ inclusion_within(best[0], cost, limit, best[1]))
    for share in LOWER_SHARES:
        if best[1] == 0:  # less would not be spent anyway
            break
        other = fitted_with(share * most, target, cost, limit)
        reached = worth @ inclusion_within(other[0], cost, limit, other[1])
        if reached > least:
            best, least = other, reached
    return best


def fitted_with(wanted_cost: float, target: np.ndarray, cost: np.ndarray, limit: int) -> tuple[np.ndarray, float]:
    """The same for a least expected cost."""
    begun, unspent = logit(np.minimum(target, 0.95)), limit - wanted_cost

    def objective(x: np.ndarray) -> tuple[float, np.ndarray]:
        log_odds, decay = x[:-1], x[-1] / limit
        log_weight, inclusion = log_weight_and_inclusion(expit(log_odds), cost, limit, decay)
        drawn_to = target * np.exp(-FORCE * (log_odds - begun))
        value = log_weight + np.logaddexp(0.0, log_odds).sum() + decay * unspent + drawn_to.sum() / FORCE
        return value, np.append(inclusion - drawn_to, (inclusion @ cost - wanted_cost) / limit)

    bounds = [(-LARGEST, LARGEST)] * len(target) + [(0.0, MOST_DECAY)]
    options = {"maxiter": MOST_ITERATIONS, "maxcor": 20, "ftol": 1e-12, "gtol": 1e-5}
    found = minimize(objective, np.append(begun, 0.0), jac=True, method="L-BFGS-B", bounds=bounds, options=options).x
    working = expit(found[:-1])
    return working, _enough(working, found[-1], cost, limit, wanted_cost) / limit


def _enough(working: np.ndarray, decay: float, cost: np.ndarray, limit: int, wanted_cost: float) -> float:
    """The least decay from the given one on with the wanted expected cost, or almost that."""

    def spends(decay: float) -> bool:
        return bool(inclusion_within(working, cost, limit, decay / limit) @ cost >= (1.0 - 1e-3) * wanted_cost)

    if spends(decay):
        return decay
    low, high = decay, decay + 1.0
    while not spends(high) and high < MOST_DECAY:
        low, high = high, min(2.0 * high, MOST_DECAY)
    for _ in range(15):
        middle = 0.5 * (low + high)
        low, high = (low, middle) if spends(middle) else (middle, high)
    return high


@njit(cache=True, nogil=True)
def weights_within(working: np.ndarray, cost: np.ndarray, limit: int, decay: float, aside: int) -> np.ndarray:
    """within[u, c]: the expected weight of what is drawn from offer u on with c steps to spend, 0 beyond them; offer
    ``aside`` is left out."""
    d = len(working)
    within = np.empty((d + 1, limit + 1))
    within[d] = np.exp(-decay * np.arange(limit + 1))
    for u in range(d - 1, -1, -1):
        p = 0.0 if u == aside else working[u]
        for c in range(limit + 1):
            within[u, c] = (1.0 - p) * within[u + 1, c]
            if c >= cost[u]:
                within[u, c] += p * within[u + 1, c - cost[u]]
    return within


@njit(cache=True, nogil=True)
def drawn_within(working: np.ndarray, cost: np.ndarray, within: np.ndarray, aside: int) -> np.ndarray:
    """For each offer, the expected weight of what is drawn where the offer is among it, and 0 where it is not."""
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
def inclusion_within(working: np.ndarray, cost: np.ndarray, limit: int, decay: float) -> np.ndarray:
    """pi_i of all offers."""
    return log_weight_and_inclusion(working, cost, limit, decay)[1]


@njit(cache=True, nogil=True)
def log_weight_and_inclusion(
    working: np.ndarray, cost: np.ndarray, limit: int, decay: float
) -> tuple[float, np.ndarray]:
    """The logarithm of the expected weight of what is drawn, if it is anything, and pi_i of all offers."""
    within = weights_within(working, cost, limit, decay, -1)
    whole = weight_of_any(working, within)
    return np.log(whole), drawn_within(working, cost, within, -1) / whole


@njit(cache=True, nogil=True)
def weight_of_any(working: np.ndarray, within: np.ndarray) -> float:
    """The expected weight of what is drawn, without that of drawing nothing."""
    return within[0, -1] - np.prod(1.0 - working) * within[-1, -1]
