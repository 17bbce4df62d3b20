"""Cross-validation: the loss on held-out objects, estimated from the judgments that there are (Lemma A.2)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from sklearn.base import clone

from ...common.parameters import ParameterError, is_whole
from ..core.estimated_moments import estimate
from ..core.projected_loss import estimated_loss, predictor
from ..core.repair import repaired, unit_of
from ..data.columns import Columns
from ..data.inputs import as_judgments_and_labels
from ..selector import MultiSelector


def validated_losses(
    selector: MultiSelector,
    judgments: Any,
    labels: Any,
    budgets: Sequence[float],
    folds: int = 5,
    random_state: int = 0,
) -> Columns:
    """Estimate the loss on held-out objects by cross-validation, against the budget.

    Each fold is held out once; repeats are chosen, and a predictor is computed, from the other objects. Lemma A.2 of
    [1]_ estimates the loss of that predictor on the held-out objects for any repeats from the judgments that there
    are, so nothing more has to be collected. The predictor is that of the estimated moments, too: least squares on
    the judgments once they are collected (``JudgmentRegressor``) has a lower loss, the more so the larger the budget,
    so that the estimate is pessimistic for large budgets.

    Parameters
    ----------
    selector : MultiSelector
        The selector whose parameters are used; its budget is replaced.
    judgments : array-like of shape (n_objects, n_attributes, n_judgments), table, path or Judgments
        The judgments, in any form that ``as_judgments`` takes.
    labels : array-like of shape (n_objects,), dict, table or path
        A label for each object, in the order of the objects or by their names (a dict, a table with the columns object
        and label, or a file).
    budgets : sequence of float
        Budgets for one object. A smaller budget takes the purchases of the largest one that it can pay for, in order.
    folds : int, default=5
        The number of folds, from 2 to the number of objects.
    random_state : int, default=0
        Seed of the assignment of objects to folds.

    Returns
    -------
    Columns
        One row per budget: ``budget``; ``projected_loss`` of the choice from all objects; ``held_out_loss``, the mean
        of the folds' estimates; and ``standard_error`` of that mean.

    Raises
    ------
    BadValue
        If some fold has no object with two judgments of some attribute.
    ParameterError
        If ``folds`` or a parameter of the selector has a wrong value.

    References
    ----------
    .. [1] S. Sabato and A. Kalai, "Feature Multi-Selection among Subjective Features", Proceedings of the 30th
       International Conference on Machine Learning (ICML), 2013.

    Examples
    --------
    >>> import numpy as np
    >>> from keyhole.judgments import MultiSelector, validated_losses
    >>> rng = np.random.default_rng(0)
    >>> truth = rng.normal(size=(300, 2))
    >>> judgments = truth[:, :, None] + rng.normal(size=(300, 2, 2))
    >>> print(validated_losses(MultiSelector(8), judgments, truth.sum(axis=1), budgets=[2, 8]))
    budget  projected_loss  held_out_loss  standard_error
         2          0.9392          0.954         0.01535
         8           0.365         0.3956         0.07468
    """
    from sklearn.model_selection import KFold

    table, y = as_judgments_and_labels(judgments, labels)
    if not is_whole(folds) or not 2 <= folds <= len(y):
        raise ParameterError(
            "folds", f"validated_losses needs a whole number from 2 to the number of objects, {len(y)}", folds
        )
    largest = clone(selector).set_params(budget=max(budgets))
    whole = clone(largest).fit_arrays(table, y)
    losses = np.empty((folds, len(budgets)))
    for fold, (train, test) in enumerate(KFold(folds, shuffle=True, random_state=random_state).split(y)):
        fitted = clone(largest).fit_arrays(table.keep_objects(train), y[train])
        moments = estimate(table.values[train], y[train], table.attributes)
        learned = repaired(moments, unit_of(moments, selector.scaling))
        held_out = estimate(table.values[test], y[test], table.attributes)
        for i, budget in enumerate(budgets):
            repeats = repeats_within(fitted, budget)
            coef, intercept = predictor(learned, learned.sigma, repeats)
            losses[fold, i] = estimated_loss(held_out, repeats, coef, intercept)
    return Columns(
        budget=[float(b) for b in budgets],
        projected_loss=[projected_within(whole, budget) for budget in budgets],
        held_out_loss=[float(x) for x in losses.mean(axis=0)],
        standard_error=[float(x) for x in losses.std(axis=0, ddof=1) / np.sqrt(folds)],
    )


def repeats_within(selector: MultiSelector, budget: float) -> np.ndarray:
    """The repeats of the purchases, in order, that a budget can pay for."""
    at = {str(name): [a] for a, name in enumerate(selector.feature_names_in_)}
    at |= {name: [at[m][0] for m in members] for name, members in (selector.bundles or {}).items()}
    repeats = np.zeros(selector.n_features_in_, dtype=np.int64)
    for _, name, times, _, spent, _ in selector.path_.rows():
        if spent <= budget * (1 + 1e-9):
            repeats[at[name]] += times
    return repeats


def projected_within(selector: MultiSelector, budget: float) -> float:
    """The projected loss of the purchases that a budget can pay for."""
    loss = selector.label_variance_
    for *_, spent, after in selector.path_.rows():
        if spent <= budget * (1 + 1e-9):
            loss = after
    return float(loss)
