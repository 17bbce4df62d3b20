"""Walker's alias table: draws from a distribution that does not change, in O(1).

Vose's construction takes O(n). Each of the n columns holds two indices; a draw picks a column uniformly, and one of its
two indices by the column's threshold.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from .random import uniform


class AliasTable(NamedTuple):
    """A distribution over 0, ..., n - 1, arranged so that a draw takes O(1).

    Parameters
    ----------
    probability : ndarray of shape (n,)
        The probability of each index in one draw.
    threshold : ndarray of shape (n,)
        The probability with which a draw from a column returns the column's own index.
    alias : ndarray of int64 of shape (n,)
        The other index of each column.

    Examples
    --------
    >>> import numpy as np
    >>> from keyhole.sampling import new_alias_table
    >>> print(new_alias_table(np.array([1.0, 3.0])).probability)
    [0.25 0.75]
    """

    probability: np.ndarray
    threshold: np.ndarray
    alias: np.ndarray


def new_alias_table(weights: np.ndarray) -> AliasTable:
    """Build the alias table of a distribution.

    Parameters
    ----------
    weights : array-like of shape (n,)
        What the probabilities are proportional to: finite numbers, none negative and not all of them zero.

    Returns
    -------
    AliasTable
        The table, for ``alias.draw(table, rng)``.

    Raises
    ------
    ValueError
        If the weights are not one-dimensional, not finite, negative or all zero.

    References
    ----------
    Vose, M. D. (1991). A linear algorithm for generating random numbers with a given distribution. IEEE Transactions
    on Software Engineering, 17(9), 972-975.

    Examples
    --------
    >>> import numpy as np
    >>> from keyhole.sampling import alias, new_alias_table, new_generator
    >>> table, rng = new_alias_table(np.array([1.0, 0.0, 3.0])), new_generator(0)
    >>> [int(alias.draw(table, rng)) for _ in range(8)]
    [2, 2, 2, 0, 2, 0, 2, 2]
    """
    weights = np.asarray(weights, dtype=np.float64)
    total = weights.sum()
    if weights.ndim != 1 or not np.isfinite(total) or total <= 0 or weights.min() < 0:
        raise ValueError(f"weights must be finite, non-negative and not all zero; they sum to {total}")
    table = AliasTable(weights / total, np.empty(len(weights)), np.empty(len(weights), dtype=np.int64))
    fill(table)
    return table


@njit(cache=True, nogil=True)
def fill(table: AliasTable) -> None:
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
def draw(table: AliasTable, rng: np.ndarray) -> np.int64:
    """Draw one index by its probability."""
    at = uniform(rng) * len(table.threshold)
    column = np.int64(at)
    return column if at - column < table.threshold[column] else table.alias[column]
