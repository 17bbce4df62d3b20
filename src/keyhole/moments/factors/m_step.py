"""The maximisation step of the factor model: per column a ridge regression of its cells on the factors.

In the coordinates of ``e_step.py``, M' h: the prior of the loadings, in their own a multiple of I, is that of M'M.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from .packed import factorise, solve, square


@njit(cache=True, nogil=True)
def labels_as_prior(C: np.ndarray, noise: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """M, M^-1 and packed M'M for M M' = I + C' diag(noise)^-1 C; and M^-1 of the scaled loadings of each label, (L, r).

    In plain loops: several threads of BLAS for a matrix this small took twice as long as all the rest of an iteration.
    """
    L, r = C.shape
    A = np.zeros(r * (r + 1) // 2)
    for a in range(r):
        row = a * (a + 1) // 2
        for b in range(a + 1):
            for label in range(L):
                A[row + b] += C[label, a] * C[label, b] / noise[label]
        A[row + a] += 1.0
    factorise(A, r)
    M, inverse, squared, rotated = np.zeros((r, r)), np.zeros((r, r)), np.zeros(len(A)), np.zeros((L, r))
    for a in range(r):
        for b in range(a + 1):
            M[a, b] = A[a * (a + 1) // 2 + b]
    for a in range(r):
        for c in range(a):
            for b in range(c + 1):
                inverse[a, b] -= M[a, c] * inverse[c, b]
        inverse[a, a] = 1.0
        for b in range(a + 1):
            inverse[a, b] /= M[a, a]
            for label in range(L):
                rotated[label, a] += inverse[a, b] * C[label, b] / noise[label]
    for c in range(r):
        for a in range(c + 1):
            for b in range(a + 1):
                squared[a * (a + 1) // 2 + b] += M[c, a] * M[c, b]
    return M, inverse, squared, rotated


@njit(cache=True, nogil=True)
def update_columns(
    first: int,
    last: int,
    count: np.ndarray,
    total: np.ndarray,
    squares: np.ndarray,
    products: np.ndarray,
    cross: np.ndarray,
    factors: np.ndarray,
    prior: np.ndarray,
    noise_prior: float,
    M: np.ndarray,
    mean: np.ndarray,
    loadings: np.ndarray,
    noise: np.ndarray,
) -> None:
    """Loadings, then mean and noise, of columns first to last; one that was never revealed stays as it is.

    ``prior`` is packed and added to the products of factors; ``noise_prior`` is worth so many cells of variance 1.
    """
    r = loadings.shape[1]
    w = np.empty(r)
    for i in range(first, last):
        if count[i] == 0.0:
            continue
        A = products[i] + prior
        factorise(A, r)
        for a in range(r):
            w[a] = cross[i, a] - mean[i] * factors[i, a]
        solve(A, w)
        along = np.sum(w * factors[i])
        mean[i] = (total[i] - along) / count[i]
        across = np.sum(w * cross[i]) - mean[i] * along
        deviations = squares[i] - 2.0 * mean[i] * total[i] + count[i] * mean[i] ** 2
        left = deviations - 2.0 * across + square(products[i], w)
        noise[i] = (max(left, 0.0) + noise_prior) / (count[i] + noise_prior)
        for a in range(r):
            x = 0.0
            for b in range(a + 1):
                x += M[a, b] * w[b]
            loadings[i, a] = x


@njit(cache=True, nogil=True, fastmath={"reassoc", "contract"})
def rotate_columns(first: int, last: int, loadings: np.ndarray, inverse: np.ndarray, rotated: np.ndarray) -> None:
    """Loadings M^-1 w of columns first to last."""
    r = loadings.shape[1]
    for i in range(first, last):
        for a in range(r):
            x = 0.0
            for b in range(a + 1):
                x += inverse[a, b] * loadings[i, b]
            rotated[i, a] = x
