"""The loss that is measured on held-out objects with judgments that were collected for the purpose."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..data.table import Judgments
from ..regressor import JudgmentRegressor


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


def shuffled(table: Judgments, rng: np.random.Generator) -> Judgments:
    """The judgments of each cell in random order, so that the first r are a random r."""
    key = np.where(np.isnan(table.values), 2.0, rng.random(table.values.shape))
    order = np.argsort(key, axis=2)
    worker = None if table.worker is None else np.take_along_axis(table.worker, order, axis=2)
    return replace(table, values=np.take_along_axis(table.values, order, axis=2), worker=worker)
