"""Keyhole: linear predictors learned from a few attributes of each example.

>>> import keyhole as kh
>>> from sklearn.datasets import load_digits
>>> X, y = load_digits(n_class=2, return_X_y=True)
>>> learner = kh.KeyholeRegressor(budget=8, random_state=0).fit(X, y)
>>> learner.observed_.max_per_example
8

A name is imported when it is first used. numba and scikit-learn take more than a second to import, and a program that
needs neither does not wait for them.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from ._version import __version__ as __version__

if TYPE_CHECKING:  # what type checkers and editors read; at run time __getattr__ imports the same names
    from . import datasets, planning, rivals
    from .errors import BadValue, BudgetExceeded, KeyholeError, NotRevealed, StoreError, StudyError
    from .judgments import JudgmentRegressor, MultiSelector, agreement, tradeoff
    from .moments import KeyholeClassifier, KeyholeRegressor, MomentsPredictor, fit_from_moments, moments_from_sums
    from .observe import ArraySource, Ask, Attribute, CallableSource, FrameSource, Ledger, Meter, Source, reveal
    from .online import AELR, AER, AERR, AESVR, DDAELR, DDAERR, AEAnalytic, Baseline, IdentityCorrelation
    from .saving import load_model, save_model
    from .sparse import Dantzig, DualAveraging, Exploitation, Exploration, Hybrid
    from .study import Study

__all__ = [
    "AELR",
    "AER",
    "AERR",
    "AESVR",
    "DDAELR",
    "DDAERR",
    "AEAnalytic",
    "ArraySource",
    "Ask",
    "Attribute",
    "BadValue",
    "Baseline",
    "BudgetExceeded",
    "CallableSource",
    "Dantzig",
    "DualAveraging",
    "Exploitation",
    "Exploration",
    "FrameSource",
    "Hybrid",
    "IdentityCorrelation",
    "JudgmentRegressor",
    "KeyholeClassifier",
    "KeyholeError",
    "KeyholeRegressor",
    "Ledger",
    "Meter",
    "MomentsPredictor",
    "MultiSelector",
    "NotRevealed",
    "Source",
    "StoreError",
    "Study",
    "StudyError",
    "agreement",
    "datasets",
    "fit_from_moments",
    "load_model",
    "moments_from_sums",
    "planning",
    "reveal",
    "rivals",
    "save_model",
    "tradeoff",
]

# The package that each name comes from.
_EXPORTS = {
    "errors": ("BadValue", "BudgetExceeded", "KeyholeError", "NotRevealed", "StoreError", "StudyError"),
    "judgments": ("JudgmentRegressor", "MultiSelector", "agreement", "tradeoff"),
    "moments": ("KeyholeClassifier", "KeyholeRegressor", "MomentsPredictor", "fit_from_moments", "moments_from_sums"),
    "observe": (
        "ArraySource",
        "Ask",
        "Attribute",
        "CallableSource",
        "FrameSource",
        "Ledger",
        "Meter",
        "Source",
        "reveal",
    ),
    "online": ("AEAnalytic", "AELR", "AER", "AERR", "AESVR", "Baseline", "DDAELR", "DDAERR", "IdentityCorrelation"),
    "saving": ("load_model", "save_model"),
    "sparse": ("Dantzig", "DualAveraging", "Exploitation", "Exploration", "Hybrid"),
    "study": ("Study",),
}
_PACKAGES = {*_EXPORTS, "checks", "datasets", "experiments", "planning", "rivals", "sampling"}
_HOME = {name: package for package, names in _EXPORTS.items() for name in names}


def __getattr__(name: str) -> Any:
    if name in _HOME:
        value = getattr(import_module(f".{_HOME[name]}", __name__), name)
    elif name in _PACKAGES:
        value = import_module(f".{name}", __name__)
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = value  # found without this function from now on
    return value


def __dir__() -> list[str]:
    return sorted({*__all__, *_PACKAGES, *(name for name in globals() if name.startswith("__"))})
