"""The factor model, fitted to revealed cells alone by expectation maximisation (EM)."""

from .em import FactorModel, affordable_rank, fit_factor_model, joint_moments_of

__all__ = ["FactorModel", "affordable_rank", "fit_factor_model", "joint_moments_of"]
