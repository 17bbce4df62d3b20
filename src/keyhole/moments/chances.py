"""The chances that a row revealed each of its cells, and two of them together: by the design that drew the row.

The mean of a pair's chances over all designs would be less noisy (the balance heuristic of importance sampling), but
later designs follow from what earlier rows showed: a pair that by luck looked important is drawn more often from then
on, and weighing the lucky rows by that makes the sum wrong on average.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from scipy.sparse import csr_matrix

from ..observe.cells import Cells
from ..sampling import Design, Panels, joint_inclusion
from .policy import Policy

MOST_ATTRIBUTES = 10_000  # for rates of pairs, which are a table of attributes by attributes


class ByDesign(NamedTuple):
    """Exact."""

    policy: Policy

    def of(self, start: np.ndarray, attributes: np.ndarray, designs: np.ndarray) -> np.ndarray:
        """For each row, with its cells in order: (0, 0), (1, 0), (1, 1), (2, 0), ... where (s, s) is a cell alone."""
        chances, place = np.empty(n_pairs(start)), np.empty(len(attributes), dtype=np.int64)
        for k in np.unique(designs):
            panels, mine = self.policy.designs[k], designs == k
            if isinstance(panels.design, Design):
                unit = np.full(int(max(panels.members.max(), panels.always.max(initial=0))) + 1, -1)
                unit[panels.members] = np.repeat(np.arange(len(panels.first) - 1), np.diff(panels.first))
                inside = np.repeat(mine, np.diff(start))
                place[inside] = unit[attributes[inside]]
                put_chances(panels.design, mine, start, place, chances)
            else:
                put_tables(panels, mine, start, attributes, chances)
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

    def of(self, start: np.ndarray, attributes: np.ndarray, designs: np.ndarray) -> np.ndarray:
        """As ``ByDesign.of``; there are no designs."""
        return looked_up(self.rates, start, attributes)

    def never_together(self, used: np.ndarray) -> int:
        """As ``ByDesign.never_together``, by what was seen."""
        return int(np.sum(self.rates[np.ix_(used, used)] == 0)) // 2


def chances_of(cells: Cells, policy: Policy | None, d: int) -> ByDesign | ByRate:
    """By the designs of the policy, and by rates where there was none."""
    if policy is not None:
        return ByDesign(policy)
    if d > MOST_ATTRIBUTES:
        raise ValueError(
            f"how often two of {d} attributes are there together is not counted beyond {MOST_ATTRIBUTES} attributes;"
            " leave out some, or give a budget"
        )
    there = csr_matrix((np.ones(len(cells.values)), (cells.rows, cells.attributes)), shape=(cells.n_examples, d))
    return ByRate((there.T @ there).toarray() / cells.n_examples)


def chances_alone(cells: Cells, policy: Policy | None, d: int) -> np.ndarray:
    """Of each attribute, by design: shape (designs, d); 0 for those that are never drawn, or were never there."""
    if policy is None:
        return np.bincount(cells.attributes, minlength=d)[None] / cells.n_examples
    chances = np.zeros((len(policy.designs), d))
    for k, panels in enumerate(policy.designs):
        chances[k, panels.always] = 1.0
        chances[k, panels.members] = np.repeat(panels.design.inclusion, np.diff(panels.first))
    return chances


@njit(cache=True, nogil=True)
def n_pairs(start):
    """How many chances there are: of m cells m (m + 1) / 2."""
    total = 0
    for t in range(len(start) - 1):
        m = start[t + 1] - start[t]
        total += m * (m + 1) // 2
    return total


def put_tables(
    panels: Panels, mine: np.ndarray, start: np.ndarray, attributes: np.ndarray, chances: np.ndarray
) -> None:
    """Into ``chances`` those of the rows that are ``mine``, row by row."""
    count = np.diff(start)
    first = np.concatenate([[0], np.cumsum(count * (count + 1) // 2)])
    for t in np.flatnonzero(mine):
        joint = panels.joint(attributes[start[t] : start[t + 1]])
        chances[first[t] : first[t + 1]] = joint[np.tril_indices(len(joint))]


@njit(cache=True, nogil=True)
def put_chances(design, mine, start, place, chances):
    """The same compiled. ``place`` is the number of a cell's attribute in the design, -1 for one that is always seen;
    attributes that are always seen together share a number."""
    c = 0
    for t in range(len(start) - 1):
        m = start[t + 1] - start[t]
        if not mine[t]:
            c += m * (m + 1) // 2
            continue
        row = place[start[t] : start[t + 1]]
        drawn = np.unique(row[row >= 0])
        together = joint_inclusion(design, drawn)
        rank = np.searchsorted(drawn, row)
        for s in range(m):
            for q in range(s + 1):
                chances[c] = 1.0
                if row[s] >= 0 or row[q] >= 0:
                    a = rank[s] if row[s] >= 0 else rank[q]
                    b = rank[q] if row[q] >= 0 else rank[s]
                    chances[c] = together[a, b]
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
