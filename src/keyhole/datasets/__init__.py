"""Data to learn from: generated, and loaded."""

from .synthetic import Synthetic, improvement_ratios, kukliansky_shamir

__all__ = ["Synthetic", "improvement_ratios", "kukliansky_shamir"]
