"""Factors with a weak prior on the noise, for attributes and labels that are almost exact functions of each other.

The start takes no attribute to be explained entirely, which is right for most data and costs most where labels are
nearly exact. This family goes on from where the start ended, with a fraction of that prior.
"""

from __future__ import annotations

from ..factors import fit_factor_model, joint_moments_of
from ..standard.joint import JointMoments
from ..standard.rows import Rows
from .alternative import Alternative
from .factors import model_behind
from .settings import LOOSE_ITERATIONS, LOOSE_NOISE_PRIOR


class LooseFactors(Alternative):
    """The factors of the start with less noise."""

    name = "loose factors"
    max_attributes = float("inf")

    def moments(self, start: JointMoments, rows: Rows) -> JointMoments:
        rank = start.loadings.shape[1]
        if not rank:  # a diagonal start has no factors to go on from
            return start
        ended = model_behind(start)
        model = fit_factor_model(rows, rank, LOOSE_ITERATIONS, 0, ended, LOOSE_NOISE_PRIOR)
        return joint_moments_of(model, rows.n_labels)
