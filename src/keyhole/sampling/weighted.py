"""Weighted draws, with and without replacement.

Without replacement means successive sampling: every draw is in proportion to the weights of what is
left, and the indices come in the order of their draws. Inclusion probabilities of such draws have no
short formula; where they are needed, ``design.py`` has a design that is built on them.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from . import alias, sum_tree
from .random import uniform


def draw_with_replacement(rng: np.ndarray, weights: np.ndarray, count: int) -> np.ndarray:
    """``count`` indices, each in proportion to its weight: O(d + count), by an alias table."""
    if count < 0:
        raise ValueError(f"count must not be negative; got {count}")
    return _draw_each(rng, alias.new_alias_table(weights), count)


def draw_without_replacement(rng: np.ndarray, weights: np.ndarray, k: int) -> np.ndarray:
    """k different indices out of weights used once: O(d), by exponential clocks.

    Each index rings after an exponential time of rate weight, and the first k to ring are drawn
    (Efraimidis and Spirakis 2006): the next to ring is always in proportion to the rates of the rest.
    """
    weights = np.asarray(weights, dtype=np.float64)
    if weights.ndim != 1:
        raise ValueError(f"weights must be a one-dimensional array; got shape {weights.shape}")
    wrong = np.flatnonzero(~(np.isfinite(weights) & (weights >= 0)))
    if wrong.size:
        raise ValueError(f"weights must be finite and not negative; number {wrong[0]} is {weights[wrong[0]]}")
    positive = np.count_nonzero(weights)
    if not 0 <= k <= positive:
        raise ValueError(f"k must be between 0 and the number of positive weights, {positive}; got {k}")
    return _first_to_ring(rng, weights, k)


@njit(cache=True, nogil=True)
def draw_distinct(rng, tree, k):
    """k different indices out of a sum tree in O(k log d); the tree is left as it was, to the last bit."""
    drawn = np.empty(k, dtype=np.int64)
    weights = np.empty(k)
    found = 0
    while found < k and sum_tree.total(tree) > 0.0:
        index = sum_tree.draw(tree, uniform(rng))
        drawn[found], weights[found] = index, sum_tree.weight_of(tree, index)
        sum_tree.update(tree, index, 0.0)
        found += 1
    for r in range(found):
        sum_tree.update(tree, drawn[r], weights[r])
    if found < k:
        raise ValueError(f"k must be at most the number of positive weights, {found}; got {k}")
    return drawn


@njit(cache=True, nogil=True)
def _draw_each(rng, table, count):
    drawn = np.empty(count, dtype=np.int64)
    for r in range(count):
        drawn[r] = alias.draw(table, rng)
    return drawn


@njit(cache=True, nogil=True)
def _first_to_ring(rng, weights, k):
    # Logarithms of the times, so that the smallest weights do not all ring at infinity.
    times = np.full(len(weights), np.inf)
    for i in range(len(weights)):
        if weights[i] > 0.0:
            times[i] = np.log(-np.log(1.0 - uniform(rng))) - np.log(weights[i])
    if k == 0:
        return np.empty(0, dtype=np.int64)
    first = np.argpartition(times, k - 1)[:k]
    return first[np.argsort(times[first])]
