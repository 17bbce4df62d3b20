"""The few cells that are missing in rows that are complete otherwise: their expected values given the row's others.

Ridge regression needs complete rows. Of a table of 40 attributes of which 3% of the cells are missing at random, 30% of
the rows are complete, and to leave the others out would cost far more than the missing cells do. The expected values
follow from joint moments of the attributes, and the label has no part in them: a cell that was filled by the label
would seem to explain it.
"""

from __future__ import annotations

import numpy as np

from ..factors.em import fit_factor_model, joint_moments_of
from ..solution import Training
from ..standard.joint import JointMoments
from ..standard.rows import standardised_rows
from ..standard.woodbury import solve_by_factors
from .factors import rank_for
from .settings import ITERATIONS_FOR_GAPS


def filled(table: np.ndarray, joint: JointMoments) -> np.ndarray:
    """A standardised table with the expected value, given the others of its row, of every cell that is NaN."""
    table = table.copy()
    for t in np.flatnonzero(np.isnan(table).any(axis=1)):
        gaps = np.isnan(table[t])
        away = table[t, ~gaps] - joint.mean[~gaps]
        W = joint.loadings[~gaps]
        given = solve_by_factors(W, joint.noise[~gaps], away[:, None])[:, 0]
        table[t, gaps] = joint.mean[gaps] + joint.loadings[gaps] @ (W.T @ given)
    return table


def without_gaps(data: Training) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The rows, columns and values of all cells, those that are missing filled by a factor model of the others."""
    cells, scales, d = data.cells, data.scales(), data.n_attributes
    if data.complete:
        return cells.rows, cells.attributes, cells.values
    rows = standardised_rows(cells, data.labels[:, :0], scales)
    joint = joint_moments_of(fit_factor_model(rows, rank_for(data), ITERATIONS_FOR_GAPS, data.seed), 0)
    table = scales.mean + scales.scale * filled(rows.table, joint)
    table[cells.rows, cells.attributes] = cells.values
    n = data.n_rows
    return np.repeat(np.arange(n), d), np.tile(np.arange(d), n), table.ravel()
