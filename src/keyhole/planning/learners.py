"""The learners of the designs: each is fitted to a simulated study, and predicts from all attributes and from few."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..common.penalties import RIDGE_PENALTIES
from ..moments import KeyholeRegressor
from ..observe.attributes import Attribute
from ..observe.sources import ArraySource
from ..rivals import ScreenedPanel
from ..rivals.ridge import ridge
from ..rivals.screening import forward_selection
from .designs import KEYHOLE, PANEL, Design

# Rows by which correlations are shrunk towards 0 before attributes are selected.
PRIOR_ROWS = 10.0


class Predictions(NamedTuple):
    """Of the same examples, from all attributes and from a few."""

    from_all: np.ndarray
    from_few: np.ndarray


def predictions_of(
    design: Design,
    values: np.ndarray,
    labels: np.ndarray,
    new: np.ndarray,
    attributes: list[Attribute],
    few: int,
    seed: int,
) -> Predictions:
    """What a design learns from the first of some examples, applied to new ones."""
    values, labels = values[: design.n_examples], labels[: design.n_examples]
    if design.learner == KEYHOLE:
        budget = int(design.spend) if float(design.spend).is_integer() else design.spend
        learner = KeyholeRegressor(budget=budget, random_state=seed).fit(ArraySource(values, attributes), labels)
        return _by_keyhole(learner, new, attributes, few)
    if design.learner == PANEL:
        # It counts attributes, so where they have other costs than 1 it has as many as the spend pays for.
        panel = ScreenedPanel(budget=int(design.n_tests), random_state=seed).fit(values, labels)
        return _by_panel(panel, values, labels, new, few)
    return by_ridge(values, labels, new, few)


def _by_keyhole(learner: KeyholeRegressor, new: np.ndarray, attributes: list[Attribute], few: int) -> Predictions:
    """The few are those that it would buy first."""
    from_all = learner.predict(ArraySource(new, attributes))
    bought = [i for offer in learner.next_attributes(np.full(new.shape[1], np.nan), few) for i in offer.attributes]
    known = np.full(new.shape, np.nan)
    known[:, bought] = new[:, bought]
    return Predictions(from_all, learner.predict(ArraySource(known, attributes)))


def _by_panel(panel: ScreenedPanel, values: np.ndarray, labels: np.ndarray, new: np.ndarray, few: int) -> Predictions:
    """The few are selected among the panel, on the examples that were not screened on."""
    chosen, after = panel.panel_, slice(panel.n_screen_, None)
    from_all = np.clip(panel.predict(new), labels.min(), labels.max())
    if len(chosen) <= few:
        return Predictions(from_all, from_all)
    return Predictions(from_all, by_ridge(values[after][:, chosen], labels[after], new[:, chosen], few).from_few)


def by_ridge(values: np.ndarray, labels: np.ndarray, new: np.ndarray, few: int) -> Predictions:
    """Ridge regression on all columns, and on the few that a forward selection finds."""

    def predicted(some: np.ndarray) -> np.ndarray:
        coef, intercept = ridge(values[:, some], labels, RIDGE_PENALTIES)
        return np.clip(new[:, some] @ coef + intercept, labels.min(), labels.max())

    n, d = values.shape
    everything = np.arange(d)
    if few >= d:
        return Predictions(predicted(everything), predicted(everything))
    both = np.column_stack([values, labels])
    spread = both.std(axis=0)
    z = (both - both.mean(axis=0)) / np.where(spread > 0, spread, 1.0)
    correlations = z.T @ z / (n + PRIOR_ROWS)
    pairs = correlations[:d, :d].copy()
    np.fill_diagonal(pairs, 1.0)
    chosen = forward_selection(pairs, correlations[:d, d], few)
    return Predictions(predicted(everything), predicted(np.sort(chosen)))
