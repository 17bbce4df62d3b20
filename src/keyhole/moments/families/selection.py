"""The selection of a family.

1. A settled family that applies is kept: ridge where every cell was revealed, the mean where nothing varies.
2. Otherwise a fit starts from factors, or from a diagonal where held-out rows support it (``start_evidence.py``).
3. Where predictions may need only a few attributes, the sparse family selects them from the start.
4. Otherwise an alternative replaces the start where its error on held-out rows is lower by more than
   ``STANDARD_ERRORS`` standard errors (``paired_losses.py``).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..honest.inclusion import pair_inclusion
from ..solution import Solution, Training, candidate
from .family import Family, Role
from .paired_losses import paired_differences
from .registry import families_with
from .settings import LEAST_ROWS_FOR_ALTERNATIVES, LEAST_ROWS_FOR_START, MAX_CELLS_COMPARED, STANDARD_ERRORS
from .start_evidence import start_evidence


def select(data: Training, max_iterations: int, alternatives: bool, max_rows: int | None = None) -> Solution:
    """The solution of the selected family; ``candidates`` says what was compared.

    ``alternatives`` says whether they are tried, ``max_rows`` on how many rows at most the start is selected.
    """
    start = select_start(data, max_iterations, max_rows)
    if data.sparsity is not None:
        (sparse,) = families_with(Role.SPARSE)
        return sparse.fit(data, max_iterations, start) if start.family.learns else start
    if alternatives and start.family.role is Role.START:
        return select_alternative(start, data, max_iterations)
    return start


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
        if evidence.supports_diagonal:
            solution = diagonal.fit(data, max_iterations)
            kept = candidate(diagonal, True, evidence.verdict)
            return solution._replace(candidates=[candidate(factors, False, why), kept])
        solution = factors.fit(data, max_iterations)
        solution.candidates[0]["why"] = why
        solution.candidates.append(candidate(diagonal, False, evidence.verdict))
    # Weights that no held-out rows support are no reason to reveal any attribute more often than another.
    return solution if supported else solution._replace(usefulness=np.ones(data.n_attributes))


def select_alternative(start: Solution, data: Training, max_iterations: int) -> Solution:
    """The start, or the alternative that replaces it."""
    families = families_with(Role.ALTERNATIVE)
    reason = _cannot_compare(start, data, families)
    if reason:
        not_compared = [candidate(family, False, reason) for family in families]
        return start._replace(candidates=[*start.candidates, *not_compared])
    left = [
        candidate(family, False, f"not tried with more than {family.max_attributes:,} attributes")
        for family in families
        if data.n_attributes > family.max_attributes
    ]
    families = [family for family in families if data.n_attributes <= family.max_attributes]
    most = max(int(MAX_CELLS_COMPARED / max(data.cells_per_row, 1.0)), LEAST_ROWS_FOR_ALTERNATIVES)
    compared = paired_differences(start, families, data.where(data.sample(most)), max_iterations)
    limits = compared.difference + STANDARD_ERRORS * compared.standard_error
    best = int(np.argmin(limits))
    found = _described(start, families, compared.difference, compared.standard_error, best) + left
    if limits[best] >= 0:
        return start._replace(candidates=[*start.candidates, *found])
    solution = families[best].fit(data, max_iterations, start)
    return solution._replace(candidates=[*solution.candidates, *found])


def _described(
    start: Solution, families: list[Family], differences: np.ndarray, errors: np.ndarray, best: int
) -> list[dict[str, Any]]:
    found = []
    for f, family in enumerate(families):
        why = (
            f"cross-validated squared error minus that of {start.family.name}: {differences[f]:+.3g} ±"
            f" {errors[f]:.2g} (standard error), as a share of the label's variance"
        )
        better = differences[f] + STANDARD_ERRORS * errors[f] < 0
        if better and f != best:
            why += f"; {families[best].name} is lower still"
        found.append(candidate(family, bool(better and f == best), why))
    return found


def _cannot_compare(start: Solution, data: Training, families: list[Family]) -> str:
    """Why nothing can be compared, if so."""
    if data.n_rows < LEAST_ROWS_FOR_ALTERNATIVES:
        return f"{data.n_rows} rows are too few to compare on; {LEAST_ROWS_FOR_ALTERNATIVES} are needed"
    most = max(family.max_attributes for family in families)
    if data.n_attributes > most:
        return f"not tried with more than {most:,} attributes"
    pairs = pair_inclusion(data.cells, data.policy, data.n_attributes)
    if pairs.n_impossible_pairs(start.coef[0] != 0):
        return "some pairs of attributes are never revealed together, so errors cannot be estimated"
    return ""
