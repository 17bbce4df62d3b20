"""Predictors through the origin: moments about 0 in place of about the means.

E[x x'] is the covariance plus mean mean', so the means become one more factor of the model that was fitted to centred
cells. Nothing else changes: scales stay standard deviations, and what was learned of covariances from partial rows
is kept. An attribute that is always the same is of use here, as the user's own intercept, and takes part again; its
scale is its absolute value, and the more often it was revealed the less it is shrunk.
"""

from __future__ import annotations

import numpy as np

from ...observe.cells import standardised, summarised
from ..solution import Solution, Training
from ..standard.joint import raw_predictor


def through_origin(solution: Solution, data: Training) -> Solution:
    """The same moments about 0; the intercepts of its predictors are 0."""
    scales, joint = solution.scales, solution.joint
    seen = summarised(data.cells.attributes, data.cells.values, data.n_attributes)
    constant = (scales.scale == 0) & (seen.times > 1) & (seen.deviation == 0) & (seen.mean != 0)
    scale = np.where(constant, np.abs(seen.mean), scales.scale)
    label_scale = np.where(scales.label_scale > 0, scales.label_scale, np.abs(scales.label_mean))
    zero = scales._replace(
        mean=np.zeros_like(scale),
        scale=scale,
        label_mean=np.zeros_like(label_scale),
        label_scale=label_scale,
        label_low=np.full_like(label_scale, -np.inf),
        label_high=np.full_like(label_scale, np.inf),
    )
    own_mean = np.where(scale > 0, joint.mean, 0)
    mean = standardised(np.where(constant, seen.mean, scales.mean), zero.mean, scale) + own_mean
    label_mean = standardised(scales.label_mean, zero.label_mean, label_scale) + joint.label_mean
    centred = joint._replace(noise=np.where(constant, 1.0 / np.maximum(seen.times, 1) ** 2, joint.noise))
    about_zero = centred._replace(
        mean=zero.mean,
        loadings=np.column_stack([joint.loadings, mean]),
        label_mean=zero.label_mean,
        label_loadings=np.column_stack([joint.label_loadings, label_mean]),
    )
    # By Sherman and Morrison, since where means are far larger than spreads one solution of the whole is all rounding.
    inside = np.where(scale > 0, centred.weights(), 0.0)
    no_label = centred._replace(label_loadings=0 * joint.label_loadings[:1], residual_cross=mean[:, None])
    toward = no_label.weights()[0]
    weights = inside + np.outer((label_mean - inside @ mean) / (1.0 + toward @ mean), toward)
    coef, intercept = raw_predictor(about_zero, weights, zero)
    # Where nothing is known 0 is predicted, so a label's own spread is that about 0: its unit, as it was its deviation.
    size = np.sqrt(1.0 + label_mean**2)
    about_zero = about_zero._replace(
        label_loadings=about_zero.label_loadings / size[:, None],
        label_noise=about_zero.label_noise / size**2,
        residual_cross=about_zero.residual_cross / size,
    )
    return solution._replace(
        joint=about_zero, scales=zero._replace(label_scale=label_scale * size), coef=coef, intercept=intercept
    )
