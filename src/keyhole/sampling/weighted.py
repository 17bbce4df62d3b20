"""Weighted draws, with and without replacement.

Without replacement means successive sampling: every draw is in proportion to the weights of the indices that are left,
and the indices come in the order of their draws. Inclusion probabilities of such draws have no short formula; where
they are needed, use ``design.py``, whose designs are defined by their inclusion probabilities.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from . import alias, sum_tree
from .random import uniform


def draw_with_replacement(rng: np.ndarray, weights: np.ndarray, count: int) -> np.ndarray:
    """Draw indices independently, each in proportion to its weight, in O(d + count).

    Parameters
    ----------
    rng : ndarray of uint64 of shape (4,)
        The random generator, see ``new_generator``; it is advanced.
    weights : array-like of shape (d,)
        Finite numbers, none negative and not all of them zero.
    count : int
        How many indices to draw.

    Returns
    -------
    ndarray of int64 of shape (count,)
        The indices, in the order of their draws.

    Raises
    ------
    ValueError
        If the count is negative or the weights are not as described.

    Examples
    --------
    >>> import numpy as np
    >>> from keyhole.sampling import draw_with_replacement, new_generator
    >>> print(draw_with_replacement(new_generator(0), np.array([1.0, 0.0, 3.0]), 8))
    [2 2 2 0 2 0 2 2]
    """
    if count < 0:
        raise ValueError(f"count must not be negative; got {count}")
    return _draw_each(rng, alias.new_alias_table(weights), count)


def draw_without_replacement(rng: np.ndarray, weights: np.ndarray, k: int) -> np.ndarray:
    """Draw k different indices by weight, in O(d), for weights that are used once.

    Every index gets an exponential waiting time with its weight as the rate, and the first k indices are drawn. The
    next index is then always drawn in proportion to the weights of those that are left.

    Parameters
    ----------
    rng : ndarray of uint64 of shape (4,)
        The random generator, see ``new_generator``; it is advanced.
    weights : array-like of shape (d,)
        Finite numbers, none negative.
    k : int
        How many indices to draw, at most the number of positive weights.

    Returns
    -------
    ndarray of int64 of shape (k,)
        The indices, in the order of their draws.

    Raises
    ------
    ValueError
        If the weights are not as described, or k is more than the number of positive weights.

    References
    ----------
    Efraimidis, P. S. and Spirakis, P. G. (2006). Weighted random sampling with a reservoir. Information Processing
    Letters, 97(5), 181-185.

    Examples
    --------
    >>> import numpy as np
    >>> from keyhole.sampling import draw_without_replacement, new_generator
    >>> print(draw_without_replacement(new_generator(0), np.array([1.0, 0.0, 3.0, 2.0]), 2))
    [2 3]
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
    return _first_in_time(rng, weights, k)


@njit(cache=True, nogil=True)
def draw_distinct(rng: np.ndarray, tree: np.ndarray, k: int) -> np.ndarray:
    """Draw k different indices by the weights of a sum tree, in O(k log d).

    Parameters
    ----------
    rng : ndarray of uint64 of shape (4,)
        The random generator, see ``new_generator``; it is advanced.
    tree : ndarray
        A sum tree, see ``new_tree``; it is changed during the draws and exactly restored afterwards.
    k : int
        How many indices to draw, at most the number of positive weights.

    Returns
    -------
    ndarray of int64 of shape (k,)
        The indices, in the order of their draws.

    Raises
    ------
    ValueError
        If k is more than the number of positive weights.

    Examples
    --------
    >>> import numpy as np
    >>> from keyhole.sampling import draw_distinct, new_generator, new_tree, sum_tree
    >>> tree = new_tree(4)
    >>> sum_tree.rebuild(tree, np.array([1.0, 0.0, 3.0, 2.0]))
    >>> print(draw_distinct(new_generator(0), tree, 2))
    [2 3]
    """
    drawn = np.empty(k, dtype=np.int64)
    weights = np.empty(k)
    count = 0
    while count < k and sum_tree.total(tree) > 0.0:
        index = sum_tree.draw(tree, uniform(rng))
        drawn[count], weights[count] = index, sum_tree.weight_of(tree, index)
        sum_tree.update(tree, index, 0.0)
        count += 1
    for r in range(count):
        sum_tree.update(tree, drawn[r], weights[r])
    if count < k:
        raise ValueError(f"k must be at most the number of positive weights, {count}; got {k}")
    return drawn


@njit(cache=True, nogil=True)
def _draw_each(rng: np.ndarray, table: alias.AliasTable, count: int) -> np.ndarray:
    drawn = np.empty(count, dtype=np.int64)
    for r in range(count):
        drawn[r] = alias.draw(table, rng)
    return drawn


@njit(cache=True, nogil=True)
def _first_in_time(rng: np.ndarray, weights: np.ndarray, k: int) -> np.ndarray:
    # Logarithms of the times, so that the smallest weights do not all have infinite times.
    times = np.full(len(weights), np.inf)
    for i in range(len(weights)):
        if weights[i] > 0.0:
            times[i] = np.log(-np.log(1.0 - uniform(rng))) - np.log(weights[i])
    if k == 0:
        return np.empty(0, dtype=np.int64)
    first = np.argpartition(times, k - 1)[:k]
    return first[np.argsort(times[first])]
