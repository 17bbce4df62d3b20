"""From revealed cells to a predictor: the families, and the choice among them."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ..observe.cells import Cells, standardised, summarised
from .choice import FOLDS, compare
from .direct import direct
from .factors import factor_weights, fit_factors
from .rows import Units, raw_predictor, standard_rows, units_of

MOST_FACTORS = 32
FEWEST_ROWS = 20  # to compare families on; with fewer the start is kept
PENALTIES = np.logspace(-3, 6, 28)  # for attributes of variance 1


class Solution(NamedTuple):
    """A predictor in raw units, what each attribute is worth to a policy (in standard units), the family, and what
    it was compared with."""

    coef: np.ndarray
    intercept: float
    interest: np.ndarray
    family: str
    candidates: list[dict[str, Any]]


def solve(cells: Cells, d: int, most_turns: int, seed: int) -> Solution:
    """The predictor of the family that the cells speak for."""
    if cells.n_examples >= 2 and len(cells.values) == cells.n_examples * d:
        return _ridge(cells, d)
    units = units_of(cells, d)
    if units.label_scale == 0.0 or not (units.scale > 0).any():
        why = "the labels are all alike" if units.label_scale == 0.0 else "no attribute was seen to vary often enough"
        return _made(np.zeros(d), 0.0, np.zeros(d), units, "mean", [{"family": "mean", "kept": True, "why": why}])
    rows = standard_rows(cells, units, d)
    per_row = len(cells.values) / cells.n_examples
    rank = max(1, min(d // 2, 16 + 2 * round(per_row), MOST_FACTORS))
    start: dict[str, Any] = {"family": "factors", "rank": rank}
    if cells.n_examples < max(FEWEST_ROWS, 2 * FOLDS):
        found = [start | {"kept": True, "why": f"{cells.n_examples} rows are too few to compare on"}]
    else:
        outcome = compare(rows, rank, most_turns, seed)
        diagonal = outcome.diagonal_is_better
        told = (
            "held-out squared error of products, diagonal less factors:"
            f" {outcome.difference:+.3g} ± {outcome.standard_error:.2g} per row"
        )
        found = [start | {"kept": not diagonal, "why": told}, {"family": "diagonal", "kept": diagonal, "why": told}]
        if diagonal:
            said = direct(rows)
            return _made(said.weights, 0.0, said.interest, units, "diagonal", found)
    factors = fit_factors(rows, rank, most_turns, seed)
    weights = np.where(units.scale > 0, factor_weights(factors), 0.0)
    offset = float(factors.mean[d] - weights @ factors.mean[:d])
    return _made(weights, offset, np.abs(weights), units, "factors", found)


def _made(
    weights: np.ndarray, offset: float, interest: np.ndarray, units: Units, family: str, found: list[dict[str, Any]]
) -> Solution:
    return Solution(*raw_predictor(weights, offset, units), interest, family, found)


def _ridge(cells: Cells, d: int) -> Solution:
    """With every cell revealed there is nothing to infer: ridge regression, its penalty by leave-one-out."""
    from sklearn.linear_model import RidgeCV  # here, since it takes longer to import than most data to fit

    summary = summarised(cells.attributes, cells.values, d)
    table = np.empty((cells.n_examples, d))
    table[cells.rows, cells.attributes] = standardised(
        cells.values, summary.mean[cells.attributes], summary.deviation[cells.attributes]
    )
    labels = cells.labels
    solved = RidgeCV(PENALTIES, gcv_mode="svd").fit(table, labels - labels.mean())
    units = Units(summary.mean, summary.deviation, float(labels.mean()), 1.0)
    kept = [{"family": "ridge", "kept": True, "why": "every cell was revealed"}]
    return _made(solved.coef_, float(solved.intercept_), np.abs(solved.coef_), units, "ridge", kept)
