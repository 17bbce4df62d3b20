"""Several fixed sets of attributes, one after another, where attributes are almost copies of each other.

The fixed set that a policy shows is selected from a rough model. Where attributes are almost copies of each other, as
channels of a spectrum are, what matters is how they differ, and of that a rough model knows nothing: one set predicts
the label nearly exactly and another, as good by the model, hardly at all. Some complete rows of the first set show
whether it is so. If it is, further sets are drawn at random and shown to as many examples each, and the one with the
least leave-one-out error is kept.
"""

from __future__ import annotations

import numpy as np

from ..observe.cells import of_columns, standardised
from ..sampling.panels import Panels
from .policy.policy import Policy
from .policy.settings import ALMOST_COPIES, SETS_TRIED
from .solution import Training
from .standard.complete_sets import ridge_by_leave_one_out, rows_with


def after_trial(policy: Policy, data: Training) -> Policy:
    """With the next set to show, or without further trials, where attributes of the first set are no copies."""
    tried, last = sets_tried(policy), policy.designs[policy.latest]
    left = np.setdiff1d(np.arange(len(policy.offers.cost)), np.concatenate(tried))
    first = policy.starts[-len(tried)]
    if (len(tried) == 1 and not are_almost_copies(data, last.fixed)) or len(left) < len(last.together):
        return policy._replace(next_at=0)
    rng = np.random.default_rng(data.seed + len(tried))
    drawn = np.sort(rng.permutation(left)[: len(last.together)])
    now, ends = data.n_rows, int(policy.growth * first)
    if len(tried) + 1 < SETS_TRIED:
        ends = min(ends, 2 * now - policy.starts[-1])
    return policy._replace(
        designs=(*policy.designs, last._replace(together=drawn)),
        starts=(*policy.starts, now),
        selected=(*policy.selected, policy.selected[-1]),
        excluded=(*policy.excluded, policy.excluded[policy.latest]),
        next_at=ends,
    )


def sets_tried(policy: Policy) -> list[np.ndarray]:
    """The fixed sets, as numbers of offers, that the latest designs showed, without a renewal between them."""
    found: list[np.ndarray] = []
    for panels, excluded in zip(reversed(policy.designs), reversed(policy.excluded), strict=True):
        if len(excluded):
            continue
        if panels.share <= 0 or any(np.array_equal(panels.together, one) for one in found):
            break
        found.insert(0, panels.together)
    return found


def best_set(policy: Policy, data: Training) -> np.ndarray | None:
    """At the end of a trial, the attributes of the set with the least leave-one-out error; None if none was made."""
    designs = [panels for panels, out in zip(policy.designs, policy.excluded, strict=True) if not len(out)]
    if not policy.next_at:
        return None
    tried: list[Panels] = designs[-len(sets_tried(policy)) :]
    errors = [_error(data, panels.fixed) for panels in tried]
    return tried[int(np.argmin(errors))].fixed


def are_almost_copies(data: Training, attributes: np.ndarray) -> bool:
    """Whether complete rows of some attributes show them to be so."""
    table, _ = _complete_rows(data, attributes)
    if len(table) < 3 or len(attributes) < 2:
        return False
    summary = of_columns(table)
    scores = standardised(table, summary.mean, summary.deviation)
    correlations = (scores.T @ scores / len(scores))[np.triu_indices(len(attributes), 1)]
    return bool(np.mean(np.abs(correlations)) > ALMOST_COPIES)


def _error(data: Training, attributes: np.ndarray) -> float:
    """The leave-one-out squared error of ridge regression on complete rows, in parts of the variance of their label."""
    table, labels = _complete_rows(data, attributes)
    if len(table) < 3 or not labels.std() > 0:
        return np.inf
    summary = of_columns(table)
    _, error = ridge_by_leave_one_out(standardised(table, summary.mean, summary.deviation), labels - labels.mean())
    return error / labels.var()


def _complete_rows(data: Training, attributes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The values of attributes in the rows that show all of them, and the labels of these rows."""
    cells = data.as_revealed
    found = rows_with(np.sort(attributes), cells.rows, cells.attributes, cells.n_examples, data.n_attributes)
    return found.table(cells.rows, cells.values), data.labels[found.rows, 0]
