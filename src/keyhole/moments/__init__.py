"""Keyhole's own learner: one model of the joint moments of all revealed cells.

docs/how_it_works.md follows the data through the packages. From the estimators down these are ``describe`` (words and
plots), ``predict`` (from whatever is known), ``families`` (kinds of model, and the selection among them), ``honest``
(errors on held-out rows), ``factors`` (the factor model), ``policy`` (which attributes to reveal) and ``standard``
(scales, rows, joint moments).
"""

from .classifier import KeyholeClassifier
from .from_moments import fit_from_moments, moments_from_sums
from .moments_predictor import MomentsPredictor
from .regressor import KeyholeRegressor

__all__ = ["KeyholeClassifier", "KeyholeRegressor", "MomentsPredictor", "fit_from_moments", "moments_from_sums"]
