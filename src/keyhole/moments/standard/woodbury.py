"""Linear systems with a covariance of factors and noise, W W' + diag(noise), by Woodbury's identity.

    (N + W W')^-1 = N^-1 - N^-1 W (I + W' N^-1 W)^-1 W' N^-1,

which needs the solution of a system as large as the number of factors, and not of attributes.
"""

from __future__ import annotations

import numpy as np


def solve_by_factors(W: np.ndarray, noise: np.ndarray, right: np.ndarray) -> np.ndarray:
    """(W W' + diag(noise))^-1 right, for one matrix W (k, r), or for a stack of them (m, k, r).

    ``noise`` is (k,) or (m, k), and ``right`` (k, q) or (m, k, q).
    """
    across = np.swapaxes(W / noise[..., None], -1, -2)
    inner = np.eye(W.shape[-1]) + across @ W
    return right / noise[..., None] - np.swapaxes(across, -1, -2) @ np.linalg.solve(inner, across @ right)


def solve_by_smaller(W: np.ndarray, noise: np.ndarray, right: np.ndarray) -> np.ndarray:
    """The same for a stack of subsets, by a system as large as the attributes where these are fewer than factors."""
    k, r = W.shape[-2:]
    if k > r:
        return solve_by_factors(W, noise, right)
    covariance = W @ np.swapaxes(W, -1, -2) + noise[..., None] * np.eye(k)
    return np.linalg.solve(covariance, right)
