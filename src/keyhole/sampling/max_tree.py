"""A tree of maxima: the k largest of n changing numbers in O(k log n), a change in O(log n).

The tree is laid out as that of ``sum_tree``, and made by ``new_tree``. No number may be negative.
"""

from __future__ import annotations

import numpy as np
from numba import njit


@njit(cache=True, nogil=True)
def update(tree: np.ndarray, index: int, value: float) -> None:
    """Set one number."""
    node = len(tree) // 2 + index
    tree[node] = value
    while node > 1:
        node //= 2
        largest = max(tree[2 * node], tree[2 * node + 1])
        if tree[node] == largest:
            break
        tree[node] = largest


@njit(cache=True, nogil=True)
def largest(tree: np.ndarray, k: int) -> np.ndarray:
    """The indices of the k largest numbers, the largest first and of equals the first; those at 0 are left out.

    The tree is unchanged afterwards.
    """
    half = len(tree) // 2
    indices = np.empty(k, dtype=np.int64)
    values = np.empty(k)
    count = 0
    while count < k and tree[1] > 0.0:
        node = 1
        while node < half:
            node = 2 * node if tree[2 * node] == tree[node] else 2 * node + 1
        indices[count], values[count] = node - half, tree[node]
        update(tree, node - half, 0.0)
        count += 1
    for r in range(count):
        update(tree, indices[r], values[r])
    return indices[:count]
