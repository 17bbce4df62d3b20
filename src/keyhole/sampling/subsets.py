"""Uniform subsets without replacement, in time that depends only on the size of the subset."""

from __future__ import annotations

import numpy as np
from numba import njit

from .random import below


@njit(cache=True, nogil=True)
def uniform_subset(rng: np.ndarray, n: int, k: int, marks: np.ndarray) -> np.ndarray:
    """Draw k of n indices without replacement, every subset equally likely.

    Parameters
    ----------
    rng : ndarray of uint64 of shape (4,)
        The random generator, see ``new_generator``; it is advanced.
    n : int
        The number of indices to draw from: 0, ..., n - 1.
    k : int
        The size of the subset, at most n.
    marks : ndarray of int64 of shape (n,) or longer
        Working memory that holds -1 everywhere, before and after.

    Returns
    -------
    ndarray of int64 of shape (k,)
        The indices, in no particular order.

    References
    ----------
    Bentley, J. and Floyd, B. (1987). Programming pearls: a sample of brilliance. Communications of the ACM, 30(9),
    754-757.

    Examples
    --------
    >>> import numpy as np
    >>> from keyhole.sampling import new_generator, uniform_subset
    >>> print(uniform_subset(new_generator(0), 1_000_000, 3, np.full(1_000_000, -1)))
    [324574 382238 359617]
    """
    chosen = np.empty(k, dtype=np.int64)
    for r in range(k):
        candidate = below(rng, n - k + r + 1)
        if marks[candidate] >= 0:
            candidate = n - k + r
        marks[candidate] = r
        chosen[r] = candidate
    for r in range(k):
        marks[chosen[r]] = -1
    return chosen
