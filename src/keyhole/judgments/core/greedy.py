"""The greedy purchase of judgments, one rank-one step each.

A judgment of attribute a is a noisy reading of the object's own value, with variance v[a], independent of
all others; the mean of r of them has all the information of the r. So the objective of the paper,

    obj(r) = b_S' (Sigma_S + diag(v/r))^-1 b_S   over the attributes S with r > 0,

is the variance of the label that all readings bought so far explain, and one more reading, of a new attribute or
of one already bought, is a conditioning of the Gaussian with covariance P (of the values) and rho (of values
with the label):

    gain(a) = rho[a]^2 / (P[a, a] + v[a]),     u = P[:, a] / sqrt(P[a, a] + v[a]),
    rho -= u rho[a] / sqrt(P[a, a] + v[a]),    P -= u u'.

No inverse is formed. P itself is not kept either: its diagonal and the vectors u give what a step needs, so a
step costs O(d t) after t purchases. A reading that adds no variance of its own (a constant, or a copy of another
attribute) has a pivot P[a, a] + v[a] of zero and gains nothing: the pseudo-inverse gives the same if b lies in the
range of the matrix, and ``repair`` ensures that it does, also where cells are empty.
``tests/judgments/reference.py`` holds the plain form with pseudo-inverses.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .estimated_moments import SINGULAR
from .offers import Offer

# Gains that differ by less than this, relatively, are ties; the lowest index wins.
TIE = 1e-9
# A gain below this share of the label's variance counts as none.
LEAST_GAIN = 1e-12


class Purchase(NamedTuple):
    """One step: which offer was bought, and how much the unexplained variance of the label falls by it."""

    offer: int
    gain: float


def buy_greedily(
    sigma: np.ndarray,
    b: np.ndarray,
    v: np.ndarray,
    offers: list[Offer],
    budget: float,
    label_variance: float,
    per_cost: bool,
    spend_all: bool = False,
) -> list[Purchase]:
    """Buy the offer with the largest gain (per cost) that can still be paid for.

    This ends when no offer gains or, with ``spend_all``, when none can be paid for; the first offer is then bought
    where none gains.
    """
    state = _State(sigma, b, v)
    single = np.array([offer.columns[0] if len(offer.columns) == 1 else -1 for offer in offers])
    blocks = {g: _Block(sigma, offer.columns) for g, offer in enumerate(offers) if len(offer.columns) > 1}
    cost = np.array([offer.cost for offer in offers])
    limit = np.array([offer.limit for offer in offers])
    bought = np.zeros(len(offers))
    left = float(budget)
    purchases: list[Purchase] = []
    while True:
        gain = np.where(single >= 0, state.gains()[single], 0.0)
        for g, block in blocks.items():
            gain[g] = block.gain(state)
        gain[gain <= LEAST_GAIN * label_variance] = 0.0
        # The slack lets ten purchases at 0.1 fit a budget of 1.
        barred = (cost > left + 1e-9 * budget) | (bought >= limit)
        score = np.where(barred, -np.inf, gain / cost if per_cost else gain)
        best = int(np.argmax(score >= (1 - TIE) * score.max()))
        if barred[best] or (gain[best] == 0.0 and not spend_all):
            return purchases
        for column in offers[best].columns:
            u = state.read(column)
            for block in blocks.values():
                block.p -= np.outer(u[block.columns], u[block.columns])
        bought[best] += 1
        left -= cost[best]
        purchases.append(Purchase(best, float(gain[best])))


class _State:
    """The conditional moments: the diagonal ``p`` of P, and ``rho``; the vectors u so far in ``u[:n]``."""

    def __init__(self, sigma: np.ndarray, b: np.ndarray, v: np.ndarray) -> None:
        self.sigma, self.v = sigma, v
        self.p, self.rho = np.diag(sigma).copy(), b.copy()
        self.floor = SINGULAR * (self.p + v)
        self.u = np.empty((16, len(b)))
        self.n = 0

    def gains(self) -> np.ndarray:
        """The gain of one reading of each column."""
        pivot = self.p + self.v
        return np.divide(self.rho**2, pivot, out=np.zeros(len(pivot)), where=pivot > self.floor)

    def read(self, a: int) -> np.ndarray:
        """Condition on one reading of column a; returns u, zero where the reading has no information."""
        pivot = self.p[a] + self.v[a]
        if pivot <= self.floor[a]:
            return np.zeros(len(self.p))
        if self.n == len(self.u):
            self.u = np.concatenate([self.u, np.empty_like(self.u)])
        known = self.u[: self.n]
        u = (self.sigma[a] - known[:, a] @ known) / np.sqrt(pivot)
        self.u[self.n] = u
        self.n += 1
        self.rho -= u * (self.rho[a] / np.sqrt(pivot))
        self.p -= u**2
        return u


class _Block:
    """The block of P over the columns of a bundle, whose readings are bought together."""

    def __init__(self, sigma: np.ndarray, columns: np.ndarray) -> None:
        self.columns = columns
        self.p = sigma[np.ix_(columns, columns)].copy()

    def gain(self, state: _State) -> float:
        """The gain of all readings of the bundle: the same steps, on the block alone."""
        inside = _State(self.p, state.rho[self.columns], state.v[self.columns])
        inside.floor = state.floor[self.columns]
        total = 0.0
        for i in range(len(self.columns)):
            total += inside.gains()[i]
            inside.read(i)
        return total
