"""What was not obtainable, counted by attribute and reason, and whether it goes with the label.

A test that a patient refuses may say something about the patient. For each attribute that was asked for, the labels of
the examples where it was not obtainable are compared with those where it was. Both groups were asked by the same draws,
which know no label, so without a relation the groups are exchangeable: the p-value is that of a permutation test, and
beyond ``MOST_PERMUTED`` examples that of its limit, chi-squared. A second test counts all attributes together, example
by example. Half of the level is for it, and the other half for the attributes, by Holm's method: of studies without any
relation at most 5% are flagged.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from scipy.stats import chi2

from ..rules import CONFLICT, NOT_OBTAINABLE, VALUE
from ..store.replay import CellState, ExampleState

LEVEL = 0.05
LEAST = 5  # labelled examples in each group, below which no test is made
PERMUTATIONS, AT_ONCE, MOST_PERMUTED = 9_900, 300, 2_000


class GroupLabels(NamedTuple):
    """The labels of a group of examples.

    Parameters
    ----------
    n : int
        How many examples of the group have a label.
    mean : float or None
        The mean label; None for classes, or where there is no label.
    standard_error : float or None
        Its standard error; None for classes, or with fewer than 2 labels.
    shares : dict of str to float
        The share of each class; empty where labels are numbers.

    Examples
    --------
    >>> print(GroupLabels(12, 0.25, 0.1, {}))
    0.25 ± 0.1 (n = 12)
    """

    n: int
    mean: float | None
    standard_error: float | None
    shares: dict[str, float]

    def __str__(self) -> str:
        if self.shares:
            return ", ".join(f"{name} {share:.0%}" for name, share in self.shares.items()) + f" of {self.n:,}"
        if self.mean is None:
            return "no label"
        spread = "" if self.standard_error is None else f" ± {self.standard_error:.2g}"
        return f"{self.mean:.3g}{spread} (n = {self.n:,})"


class MissingAttribute(NamedTuple):
    """What was not obtainable of one attribute.

    Parameters
    ----------
    attribute : str
        Its name.
    n_asked : int
        How many cells were asked for and answered, with a value or not.
    n_missing : int
        How many of them were not obtainable.
    reasons : dict of str to int
        The reasons with their counts, the most frequent first.
    obtained : GroupLabels
        The labels of the examples where it was obtainable.
    missing : GroupLabels
        The labels of the examples where it was not.
    p_value : float or None
        The probability of labels that differ at least as much without any relation; None where a group has fewer than
        5 labels.
    differs : bool
        Whether the labels differ, at a level of 5% for all attributes together.

    Examples
    --------
    >>> few = GroupLabels(2, 0.5, 0.5, {})
    >>> MissingAttribute("mri", 9, 2, {"fear": 2}, GroupLabels(7, 0.1, 0.2, {}), few, None, False).verdict
    'too few labels to tell (fewer than 5)'
    """

    attribute: str
    n_asked: int
    n_missing: int
    reasons: dict[str, int]
    obtained: GroupLabels
    missing: GroupLabels
    p_value: float | None
    differs: bool

    @property
    def verdict(self) -> str:
        """Whether the labels differ, in words."""
        if self.p_value is None:
            return f"too few labels to tell (fewer than {LEAST})"
        return f"{'differ' if self.differs else 'no difference shown'} (p = {self.p_value:.2g})"


def missing_attributes(
    examples: Mapping[int, ExampleState], names: Sequence[str], is_classifier: bool
) -> tuple[list[MissingAttribute], float | None, bool]:
    """A row for each attribute of which something was not obtainable, the most first; the p-value of all attributes
    together, and whether that is below its level."""
    numbers = [number for number, one in sorted(examples.items()) if one.label_state == VALUE]
    row_of = {number: row for row, number in enumerate(numbers)}
    labels = [examples[number].label for number in numbers]
    told = np.array([label.text if is_classifier else label.number for label in labels])
    columns = _columns(told, is_classifier)
    excess = np.zeros(len(numbers))  # cells of an example that were not obtainable, above what was to be expected
    drafts = []
    for attribute, name in enumerate(names):
        cells = {n: one.cells[attribute] for n, one in examples.items() if is_answered(one.cells.get(attribute))}
        absent = {n for n, cell in cells.items() if cell.state == NOT_OBTAINABLE}
        if not absent:
            continue
        labelled = np.array([row_of[n] for n in sorted(cells) if n in row_of], dtype=np.int64)
        is_absent = np.array([n in absent for n in sorted(cells) if n in row_of], dtype=bool)
        excess[labelled] += is_absent - is_absent.mean() if len(labelled) else 0.0
        reasons = Counter(str(cells[n].reason) for n in absent)
        groups = [group_labels(told[labelled[mask]], is_classifier) for mask in (~is_absent, is_absent)]
        enough = min(groups[0].n, groups[1].n) >= LEAST
        p = p_value(columns[labelled], is_absent.astype(float)) if enough else None
        counted = dict(sorted(reasons.items(), key=lambda item: (-item[1], item[0])))
        drafts.append(MissingAttribute(name, len(cells), len(absent), counted, groups[0], groups[1], p, False))
    limit = _holm([one.p_value for one in drafts if one.p_value is not None], LEVEL / 2)
    rows = [one._replace(differs=one.p_value is not None and one.p_value <= limit) for one in drafts]
    together = p_value(columns, excess) if np.count_nonzero(excess) >= LEAST else None
    rows.sort(key=lambda one: -one.n_missing)
    return rows, together, together is not None and together <= LEVEL / 2


def is_answered(cell: CellState | None) -> bool:
    """Whether a cell was asked for, and has a value or is not obtainable."""
    return cell is not None and cell.drawn and cell.state in (VALUE, CONFLICT, NOT_OBTAINABLE)


def group_labels(told: np.ndarray, is_classifier: bool) -> GroupLabels:
    """The labels of a group in numbers."""
    n = len(told)
    if is_classifier:
        counts = Counter(told.tolist())
        return GroupLabels(n, None, None, {name: count / n for name, count in sorted(counts.items())})
    error = float(told.std(ddof=1) / np.sqrt(n)) if n > 1 else None
    return GroupLabels(n, float(told.mean()) if n else None, error, {})


def p_value(columns: np.ndarray, score: np.ndarray, seed: int = 0) -> float:
    """The probability of a relation of this size between labels and a score, if the score were shuffled.

    >>> label = np.arange(20.0)[:, None]
    >>> p_value(label, (np.arange(20) < 6).astype(float)) < 0.001
    True
    """
    z, s = columns - columns.mean(axis=0), score - score.mean()
    covariance = z.T @ z / (len(z) - 1)
    inverse, rank = np.linalg.pinv(covariance, hermitian=True), int(np.linalg.matrix_rank(covariance, hermitian=True))
    if rank == 0 or not s.any():
        return 1.0

    def statistics(scores: np.ndarray) -> np.ndarray:
        sums = scores @ z
        return np.einsum("kc,cd,kd->k", sums, inverse, sums) / float(s @ s)

    observed = float(statistics(s[None])[0])
    if len(z) > MOST_PERMUTED:
        return float(chi2.sf(observed, rank))
    rng, as_large = np.random.default_rng(seed), 0
    for _ in range(PERMUTATIONS // AT_ONCE):
        shuffled = rng.permuted(np.broadcast_to(s, (AT_ONCE, len(s))).copy(), axis=1)
        as_large += int(np.sum(statistics(shuffled) >= observed * (1 - 1e-9)))
    return (1 + as_large) / (1 + PERMUTATIONS)


def _columns(told: np.ndarray, is_classifier: bool) -> np.ndarray:
    """Labels as numbers: themselves, or a column for each class."""
    if not is_classifier:
        return told.astype(float)[:, None]
    return (told[:, None] == np.unique(told)[None, :]).astype(float)


def _holm(p_values: Sequence[float], level: float) -> float:
    """The largest p-value that Holm's method rejects at a level; below 0 where it rejects none."""
    limit = -1.0
    for k, p in enumerate(sorted(p_values)):
        if p > level / (len(p_values) - k):
            break
        limit = p
    return limit


def in_short(reasons: Mapping[str, int], most: int = 3) -> str:
    """Reasons with their counts, the most frequent first."""
    shown: list[Any] = [f"{reason} {count:,}" for reason, count in list(reasons.items())[:most]]
    return ", ".join(shown) + (f" and {len(reasons) - most} other reasons" if len(reasons) > most else "")
