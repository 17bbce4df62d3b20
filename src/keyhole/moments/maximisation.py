"""The maximisation step of the factor model: per column a ridge regression of its cells on the factors.

In the coordinates of expectation.py, M' h: the prior of the loadings, in their own a multiple of I, is that of M'M.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from .triangles import factorise, solve, square


@njit(cache=True, nogil=True)
def update_columns(
    first, last, count, total, squares, products, cross, factors, prior, noise_prior, M, mean, loadings, noise
):
    """Loadings, then mean and noise, of columns first to last; one that was never seen stays as it is.

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
def turn_columns(first, last, loadings, inverse, white):
    """Loadings M^-1 w of columns first to last."""
    r = loadings.shape[1]
    for i in range(first, last):
        for a in range(r):
            x = 0.0
            for b in range(a + 1):
                x += inverse[a, b] * loadings[i, b]
            white[i, a] = x
