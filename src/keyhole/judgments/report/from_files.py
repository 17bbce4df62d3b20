"""From files of judgments and labels to a folder with a selection: the work of ``keyhole select``."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import numpy as np

from ...common.parameters import ParameterError, check_not_negative, is_whole
from ...errors import BadValue
from ..assess.bootstrap import bootstrap
from ..assess.validation import validated_losses
from ..core.impossible_loss import ImpossibleLoss
from ..core.repeats import missing_judgments
from ..data.columns import Columns
from ..data.costs import read_costs
from ..data.labels import align_labels
from ..data.readers import read_gold, read_judgments, read_labels
from ..data.table import Judgments
from ..selector import MultiSelector
from ..workers.independence import DependentJudgments
from ..workers.severity import correct_severity
from ..workers.worker_table import Gold, workers_failing_gold
from .folder import write_selection
from .selection import Selection

FOLDS = 5
BUDGETS = 8  # in the figure of losses, from an eighth of the budget to all of it


def select_from_files(
    judgments: Path,
    labels: Path,
    budget: float,
    out: Path,
    costs: Path | None = None,
    method: str = "full",
    ridge: float = 0.0,
    max_repeats: int | None = None,
    severity: bool = False,
    exclude: list[str] | None = None,
    gold: Path | None = None,
    gold_tolerance: float | None = None,
    resamples: int = 200,
    seed: int = 0,
    **reading: Any,
) -> Selection:
    """Select from files and write tables, figures and report.html into the folder ``out``.

    ``reading`` is passed to ``read_judgments``. With 0 resamples there are no intervals.
    """
    _check(gold, gold_tolerance, resamples)
    given = read_judgments(judgments, **reading)
    label_of = read_labels(labels)
    answers = None if gold is None else read_gold(gold)
    cost_of, bundles = ({}, {}) if costs is None else read_costs(costs)
    excluded = _excluded(given, exclude or [], answers, gold_tolerance)
    table = given.without_workers(excluded) if excluded else given
    if answers is not None:
        table = _without_gold_objects(table, {object_name for object_name, _ in answers} - set(label_of))
    y = align_labels(label_of, table, positional=False)
    used = correct_severity(table) if severity else table
    selector = MultiSelector(budget, method, cost_of or None, ridge, bundles or None, max_repeats=max_repeats)
    messages = _fit(selector, used, y, costs)
    stability = bootstrap(selector, used, y, resamples, random_state=seed) if resamples else None
    selection = Selection(
        selector=selector,
        stability=stability,
        missing_judgments=missing_judgments(used, selector.repeats_),
        losses=_losses(selector, used, y),
        warnings=messages,
        excluded=excluded,
    )
    write_selection(selection, used, given, answers, Path(out))
    return selection


def _check(gold: Path | None, gold_tolerance: float | None, resamples: int) -> None:
    """Raise for wrong options before any work is done."""
    if not is_whole(resamples) or resamples < 0 or resamples == 1:
        raise ParameterError("resamples", "it must be a whole number, 2 or more, or 0 for no intervals", resamples)
    if gold_tolerance is not None:
        check_not_negative("the check of gold items", "gold_tolerance", gold_tolerance)
        if gold is None:
            raise ParameterError("gold", "a tolerance for errors on gold items needs the file of their right answers")


def _excluded(given: Judgments, exclude: list[str], answers: Gold | None, gold_tolerance: float | None) -> list[str]:
    """The workers that were named, and those who fail gold items."""
    if answers is None or gold_tolerance is None:
        return list(exclude)
    failing = workers_failing_gold(given, answers, gold_tolerance)
    return [*exclude, *(worker for worker in failing if worker not in exclude)]


def _without_gold_objects(table: Judgments, only_gold: set[str]) -> Judgments:
    """Objects that were shown only to test workers have no label and no place in the selection."""
    return table.keep_objects([i for i, name in enumerate(table.objects) if name not in only_gold])


def _fit(selector: MultiSelector, used: Judgments, y: np.ndarray, costs: Path | None) -> list[str]:
    """Fit the selector, and return its warnings with the advice that a user of the command needs."""
    with warnings.catch_warnings(record=True) as caught:
        for category in (DependentJudgments, ImpossibleLoss):
            warnings.simplefilter("always", category)
        try:
            selector.fit(used, y)
        except ParameterError as error:
            if error.parameter in ("costs", "bundles"):  # both are in the file of costs
                raise ParameterError("costs", f"{costs}: {error.message}") from None
            raise
    messages = []
    for warning in (one.message for one in caught):
        if isinstance(warning, DependentJudgments):
            messages.append(f"{warning.summary()}. The intervals resample workers as well; consider --severity")
        elif isinstance(warning, ImpossibleLoss):
            messages.append(str(warning))
    return messages


def _losses(selector: MultiSelector, used: Judgments, y: np.ndarray) -> Columns | str:
    """Losses against the budget, or the reason why they cannot be estimated on held-out objects."""
    budgets = [float(b) for b in np.unique(np.linspace(0, selector.budget, BUDGETS + 1)[1:])]
    try:
        return validated_losses(selector, used, y, budgets, folds=min(FOLDS, len(y)))
    except BadValue as reason:  # so few judgments of some attribute that a fold lacks them
        return str(reason)
