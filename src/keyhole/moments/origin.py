"""Predictors through the origin: second moments about 0 in place of about the means.

E[x x'] is the covariance plus mean mean', so the means become one more factor of the model that was fitted to centred
cells. Nothing else changes: scales stay standard deviations, and what was learned of covariances from partial cells
is kept. An attribute that is always the same is of use here, as an intercept of one's own, and is taken back; its
scale is its size, and the more often it was seen the less it is shrunk.
"""

from __future__ import annotations

import numpy as np

from ..observe.cells import Cells, standardised, summarised
from .joint import predictor
from .rows import Units
from .solving import Solution


def through_origin(solution: Solution, cells: Cells) -> Solution:
    """The same second moments about 0; the intercepts of its predictors are 0."""
    units, joint = solution.units, solution.joint
    seen = summarised(cells.attributes, cells.values, len(units.mean))
    constant = (units.scale == 0) & (seen.times > 1) & (seen.deviation == 0) & (seen.mean != 0)
    scale = np.where(constant, np.abs(seen.mean), units.scale)
    label_scale = np.where(units.label_scale > 0, units.label_scale, np.abs(units.label_mean))
    zero = Units(np.zeros_like(scale), scale, np.zeros_like(label_scale), label_scale)
    mean = standardised(np.where(constant, seen.mean, units.mean), zero.mean, scale) + np.where(
        scale > 0, joint.mean, 0
    )
    label_mean = standardised(units.label_mean, zero.label_mean, label_scale) + joint.label_mean
    centred = joint._replace(noise=np.where(constant, 1.0 / np.maximum(seen.times, 1) ** 2, joint.noise))
    about_zero = centred._replace(
        mean=zero.mean,
        loadings=np.column_stack([joint.loadings, mean]),
        label_mean=zero.label_mean,
        label_loadings=np.column_stack([joint.label_loadings, label_mean]),
    )
    # By Sherman and Morrison, since where means are far larger than spreads a solution in one go is all rounding.
    inside = np.where(scale > 0, centred.weights(), 0.0)
    toward = centred._replace(label_loadings=0 * joint.label_loadings[:1], rest=mean[:, None]).weights()[0]
    weights = inside + np.outer((label_mean - inside @ mean) / (1.0 + toward @ mean), toward)
    coef, intercept = predictor(about_zero, weights, zero)
    # Where nothing is known 0 is predicted, so a label's own spread is that about 0: its unit, as it was its deviation.
    size = np.sqrt(1.0 + label_mean**2)
    about_zero = about_zero._replace(
        label_loadings=about_zero.label_loadings / size[:, None],
        label_noise=about_zero.label_noise / size**2,
        rest=about_zero.rest / size,
    )
    return solution._replace(
        joint=about_zero, units=zero._replace(label_scale=label_scale * size), coef=coef, intercept=intercept
    )
