"""Keyhole's own learner: structured second moments from all revealed cells at once."""

from .classifier import KeyholeClassifier
from .from_moments import fit_from_moments, moments_from_sums
from .regressor import KeyholeRegressor

__all__ = ["KeyholeClassifier", "KeyholeRegressor", "fit_from_moments", "moments_from_sums"]
