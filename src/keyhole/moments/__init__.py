"""Keyhole's own learner: structured second moments from all revealed cells at once."""

from .regressor import KeyholeRegressor

__all__ = ["KeyholeRegressor"]
