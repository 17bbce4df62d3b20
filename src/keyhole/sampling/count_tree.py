"""A tree of counts: independent draws with unequal probabilities, given that k of them succeed, in O(k log d).

The leaves are the attributes in order, and every node holds the probabilities that 0, 1, ..., k of the attributes below
it are drawn: the convolution of its two children. A draw walks down from k at the root; a node that must contain n of
them gives a to its left child with probability proportional to left[a] right[n - a]. This is the walk of the sum tree
with counts in place of weights. It costs the same whatever the probabilities are, while repeating independent draws
until k succeed can take very long.

Levels lie one after the other in one array, the leaves first; ``offsets`` says where each level begins, and last where
the array ends. A node of level l covers 2^l attributes and has min(2^l, k) + 1 numbers, so the whole tree has
O(d log k) numbers and is built in O(d k).
"""

from __future__ import annotations

import numpy as np
from numba import njit

from .random import uniform


def new_count_tree(working: np.ndarray, k: int) -> tuple[np.ndarray, np.ndarray]:
    """The tree of the given probabilities, and its offsets; a subset of k attributes must be possible."""
    height = (len(working) - 1).bit_length()
    widths = [min(1 << level, k) + 1 for level in range(height + 1)]
    nodes = [1 << (height - level) for level in range(height + 1)]
    offsets = np.concatenate(([0], np.cumsum(np.multiply(widths, nodes)))).astype(np.int64)
    counts = np.zeros(offsets[-1])
    leaves = counts[: offsets[1]].reshape(-1, 2)
    leaves[:, 0] = 1.0  # leaves beyond the last attribute are never drawn
    leaves[: len(working), 0] = 1.0 - working
    leaves[: len(working), 1] = working
    _convolve(counts, offsets)
    return counts, offsets


@njit(cache=True, nogil=True)
def _subset_size(offsets: np.ndarray) -> int:
    return offsets[-1] - offsets[-2] - 1


@njit(cache=True, nogil=True)
def _convolve(counts: np.ndarray, offsets: np.ndarray) -> None:
    """Fill all levels above the leaves."""
    k = _subset_size(offsets)
    for level in range(1, len(offsets) - 1):
        below, width = min(1 << (level - 1), k) + 1, min(1 << level, k) + 1
        for node in range((offsets[level + 1] - offsets[level]) // width):
            at = offsets[level] + node * width
            left = offsets[level - 1] + 2 * node * below
            right = left + below
            for a in range(below):
                if counts[left + a] > 0.0:
                    for b in range(min(below, width - a)):
                        counts[at + a + b] += counts[left + a] * counts[right + b]


@njit(cache=True, nogil=True)
def draw_members(rng: np.ndarray, counts: np.ndarray, offsets: np.ndarray) -> np.ndarray:
    """The attributes that are drawn, in ascending order, given that k of them are."""
    k = _subset_size(offsets)
    members = np.empty(k, dtype=np.int64)
    count = 0
    # Nodes still to visit, with the number to draw below them: at most one waits at each level.
    levels = np.empty(len(offsets), dtype=np.int64)
    nodes = np.empty(len(offsets), dtype=np.int64)
    wanted = np.empty(len(offsets), dtype=np.int64)
    levels[0], nodes[0], wanted[0] = len(offsets) - 2, 0, k
    waiting = 1
    while waiting > 0:
        waiting -= 1
        level, node, n = levels[waiting], nodes[waiting], wanted[waiting]
        if level == 0:
            members[count] = node
            count += 1
            continue
        below = min(1 << (level - 1), k) + 1
        left = offsets[level - 1] + 2 * node * below
        right = left + below
        rest = uniform(rng) * counts[offsets[level] + node * (min(1 << level, k) + 1) + n]
        share = -1
        for a in range(max(0, n - below + 1), min(n, below - 1) + 1):
            probability = counts[left + a] * counts[right + n - a]
            if probability > 0.0:  # so that rounding never ends in a split that cannot happen
                share = a
                rest -= probability
                if rest < 0.0:
                    break
        if n > share:
            levels[waiting], nodes[waiting], wanted[waiting] = level - 1, 2 * node + 1, n - share
            waiting += 1
        if share > 0:
            levels[waiting], nodes[waiting], wanted[waiting] = level - 1, 2 * node, share
            waiting += 1
    return members
