"""Feature multi-selection: which attributes to ask a crowd for, and how many judgments of each."""

from .agreement import agreement
from .components import variance_components
from .crew import worker_table, workers_failing_gold
from .doubt import ImpossibleLoss
from .exports import read_label_studio, read_mturk
from .independence import DependentJudgments
from .inputs import as_judgments
from .measure import validated_losses
from .plots import plot_attributes, plot_comparison, plot_losses, plot_repeats, plot_tradeoff
from .readers import read_costs, read_gold, read_judgments, read_labels
from .regressor import JudgmentRegressor, MissingJudgments
from .selector import MultiSelector
from .severity import correct_severity
from .stability import bootstrap
from .table import Judgments
from .tradeoff import tradeoff

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
