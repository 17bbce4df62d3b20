"""The values that a model is linear in: a monotone map of each attribute's values, learned from revealed cells alone.

Attributes with long tails, many zeros or a few wild values are not linear in anything as they stand. Four maps of an
attribute are tried, none of which depends on its unit:

- winsorised: held at the third value from each end;
- log: sign(x - median) log(1 + |x - median| / s), with s the median of the distances from the median that are not 0;
- log from the edge: log(1 + (x - low) / s) for a long upper tail, mirrored for a long lower one;
- rank: the normal score of the rank, the same for equal values.

With r_t the correlation of map t with the label over the n cells of an attribute, the likelihood of a Gaussian label
gains -n/2 log(1 - r_t^2), and the posterior probabilities of the maps follow from it. Their prior probabilities are
those of the whole table, estimated on the way: an attribute with few cells takes the table's choice. The column of an
attribute is the mean of its standardised maps, weighted by these probabilities, with the mean and the standard
deviation of the winsorised values: it has the unit of the attribute, so fits to other rows, with other maps, can be
compared. It is kept as up to ``MAX_KNOTS`` knots with heights in between which it is linear, and beyond which it is
held at the edge.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.special import ndtri

from ...observe.cells import Cells, of_columns, standardised
from .complete_sets import most_frequent_set, ridge_by_leave_one_out
from .knots import Knots, Landmarks, interpolated, knots_of, landmarks_of

# The names of the maps, in the order of the columns of ``Values.shares``.
MAPS = ("winsorised", "log", "log from the edge", "rank")
# Rounds of the estimation of the table's probabilities, which hardly change after the tenth.
ROUNDS = 20
# The explained share of the label's variance that the evidence of a map may reach.
LARGEST_SHARE = 1.0 - 1e-6
# The fewest complete rows for each weight of a regression that decides whether columns are linear, and the share of the
# other error that its error must be below.
LEAST_COMPLETE_ROWS, CLEARLY = 3, 0.9
# How many median distances from its median a value of a linear column may have.
MODERATE = 20.0


class Values(NamedTuple):
    """Of each attribute: its knots, the heights of its column there, the share of each of ``MAPS`` in it, and how many
    columns it has.

    An attribute without knots is taken as it is (raw), and without any heights all of them are. A choice has a column
    for each of its values, which are numbered from 0: 1 where it has that value, and else 0. ``n_columns`` is empty
    where every attribute has one.
    """

    knots: Knots
    heights: np.ndarray
    shares: np.ndarray
    n_columns: np.ndarray = np.empty(0, dtype=np.int64)

    @property
    def is_raw(self) -> bool:
        """Whether the columns are the attributes as they are."""
        return len(self.heights) == 0 and not self.has_choices

    @property
    def has_choices(self) -> bool:
        return len(self.n_columns) > 0

    def attribute_of(self, d: int) -> np.ndarray:
        """The attribute of each column, for d columns."""
        return np.repeat(np.arange(len(self.n_columns)), self.n_columns) if self.has_choices else np.arange(d)

    def mapped(self, attributes: np.ndarray, values: np.ndarray) -> np.ndarray:
        """Values of some attributes, one attribute for each, as values of their columns; choices stay as they are."""
        if len(self.heights) == 0:
            return values
        return interpolated(self.knots.first, self.knots.values, self.heights, attributes, values)

    def of_cells(self, cells: Cells) -> Cells:
        """The same cells with values of the columns."""
        if self.is_raw:
            return cells
        values = self.mapped(cells.attributes, cells.values)
        if not self.has_choices:
            return cells.with_values(values)
        times = self.n_columns[cells.attributes]
        which = np.arange(times.sum()) - np.repeat(np.cumsum(times) - times, times)
        first = np.cumsum(self.n_columns) - self.n_columns
        columns = np.repeat(first[cells.attributes], times) + which
        values = np.repeat(values, times)
        return cells.expanded(times, columns, np.where(np.repeat(times, times) > 1, values == which, values))

    def expanded(self, attributes: np.ndarray, places: np.ndarray) -> np.ndarray:
        """The places that some cells have among those of columns; ``attributes`` are those of all cells."""
        if not self.has_choices:
            return places
        stop = np.cumsum(self.n_columns[attributes])
        return np.concatenate([np.arange(stop[at] - self.n_columns[attributes[at]], stop[at]) for at in places])

    def of_table(self, table: np.ndarray) -> np.ndarray:
        """A table of all attributes, NaN where nothing is known, as one of the columns."""
        if self.is_raw:
            return table
        attributes = np.broadcast_to(np.arange(table.shape[1]), table.shape).ravel()
        found = self.mapped(attributes, np.ascontiguousarray(table, dtype=np.float64).ravel()).reshape(table.shape)
        if not self.has_choices:
            return found
        parts = []
        for values, times in zip(found.T, self.n_columns, strict=True):
            same = np.where(np.isnan(values)[:, None], np.nan, values[:, None] == np.arange(times))
            parts.append(same if times > 1 else values[:, None])
        return np.hstack(parts)

    def described(self, d: int) -> list[str]:
        """In a word for each of d attributes: "raw", the name of a map, or "averaged" where none has most of it."""
        if not len(self.heights):
            return ["raw"] * d
        names = np.array([*MAPS, "averaged", "raw"])
        clear = np.where(self.shares.max(axis=1) > 0.5, np.argmax(self.shares, axis=1), len(MAPS))
        return names[np.where(self.shares.any(axis=1), clear, len(MAPS) + 1)].tolist()


# Every attribute as it is.
RAW = Values(Knots(np.zeros(0, dtype=np.int64), np.zeros(0), np.zeros(0)), np.zeros(0), np.zeros((0, len(MAPS))))


def learned_values(cells: Cells, labels: np.ndarray, allowed: np.ndarray) -> Values:
    """From revealed cells and labels, which have a row per example.

    ``allowed``, (d, maps), says which maps an attribute may have; one that may have none is taken as it is.
    """
    d = len(allowed)
    wanted: np.ndarray = np.any(allowed, axis=1)
    order = np.lexsort((cells.values, cells.attributes))
    order = order[wanted[cells.attributes[order]]]
    attributes, values, rows = cells.attributes[order], cells.values[order], cells.rows[order]
    if not len(values):
        return RAW
    begins = np.searchsorted(attributes, np.arange(d + 1))
    knots = knots_of(begins, values)
    landmarks = landmarks_of(begins, values)
    maps = _maps(landmarks, knots)
    scores = np.stack([interpolated(knots.first, knots.values, heights, attributes, values) for heights in maps])
    mean, scale = _mean_and_scale(begins, scores)
    scores = (scores - mean[:, attributes]) / scale[:, attributes]
    spread = labels.std(axis=0)
    targets = (labels - labels.mean(axis=0)) / np.where(spread > 0, spread, 1.0)
    shares = _shares(_evidence(begins, scores, targets[rows]), allowed, np.diff(knots.first) > 2)
    at = np.repeat(np.arange(d), np.diff(knots.first))
    blended = np.einsum("mk,km->k", (maps - mean[:, at]) / scale[:, at], shares[at])
    # The column has the median of its attribute and the median distance from it: a linear map stays as it is, the unit
    # is the attribute's, and no extreme value has a part in it.
    column = landmarks_of(begins, np.einsum("mc,cm->c", scores, shares[attributes]))
    heights = landmarks.median[at] + landmarks.spread[at] * ((blended - column.median[at]) / column.spread[at])
    # Every map of two values is the same line: they are taken as they are, and held at the edges alone.
    few = np.diff(knots.first) <= 2
    found = Values(knots, np.where(few[at], knots.values, heights), np.where((wanted & ~few)[:, None], shares, 0.0))
    return _with_linear_set(found, cells, targets, allowed)


def _with_linear_set(found: Values, cells: Cells, targets: np.ndarray, allowed: np.ndarray) -> Values:
    """The same, but linear in the attributes that most rows show together, where a regression on these rows is clearly
    better so: differences of attributes that are almost copies of each other do not survive two maps."""
    d = len(allowed)
    together = most_frequent_set(cells.rows, cells.attributes, cells.n_examples, d)
    some = together.attributes
    if len(together.rows) < LEAST_COMPLETE_ROWS * (len(some) + 1) or not allowed[some].all():
        return found
    if _reach(some, cells) > MODERATE:  # one extreme value would decide
        return found
    linear = _linear(found, some)
    errors = []
    for one in (found, linear):
        table = together.table(cells.rows, one.mapped(cells.attributes, cells.values))
        summary = of_columns(table)
        table = standardised(table, summary.mean, summary.deviation)
        labels = targets[together.rows] - targets[together.rows].mean(axis=0)
        errors.append(sum(ridge_by_leave_one_out(table, label)[1] for label in labels.T))
    return linear if errors[1] < CLEARLY * errors[0] else found


def _reach(some: np.ndarray, cells: Cells) -> float:
    """The largest distance of a value from the median of its attribute, in median distances."""
    largest = 0.0
    for i in some:
        values = cells.values[cells.attributes == i]
        distance = np.abs(values - np.median(values))
        largest = max(largest, float(distance.max() / np.median(distance[distance > 0]))) if distance.any() else largest
    return largest


def _linear(found: Values, some: np.ndarray) -> Values:
    """With columns that are some attributes as they are, held where a value is farther from those revealed than these
    are from each other: of attributes that are almost copies one must not be held while another is not."""
    first, own, ranks = found.knots
    shares, heights = found.shares.copy(), found.heights.copy()
    shares[some] = 0.0
    wide = some[np.diff(first)[some] > 2]
    for i in wide:
        heights[first[i] : first[i + 1]] = own[first[i] : first[i + 1]]
    low, high = own[first[wide]], own[first[wide + 1] - 1]
    edges = np.column_stack([low - (high - low), high + (high - low)]).ravel()
    where = np.column_stack([first[wide], first[wide + 1]]).ravel()
    of_edges = np.column_stack([ranks[first[wide]], ranks[first[wide + 1] - 1]]).ravel()
    before = np.searchsorted(wide, np.arange(len(first)))  # attributes with two knots more
    knots = Knots(first + 2 * before, np.insert(own, where, edges), np.insert(ranks, where, of_edges))
    return found._replace(knots=knots, heights=np.insert(heights, where, edges), shares=shares)


def _maps(landmarks: Landmarks, knots: Knots) -> np.ndarray:
    """The heights of every map at the knots, (maps, knots), in units of their own."""
    low, high, median, spread, edge_spread = (
        found[np.repeat(np.arange(len(found)), np.diff(knots.first))] for found in landmarks
    )
    from_median = knots.values - median
    upper = high - median >= median - low
    from_edge = np.where(upper, knots.values - low, high - knots.values)
    reach = np.maximum(high - median, median - low)  # the unit of what is winsorised, whose squares are finite then
    return np.stack(
        [
            (np.clip(knots.values, low, high) - median) / np.where(reach > 0, reach, 1.0),
            np.sign(from_median) * np.log1p(np.abs(from_median) / spread),
            np.where(upper, 1.0, -1.0) * np.log1p(np.maximum(from_edge, 0.0) / edge_spread),
            ndtri(knots.ranks),
        ]
    )


def _mean_and_scale(begins: np.ndarray, scores: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Of sorted cells, by attribute; a scale is 1 where nothing varies."""
    count = np.maximum(np.diff(begins), 1)
    at = np.repeat(np.arange(len(begins) - 1), np.diff(begins))
    mean = np.stack([np.bincount(at, each, minlength=len(count)) for each in scores]) / count
    squares = np.stack([np.bincount(at, each**2, minlength=len(count)) for each in scores - mean[:, at]]) / count
    return mean, np.sqrt(np.where(squares > 0, squares, 1.0))


def _evidence(begins: np.ndarray, scores: np.ndarray, targets: np.ndarray) -> np.ndarray:
    """By how much each map raises the log likelihood of the labels, (d, maps)."""
    count, at = np.diff(begins), np.repeat(np.arange(len(begins) - 1), np.diff(begins))
    explained = np.zeros((len(count), len(scores)))
    for label in targets.T:
        for m, each in enumerate(scores):
            explained[:, m] += (np.bincount(at, each * label, minlength=len(count)) / np.maximum(count, 1)) ** 2
    return -0.5 * count[:, None] * np.log1p(-np.minimum(explained, LARGEST_SHARE))


def _shares(evidence: np.ndarray, allowed: np.ndarray, informative: np.ndarray) -> np.ndarray:
    """The posterior probability of every map. Attributes with two values say nothing about maps."""
    table = np.ones(allowed.shape[1])
    likelihood = np.where(allowed, np.exp(evidence - evidence.max(axis=1, keepdims=True)), 0.0)
    likelihood[~allowed.any(axis=1)] = 1.0
    counted = informative & (allowed.sum(axis=1) > 1)
    for _ in range(ROUNDS):
        shares = likelihood * table
        total = shares.sum(axis=1, keepdims=True)
        shares = np.where(total > 0, shares / np.where(total > 0, total, 1.0), allowed)
        table = 1.0 + shares[counted].sum(axis=0)
    return shares
