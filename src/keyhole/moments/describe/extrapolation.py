"""The error that more cells would give, extrapolated from a learning curve.

The curve is taken to be a + b n^(-c) in the number n of cells, with a and b at least 0 and c from 1/4, where errors
fall slowly, to 1, where only the variance of coefficients is left to fall. The c with the least squared distance is
found on a grid, a and b by non-negative least squares, in which points count by the squares of their numbers of cells:
where little was seen the error is that of the mean label, on no such curve.

Held-out rows are drawn again with replacement, the same rows for every point of the curve, and each draw is
extrapolated. The standard error has the variance over the draws and that of the points around the curve, which stands
for the luck of the examples that were fitted to.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.optimize import nnls

EXPONENTS = np.linspace(0.25, 1.0, 7)
DRAWS = 100
MULTIPLES = np.array([2.0, 4.0, 8.0])


class Extrapolation(NamedTuple):
    """Numbers of cells beyond those that were revealed, and the errors expected there with their standard errors."""

    n_cells: np.ndarray
    error: np.ndarray
    standard_error: np.ndarray


def extrapolated(n_cells: np.ndarray, squares: np.ndarray, seed: int = 0) -> Extrapolation | None:
    """From the squared errors (points, rows) of the same rows by models fitted to more and more cells.

    None where there are fewer than 3 points: they are on every curve.
    """
    if len(n_cells) < 3:
        return None
    rng, n = np.random.default_rng(seed), squares.shape[1]
    ratio, beyond = n_cells / n_cells[-1], MULTIPLES
    error, distance = _curve_at(ratio, squares.mean(axis=1), beyond)
    draws = [_curve_at(ratio, squares[:, rng.integers(n, size=n)].mean(axis=1), beyond)[0] for _ in range(DRAWS)]
    around = distance / max(len(n_cells) - 2, 1)
    return Extrapolation(beyond * n_cells[-1], error, np.sqrt(np.var(draws, axis=0) + around))


def _curve_at(ratio: np.ndarray, errors: np.ndarray, beyond: np.ndarray) -> tuple[np.ndarray, float]:
    """The best curve through errors, at other multiples of the last number of cells; and its squared distance."""
    best, least = np.full(len(beyond), errors[-1]), np.inf
    for c in EXPONENTS:
        curve = np.column_stack([np.ones(len(ratio)), ratio**-c])
        (a, b), distance = nnls(ratio[:, None] * curve, ratio * errors)
        if distance**2 < least:
            best, least = a + b * beyond**-c, distance**2
    return best, least
