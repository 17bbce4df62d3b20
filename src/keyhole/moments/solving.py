"""From revealed cells to the second moments and a predictor: the families, and the choice among them."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ..observe.cells import Cells
from .choice import FOLDS, compare, explained_singly
from .direct import direct
from .factors import affordable_rank, fit_factors, joint_of
from .joint import Joint, predictor
from .ridge import ridge
from .rows import Units, standard_rows, subset, units_of

MOST_FACTORS = 48
FEWEST_ALONE = 0.5  # observations that the spread of an attribute rests on, in the diagonal family: any that varies
COMPARED = 200_000  # cells that tell families apart; more would only take longer
FEWEST_ROWS = 20  # to compare families on; with fewer the start is kept


class Solution(NamedTuple):
    """Second moments in standard units; a predictor of each label in raw units, coefficients (L, d), intercepts (L,);
    what each attribute is worth to a policy; the family, what it was compared with, and the start that it replaced."""

    joint: Joint
    units: Units
    coef: np.ndarray
    intercept: np.ndarray
    interest: np.ndarray
    family: str
    candidates: list[dict[str, Any]]
    start: Solution | None = None


def solve(
    cells: Cells, labels: np.ndarray, d: int, most_turns: int, seed: int, most_compared: int | None = None
) -> Solution:
    """The predictor of the family that the cells speak for; ``labels`` has a row per example.

    ``most_compared`` is the most rows to compare families on, drawn at random; None: as many as have COMPARED cells.
    """
    L = labels.shape[1]
    if cells.n_examples >= 2 and len(cells.values) == cells.n_examples * d:
        joint, units, why = ridge(cells, labels, d)
        return _solved(joint, units, "ridge", [{"family": "ridge", "kept": True, "why": why}])
    units = units_of(cells, labels, d)
    if not units.label_scale.any() or not (units.scale > 0).any():
        why = "no attribute was seen to vary often enough" if units.label_scale.any() else "the labels are all alike"
        nothing = Joint(
            np.zeros(d), np.zeros((d, 0)), np.ones(d), np.zeros(L), np.zeros((L, 0)), np.ones(L), np.zeros((d, L))
        )
        return _solved(nothing, units, "mean", [{"family": "mean", "kept": True, "why": why}])
    rows = standard_rows(cells, labels, units)
    per_row = len(cells.values) / cells.n_examples
    rank = affordable_rank(d + L, max(1, min(d // 2, 16 + 4 * round(per_row), MOST_FACTORS)))
    start: dict[str, Any] = {"family": "factors", "rank": rank}
    borne_out = False
    if cells.n_examples < max(FEWEST_ROWS, 2 * FOLDS):
        found = [start | {"kept": True, "why": f"{cells.n_examples} rows are too few to compare on"}]
    else:
        # No weight of a diagonal depends on another's: one that rests on little is shrunk and does no harm.
        units_alone = units_of(cells, labels, d, fewest=FEWEST_ALONE)
        alone = standard_rows(cells, labels, units_alone)
        compared = rows, alone
        most_compared = most_compared or max(int(COMPARED / max(per_row, 1.0)), FEWEST_ROWS)
        if cells.n_examples > most_compared:
            some = np.random.default_rng(seed).permutation(cells.n_examples) < most_compared
            compared = subset(rows, some), subset(alone, some)
        outcome = compare(*compared, explained_singly(alone), rank, most_turns, seed)
        diagonal = outcome.diagonal_is_better
        borne_out = outcome.factors_are_borne_out
        told = outcome.told
        found = [start | {"kept": not diagonal, "why": told}, {"family": "diagonal", "kept": diagonal, "why": told}]
        if diagonal:
            said = direct(alone)
            return _solved(said.joint(), units_alone, "diagonal", found)._replace(interest=said.interest)
    factors = fit_factors(rows, rank, most_turns, seed)
    found[0] |= {"turns": factors.turns, "last_change": factors.change}
    solution = _solved(joint_of(factors, L), units, "factors", found)
    # Weights that nothing on held-out rows bears out are no reason to look anywhere in particular.
    return solution if borne_out else solution._replace(interest=np.ones(d))


def _solved(joint: Joint, units: Units, family: str, found: list[dict[str, Any]]) -> Solution:
    weights = np.where(units.scale > 0, joint.weights(), 0.0)
    coef, intercept = predictor(joint, weights, units)
    return Solution(joint, units, coef, intercept, np.sqrt(np.sum(weights**2, axis=0)), family, found)
