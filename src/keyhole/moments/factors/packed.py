"""Symmetric matrices by their lower triangle, row after row in one array: entry (a, b) is at a (a + 1) / 2 + b.

Adding two of them is then one long loop, which is what the factor model does most.
"""

from __future__ import annotations

import numpy as np
from numba import njit


@njit(cache=True, nogil=True, fastmath={"reassoc", "contract"})
def add_outer(A: np.ndarray, V: np.ndarray, k: int, sign: float) -> None:
    """A += sign V'V for the first k rows of V, rounded up to a multiple of four: the rest must be zeros.

    Four rows at a time, since reading and writing A takes longer than the sums.
    """
    for s in range(0, k, 4):
        one, two, three, four = V[s], V[s + 1], V[s + 2], V[s + 3]
        for a in range(V.shape[1]):
            row = A[a * (a + 1) // 2 : (a + 1) * (a + 2) // 2]
            w, x, y, z = sign * one[a], sign * two[a], sign * three[a], sign * four[a]
            for b in range(a + 1):
                row[b] += w * one[b] + x * two[b] + y * three[b] + z * four[b]


@njit(cache=True, nogil=True, fastmath={"reassoc", "contract"})
def factorise(A: np.ndarray, r: int) -> None:
    """A becomes L, A = L L'."""
    for a in range(r):
        row = a * (a + 1) // 2
        for b in range(a + 1):
            other = b * (b + 1) // 2
            x = A[row + b]
            for c in range(b):
                x -= A[row + c] * A[other + c]
            A[row + b] = np.sqrt(x) if a == b else x / A[other + b]


@njit(cache=True, nogil=True, fastmath={"reassoc", "contract"})
def solve(L: np.ndarray, x: np.ndarray) -> None:
    """x becomes (L L')^-1 x."""
    r = len(x)
    for a in range(r):
        row, left = a * (a + 1) // 2, x[a]
        for b in range(a):
            left -= L[row + b] * x[b]
        x[a] = left / L[row + a]
    for a in range(r - 1, -1, -1):
        row = a * (a + 1) // 2
        x[a] /= L[row + a]
        for b in range(a):
            x[b] -= L[row + b] * x[a]


@njit(cache=True, nogil=True, fastmath={"reassoc", "contract"})
def invert(A: np.ndarray, c: np.ndarray) -> None:
    """A, which must be positive definite, becomes A^-1, by sweeping one column after another; c is room for it."""
    r = len(c)
    for p in range(r):
        at = p * (p + 1) // 2
        for b in range(p + 1):
            c[b] = A[at + b]
        for a in range(p + 1, r):
            c[a] = A[a * (a + 1) // 2 + p]
        share = 1.0 / c[p]
        for a in range(r):
            row, factor = A[a * (a + 1) // 2 : (a + 1) * (a + 2) // 2], c[a] * share
            for b in range(a + 1):
                row[b] -= factor * c[b]
        for b in range(p):
            A[at + b] = c[b] * share
        A[at + p] = -share
        for a in range(p + 1, r):
            A[a * (a + 1) // 2 + p] = c[a] * share
    for m in range(len(A)):
        A[m] = -A[m]


@njit(cache=True, nogil=True, fastmath={"reassoc", "contract"})
def square(A: np.ndarray, x: np.ndarray) -> float:
    """x' A x."""
    total = 0.0
    for a in range(len(x)):
        row, across = a * (a + 1) // 2, 0.0
        for b in range(a):
            across += A[row + b] * x[b]
        total += x[a] * (2.0 * across + A[row + a] * x[a])
    return total
