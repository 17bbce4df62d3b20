"""The inclusion probabilities of each revealed cell of a row, and of each two of them: by the design that drew the row.

The mean of a pair's inclusion probabilities over all designs would be less noisy (the balance heuristic of importance
sampling), but later designs follow from what earlier rows showed: a pair that looked important by luck is drawn more
often from then on, and dividing the lucky rows by that makes the sum biased.

A cell that was drawn may be missing. Inclusion probabilities are then multiplied by how often drawn cells were present
(``Presence``). A value that was given with the ask was drawn by no design: its probability is infinite here, so that
its cell adds nothing to a sum over inverse probabilities. A design that cannot draw an attribute, since that is not
available or was given, has the inclusion probability 0 for it, and rows of such a design have no weight where the
predictor uses the attribute (``row_weights.py``). All this assumes that availability is unrelated to the values.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from scipy.sparse import csr_matrix

from ...observe.cells import Cells
from ...sampling import Design, Panels, joint_inclusion
from ..policy.policy import Policy
from ..solution import Training
from .settings import MAX_ATTRIBUTES_FOR_RATES, PRIOR_PAIRS

AVAILABLE_AT_RANDOM = "This assumes that which cells are available is unrelated to their values."
ALWAYS, NEVER = -1, -2


class Presence(NamedTuple):
    """How often a drawn cell was present, and two that were drawn together."""

    single: np.ndarray
    drawn_pairs: csr_matrix
    present_pairs: csr_matrix

    def of_pairs(self, one: np.ndarray, two: np.ndarray) -> np.ndarray:
        """For pairs of attributes: the rate of the pair, drawn towards the product of those of its attributes."""
        expected = self.single[one] * self.single[two]
        drawn, present = (np.asarray(m[one, two]).ravel() for m in (self.drawn_pairs, self.present_pairs))
        return np.where(one == two, self.single[one], (present + PRIOR_PAIRS * expected) / (drawn + PRIOR_PAIRS))


def presence(cells: Cells, d: int) -> Presence | None:
    """None where no drawn cell was missing."""
    if not len(cells.missing_rows):
        return None
    ours, shape = ~cells.given, (cells.n_examples, d)
    rows, attributes = cells.rows[ours], cells.attributes[ours]
    present = csr_matrix((np.ones(len(rows)), (rows, attributes)), shape=shape)
    missing = csr_matrix(
        (np.ones(len(cells.missing_rows)), (cells.missing_rows, cells.missing_attributes)), shape=shape
    )
    drawn = present + missing
    counts, present_counts = (np.asarray(table.sum(axis=0)).ravel() for table in (drawn, present))
    overall = present_counts.sum() / counts.sum()
    return Presence((present_counts + overall) / (counts + 1.0), drawn.T @ drawn, present.T @ present)


def availability_remark(cells: Cells, policy: Policy | None) -> str:
    """What an estimate assumes where cells that a design may draw were not available, or were given beforehand."""
    if policy is None or not len(cells.rows) + len(cells.missing_rows):
        return ""
    restricted = np.array([len(excluded) > 0 for excluded in policy.excluded])
    return AVAILABLE_AT_RANDOM if len(cells.missing_rows) or restricted[cells.designs].any() else ""


class DesignInclusion(NamedTuple):
    """Exact inclusion probabilities, by the designs of a policy."""

    policy: Policy
    presence: Presence | None = None

    def of_pairs(self, start: np.ndarray, attributes: np.ndarray, designs: np.ndarray) -> np.ndarray:
        """For each row, with its cells in order: (0, 0), (1, 0), (1, 1), (2, 0), ... where (s, s) is a single cell."""
        probabilities, place = np.empty(n_pairs(start)), np.empty(len(attributes), dtype=np.int64)
        for k in np.unique(designs):
            panels, mine = self.policy.designs[k], designs == k
            if isinstance(panels.design, Design):
                most = max(int(part.max(initial=0)) for part in (panels.members, panels.always, attributes))
                offer = np.full(most + 1, NEVER)
                offer[panels.always] = ALWAYS
                offer[panels.members] = np.repeat(np.arange(len(panels.first) - 1), np.diff(panels.first))
                inside = np.repeat(mine, np.diff(start))
                place[inside] = offer[attributes[inside]]
                put_by_design(panels.design, mine, start, place, probabilities)
                if panels.share:
                    fixed = np.isin(np.arange(len(panels.first) - 1), panels.together)
                    mix_fixed_set(panels.share, fixed, mine, start, place, probabilities)
            else:
                put_row_by_row(panels, mine, start, attributes, probabilities)
        if self.presence is not None:
            probabilities *= self.presence.of_pairs(*pairs_of(start, attributes))
        return probabilities

    def never_together(self, attributes: np.ndarray) -> np.ndarray:
        """Of each two of some attributes, whether both cost more than the budget."""
        offers, design = self.policy.offers, self.policy.designs[0].design
        price, limit = np.ones(len(offers.cost)), int(offers.limit)
        if not isinstance(design, Design):  # costs are rounded up to steps
            price, limit = design.cost, design.within.shape[1] - 1
        offer = np.full(max(attributes.max(initial=0), offers.members.max()) + 1, NEVER)
        offer[offers.members] = np.repeat(np.arange(len(offers.cost)), np.diff(offers.first))
        mine = offer[attributes]
        cost = np.where(mine >= 0, price[mine], 0)
        return (mine[:, None] != mine) & (np.add.outer(cost, cost) > limit)


class ObservedRates(NamedTuple):
    """Estimates for a table that was partial before: how often two attributes were present together."""

    rates: np.ndarray

    def of_pairs(self, start: np.ndarray, attributes: np.ndarray, designs: np.ndarray) -> np.ndarray:
        """In the order of ``DesignInclusion.of_pairs``; there are no designs."""
        return rates_of_pairs(self.rates, start, attributes)

    def never_together(self, attributes: np.ndarray) -> np.ndarray:
        """Of each two of some attributes, whether they were never present together."""
        return self.rates[np.ix_(attributes, attributes)] == 0


PairInclusion = DesignInclusion | ObservedRates


def pair_inclusion(cells: Cells, policy: Policy | None, d: int) -> PairInclusion:
    """By the designs of the policy, and by observed rates where there was no policy."""
    if policy is not None:
        return DesignInclusion(policy, presence(cells, d))
    if d > MAX_ATTRIBUTES_FOR_RATES:
        raise ValueError(
            f"{d} attributes: how often two of them are present together is counted for at most"
            f" {MAX_ATTRIBUTES_FOR_RATES:,} attributes; leave some out, or give a budget"
        )
    present = csr_matrix((np.ones(len(cells.values)), (cells.rows, cells.attributes)), shape=(cells.n_examples, d))
    return ObservedRates((present.T @ present).toarray() / cells.n_examples)


def single_inclusion(cells: Cells, policy: Policy | None, d: int) -> np.ndarray:
    """The inclusion probability of each attribute, by design: shape (designs, d).

    0 for an attribute that is never drawn, or was never present.
    """
    if policy is None:
        return np.bincount(cells.attributes, minlength=d)[None] / cells.n_examples
    probabilities = np.zeros((len(policy.designs), d))
    for k, panels in enumerate(policy.designs):
        probabilities[k, panels.always] = 1.0
        probabilities[k, panels.members] = np.repeat(panels.inclusion, np.diff(panels.first))
    found = presence(cells, d)
    return probabilities if found is None else probabilities * found.single


class ColumnInclusion(NamedTuple):
    """The inclusion probabilities of two columns: those of their attributes, which ``attribute_of`` has."""

    pairs: PairInclusion
    attribute_of: np.ndarray

    def of_pairs(self, start: np.ndarray, columns: np.ndarray, designs: np.ndarray) -> np.ndarray:
        """In the order of ``DesignInclusion.of_pairs``."""
        return self.pairs.of_pairs(start, self.attribute_of[columns], designs)

    def never_together(self, columns: np.ndarray) -> np.ndarray:
        """Of each two of some columns, whether they are never revealed together."""
        return self.pairs.never_together(self.attribute_of[columns])

    def unseen_pairs(self, used: np.ndarray) -> tuple[int, float]:
        """How many pairs of attributes with used columns (a mask) are never revealed together, and their share."""
        attributes = np.unique(self.attribute_of[used])
        n, every = int(self.pairs.never_together(attributes).sum()) // 2, len(attributes) * (len(attributes) - 1) // 2
        return n, n / max(every, 1)


def pairs_of_columns(data: Training) -> ColumnInclusion:
    """Of the columns of training data."""
    attribute_of = data.attribute_of
    d = int(attribute_of[-1]) + 1
    return ColumnInclusion(pair_inclusion(data.as_revealed, data.policy, d), attribute_of)


def singles_of_columns(data: Training) -> np.ndarray:
    """The inclusion probability of each column, by design."""
    attribute_of = data.attribute_of
    return single_inclusion(data.as_revealed, data.policy, int(attribute_of[-1]) + 1)[:, attribute_of]


def put_row_by_row(
    panels: Panels, mine: np.ndarray, start: np.ndarray, attributes: np.ndarray, probabilities: np.ndarray
) -> None:
    """Into ``probabilities`` those of the rows that are ``mine``, row by row."""
    count = np.diff(start)
    first = np.concatenate([[0], np.cumsum(count * (count + 1) // 2)])
    drawable = np.concatenate([panels.members, panels.always])
    place = np.full(max(int(part.max(initial=0)) for part in (drawable, attributes)) + 1, NEVER)
    place[drawable] = np.arange(len(drawable))
    # The table of a design is filled once for each offer of a row: for many rows, all pairs at once take less time.
    every = panels.joint(drawable) if np.sum(count[mine]) > len(drawable) else None
    for t in np.flatnonzero(mine):
        row = attributes[start[t] : start[t + 1]]
        drawn = np.flatnonzero(place[row] != NEVER)
        joint = np.full((len(row), len(row)), np.inf)
        known = panels.joint(row[drawn]) if every is None else every[np.ix_(place[row[drawn]], place[row[drawn]])]
        joint[np.ix_(drawn, drawn)] = known
        probabilities[first[t] : first[t + 1]] = joint[np.tril_indices(len(joint))]


@njit(cache=True, nogil=True)
def n_pairs(start: np.ndarray) -> int:
    """How many numbers there are: m (m + 1) / 2 of m cells."""
    total = 0
    for t in range(len(start) - 1):
        m = start[t + 1] - start[t]
        total += m * (m + 1) // 2
    return total


@njit(cache=True, nogil=True)
def put_by_design(
    design: Design, mine: np.ndarray, start: np.ndarray, place: np.ndarray, probabilities: np.ndarray
) -> None:
    """As ``put_row_by_row``, compiled. ``place`` is the number of the offer of a cell's attribute, or ALWAYS or NEVER
    where a design always or never reveals it."""
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
                probabilities[c] = 1.0
                if row[s] == NEVER or row[q] == NEVER:
                    probabilities[c] = np.inf
                elif row[s] >= 0 or row[q] >= 0:
                    a = rank[s] if row[s] >= 0 else rank[q]
                    b = rank[q] if row[q] >= 0 else rank[s]
                    probabilities[c] = together[a, b]
                c += 1


@njit(cache=True, nogil=True)
def mix_fixed_set(
    share: float, fixed: np.ndarray, mine: np.ndarray, start: np.ndarray, place: np.ndarray, probabilities: np.ndarray
) -> None:
    """Turn the probabilities of a design into those of its mixture with a set of offers that is revealed together."""
    c = 0
    for t in range(len(start) - 1):
        m = start[t + 1] - start[t]
        if not mine[t]:
            c += m * (m + 1) // 2
            continue
        for s in range(start[t], start[t + 1]):
            for q in range(start[t], s + 1):
                both = (place[s] < 0 or fixed[place[s]]) and (place[q] < 0 or fixed[place[q]])
                probabilities[c] = (1.0 - share) * probabilities[c] + share * both
                c += 1


@njit(cache=True, nogil=True)
def rates_of_pairs(rates: np.ndarray, start: np.ndarray, attributes: np.ndarray) -> np.ndarray:
    """The rates of the pairs of every row."""
    found, c = np.empty(n_pairs(start)), 0
    for t in range(len(start) - 1):
        for s in range(start[t], start[t + 1]):
            for q in range(start[t], s + 1):
                found[c] = rates[attributes[s], attributes[q]]
                c += 1
    return found


@njit(cache=True, nogil=True)
def pairs_of(start: np.ndarray, attributes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The two attributes of the pairs of every row, in their order."""
    one, two, c = np.empty(n_pairs(start), dtype=np.int64), np.empty(n_pairs(start), dtype=np.int64), 0
    for t in range(len(start) - 1):
        for s in range(start[t], start[t + 1]):
            for q in range(start[t], s + 1):
                one[c], two[c] = attributes[s], attributes[q]
                c += 1
    return one, two
