"""A tree of counts: toss coins of unequal chances, given that k of them show heads, in O(k log d).

The leaves are the coins in order, and every node holds the chances that 0, 1, ..., k of the coins below it
show heads: the convolution of its two children. A draw walks down from k heads at the root; a node that
must have n of them gives a to its left child with probability proportional to left[a] right[n - a]. This
is the sum tree's walk with counts in place of weights, and costs the same whatever the chances are, where
drawing until k different ones come up can take for ever.

Levels lie one after the other in one array, the leaves first; ``offsets`` says where each begins, and
last where the array ends. A node of level l covers 2^l coins and has min(2^l, k) + 1 numbers, so that the
whole is O(d log k) numbers, built in O(d k).
"""

from __future__ import annotations

import numpy as np
from numba import njit

from .random import uniform


def new_count_tree(working: np.ndarray, k: int) -> tuple[np.ndarray, np.ndarray]:
    """The tree of coins with the given chances, and its offsets; k heads must be possible."""
    height = (len(working) - 1).bit_length()
    widths = [min(1 << level, k) + 1 for level in range(height + 1)]
    nodes = [1 << (height - level) for level in range(height + 1)]
    offsets = np.concatenate(([0], np.cumsum(np.multiply(widths, nodes)))).astype(np.int64)
    counts = np.zeros(offsets[-1])
    coins = counts[: offsets[1]].reshape(-1, 2)
    coins[:, 0] = 1.0  # places beyond the last coin never show heads
    coins[: len(working), 0] = 1.0 - working
    coins[: len(working), 1] = working
    _convolve(counts, offsets)
    return counts, offsets


@njit(cache=True, nogil=True)
def _heads(offsets):
    return offsets[-1] - offsets[-2] - 1


@njit(cache=True, nogil=True)
def _convolve(counts, offsets):
    """Fill all levels above the leaves."""
    k = _heads(offsets)
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
def draw_heads(rng, counts, offsets):
    """The coins that show heads, in ascending order, given that k of them do."""
    k = _heads(offsets)
    heads = np.empty(k, dtype=np.int64)
    found = 0
    # Nodes still to visit, with the heads below them: at most one waits at each level.
    levels = np.empty(len(offsets), dtype=np.int64)
    nodes = np.empty(len(offsets), dtype=np.int64)
    wanted = np.empty(len(offsets), dtype=np.int64)
    levels[0], nodes[0], wanted[0] = len(offsets) - 2, 0, k
    waiting = 1
    while waiting > 0:
        waiting -= 1
        level, node, n = levels[waiting], nodes[waiting], wanted[waiting]
        if level == 0:
            heads[found] = node
            found += 1
            continue
        below = min(1 << (level - 1), k) + 1
        left = offsets[level - 1] + 2 * node * below
        right = left + below
        rest = uniform(rng) * counts[offsets[level] + node * (min(1 << level, k) + 1) + n]
        share = -1
        for a in range(max(0, n - below + 1), min(n, below - 1) + 1):
            chance = counts[left + a] * counts[right + n - a]
            if chance > 0.0:  # so that rounding never ends in a split that cannot happen
                share = a
                rest -= chance
                if rest < 0.0:
                    break
        if n > share:
            levels[waiting], nodes[waiting], wanted[waiting] = level - 1, 2 * node + 1, n - share
            waiting += 1
        if share > 0:
            levels[waiting], nodes[waiting], wanted[waiting] = level - 1, 2 * node, share
            waiting += 1
    return heads
