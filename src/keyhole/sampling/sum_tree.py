"""A tree of sums: draw an index in proportion to its weight, change a weight, both in O(log n).

The tree is one array: the root at 1, the children of node v at 2v and 2v + 1, the leaf of index i at
``len(tree) // 2 + i``. Every node is the sum of its two children, computed anew on each change, so
nothing drifts however long a stream runs.
"""

from __future__ import annotations

import numpy as np
from numba import njit


def new_tree(n: int) -> np.ndarray:
    """A tree of n weights, all zero."""
    return np.zeros(2 << max(n - 1, 0).bit_length())


@njit(cache=True, nogil=True)
def rebuild(tree, weights):
    """Set all weights at once, in O(n)."""
    half = len(tree) // 2
    tree[half : half + len(weights)] = weights
    tree[half + len(weights) :] = 0.0
    for node in range(half - 1, 0, -1):
        tree[node] = tree[2 * node] + tree[2 * node + 1]


@njit(cache=True, nogil=True)
def update(tree, index, weight):
    """Set one weight."""
    node = len(tree) // 2 + index
    tree[node] = weight
    node //= 2
    while node > 0:
        tree[node] = tree[2 * node] + tree[2 * node + 1]
        node //= 2


@njit(cache=True, nogil=True)
def total(tree):
    """The sum of all weights."""
    return tree[1]


@njit(cache=True, nogil=True)
def weight_of(tree, index):
    """The weight of one index."""
    return tree[len(tree) // 2 + index]


@njit(cache=True, nogil=True)
def draw(tree, u):
    """The index at fraction u in [0, 1) of the total, which must be positive."""
    half = len(tree) // 2
    left = u * tree[1]
    node = 1
    while node < half:
        node *= 2
        # The second condition keeps rounding from walking into an empty subtree.
        if left >= tree[node] and tree[node + 1] > 0.0:
            left -= tree[node]
            node += 1
    return node - half
