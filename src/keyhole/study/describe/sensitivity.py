"""How far a model depends on what was not obtainable: it is learned again with these cells set to low and high values.

The learner takes a cell that is not obtainable for one that is missing for no reason that matters. If the truth were
as extreme as these values, the model would be one of those learned here. They are learned by the same replay as the
model itself, from the same log, with only these cells changed.
"""

from __future__ import annotations

import copy
import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from ...common.one_thread import one_thread
from ...observe.attributes import Attribute
from ...observe.sources import CallableSource
from ..facts import date_in_words
from ..learning import as_told, can_be_learned, learned
from ..rules import NOT_OBTAINABLE, VALUE, Fact
from ..store.base import DesignRecord, StudyRecord
from ..store.replay import CellState, ExampleState

PERCENTILES = (10, 90)
MOST_PREDICTED = 2_000  # examples, evenly spaced, whose predictions are compared


class Sensitivity(NamedTuple):
    """How far a model moves when the cells that were not obtainable are set to a value.

    Parameters
    ----------
    attribute : str or None
        The attribute; None: all attributes, each at the value that lowers or raises predictions most.
    value : str
        The value, with its unit.
    n_cells : int
        How many cells were set.
    predictions : float
        The root mean square change of predictions of the learned examples from their revealed cells: in standard
        deviations of the label or, for classes, of the probabilities of classes.
    coefficient : float
        The largest change of a coefficient: in standard deviations of the label (for classes, in log odds) per standard
        deviation of the attribute.

    Examples
    --------
    >>> Sensitivity("mri", "12 mm", 20, 0.04, 0.1).predictions
    0.04
    """

    attribute: str | None
    value: str
    n_cells: int
    predictions: float
    coefficient: float


def sensitivity(
    study: StudyRecord, designs: Sequence[DesignRecord], examples: dict[int, ExampleState], some: Sequence[int]
) -> list[Sensitivity]:
    """For some attributes, one at a time, and then for all of them together."""
    usable = {n: one for n, one in examples.items() if can_be_learned(one)}
    places = {i: [n for n, one in usable.items() if _is_absent(one.cells.get(i))] for i in some}
    values = {i: extremes(study.attributes[i], i, usable) for i in some if places[i]}
    values = {i: found for i, found in values.items() if found}
    if not values:
        return []
    with one_thread(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        seen = _Seen(learned(study, designs, examples), study, usable)

        def moved(name: str | None, told: str, chosen: Mapping[int, Fact]) -> Sensitivity:
            changed, n_cells = dict(examples), 0
            for attribute, fact in chosen.items():
                for n in places[attribute]:
                    changed[n] = copy.copy(changed[n])
                    changed[n].cells = changed[n].cells | {attribute: CellState(True, VALUE, fact)}
                n_cells += len(places[attribute])
            predictions, coefficient = seen.moves(learned(study, designs, changed))
            return Sensitivity(name, told, n_cells, predictions, coefficient)

        found = []
        for i, facts in values.items():
            a = study.attributes[i]
            found += [moved(a.name, in_words(a, fact), {i: fact}) for fact in facts]
        if len(values) > 1:
            ordered = {i: sorted(facts, key=lambda fact, i=i: seen.alone(i, fact)) for i, facts in values.items()}  # type: ignore[misc]
            found.append(moved(None, "what lowers predictions", {i: facts[0] for i, facts in ordered.items()}))
            found.append(moved(None, "what raises predictions", {i: facts[-1] for i, facts in ordered.items()}))
        return found


def extremes(attribute: Attribute, number: int, examples: Mapping[int, ExampleState]) -> list[Fact]:
    """The values that are tried: the 10th and the 90th percentile of the revealed ones, yes and no, or each choice."""
    if attribute.kind == "yes/no":
        return [Fact(0.0), Fact(1.0)]
    if attribute.kind == "choice":
        return [Fact(float(k), text) for k, text in enumerate(attribute.choices)]
    cells = [one.cells[number] for one in examples.values() if number in one.cells]
    revealed = [cell.fact.number for cell in cells if cell.state == VALUE]
    if not revealed:
        return []
    found = np.percentile(np.array(revealed, dtype=float), PERCENTILES, method="nearest")
    return [Fact(float(value)) for value in np.unique(found)]


def in_words(attribute: Attribute, fact: Fact) -> str:
    """A value with its unit."""
    if attribute.kind == "yes/no":
        return "yes" if fact.number else "no"
    if fact.text is not None:
        return fact.text
    if attribute.kind == "date" and fact.number is not None:
        return date_in_words(fact.number)
    return f"{fact.number:.4g}" + (f" {attribute.unit}" if attribute.unit else "")


class _Seen:
    """The model of a study, its predictions from revealed cells, and how far others are from it."""

    def __init__(self, model: Any, study: StudyRecord, examples: Mapping[int, ExampleState]) -> None:
        numbers = sorted(examples)
        chosen = np.unique(np.linspace(0, len(numbers) - 1, min(len(numbers), MOST_PREDICTED)).astype(int))
        rows = [examples[numbers[k]].cells for k in chosen]
        self.model, self.study = model, study
        self.source = self._table(lambda row, i: rows[row].get(i), len(rows))
        labels = [one.label.number for one in examples.values()]
        self.is_classifier = hasattr(model, "predict_proba")
        self.scale = 1.0 if self.is_classifier else float(np.std(np.array(labels, dtype=float))) or 1.0
        self.predicted, self.weights = self._predictions(model, self.source), self._weights(model)

    def moves(self, other: Any) -> tuple[float, float]:
        """The root mean square change of predictions, and the largest change of a coefficient."""
        change = (self._predictions(other, self.source) - self.predicted) / self.scale
        weights = self._weights(other)
        same = weights.shape == self.weights.shape
        largest = float(np.abs(weights - self.weights).max()) if same else float("nan")
        return float(np.sqrt(np.mean(change**2))), largest

    def alone(self, attribute: int, fact: Fact) -> float:
        """The prediction from this value alone; of classes, the probability of the last one."""
        cell = CellState(True, VALUE, fact)
        source = self._table(lambda _, i: cell if i == attribute else None, 1)
        return float(self._predictions(self.model, source).ravel()[-1])

    def _table(self, cell: Callable[[int, int], CellState | None], n: int) -> CallableSource:
        def read(row: int, attributes: Any) -> list[Any]:
            cells = [(int(i), cell(row, int(i))) for i in attributes]
            return [None if one is None else as_told(self.study.attributes[i], one) for i, one in cells]

        return CallableSource(read, n, self.model.attributes_)

    def _predictions(self, model: Any, source: CallableSource) -> np.ndarray:
        return np.asarray(model.predict_proba(source) if self.is_classifier else model.predict(source))

    def _weights(self, model: Any) -> np.ndarray:
        """Coefficients per standard deviation of their columns."""
        return np.asarray(model.coef_) * model._deviations() / self.scale


def _is_absent(cell: CellState | None) -> bool:
    return cell is not None and cell.drawn and cell.state == NOT_OBTAINABLE
