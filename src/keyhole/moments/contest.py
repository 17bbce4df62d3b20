"""Whether another family is better than the start: a cross-fitted, paired difference of honest risk.

Five folds of the rows: the start and every other family are fitted to four of them, and their predictors judged on the
fifth by the doubly robust losses of ``losses.py``, with the start as what is expected for all of them. The difference
of two losses of one row is far less noisy than either; a family replaces the start only where its mean is below 0 by
more than ``ERRORS`` standard errors.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from ..observe.cells import Cells
from .chances import chances_alone, chances_of
from .families import FAMILIES, MOST_ATTRIBUTES
from .joint import predictor
from .policy import Policy
from .refitting import refit, replaced
from .risk import FOLDS, judged_fold, new_folds, together
from .rows import standard_rows
from .solving import Solution
from .weighing import standard_error

ERRORS = 2.0
FEWEST_ROWS = 100
COMPARED = 200_000  # cells; more would only take longer


def best_family(
    start: Solution, cells: Cells, labels: np.ndarray, policy: Policy | None, most_turns: int, seed: int
) -> Solution:
    """The start, or what replaces it; ``candidates`` says what was compared."""
    if start.family not in ("factors", "diagonal"):
        return start
    why_not = _why_not(start, cells, policy)
    if why_not:
        left = [{"family": name, "kept": False, "why": why_not} for name in FAMILIES]
        return start._replace(candidates=[*start.candidates, *left])
    most = max(int(COMPARED / max(len(cells.values) / cells.n_examples, 1.0)), FEWEST_ROWS)
    some = np.random.default_rng(seed).permutation(cells.n_examples) < most
    differences, errors = differences_of(start, cells.rows_of(some), labels[some], policy, most_turns, seed)
    best = int(np.argmin(differences + ERRORS * errors))
    wins = differences[best] + ERRORS * errors[best] < 0
    found: list[dict[str, Any]] = []
    for f, name in enumerate(FAMILIES):
        told = (
            f"its squared error, cross-fitted, less that of {start.family}: {differences[f]:+.3g} ± {errors[f]:.2g} of"
            " the label's variance"
        )
        if wins and f != best and differences[f] + ERRORS * errors[f] < 0:
            told += f"; {list(FAMILIES)[best]} is better still"
        found.append({"family": name, "kept": bool(wins and f == best), "why": told})
    if not wins:
        return start._replace(candidates=[*start.candidates, *found])
    before = [candidate | {"kept": False} for candidate in start.candidates]
    return replaced(start, found[best]["family"], cells, labels)._replace(candidates=[*before, *found])


def differences_of(
    start: Solution, cells: Cells, labels: np.ndarray, policy: Policy | None, most_turns: int, seed: int
) -> tuple[np.ndarray, np.ndarray]:
    """Of each family's error from the start's, in parts of the label's variance, and their standard errors."""
    d = len(start.units.mean)
    known, alone = chances_of(cells, policy, d), chances_alone(cells, policy, d)
    folds = new_folds(cells.designs, seed)

    def without(f: int) -> tuple[Solution, np.ndarray]:
        part, targets = cells.rows_of(folds != f), labels[folds != f]
        begun = refit(start, part, targets, most_turns, seed)
        rows = standard_rows(part, targets, begun.units)
        joints = [begun.joint, *(family(begun.joint, rows) for family in FAMILIES.values())]
        found = [predictor(joint, joint.weights(), begun.units) for joint in joints]
        return begun, np.array([np.append(coef[0], intercept[0]) for coef, intercept in found])

    def judged(f: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        held, model = cells.rows_of(folds == f), (fits[f][0].joint, fits[f][0].units)
        return judged_fold(f, predictors, model, held, known, alone)

    with ThreadPoolExecutor(FOLDS) as pool:  # compiled code lets go of the interpreter lock
        fits = list(pool.map(without, range(FOLDS)))
        predictors = np.stack([found for _, found in fits], axis=1)
        losses, changes, weights = together(pool.map(judged, range(FOLDS)), folds)
    less, move = ((values[1:] - values[0]) / labels.var() for values in (losses, changes))
    errors = [standard_error(*each, weights, cells.designs, FOLDS) for each in zip(less, move, strict=True)]
    return less @ weights, np.array(errors)


def _why_not(start: Solution, cells: Cells, policy: Policy | None) -> str:
    """Why nothing can be compared, if so."""
    d = len(start.units.mean)
    if cells.n_examples < FEWEST_ROWS:
        return f"{cells.n_examples} rows are too few to compare on, {FEWEST_ROWS} are the least"
    if d > MOST_ATTRIBUTES:
        return f"not tried with more than {MOST_ATTRIBUTES} attributes"
    if chances_of(cells, policy, d).never_together(start.coef[0] != 0):
        return "there are attributes that were never revealed together, so errors cannot be known"
    return ""
