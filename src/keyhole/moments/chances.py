"""The chances that a row revealed each of its cells, and two of them together.

Rows that were drawn by different designs are judged together: a pair of attributes has the mean of its chances over
all rows. A row alone is then not right on average, but the sum over rows is, and its noise is smaller than if every
row were weighted by its own design, since a pair that early designs hardly ever drew leans on the later ones (the
balance heuristic of importance sampling; Veach and Guibas 1995).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from scipy.sparse import csr_matrix

from ..observe.cells import Cells
from ..sampling import Design, joint_inclusion
from .policy import Policy

MOST_ATTRIBUTES = 10_000  # for rates of pairs, which are a table of attributes by attributes


class ByDesign(NamedTuple):
    """Exact: ``shares`` are the shares of the rows that each design of the policy drew."""

    policy: Policy
    shares: np.ndarray

    def of(self, start: np.ndarray, attributes: np.ndarray) -> np.ndarray:
        """For each row, with its cells in order: (0, 0), (1, 0), (1, 1), (2, 0), ... where (s, s) is a cell alone."""
        chances = np.zeros(n_pairs(start))
        for panels, share in zip(self.policy.designs, self.shares, strict=True):
            if share > 0 and isinstance(panels.design, Design):
                unit = np.full(int(max(panels.members.max(), panels.always.max(initial=0))) + 1, -1)
                unit[panels.members] = np.repeat(np.arange(len(panels.first) - 1), np.diff(panels.first))
                add_chances(panels.design, share, start, unit[attributes], chances)
            elif share > 0:
                rows = [panels.joint(attributes[start[t] : start[t + 1]]) for t in range(len(start) - 1)]
                chances += share * np.concatenate([joint[np.tril_indices(len(joint))] for joint in rows])
        return chances

    def never_together(self, used: np.ndarray) -> int:
        """How many pairs of units with used attributes (a mask) cannot come together, since they cost too much."""
        units = self.policy.units
        cost = units.cost[units.of(np.flatnonzero(used))]
        too_dear = np.add.outer(cost, cost) > units.limit * (1 + 1e-12)
        return int(np.sum(np.triu(too_dear, 1)))


class ByRate(NamedTuple):
    """Estimated, for a table that was partial before: how often two attributes were there together."""

    rates: np.ndarray

    def of(self, start: np.ndarray, attributes: np.ndarray) -> np.ndarray:
        """As ``ByDesign.of``."""
        return looked_up(self.rates, start, attributes)

    def never_together(self, used: np.ndarray) -> int:
        """As ``ByDesign.never_together``, by what was seen."""
        return int(np.sum(self.rates[np.ix_(used, used)] == 0)) // 2


def chances_of(cells: Cells, policy: Policy | None, d: int) -> ByDesign | ByRate:
    """By the designs of the policy, and by rates where there was none."""
    if policy is not None:
        drawn = np.bincount(cells.designs, minlength=len(policy.designs))
        return ByDesign(policy, drawn / cells.n_examples)
    if d > MOST_ATTRIBUTES:
        raise ValueError(
            f"how often two of {d} attributes are there together is not counted beyond {MOST_ATTRIBUTES} attributes;"
            " leave out some, or give a budget"
        )
    there = csr_matrix((np.ones(len(cells.values)), (cells.rows, cells.attributes)), shape=(cells.n_examples, d))
    return ByRate((there.T @ there).toarray() / cells.n_examples)


@njit(cache=True, nogil=True)
def n_pairs(start):
    """How many chances there are: of m cells m (m + 1) / 2."""
    total = 0
    for t in range(len(start) - 1):
        m = start[t + 1] - start[t]
        total += m * (m + 1) // 2
    return total


@njit(cache=True, nogil=True)
def add_chances(design, share, start, place, chances):
    """``place`` is the number of a cell's attribute in the design, -1 for one that is always seen; attributes that are
    always seen together share a number."""
    c = 0
    for t in range(len(start) - 1):
        row = place[start[t] : start[t + 1]]
        drawn = np.unique(row[row >= 0])
        together = joint_inclusion(design, drawn)
        rank = np.searchsorted(drawn, row)
        for s in range(len(row)):
            for q in range(s + 1):
                chance = 1.0
                if row[s] >= 0 or row[q] >= 0:
                    a = rank[s] if row[s] >= 0 else rank[q]
                    b = rank[q] if row[q] >= 0 else rank[s]
                    chance = together[a, b]
                chances[c] += share * chance
                c += 1


@njit(cache=True, nogil=True)
def looked_up(rates, start, attributes):
    """The rates of the pairs of every row."""
    chances, c = np.empty(n_pairs(start)), 0
    for t in range(len(start) - 1):
        for s in range(start[t], start[t + 1]):
            for q in range(start[t], s + 1):
                chances[c] = rates[attributes[s], attributes[q]]
                c += 1
    return chances
