"""Losses on other objects: measured with judgments held back, or estimated with none to spare (Lemma A.2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.model_selection import KFold

from ..core.estimated_moments import estimate, estimated_loss, predictor
from ..data.columns import Columns
from ..data.inputs import as_judgments_and_labels
from ..data.table import Judgments
from ..regressor import JudgmentRegressor
from ..selector import MultiSelector

OTHER_OBJECTS = "loss_on_other_objects"


def measured_loss(
    train: Judgments,
    y_train: np.ndarray,
    test: Judgments,
    y_test: np.ndarray,
    repeats: np.ndarray,
    aggregate: str = "mean",
) -> float:
    """The paper's test error: fit on the chosen repeats of the training objects, predict the test objects."""
    model = JudgmentRegressor(repeats, aggregate).fit(train, y_train)
    return float(np.mean((model.predict(test) - y_test) ** 2))


def validated_losses(
    selector: MultiSelector,
    judgments: Any,
    labels: Any,
    budgets: Sequence[float],
    folds: int = 5,
    random_state: int = 0,
) -> Columns:
    """Projected loss against budget, beside an estimate on objects that took no part in the choice.

    Choose and fit on all folds but one; on the objects of that one, Lemma A.2 gives the loss of the fixed
    predictor for any repeats from the judgments there are, so nothing more need be collected. The standard
    error is over folds. That predictor is solved from the judgments there are, before any are collected; least
    squares on the collected judgments (``JudgmentRegressor``) does better, the more so the larger the budget
    is, so the estimate is pessimistic there. A smaller budget takes the purchases of the largest that it can
    pay for in order.
    """
    table, y = as_judgments_and_labels(judgments, labels)
    if not 2 <= folds <= len(y):
        raise ValueError(f"folds must be from 2 to the number of objects, {len(y)}; got {folds}")
    largest = clone(selector).set_params(budget=max(budgets))
    whole = clone(largest).fit_arrays(table, y)
    losses = np.empty((folds, len(budgets)))
    for fold, (train, test) in enumerate(KFold(folds, shuffle=True, random_state=random_state).split(y)):
        fitted = clone(largest).fit_arrays(table.keep_objects(train), y[train])
        learned = fitted.repaired(estimate(table.values[train], y[train], table.attributes))
        unseen = estimate(table.values[test], y[test], table.attributes)
        for i, budget in enumerate(budgets):
            repeats = repeats_within(fitted, budget)
            coef, intercept = predictor(learned, learned.sigma, repeats)
            losses[fold, i] = estimated_loss(unseen, repeats, coef, intercept)
    projected = [projected_within(whole, budget) for budget in budgets]
    error = losses.std(axis=0, ddof=1) / np.sqrt(folds)
    return Columns(
        {
            "budget": [float(b) for b in budgets],
            "projected_loss": projected,
            OTHER_OBJECTS: [float(x) for x in losses.mean(axis=0)],
            "standard_error": [float(x) for x in error],
        }
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


def shuffled(table: Judgments, rng: np.random.Generator) -> Judgments:
    """The judgments of each cell in random order, so that the first r are a random r."""
    key = np.where(np.isnan(table.values), 2.0, rng.random(table.values.shape))
    order = np.argsort(key, axis=2)
    worker = None if table.worker is None else np.take_along_axis(table.worker, order, axis=2)
    return replace(table, values=np.take_along_axis(table.values, order, axis=2), worker=worker)
