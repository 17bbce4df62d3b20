"""Keyhole's own learner: structured second moments from all revealed cells at once."""

from .classifier import KeyholeClassifier
from .regressor import KeyholeRegressor

__all__ = ["KeyholeClassifier", "KeyholeRegressor"]
