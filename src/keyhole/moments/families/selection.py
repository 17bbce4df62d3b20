"""The selection of a family, and the average of several.

1. A settled family that applies is kept: ridge where every cell was revealed, the mean where nothing varies. (Ridge is
   a start where predictions may need only a few attributes.)
2. Otherwise a fit starts from factors, or from a diagonal where held-out rows support it (``start_evidence.py``); where
   they do not support factors and few cells are missing, from ridge regression on filled rows.
3. Where predictions may need only a few attributes, the sparse family selects them from the start, and is shrunk toward
   the mean label as far as held-out rows demand.
4. Otherwise the start is averaged with the alternatives and with the mean label by what held-out rows support
   (``averaging.py``).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..honest.folds import folds_by_design, for_each_fold
from ..honest.settings import LEAST_ROWS_HELD_OUT
from ..solution import Solution, Training, candidate
from ..standard.rows import standardised_rows
from .averaging import CrossFit, averageable, averaged, cross_fit, refitted, with_derived
from .family import Averageable, Family, Role
from .registry import FAMILIES, families_with
from .settings import LEAST_ROWS_FOR_ALTERNATIVES, LEAST_ROWS_FOR_START, MAX_CELLS_COMPARED
from .start_evidence import start_evidence


class Selected(NamedTuple):
    """A solution, and the fits without each fold of all rows that it was compared on; None where it was not, or on some
    of the rows only."""

    solution: Solution
    cross: CrossFit | None = None


def select(data: Training, max_iterations: int, alternatives: bool, max_rows: int | None = None) -> Selected:
    """The solution of the selected families; ``candidates`` says what was compared.

    ``alternatives`` says whether they are tried, ``max_rows`` on how many rows at most the start is selected.
    """
    start = select_start(data, max_iterations, max_rows)
    if data.sparsity is not None and start.coef.any():
        (sparse,) = families_with(Role.SPARSE)
        few = sparse.fit(data, max_iterations, start)
        return average(few, [], data, max_iterations)
    if not start.family.learns or (data.complete and data.policy is None):
        return Selected(start)
    others = others_than(start, data) if alternatives else []
    return average(start, others, data, max_iterations)


def others_than(start: Solution, data: Training) -> list[Solution]:
    """The solutions of other families that a start is averaged with.

    A family that finds nothing in these rows has no part in an average, whatever it would find without a fold of them.
    """
    if data.sparsity is not None or data.n_rows < LEAST_ROWS_FOR_ALTERNATIVES:
        return []
    # Where every row is complete, a panel of all attributes is ridge regression, the start.
    fixed_set = data.policy is not None and data.policy.has_fixed_set and not data.complete
    families = [
        family
        for family in FAMILIES.values()
        if isinstance(family, Averageable)
        and family is not start.family
        and data.n_attributes <= family.max_attributes
        and (fixed_set or not family.shows_fixed_set)
    ]
    derived = with_derived(start, families, standardised_rows(data.cells, data.labels, start.scales))
    return [one for one in derived[1:] if one.coef.any()]


def average(start: Solution, others: list[Solution], data: Training, max_iterations: int) -> Selected:
    """The average of a start and of solutions derived from it, shrunk toward the mean label."""
    families = averageable(others)
    if data.n_rows < LEAST_ROWS_HELD_OUT:
        why = f"{data.n_rows} examples are too few to hold any out, and {LEAST_ROWS_HELD_OUT} are needed"
        return Selected(_mean_label(data, max_iterations, start, [], why))
    most = max(int(MAX_CELLS_COMPARED / max(data.cells_per_row, 1.0)), LEAST_ROWS_FOR_ALTERNATIVES)
    part = data if data.n_rows <= most else data.where(data.sample(most))
    cross = cross_fit(start, families, part, max_iterations)
    weights = cross.weights_by_all
    if not weights.any():
        why = "held-out rows support no predictor"
        return Selected(_mean_label(data, max_iterations, start, families, why))
    kept = [0, *(1 + np.flatnonzero(weights[1:]))]
    solution = averaged([[start, *others][a] for a in kept], weights[kept])
    solution = _described(solution, start, list(zip(families, weights[1:].tolist(), strict=True)))
    return Selected(solution, cross if part is data else None)


def without_folds(
    solution: Solution, selected: Selected | None, data: Training, max_iterations: int, alternatives: bool
) -> tuple[np.ndarray, list[Solution]]:
    """The fold of every row, and the solution without each fold, in which every choice is made again.

    ``selected`` is what was compared for the solution, None where that is not known any more.
    """
    cross = None if selected is None else selected.cross
    if cross is None and solution.members:
        assert solution.start is not None
        others = others_than(solution.start, data) if alternatives else []
        cross = cross_fit(solution.start, averageable(others), data, max_iterations)
    if cross is not None:
        return cross.folds, cross.averages()
    folds = folds_by_design(data.cells.designs, data.seed)
    return folds, for_each_fold(lambda f: refitted(solution, data.where(folds != f), max_iterations))


def select_start(data: Training, max_iterations: int, max_rows: int | None = None) -> Solution:
    """A settled family, or the start that held-out rows support."""
    for family in families_with(Role.SETTLED):
        if family.applies(data):
            return family.fit(data, max_iterations)
    factors, diagonal = families_with(Role.START)
    if data.n_rows < LEAST_ROWS_FOR_START:
        solution, supported = factors.fit(data, max_iterations), False
        solution.candidates[0]["why"] = (
            f"{data.n_rows} rows are too few to compare families; {LEAST_ROWS_FOR_START} are needed"
        )
    else:
        evidence = start_evidence(data, max_iterations, max_rows)
        why, supported = str(evidence), evidence.supports_factors
        for family in families_with(Role.SETTLED):
            if not supported and family.applies_with_gaps(data):
                found = family.fit(data, max_iterations)
                return found._replace(candidates=[candidate(factors, False, why), *found.candidates])
        if evidence.supports_diagonal:
            solution = diagonal.fit(data, max_iterations)
            kept = candidate(diagonal, True, evidence.verdict)
            return solution._replace(candidates=[candidate(factors, False, why), kept])
        solution = factors.fit(data, max_iterations)
        solution.candidates[0]["why"] = why
        solution.candidates.append(candidate(diagonal, False, evidence.verdict))
    # Weights that no held-out rows support are no reason to reveal any attribute more often than another.
    return solution if supported else solution._replace(usefulness=np.ones(data.n_attributes))


def _mean_label(data: Training, max_iterations: int, start: Solution, families: Sequence[Family], why: str) -> Solution:
    """The mean label, with what was compared."""
    mean = _family_of_mean()
    found = [one | {"kept": False, "weight": 0.0} for one in start.candidates]
    found += [candidate(family, False, "weight 0.00 by held-out rows", weight=0.0) for family in families]
    return mean.fit(data, max_iterations)._replace(candidates=[candidate(mean, True, why, weight=1.0), *found])


def _family_of_mean() -> Family:
    return next(family for family in families_with(Role.SETTLED) if not family.learns)


def _described(solution: Solution, start: Solution, others: Sequence[tuple[Family, float]]) -> Solution:
    """With what ``candidates_`` says: the weight of each family and of the mean label."""
    mean = _family_of_mean()
    first = solution.members[0][1]
    found = [one | {"kept": one["kept"] and first > 0} for one in start.candidates]
    for one in found:
        one["weight"] = first if one["family"] == start.family.name else 0.0
    for family, weight in others:
        found = [one for one in found if one["family"] != family.name]
        found.append(candidate(family, weight > 0, f"weight {weight:.2f} by held-out rows", weight=weight))
    left = max(1.0 - first - sum(weight for _, weight in others), 0.0)
    why = f"weight {left:.2f} by held-out rows: the predictor is shrunk toward the mean label as far as this"
    found.append(candidate(mean, left > 0.01, why, weight=left))
    return solution._replace(candidates=found)
