"""Uniform subsets without replacement, in time that depends on the subset alone."""

from __future__ import annotations

import numpy as np
from numba import njit

from .random import below


@njit(cache=True, nogil=True)
def uniform_subset(rng, n, k, marks):
    """k different indices of range(n), every subset equally likely (Floyd's algorithm).

    ``marks`` holds -1 for each of the n indices and is left so.
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
