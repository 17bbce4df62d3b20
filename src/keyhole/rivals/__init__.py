"""Rivals: other ways to spend the same budget, with the interface and the meter of the learners."""

from .complete_rows import CompleteRows
from .impute_then_ridge import ImputeThenRidge
from .screened_panel import ScreenedPanel

__all__ = ["CompleteRows", "ImputeThenRidge", "ScreenedPanel"]
