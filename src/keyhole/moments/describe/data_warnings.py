"""What may make a model misleading, in sentences that name the attributes.

Whether a cell is missing must not depend on the label, or the model describes the wrong examples. Each attribute has
a test: the sum of the ranks of the labels of the rows where it is present, against what a random choice of as many
rows would give. Ranks keep one extreme label from deciding; attributes with too few rows for a normal distribution are
not tested; and Holm's method keeps the probability of any false alarm at ``FALSE_ALARM``, however many attributes there
are.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ...common.wording import SHOWN, listed
from ...observe.cells import Cells, summarised
from ..solution import Solution, Training
from .settings import FALSE_ALARM, FALSE_DUPLICATE, LEAST_ROWS, LITTLE_SUPPORT, MAX_CELLS


class LeftOut(NamedTuple):
    """Attributes without a weight: never revealed, always the same where revealed, and with too little variation."""

    never: np.ndarray
    constant: np.ndarray
    rare: np.ndarray


def data_warnings(solution: Solution, data: Training, attributes: Sequence[Any], missing_by_itself: bool) -> list[str]:
    """Sentences for warnings; ``missing_by_itself`` is whether cells were missing other than by a policy's choice."""
    cells, labels, n, d = data.as_revealed, data.labels, data.n_rows, len(attributes)
    counts = np.bincount(cells.attributes, minlength=d)

    def names(some: np.ndarray) -> str:
        return listed([attributes[int(i)].name for i in some])

    found = []
    if not solution.family.learns:
        found.append(f"the predictor is the mean label, since {solution.candidates[0]['why']}")
    elif solution.members and (supported := sum(weight for _, weight in solution.members)) < LITTLE_SUPPORT:
        found.append(
            f"held-out rows support {supported:.0%} of what the model predicts beyond the mean label, and the predictor"
            " is shrunk toward it by as much"
        )
    elif not np.ptp(labels, axis=0).any():
        found.append("the predictor is the mean label, since all labels are equal")
    if n < d:
        found.append(f"there are {n} examples for {d} attributes, so coefficients are strongly shrunk towards 0")
    left_out = attributes_left_out(solution, cells)
    if len(left_out.never):
        found.append(f"no cell was revealed of {names(left_out.never)}: the coefficient is 0")
    if len(left_out.constant):
        found.append(f"all revealed cells have the same value in {names(left_out.constant)}: the coefficient is 0")
    for group in duplicated(cells, d):
        found.append(f"wherever two of these attributes were revealed together, they were equal: {names(group)}")
    if missing_by_itself and not data.complete:
        found += _about_missing(cells, labels, counts, attributes)
    return found


def attributes_left_out(solution: Solution, cells: Cells) -> LeftOut:
    """Attributes that take no part; those that a family left out on purpose are none of these."""
    columns = solution.scales.values.attribute_of(len(solution.scales.mean))
    d = int(columns[-1]) + 1 if len(columns) else 0
    kept = (solution.scales.scale > 0) | solution.family.selects_attributes
    out = np.bincount(columns, kept, minlength=d) == 0
    inside = out[cells.attributes]
    seen = summarised(cells.attributes[inside], cells.values[inside], d)
    same = seen.deviation == 0
    never, constant, rare = (seen.times == 0, (seen.times > 0) & same, ~same)
    return LeftOut(*(np.flatnonzero(out & part) for part in (never, constant, rare)))


def related_to_label(cells: Cells, labels: np.ndarray, d: int) -> list[tuple[int, int, float]]:
    """Attribute, label column and p-value wherever missing cells look related to a label; the clearest first."""
    from scipy.stats import norm, rankdata

    n, L = labels.shape
    times = np.bincount(cells.attributes, minlength=d)[:, None]
    ranks = rankdata(labels, axis=0)
    ranks -= ranks.mean(axis=0)
    variance = np.mean(ranks**2, axis=0)
    skew = np.mean(ranks**3, axis=0) / np.where(variance > 0, variance, 1.0) ** 1.5
    present = np.column_stack([np.bincount(cells.attributes, ranks[cells.rows, k], minlength=d) for k in range(L)])
    expected = times * (n - times) / max(n - 1, 1) * variance
    tested = (np.minimum(times, n - times) >= LEAST_ROWS * (1.0 + skew**2)) & (variance > 0)
    p = np.ones((d, L))
    p[tested] = 2.0 * norm.sf(np.abs(present[tested]) / np.sqrt(expected[tested]))
    order = np.argsort(p, axis=None)[: np.sum(tested)]
    left = np.sum(tested) - np.arange(len(order))
    passed = np.minimum.accumulate(p.ravel()[order] <= FALSE_ALARM / left) if len(order) else np.zeros(0, dtype=bool)
    return [(int(at // L), int(at % L), float(p.ravel()[at])) for at in order[passed]]


def duplicated(cells: Cells, d: int) -> list[np.ndarray]:
    """Groups of attributes that were equal wherever they were revealed together, too often for a coincidence.

    Cells of a row are sorted by value, which brings equal ones together. A value counts by how rare it is in its
    attribute, so that zeros, which many attributes have, prove nothing.
    """
    rows, columns, values = cells.rows[:MAX_CELLS], cells.attributes[:MAX_CELLS], cells.values[:MAX_CELLS]
    count = np.bincount(columns, minlength=d)
    by_value = np.lexsort((values, columns))
    new = np.ones(len(values), dtype=bool)
    new[1:] = (np.diff(columns[by_value]) != 0) | (np.diff(values[by_value]) != 0)
    group = np.empty(len(values), dtype=np.int64)
    group[by_value] = np.cumsum(new) - 1
    share = np.bincount(group)[group] / count[columns]
    order = np.lexsort((columns, values, rows))
    first, second = order[:-1], order[1:]
    equal = (rows[first] == rows[second]) & (values[first] == values[second])
    pairs, pair = np.unique(columns[np.array([first, second])][:, equal], axis=1, return_inverse=True)
    proof = np.bincount(pair.ravel(), -np.log(share[first[equal]]), minlength=pairs.shape[1])
    by_column, start = np.argsort(columns, kind="stable"), np.concatenate([[0], np.cumsum(count)])
    leader = np.arange(d)
    for i, j in pairs[:, proof > np.log(d * d / FALSE_DUPLICATE)].T:
        one, two = by_column[start[i] : start[i + 1]], by_column[start[j] : start[j + 1]]
        _, at_one, at_two = np.intersect1d(rows[one], rows[two], assume_unique=True, return_indices=True)
        if (values[one[at_one]] == values[two[at_two]]).all():
            leader[leader == leader[j]] = leader[i]
    groups = [np.flatnonzero(leader == at) for at in np.unique(leader)]
    return [members for members in groups if len(members) > 1]


def _about_missing(cells: Cells, labels: np.ndarray, counts: np.ndarray, attributes: Sequence[Any]) -> list[str]:
    related = related_to_label(cells, labels, len(attributes))
    if not related:
        return []
    described = []
    for i, k, p in related[:SHOWN]:
        total = labels[cells.rows[cells.attributes == i], k].sum()
        present, missing = total / counts[i], (labels[:, k].sum() - total) / (len(labels) - counts[i])
        described.append(
            f"{attributes[i].name!r} (mean label {present:.3g} where it is present, {missing:.3g} where it is missing,"
            f" p = {p:.1g})"
        )
    n_attributes = len({i for i, _, _ in related})
    return [
        f"missing cells are related to the label in {n_attributes} of {len(attributes)} attributes:"
        f" {', '.join(described)}. The model assumes that cells are missing at random, and may be wrong where they are"
        " not"
    ]
