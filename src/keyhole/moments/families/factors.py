"""The family of factors: attributes and label as linear functions of a few unobserved factors; see ``factors/``.

It is what a fit starts from: of attributes that have something in common, every revealed cell tells something about
all others.
"""

from __future__ import annotations

import numpy as np

from ..factors import FactorModel, affordable_rank, fit_factor_model, joint_moments_of
from ..solution import Solution, Training, candidate, solution_of
from ..standard.joint import JointMoments
from ..standard.rows import Rows, standardised_rows
from .family import Family, Role
from .settings import BASE_FACTORS, FACTORS_PER_CELL, MAX_FACTORS


class Factors(Family):
    """As many factors as the cells of a row can tell apart, at most 48, fitted by EM."""

    name = "factors"
    role = Role.START

    def fit(self, data: Training, max_iterations: int, start: Solution | None = None) -> Solution:
        scales = data.scales()
        rows, rank = standardised_rows(data.cells, data.labels, scales), rank_for(data)
        model = fit_factor_model(rows, rank, max_iterations, data.seed)
        why = candidate(self, True, "", rank=rank, iterations=model.iterations, last_change=model.change)
        return solution_of(joint_moments_of(model, rows.n_labels), scales, self, [why])

    def refit(self, like: Solution, data: Training, max_iterations: int) -> Solution:
        scales = data.scales()
        rows = standardised_rows(data.cells, data.labels, scales)
        model = fit_factor_model(rows, like.joint.loadings.shape[1], max_iterations, data.seed)
        return like.with_moments(joint_moments_of(model, rows.n_labels), scales)

    def resume(self, like: Solution, rows: Rows, max_iterations: int) -> Solution:
        ended = model_behind(like.joint)
        model = fit_factor_model(rows, like.joint.loadings.shape[1], max_iterations, 0, ended)
        return like.with_moments(joint_moments_of(model, rows.n_labels), like.scales)


def rank_for(data: Training) -> int:
    """The number of factors: more of them where rows show more cells."""
    most = BASE_FACTORS + FACTORS_PER_CELL * round(data.cells_per_row)
    return affordable_rank(
        data.n_attributes + data.labels.shape[1], max(1, min(data.n_attributes // 2, most, MAX_FACTORS))
    )


def model_behind(joint: JointMoments) -> FactorModel:
    """A factor model to go on from, given the joint moments that one ended with."""
    return FactorModel(
        mean=np.concatenate([joint.mean, joint.label_mean]),
        loadings=np.concatenate([joint.loadings, joint.label_loadings]),
        noise=np.concatenate([joint.noise, joint.label_noise]),
        counts=np.zeros(len(joint.mean) + len(joint.label_mean)),
        iterations=0,
    )
