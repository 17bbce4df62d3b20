"""Predictors through the origin: second moments about 0 in place of about the means.

E[x x'] is the covariance plus mean mean', so the means become one more factor of the model that was fitted to centred
cells. Nothing else changes: scales stay standard deviations, and what was learned of covariances from partial cells
is kept. An attribute that is always the same is of use here, as an intercept of one's own, and is taken back; its
scale is its size.
"""

from __future__ import annotations

import numpy as np

from ..observe.cells import Cells, summarised
from .rows import Units
from .solving import Solution
from .solving import _solved as solved_by

HARDLY = 1e-6  # how far constants are shrunk, as intercepts are not; two of them share the weight


def through_origin(solution: Solution, cells: Cells) -> Solution:
    """The same second moments about 0; the intercepts of its predictors are 0."""
    units, joint = solution.units, solution.joint
    seen = summarised(cells.attributes, cells.values, len(units.mean))
    constant = (units.scale == 0) & (seen.times > 0) & (seen.deviation == 0) & (seen.mean != 0)
    scale = np.where(constant, np.abs(seen.mean), units.scale)
    label_scale = np.where(units.label_scale > 0, units.label_scale, np.abs(units.label_mean))
    mean = joint.mean + np.divide(np.where(constant, seen.mean, units.mean), scale, out=0 * scale, where=scale > 0)
    label_mean = joint.label_mean + np.divide(units.label_mean, label_scale, out=0 * label_scale, where=label_scale > 0)
    about_zero = joint._replace(
        mean=np.zeros_like(mean),
        loadings=np.column_stack([joint.loadings, np.where(scale > 0, mean, 0.0)]),
        noise=np.where(constant, HARDLY, joint.noise),
        label_mean=np.zeros_like(label_mean),
        label_loadings=np.column_stack([joint.label_loadings, label_mean]),
    )
    zero = Units(np.zeros_like(mean), scale, np.zeros_like(label_mean), label_scale)
    found = solved_by(about_zero, zero, solution.family, solution.candidates)
    return found._replace(interest=solution.interest)
