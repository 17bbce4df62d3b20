"""The reliability of attributes and their correlation with a label, and the predictor that Full makes of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...datasets import face_judgments
from ...judgments import JudgmentRegressor, Judgments, MultiSelector
from ...judgments.assess.measured_loss import shuffled
from ..runner.paper import Rows, Size, Task
from .splits import JUDGMENTS_EACH


def properties(label: str, budget: int, seed: int) -> Rows:
    """Task: reliability and correlation of every attribute, and the predictor that Full makes for a budget.

    The choice is made from two judgments of each attribute on all faces, values from 0 to 1.
    """
    faces = face_judgments()
    keep = [at for at, name in enumerate(faces.attributes) if name != label]
    names = [faces.attributes[at] for at in keep]
    table = Judgments(faces.judgments[:, keep] / 100, [str(at) for at in range(len(faces.judgments))], names)
    y = faces.judgments[:, faces.attributes.index(label)].mean(axis=1)
    mixed = shuffled(table, np.random.default_rng(seed))
    selector = MultiSelector.as_printed(budget, max_repeats=mixed.values.shape[2])
    selector.fit(mixed.first(JUDGMENTS_EACH), y)
    model = JudgmentRegressor(selector.repeats_).fit(mixed, y)
    sigma = np.sqrt(selector.external_variance_)
    rows: Rows = []
    for at in np.argsort(selector.internal_variance_ / np.maximum(sigma, 1e-12)):
        v, b, s = float(selector.internal_variance_[at]), float(selector.covariance_with_label_[at]), float(sigma[at])
        row: dict[str, Any] = {"label": label, "attribute": names[at], "v/σ": v / s if s else np.inf}
        row |= {"b/σ": b / s if s else 0.0, "noise": v / s**2 if s else np.inf}
        row["correlation"] = row["b/σ"] / float(np.sqrt(selector.label_variance_))
        rows.append(row | {"repeats": int(selector.repeats_[at]), "coefficient": float(model.coef_[at])})
    return [*rows, {"label": label, "attribute": "(bias)", "repeats": 0, "coefficient": float(model.intercept_)}]


def property_tasks(budgets: dict[str, int]) -> Callable[[Size, int], list[Task]]:
    """One task for each label and its budget."""
    return lambda size, seed: [
        Task(properties, {"label": label, "budget": budget, "seed": seed}) for label, budget in budgets.items()
    ]


def measured_attributes(rows: Rows) -> Rows:
    """The rows of attributes, without that of the intercept."""
    return [row for row in rows if "v/σ" in row]
