"""The two linear programs of the Dantzig selector, solved by HiGHS."""

from __future__ import annotations

import numpy as np


def smallest_within(A: np.ndarray, b: np.ndarray, bound: float) -> np.ndarray | None:
    """argmin |w|_1 subject to |b - A w|_inf <= bound, or None if no w meets the constraint."""
    from scipy.optimize import LinearConstraint, milp  # here, since it takes long to import

    d = len(b)
    solution = milp(np.ones(2 * d), constraints=LinearConstraint(np.hstack([A, -A]), b - bound, b + bound))
    if solution.status == 2:
        return None
    if solution.x is None:
        raise ValueError(f"the linear program of Dantzig was not solved: {solution.message}")
    return solution.x[:d] - solution.x[d:]


def nearest(A: np.ndarray, b: np.ndarray) -> float:
    """The smallest |b - A w|_inf over all w."""
    from scipy.optimize import LinearConstraint, milp

    d = len(b)
    one = np.ones((d, 1))
    rows = np.vstack([np.hstack([A, -A, -one]), np.hstack([A, -A, one])])
    lower = np.concatenate([np.full(d, -np.inf), b])
    upper = np.concatenate([b, np.full(d, np.inf)])
    return float(milp(np.eye(2 * d + 1)[-1], constraints=LinearConstraint(rows, lower, upper)).fun)
