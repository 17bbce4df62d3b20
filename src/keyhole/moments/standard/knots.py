"""Knots of a piecewise linear map of each attribute, from its revealed values in ascending order."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

# The most knots of an attribute: so many ranks at equal distances, and from each end the ranks 0, 1, 2, 4, 8, ...
EVEN_KNOTS = 40
END_KNOTS = 12
MAX_KNOTS = EVEN_KNOTS + 2 * END_KNOTS
# From how many values on an attribute's tails are held at the second value from each end, and at the third.
LEAST_FOR_SECOND, LEAST_FOR_THIRD = 12, 30


class Knots(NamedTuple):
    """Of attribute i the knots from ``first[i]`` to ``first[i + 1]``: values in ascending order, and the middle of
    their ranks as a share of all."""

    first: np.ndarray
    values: np.ndarray
    ranks: np.ndarray


class Landmarks(NamedTuple):
    """Of each attribute: where its tails are held, its median, the median distance from the median, and that from the
    edge of the shorter tail, both without distances of 0 and never 0."""

    low: np.ndarray
    high: np.ndarray
    median: np.ndarray
    spread: np.ndarray
    edge_spread: np.ndarray


def knots_of(begins: np.ndarray, values: np.ndarray) -> Knots:
    """Those of attribute i, from values[begins[i]] to values[begins[i + 1] - 1], which ascend."""
    return Knots(*_knots(begins, values))


def landmarks_of(begins: np.ndarray, values: np.ndarray) -> Landmarks:
    """From the same."""
    return Landmarks(*_landmarks(begins, values))


@njit(cache=True, nogil=True)
def _knots(begins: np.ndarray, values: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    d = len(begins) - 1
    first = np.zeros(d + 1, dtype=np.int64)
    found, ranks = np.empty(len(values)), np.empty(len(values))
    total = 0
    for i in range(d):
        x = values[begins[i] : begins[i + 1]]
        n, distinct = len(x), 0
        for t in range(n):
            distinct += t == 0 or x[t] != x[t - 1]
        wanted = np.zeros(n, dtype=np.bool_)
        if distinct <= MAX_KNOTS:
            wanted[:] = True
        else:
            for e in range(EVEN_KNOTS):
                wanted[(n - 1) * e // (EVEN_KNOTS - 1)] = True
            for e in range(END_KNOTS):
                t = 0 if e == 0 else min(1 << (e - 1), n - 1)
                wanted[t] = wanted[n - 1 - t] = True
        t = 0
        while t < n:
            stop, any_wanted = t, False
            while stop < n and x[stop] == x[t]:
                any_wanted |= wanted[stop]
                stop += 1
            if any_wanted:
                found[total], ranks[total] = x[t], 0.5 * (t + stop) / n
                total += 1
            t = stop
        first[i + 1] = total
    return first, found[:total].copy(), ranks[:total].copy()


@njit(cache=True, nogil=True)
def _landmarks(
    begins: np.ndarray, values: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    d = len(begins) - 1
    low, high, median = np.zeros(d), np.zeros(d), np.zeros(d)
    spread, edge_spread = np.ones(d), np.ones(d)
    for i in range(d):
        x = values[begins[i] : begins[i + 1]]
        n = len(x)
        if n == 0 or x[0] == x[n - 1]:
            continue
        k = 2 if n >= LEAST_FOR_THIRD else (1 if n >= LEAST_FOR_SECOND else 0)
        median[i] = 0.5 * x[(n - 1) // 2] + 0.5 * x[n // 2]
        # Where almost all values are equal, the nearest others are the edges: one rare value must not set the scale.
        below, above = x[0], x[n - 1]
        for t in range(n):
            if x[t] < x[(n - 1) // 2]:
                below = x[t]
            if x[n - 1 - t] > x[n // 2]:
                above = x[n - 1 - t]
        low[i], high[i] = min(x[k], below), max(x[n - 1 - k], above)
        spread[i] = _median_of_positive(np.abs(x - median[i]))
        if high[i] - median[i] >= median[i] - low[i]:
            edge_spread[i] = _median_of_positive(x - low[i])
        else:
            edge_spread[i] = _median_of_positive(high[i] - x)
    return low, high, median, spread, edge_spread


@njit(cache=True, nogil=True)
def _median_of_positive(distances: np.ndarray) -> float:
    positive = distances[distances > 0]
    return np.median(positive) if len(positive) else 1.0


@njit(cache=True, nogil=True)
def interpolated(
    first: np.ndarray, knots: np.ndarray, heights: np.ndarray, attributes: np.ndarray, values: np.ndarray
) -> np.ndarray:
    """The heights at values, one attribute for each; held at the edges; an attribute without knots as it is."""
    found = np.empty(len(values))
    for c in range(len(values)):
        start, stop, x = first[attributes[c]], first[attributes[c] + 1], values[c]
        if start == stop or np.isnan(x):
            found[c] = x
        elif x <= knots[start]:
            found[c] = heights[start]
        elif x >= knots[stop - 1]:
            found[c] = heights[stop - 1]
        else:
            a, b = start, stop - 1
            while b - a > 1:
                middle = (a + b) // 2
                if knots[middle] <= x:
                    a = middle
                else:
                    b = middle
            share = (x - knots[a]) / (knots[b] - knots[a])
            found[c] = heights[a] + share * (heights[b] - heights[a])
    return found
