"""Feature multi-selection: which attributes to ask a crowd for, and how many judgments of each.

Rooms, from the top down: ``report`` (figures, page, folder), ``assess`` (agreement, bootstrap, validation, trade-off),
``selector`` and ``regressor``, ``workers`` (variance components, severity, independence), ``core`` (moments, offers,
the greedy choice) and ``data`` (tables, files, labels). A name is imported when it is first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # what type checkers and editors read; at run time __getattr__ imports the same names
    from .assess.agreement import agreement
    from .assess.bootstrap import bootstrap
    from .assess.tradeoff import tradeoff
    from .assess.validation import validated_losses
    from .core.impossible_loss import ImpossibleLoss
    from .core.repeats import MissingJudgments
    from .data.costs import read_costs
    from .data.inputs import as_judgments
    from .data.label_studio import read_label_studio
    from .data.mturk import read_mturk
    from .data.readers import read_gold, read_judgments, read_labels
    from .data.table import Judgments
    from .regressor import JudgmentRegressor
    from .report.plot_losses import plot_comparison, plot_losses, plot_tradeoff
    from .report.plot_selection import plot_attributes, plot_repeats
    from .selector import MultiSelector
    from .workers.independence import DependentJudgments
    from .workers.severity import correct_severity
    from .workers.variance_components import variance_components
    from .workers.worker_table import worker_table, workers_failing_gold

__all__ = [
    "DependentJudgments",
    "ImpossibleLoss",
    "JudgmentRegressor",
    "Judgments",
    "MissingJudgments",
    "MultiSelector",
    "agreement",
    "as_judgments",
    "bootstrap",
    "correct_severity",
    "plot_attributes",
    "plot_comparison",
    "plot_losses",
    "plot_repeats",
    "plot_tradeoff",
    "read_costs",
    "read_gold",
    "read_judgments",
    "read_label_studio",
    "read_labels",
    "read_mturk",
    "tradeoff",
    "validated_losses",
    "variance_components",
    "worker_table",
    "workers_failing_gold",
]

# The module that each name comes from.
_EXPORTS = {
    "assess.agreement": ("agreement",),
    "assess.bootstrap": ("bootstrap",),
    "assess.tradeoff": ("tradeoff",),
    "assess.validation": ("validated_losses",),
    "core.impossible_loss": ("ImpossibleLoss",),
    "core.repeats": ("MissingJudgments",),
    "data.costs": ("read_costs",),
    "data.inputs": ("as_judgments",),
    "data.label_studio": ("read_label_studio",),
    "data.mturk": ("read_mturk",),
    "data.readers": ("read_gold", "read_judgments", "read_labels"),
    "data.table": ("Judgments",),
    "regressor": ("JudgmentRegressor",),
    "report.plot_losses": ("plot_comparison", "plot_losses", "plot_tradeoff"),
    "report.plot_selection": ("plot_attributes", "plot_repeats"),
    "selector": ("MultiSelector",),
    "workers.independence": ("DependentJudgments",),
    "workers.severity": ("correct_severity",),
    "workers.variance_components": ("variance_components",),
    "workers.worker_table": ("worker_table", "workers_failing_gold"),
}
_HOME = {name: module for module, names in _EXPORTS.items() for name in names}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f".{_HOME[name]}", __name__), name)
    globals()[name] = value  # found without this function from now on
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
