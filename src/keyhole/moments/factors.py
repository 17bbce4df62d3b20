"""The factor model: attributes and label as loadings of a few unseen factors, fitted to revealed cells alone.

A row's standardised cells, its label among them, are

    z_i = mean_i + loadings_i' h + noise,   h ~ N(0, I) with r factors,   noise ~ N(0, noise_i),

so the covariance of two different columns is loadings_i' loadings_j. The loadings have a ridge prior, worth
``PRIOR`` more rows with nothing but zeros: many factors with a strong prior measured better than few with a
weak one. EM: per row a system over its own cells, as large as r or their number, whichever is smaller, gives the
mean and covariance of h, which are added up by column; per column a ridge regression on them. Memory is
O(columns r^2 + cells), whatever the number of rows.

The turns end when a turn changed the loadings by no more than ``CLOSE`` of their size, or after a given number: on
MNIST at 4 pixels per image twice as many changed the error by less than the noise of the draws.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from .joint import Joint
from .rows import Rows

PRIOR = 4.0
NOISE_PRIOR = 2.0  # observations of variance 1: no column is explained without a rest
CLOSE = 1e-3
START = 0.1  # size of the first loadings


class Factors(NamedTuple):
    """Means, loadings and noise by column (labels last), and the turns that it took."""

    mean: np.ndarray
    loadings: np.ndarray
    noise: np.ndarray
    turns: int


class Sums(NamedTuple):
    """What a turn adds up over rows, by column: of h h', of h z and of h."""

    products: np.ndarray
    cross: np.ndarray
    factors: np.ndarray


def fit_factors(rows: Rows, rank: int, most_turns: int, seed: int, start: Factors | None = None) -> Factors:
    """EM from small random loadings, or from where an earlier one ended."""
    columns = rows.n_columns
    if start is None:
        mean, noise = np.zeros(columns), np.ones(columns)
        loadings = START * np.random.default_rng(seed).standard_normal((columns, rank))
    else:
        mean, loadings, noise = (part.copy() for part in start[:3])
    count = np.bincount(rows.columns, minlength=columns).astype(np.float64)
    loadings[count == 0] = 0.0
    total = np.bincount(rows.columns, rows.values, minlength=columns)
    squares = np.bincount(rows.columns, rows.values**2, minlength=columns)
    sums = Sums(np.empty((columns, rank, rank)), np.empty((columns, rank)), np.empty((columns, rank)))
    for turn in range(1, most_turns + 1):  # noqa: B007
        before = loadings.copy()
        for part in sums:
            part[:] = 0.0
        add_rows(rows.start, rows.columns, rows.values, mean, loadings, noise, sums)
        update_columns(count, total, squares, sums, mean, loadings, noise)
        if np.linalg.norm(loadings - before) <= CLOSE * np.linalg.norm(loadings):
            break
    return Factors(mean, loadings, noise, turn)


def joint_of(factors: Factors, n_labels: int) -> Joint:
    """The second moments that factors imply."""
    d = len(factors.mean) - n_labels
    by_part = [part for whole in factors[:3] for part in (whole[:d], whole[d:])]
    mean, label_mean, loadings, label_loadings, noise, label_noise = by_part
    return Joint(mean, loadings, noise, label_mean, label_loadings, label_noise, np.zeros((d, n_labels)))


@njit(cache=True, nogil=True, fastmath={"reassoc", "contract"})
def add_rows(start, columns, values, mean, loadings, noise, sums):
    """The expectation step: E[h] and E[h h'] of every row, added to the columns that it revealed."""
    r = loadings.shape[1]
    longest = np.max(np.diff(start))
    P, Q, h, g = np.empty((r, r)), np.empty((r, r)), np.empty(r), np.empty(max(r, longest))
    small = min(longest, r)
    K, V = np.empty((small, small)), np.empty((small, r))
    for t in range(len(start) - 1):
        row = slice(start[t], start[t + 1])
        if start[t + 1] - start[t] <= r:
            moments_of_short_row(columns[row], values[row], mean, loadings, noise, K, V, g, h, P)
        else:
            moments_of_long_row(columns[row], values[row], mean, loadings, noise, Q, g, h, P)
        for s in range(start[t], start[t + 1]):
            i = columns[s]
            for a in range(r):
                sums.cross[i, a] += h[a] * values[s]
                sums.factors[i, a] += h[a]
                for b in range(a + 1):
                    sums.products[i, a, b] += P[a, b]


@njit(cache=True, nogil=True, fastmath={"reassoc", "contract"})
def moments_of_short_row(columns, values, mean, loadings, noise, K, V, e, h, P):
    """h = E[h] and the lower triangle of P = E[h h'] by a k x k system, for k cells, k <= r.

    With G = diag(noise)^-1/2 W of the row's k columns and I + G G' = L L', V = L^-1 G: the covariance of h is
    I - V'V, and E[h] = V' L^-1 (scaled deviations).
    """
    k, r = len(columns), len(h)
    for s in range(k):
        i = columns[s]
        scale = 1.0 / np.sqrt(noise[i])
        e[s] = (values[s] - mean[i]) * scale
        for a in range(r):
            V[s, a] = loadings[i, a] * scale
    for s in range(k):
        for q in range(s + 1):
            x = 1.0 if s == q else 0.0
            for a in range(r):
                x += V[s, a] * V[q, a]
            K[s, q] = x
    factorise(K, k)
    for s in range(k):
        for q in range(s):
            e[s] -= K[s, q] * e[q]
            for a in range(r):
                V[s, a] -= K[s, q] * V[q, a]
        scale = 1.0 / K[s, s]
        e[s] *= scale
        for a in range(r):
            V[s, a] *= scale
    for a in range(r):
        h[a] = 0.0
    for s in range(k):
        for a in range(r):
            h[a] += V[s, a] * e[s]
    for a in range(r):
        for b in range(a + 1):
            P[a, b] = h[a] * h[b]
        P[a, a] += 1.0
    for s in range(k):
        for a in range(r):
            v = V[s, a]
            for b in range(a + 1):
                P[a, b] -= v * V[s, b]


@njit(cache=True, nogil=True, fastmath={"reassoc", "contract"})
def moments_of_long_row(columns, values, mean, loadings, noise, Q, g, h, P):
    """The same by an r x r system: the precision of h is I + W' diag(noise)^-1 W = L L', and Q = L^-1."""
    r = len(h)
    for a in range(r):
        for b in range(a):
            P[a, b] = 0.0
        P[a, a], g[a], h[a] = 1.0, 0.0, 0.0
    for s in range(len(columns)):
        i = columns[s]
        deviation = (values[s] - mean[i]) / noise[i]
        for a in range(r):
            g[a] += loadings[i, a] * deviation
            scaled = loadings[i, a] / noise[i]
            for b in range(a + 1):
                P[a, b] += scaled * loadings[i, b]
    factorise(P, r)
    for a in range(r):
        scale = 1.0 / P[a, a]
        for b in range(a):
            Q[a, b] = 0.0
        for c in range(a):
            share = P[a, c] * scale
            for b in range(c + 1):
                Q[a, b] -= share * Q[c, b]
        Q[a, a] = scale
    for a in range(r):  # h = Q' Q g
        x = 0.0
        for b in range(a + 1):
            x += Q[a, b] * g[b]
        for b in range(a + 1):
            h[b] += Q[a, b] * x
    for a in range(r):
        for b in range(a + 1):
            P[a, b] = h[a] * h[b]
    for c in range(r):
        for a in range(c + 1):
            q = Q[c, a]
            for b in range(a + 1):
                P[a, b] += q * Q[c, b]


@njit(cache=True, nogil=True, fastmath={"reassoc", "contract"})
def factorise(P, size):
    """The lower triangle of P becomes L, P = L L'."""
    for a in range(size):
        for b in range(a + 1):
            x = P[a, b]
            for c in range(b):
                x -= P[a, c] * P[b, c]
            P[a, b] = np.sqrt(x) if a == b else x / P[b, b]


@njit(cache=True, nogil=True)
def update_columns(count, total, squares, sums, mean, loadings, noise):
    """The maximisation step: per column a ridge regression of its cells on the factors, then mean and noise."""
    r = loadings.shape[1]
    for i in range(len(mean)):
        if count[i] == 0.0:
            continue
        A = np.tril(sums.products[i])
        A += np.tril(A, -1).T
        w = np.linalg.solve(A + PRIOR * np.eye(r), sums.cross[i] - mean[i] * sums.factors[i])
        mean[i] = (total[i] - np.sum(w * sums.factors[i])) / count[i]
        b = sums.cross[i] - mean[i] * sums.factors[i]
        deviations = squares[i] - 2.0 * mean[i] * total[i] + count[i] * mean[i] ** 2
        left = deviations - 2.0 * np.sum(w * b) + np.sum(A * np.outer(w, w))
        loadings[i] = w
        noise[i] = (max(left, 0.0) + NOISE_PRIOR) / (count[i] + NOISE_PRIOR)
