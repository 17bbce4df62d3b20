"""Mean and covariance of a few columns of which not every cell was revealed, by EM, with hardly any prior.

Factors serve many columns with few cells each. For the few that a sparse predictor keeps there are cells enough to
estimate every covariance by itself: a row's missing cells have the values expected given the others, with the variance
that this leaves (Dempster, Laird and Rubin 1977). Rows that reveal the same columns are added up once, and where no row
has a gap this is least squares. Rows that show few of the columns tell little; of the sets of columns that rows reveal,
the ``GAUSSIAN_SETS`` largest are used. The prior is worth ``GAUSSIAN_PRIOR`` more rows of uncorrelated columns of
variance 1.
"""

from __future__ import annotations

import numpy as np

from .settings import GAUSSIAN_ITERATIONS, GAUSSIAN_PRIOR, GAUSSIAN_SETS, GAUSSIAN_TOLERANCE


def gaussian(table: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Mean and covariance of the columns of a standardised table; NaN where nothing was revealed."""
    present = ~np.isnan(table)
    sets, of_row = np.unique(present, axis=0, return_inverse=True)
    largest = np.argsort(-sets.sum(axis=1), kind="stable")[:GAUSSIAN_SETS]
    rows = [np.where(sets[p], table[of_row.ravel() == p], 0.0) for p in largest]
    seen = sets[largest].astype(np.float64)
    count = np.array([len(part) for part in rows])[:, None]
    total = np.array([part.sum(axis=0) for part in rows])
    products = np.array([part.T @ part for part in rows])
    n, k = count.sum(), table.shape[1]
    both, unseen = seen[:, :, None] * seen[:, None, :], np.eye(k) * (1.0 - seen)[:, None, :]
    mean, covariance = np.zeros(k), np.eye(k)
    for _ in range(GAUSSIAN_ITERATIONS):
        centre = seen * mean
        cross = total[:, :, None] * centre[:, None, :]
        around = products - cross - cross.transpose(0, 2, 1) + count[:, :, None] * centre[:, :, None] * centre[:, None]
        # What is expected of all columns, for one unit more in a seen one.
        slopes = covariance @ (np.linalg.inv(covariance * both + unseen) * both)
        moved = np.sum(slopes @ (total - count * centre)[:, :, None], axis=0)[:, 0]
        left = count[:, :, None] * (covariance - slopes @ covariance)
        squares = np.sum(slopes @ around @ slopes.transpose(0, 2, 1) + left, axis=0)
        step, before = moved / (n + GAUSSIAN_PRIOR), covariance
        covariance = (squares + GAUSSIAN_PRIOR * np.eye(k)) / (n + GAUSSIAN_PRIOR) - np.outer(step, step)
        mean = mean + step
        if np.abs(covariance - before).max() <= GAUSSIAN_TOLERANCE:
            break
    return mean, covariance
