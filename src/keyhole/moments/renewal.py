"""The renewal of a policy: which attributes the rows so far call for, and whether a fixed set of them is worth showing.

A rough model decides on the design. A fixed set of attributes is shown to some examples together (``policy.py``): it is
selected once, at the first renewal, for as many examples as a regression on it needs; from the next renewal on its
share is the weight that held-out rows give to that regression, the panel family. Where attributes are almost copies of
each other, several sets are tried first (``trial_sets.py``). Where so many examples are to come
that these few do not matter, partial rows tell enough, and no set is tried.
"""

from __future__ import annotations

import numpy as np

from ..observe.cells import summarised
from .families.selection import select, select_start
from .families.sparse import forward_selection
from .policy.policy import NONE, Policy, renewed, renewed_for_few
from .policy.settings import (
    FIRST_SHARE,
    FIXED_ROWS,
    LARGEST_SHARE,
    LEAST_OWN_SHARE,
    LEAST_ROWS_FOR_FIXED_SET,
    LEAST_SHARE,
    SETS_TRIED,
    UNIFORM_REVEALS,
)
from .settings import MAX_ITERATIONS_FOR_POLICY
from .solution import Solution, Training
from .trial_sets import after_trial, best_set, sets_tried


def renewed_policy(
    policy: Policy, data: Training, n_expected: int | None, max_rows: int | None, alternatives: bool
) -> Policy:
    """With a design for the rows to come; ``alternatives`` says whether families other than the start are averaged."""
    if policy.next_at and len(sets_tried(policy)) < SETS_TRIED:
        return after_trial(policy, data)
    if data.common_unit and len(data.cells.values) < UNIFORM_REVEALS * data.n_attributes:
        return renewed(policy, _spread(data), data.n_rows)
    rough = select_start(data, MAX_ITERATIONS_FOR_POLICY, max_rows)
    attribute_of = data.attribute_of
    usefulness = np.sqrt(np.bincount(attribute_of, rough.usefulness**2))
    if data.sparsity is not None:
        selected = forward_selection(rough, data.sparsity)
        attributes = np.unique(attribute_of[selected.attributes])
        return renewed_for_few(policy, usefulness, attributes, selected.certainty, data.n_rows)
    fixed, share = fixed_set(policy, rough, data, n_expected) if alternatives else (NONE, 0.0)
    new = renewed(policy, usefulness, data.n_rows, fixed, share)
    is_first = new.designs[-1].share > 0 and policy.designs[policy.latest].share == 0
    return new._replace(next_at=data.n_rows + _to_come(data, n_expected) // SETS_TRIED) if is_first else new


def _spread(data: Training) -> np.ndarray:
    """The standard deviation of each attribute: where all share a unit, what varies more tells more."""
    cells = data.cells
    deviation = summarised(cells.attributes, cells.values, data.n_attributes).deviation
    return np.sqrt(np.bincount(data.attribute_of, deviation**2))


def fixed_set(policy: Policy, rough: Solution, data: Training, n_expected: int | None) -> tuple[np.ndarray, float]:
    """The attributes to show together, and the share of examples that shows them."""
    offers, last = policy.offers, policy.designs[policy.latest]
    if not offers.equal_costs or not rough.family.learns or data.n_rows < LEAST_ROWS_FOR_FIXED_SET:
        return NONE, 0.0
    if last.share > 0:
        best = best_set(policy, data)
        share = min(_weight_of_panel(data), LARGEST_SHARE) if best is None else last.share
        return (last.fixed if best is None else best, share) if share >= LEAST_SHARE else (NONE, 0.0)
    share = min(FIRST_SHARE, FIXED_ROWS / max(_to_come(data, n_expected), 1))
    if len(policy.starts) > 1 or share < LEAST_SHARE:
        return NONE, 0.0
    selected = forward_selection(rough, int(offers.limit), LEAST_OWN_SHARE)
    return np.unique(data.attribute_of[selected.attributes]), share


def _to_come(data: Training, n_expected: int | None) -> int:
    """The examples until the next renewal."""
    return data.n_rows if n_expected is None else min(data.n_rows, n_expected - data.n_rows)


def _weight_of_panel(data: Training) -> float:
    """The weight of the panel family in the average that the rows so far support."""
    solution = select(data, MAX_ITERATIONS_FOR_POLICY, True).solution
    return sum(weight for family, weight in solution.members if family.shows_fixed_set)
