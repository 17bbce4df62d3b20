"""Walker's alias table: draw from a distribution that does not change, in O(1).

Vose's construction is O(n). Each of n columns holds two indices; a draw picks a column uniformly and one
of the two by its threshold.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from .random import uniform


class AliasTable(NamedTuple):
    """``probability[i]`` is the chance of i in one draw; the other two arrays are the columns."""

    probability: np.ndarray
    threshold: np.ndarray
    alias: np.ndarray


def new_alias_table(weights: np.ndarray) -> AliasTable:
    """The table of a distribution given by non-negative weights, not all zero."""
    weights = np.asarray(weights, dtype=np.float64)
    total = weights.sum()
    if weights.ndim != 1 or not np.isfinite(total) or total <= 0 or weights.min() < 0:
        raise ValueError(f"weights must be finite, non-negative and not all zero; they sum to {total}")
    table = AliasTable(weights / total, np.empty(len(weights)), np.empty(len(weights), dtype=np.int64))
    fill(table)
    return table


@njit(cache=True, nogil=True)
def fill(table):
    """Compute the columns of a table from its probabilities."""
    n = len(table.probability)
    scaled = table.probability * n
    stack = np.empty(n, dtype=np.int64)  # small ones grow from the left, large ones from the right
    small, large = 0, n
    for i in range(n):
        if scaled[i] < 1.0:
            stack[small] = i
            small += 1
        else:
            large -= 1
            stack[large] = i
    while small > 0 and large < n:
        small -= 1
        low, high = stack[small], stack[large]
        table.threshold[low] = scaled[low]
        table.alias[low] = high
        scaled[high] -= 1.0 - scaled[low]
        if scaled[high] < 1.0:
            large += 1
            stack[small] = high
            small += 1
    for r in range(small):  # left over by rounding only: full columns
        table.threshold[stack[r]] = 1.0
        table.alias[stack[r]] = stack[r]
    for r in range(large, n):
        table.threshold[stack[r]] = 1.0
        table.alias[stack[r]] = stack[r]


@njit(cache=True, nogil=True)
def draw(table, rng):
    """One index, by its probability."""
    at = uniform(rng) * len(table.threshold)
    column = np.int64(at)
    return column if at - column < table.threshold[column] else table.alias[column]
