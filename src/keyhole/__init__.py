"""Keyhole: linear predictors learned from a few attributes of each example.

>>> import keyhole as kh
>>> from sklearn.datasets import load_digits
>>> X, y = load_digits(n_class=2, return_X_y=True)
>>> learner = kh.KeyholeRegressor(budget=8, random_state=0).fit(X, y)
>>> learner.observed_.max_per_example
8
"""

from . import datasets, rivals
from .errors import BadValue, BudgetExceeded, KeyholeError, NotRevealed
from .judgments import JudgmentRegressor, MultiSelector, agreement, tradeoff
from .moments import KeyholeClassifier, KeyholeRegressor, fit_from_moments, moments_from_sums
from .observe import ArraySource, Ask, Attribute, CallableSource, Ledger, Meter, Source, reveal
from .online import AELR, AER, AERR, AESVR, DDAELR, DDAERR, Baseline
from .saving import load_model, save_model
from .sparse import Dantzig, DualAveraging, Exploitation, Exploration, Hybrid

__version__ = "0.1.0"

__all__ = [
    "AELR",
    "AER",
    "AERR",
    "AESVR",
    "DDAELR",
    "DDAERR",
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
    "Hybrid",
    "JudgmentRegressor",
    "KeyholeClassifier",
    "KeyholeError",
    "KeyholeRegressor",
    "Ledger",
    "Meter",
    "MultiSelector",
    "NotRevealed",
    "Source",
    "agreement",
    "datasets",
    "fit_from_moments",
    "load_model",
    "moments_from_sums",
    "reveal",
    "rivals",
    "save_model",
    "tradeoff",
]
