"""A tree of sums: draws of an index in proportion to its weight, and changes of a weight, both in O(log n).

The tree is one array: the root at 1, the children of node v at 2v and 2v + 1, the leaf of index i at
``len(tree) // 2 + i``. Every node is the sum of its two children, computed anew on each change, so rounding errors do
not accumulate however long a stream runs.
"""

from __future__ import annotations

import numpy as np
from numba import njit


def new_tree(n: int) -> np.ndarray:
    """Make a tree of n weights, for ``sum_tree`` or ``max_tree``.

    Parameters
    ----------
    n : int
        The number of weights.

    Returns
    -------
    ndarray
        The tree, with all weights 0.

    Examples
    --------
    >>> from keyhole.sampling import new_tree, sum_tree
    >>> tree = new_tree(3)
    >>> sum_tree.update(tree, 0, 1.5)
    >>> sum_tree.update(tree, 2, 2.5)
    >>> sum_tree.total(tree), sum_tree.draw(tree, 0.2), sum_tree.draw(tree, 0.9)
    (4.0, 0, 2)
    """
    return np.zeros(2 << max(n - 1, 0).bit_length())


@njit(cache=True, nogil=True)
def rebuild(tree: np.ndarray, weights: np.ndarray) -> None:
    """Set all weights at once, in O(n)."""
    half = len(tree) // 2
    tree[half : half + len(weights)] = weights
    tree[half + len(weights) :] = 0.0
    for node in range(half - 1, 0, -1):
        tree[node] = tree[2 * node] + tree[2 * node + 1]


@njit(cache=True, nogil=True)
def update(tree: np.ndarray, index: int, weight: float) -> None:
    """Set one weight."""
    node = len(tree) // 2 + index
    tree[node] = weight
    node //= 2
    while node > 0:
        tree[node] = tree[2 * node] + tree[2 * node + 1]
        node //= 2


@njit(cache=True, nogil=True)
def total(tree: np.ndarray) -> float:
    """The sum of all weights."""
    return tree[1]


@njit(cache=True, nogil=True)
def weight_of(tree: np.ndarray, index: int) -> float:
    """The weight of one index."""
    return tree[len(tree) // 2 + index]


@njit(cache=True, nogil=True)
def draw(tree: np.ndarray, u: float) -> int:
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
