"""What is odd about the cells a model was fitted to, in sentences that name the attributes.

Whether a cell is missing must not depend on the label, or the model describes the wrong examples. Each attribute has
a test: the sum of the ranks of the labels of the rows where it is there, against what a random choice of as many rows
would give. Ranks keep one extreme label from deciding; rows too few for a normal distribution are not judged; and
Holm's method keeps the chance of any false alarm at ``LEVEL``, however many attributes there are.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..observe.cells import Cells, summarised

LEVEL = 0.01
FEWEST = 12.0  # rows of the smaller group; more where labels are skewed, as those of a rare class
NAMED = 3
LOOKED_AT = 200_000  # cells, when looking for twins
CHANCE = 1e-3  # of any twins that are none


def concerns(solution: Any, cells: Cells, labels: np.ndarray, attributes: Sequence[Any], holes: bool) -> list[str]:
    """Sentences for warnings; ``labels`` has a row per example, ``holes``: cells were missing by themselves."""
    n, d = cells.n_examples, len(attributes)
    times = np.bincount(cells.attributes, minlength=d)
    name = lambda some: listed([attributes[int(i)].name for i in some])  # noqa: E731
    found = []
    if solution.family == "mean":
        found.append(f"nothing is learned of the label: {solution.candidates[0]['why']}")
    elif not np.ptp(labels, axis=0).any():
        found.append("nothing is learned of the label: the labels are all alike")
    if n < d:
        found.append(f"{n} examples for {d} attributes: weights are strongly shrunk")
    never, constant, _ = left_out(solution, cells)
    if len(never):
        found.append(f"no cell was revealed, so the weight is 0, of {name(never)}")
    if len(constant):
        found.append(f"all revealed values are the same, so the weight is 0, of {name(constant)}")
    for twins in duplicated(cells, d):
        found.append(f"always equal where seen together, so they share a weight: {name(twins)}")
    if holes and len(cells.values) < n * d:
        found += _about_holes(cells, labels, times, attributes)
    return found


def left_out(solution: Any, cells: Cells) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Attributes that take no part: never revealed, always the same, and seen to vary too rarely.

    Those that a sparse predictor did not choose are none of these.
    """
    d = len(solution.units.mean)
    out = (solution.units.scale == 0) & (solution.family != "sparse")
    inside = out[cells.attributes]
    seen = summarised(cells.attributes[inside], cells.values[inside], d)
    same = seen.deviation == 0
    parts = (seen.times == 0, (seen.times > 0) & same, ~same)
    never, constant, rare = (np.flatnonzero(out & part) for part in parts)
    return never, constant, rare


def listed(names: Sequence[str]) -> str:
    """The first few names, and how many more."""
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    return ", ".join(repr(str(name)) for name in names[:NAMED]) + more


def related_to_label(cells: Cells, labels: np.ndarray, d: int) -> list[tuple[int, int, float]]:
    """Attribute, label column and p-value wherever missing cells look related to a label; the clearest first."""
    from scipy.stats import norm, rankdata

    n, L = labels.shape
    times = np.bincount(cells.attributes, minlength=d)[:, None]
    ranks = rankdata(labels, axis=0)
    ranks -= ranks.mean(axis=0)
    variance = np.mean(ranks**2, axis=0)
    skew = np.mean(ranks**3, axis=0) / np.where(variance > 0, variance, 1.0) ** 1.5
    there = np.column_stack([np.bincount(cells.attributes, ranks[cells.rows, k], minlength=d) for k in range(L)])
    expected = times * (n - times) / max(n - 1, 1) * variance
    judged = (np.minimum(times, n - times) >= FEWEST * (1.0 + skew**2)) & (variance > 0)
    p = np.ones((d, L))
    p[judged] = 2.0 * norm.sf(np.abs(there[judged]) / np.sqrt(expected[judged]))
    order = np.argsort(p, axis=None)[: np.sum(judged)]
    left = np.sum(judged) - np.arange(len(order))
    passed = np.minimum.accumulate(p.ravel()[order] <= LEVEL / left) if len(order) else np.zeros(0, dtype=bool)
    return [(int(at // L), int(at % L), float(p.ravel()[at])) for at in order[passed]]


def duplicated(cells: Cells, d: int) -> list[np.ndarray]:
    """Groups of attributes that were equal wherever they were seen together, too often for chance.

    Cells of a row are sorted by value, which brings twins together. A value counts by how rare it is in its
    attribute, so that zeros that everything has prove nothing.
    """
    rows, columns, values = cells.rows[:LOOKED_AT], cells.attributes[:LOOKED_AT], cells.values[:LOOKED_AT]
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
    for i, j in pairs[:, proof > np.log(d * d / CHANCE)].T:
        one, two = by_column[start[i] : start[i + 1]], by_column[start[j] : start[j + 1]]
        _, at_one, at_two = np.intersect1d(rows[one], rows[two], assume_unique=True, return_indices=True)
        if (values[one[at_one]] == values[two[at_two]]).all():
            leader[leader == leader[j]] = leader[i]
    groups = [np.flatnonzero(leader == at) for at in np.unique(leader)]
    return [members for members in groups if len(members) > 1]


def _about_holes(cells: Cells, labels: np.ndarray, times: np.ndarray, attributes: Sequence[Any]) -> list[str]:
    related = related_to_label(cells, labels, len(attributes))
    if not related:
        return []
    told = []
    for i, k, p in related[:NAMED]:
        there = labels[cells.rows[cells.attributes == i], k].sum()
        present, absent = there / times[i], (labels[:, k].sum() - there) / (len(labels) - times[i])
        told.append(
            f"{attributes[i].name!r} (mean label {present:.3g} where it is there, {absent:.3g} where not, p = {p:.1g})"
        )
    n_attributes = len({i for i, _, _ in related})
    return [
        f"whether a cell is missing looks related to the label in {n_attributes} of {len(attributes)} attributes:"
        f" {', '.join(told)}. The model takes cells for missing at random, and may be wrong where they are not"
    ]
