"""The expectation step of the factor model: E[h] and E[h h'] of every row, added up by column.

Every row shows all labels, so what they say of h is the same in form for every row: it is taken as the prior. Given the
labels, h ~ N(M^-T u, (M M')^-1) with M M' = I + C' diag(label noise)^-1 C for the labels' loadings C. All here is in
the coordinates M' h, in which that is N(u, I), and a column's loadings w are M^-1 w, kept in ``rotated``. Matrices
over factors are packed (``packed.py``).

A loop that adds up one number writes to no array: compiled code would choose between two orders of the sum by where the
arrays lie in memory, and the last digits would vary from run to run.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from .packed import add_outer, invert


class Parameters(NamedTuple):
    """The parameters of an iteration: means and noise of the attributes, and their loadings in the coordinates above;
    means of the labels, and the loadings that turn their deviations into u, (L, r)."""

    mean: np.ndarray
    noise: np.ndarray
    rotated: np.ndarray
    label_mean: np.ndarray
    label_rotated: np.ndarray


class Sums(NamedTuple):
    """What an iteration adds up over rows: packed h h', h z and h."""

    products: np.ndarray
    cross: np.ndarray
    factors: np.ndarray


@njit(cache=True, nogil=True)
def moments_of_rows(
    first: int,
    last: int,
    offset: int,
    start: np.ndarray,
    columns: np.ndarray,
    values: np.ndarray,
    labels: np.ndarray,
    now: Parameters,
    h: np.ndarray,
    P: np.ndarray,
    products: np.ndarray,
    cross: np.ndarray,
    factors: np.ndarray,
) -> None:
    """E[h] and E[h h'] of rows first to last, into h and P from row first - offset on, and summed for the labels."""
    r, longest = h.shape[1], 0
    for t in range(first, last):
        longest = max(longest, start[t + 1] - start[t])
    small = min(longest, r)
    K, e, c, g = np.empty((small, small)), np.empty(small), np.empty(r), np.empty(r)
    V = np.empty((longest + 3, r))  # add_outer takes four rows at a time
    for t in range(first, last):
        row = slice(start[t], start[t + 1])
        mine, outer = h[t - offset], P[t - offset]
        mine[:] = 0.0
        for label in range(labels.shape[1]):
            deviation = labels[t, label] - now.label_mean[label]
            for a in range(r):
                mine[a] += now.label_rotated[label, a] * deviation
        if start[t + 1] - start[t] <= r:
            moments_of_short_row(columns[row], values[row], now, K, V, e, mine, outer)
        else:
            moments_of_long_row(columns[row], values[row], now, V, c, g, mine, outer)
        for m in range(len(outer)):
            products[m] += outer[m]
        for a in range(r):
            factors[a] += mine[a]
        for label in range(labels.shape[1]):
            for a in range(r):
                cross[label, a] += labels[t, label] * mine[a]


@njit(cache=True, nogil=True, fastmath={"reassoc", "contract"})
def moments_of_short_row(
    columns: np.ndarray,
    values: np.ndarray,
    now: Parameters,
    K: np.ndarray,
    V: np.ndarray,
    e: np.ndarray,
    h: np.ndarray,
    P: np.ndarray,
) -> None:
    """h, which holds u, becomes E[h], and P becomes E[h h'], by a k x k system for k cells, k <= r.

    With G = diag(noise)^-1/2 W of the row's k columns and I + G G' = L L', V = L^-1 G: the covariance of h is
    I - V'V, and E[h] = u + V' L^-1 (scaled deviations from what u says).
    """
    k, r = len(columns), len(h)
    for s in range(k):
        i = columns[s]
        scale, said = 1.0 / np.sqrt(now.noise[i]), 0.0
        for a in range(r):
            said += now.rotated[i, a] * h[a]
        for a in range(r):
            V[s, a] = now.rotated[i, a] * scale
        e[s] = (values[s] - now.mean[i] - said) * scale
    for s in range(k):
        for q in range(s + 1):
            x = 1.0 if s == q else 0.0
            for a in range(r):
                x += V[s, a] * V[q, a]
            K[s, q] = x
    for s in range(k):
        for q in range(s + 1):
            x = K[s, q]
            for c in range(q):
                x -= K[s, c] * K[q, c]
            K[s, q] = np.sqrt(x) if s == q else x / K[q, q]
    for s in range(k):
        for q in range(s):
            e[s] -= K[s, q] * e[q]
            for a in range(r):
                V[s, a] -= K[s, q] * V[q, a]
        scale = 1.0 / K[s, s]
        e[s] *= scale
        for a in range(r):
            V[s, a] *= scale
    for s in range(k):
        for a in range(r):
            h[a] += V[s, a] * e[s]
    for a in range(r):
        row = a * (a + 1) // 2
        for b in range(a + 1):
            P[row + b] = h[a] * h[b]
        P[row + a] += 1.0
    V[k : k + 3] = 0.0
    add_outer(P, V, k, -1.0)


@njit(cache=True, nogil=True, fastmath={"reassoc", "contract"})
def moments_of_long_row(
    columns: np.ndarray,
    values: np.ndarray,
    now: Parameters,
    V: np.ndarray,
    c: np.ndarray,
    g: np.ndarray,
    h: np.ndarray,
    P: np.ndarray,
) -> None:
    """The same by an r x r system: the precision of h is I + W' diag(noise)^-1 W."""
    k, r = len(columns), len(h)
    P[:] = 0.0
    for a in range(r):
        P[a * (a + 1) // 2 + a] = 1.0
    for s in range(k):
        i = columns[s]
        scale = 1.0 / np.sqrt(now.noise[i])
        deviation = (values[s] - now.mean[i]) * scale
        for a in range(r):
            V[s, a] = now.rotated[i, a] * scale
            h[a] += V[s, a] * deviation
    V[k : k + 3] = 0.0
    add_outer(P, V, k, 1.0)
    invert(P, c)
    for a in range(r):
        g[a], h[a] = h[a], 0.0
    for a in range(r):
        row, along = a * (a + 1) // 2, 0.0
        for b in range(a + 1):
            along += P[row + b] * g[b]
        for b in range(a):
            h[b] += P[row + b] * g[a]
        h[a] += along
    for a in range(r):
        row = a * (a + 1) // 2
        for b in range(a + 1):
            P[row + b] += h[a] * h[b]


@njit(cache=True, nogil=True, fastmath={"reassoc", "contract"})
def add_to_columns(
    first: int,
    last: int,
    offset: int,
    order: np.ndarray,
    row: np.ndarray,
    columns: np.ndarray,
    values: np.ndarray,
    h: np.ndarray,
    P: np.ndarray,
    sums: Sums,
) -> None:
    """Add the moments of their rows, in h and P from row ``offset`` on, to the columns of cells ``order[first:last]``,
    which are sorted by column."""
    for s in range(first, last):
        cell = order[s]
        to, along, mine = sums.cross[columns[cell]], sums.factors[columns[cell]], h[row[cell] - offset]
        for a in range(h.shape[1]):
            to[a] += mine[a] * values[cell]
            along[a] += mine[a]
    s = first
    while s < last:  # four cells of a column at a time: reading and writing the sums takes longest
        i, one = columns[order[s]], P[row[order[s]] - offset]
        to = sums.products[i]
        if s + 4 <= last and columns[order[s + 3]] == i:
            two, three = P[row[order[s + 1]] - offset], P[row[order[s + 2]] - offset]
            four = P[row[order[s + 3]] - offset]
            for m in range(P.shape[1]):
                to[m] += (one[m] + two[m]) + (three[m] + four[m])
            s += 4
        else:
            for m in range(P.shape[1]):
                to[m] += one[m]
            s += 1
