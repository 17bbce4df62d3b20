"""Feature multi-selection: which attributes to ask a crowd for, and how many judgments of each."""

from .assess.agreement import agreement
from .assess.bootstrap import bootstrap
from .assess.tradeoff import tradeoff
from .assess.validation import validated_losses
from .core.impossible_loss import ImpossibleLoss
from .data.inputs import as_judgments
from .data.label_studio import read_label_studio, read_mturk
from .data.readers import read_costs, read_gold, read_judgments, read_labels
from .data.table import Judgments
from .regressor import JudgmentRegressor, MissingJudgments
from .report.plot_selection import plot_attributes, plot_comparison, plot_losses, plot_repeats, plot_tradeoff
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
