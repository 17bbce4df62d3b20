"""Exact inclusion probabilities of a conditional Poisson design, from points of the unit circle.

Draw each attribute independently with its working probability p_i, and accept the result only if exactly k attributes
were drawn (Hájek 1964). The number of attributes drawn has the generating function g(z) = prod_i (1 - p_i + p_i z),
and its coefficient of z^k is an average over equally spaced points of the unit circle (Fernández and Williams 2010).
If i is drawn, one factor becomes p_i z, so with a_i(z) = p_i z / (1 - p_i + p_i z) and the weights
w(z) = g(z) z^-k / sum over the circle of the same,

    pi_i = sum_z w(z) a_i(z)        pi_ij = sum_z w(z) a_i(z) a_j(z).

When sum p_i = k the number drawn is concentrated at k, so some 10 sqrt(k) points give full precision. Attributes of
equal odds need no special case, while the closed form (pi_i o_j - pi_j o_i) / (o_j - o_i) loses its digits as the odds
o_i and o_j approach each other. Points come in conjugate pairs, so half of the circle is enough. For pairs that are
drawn together far more rarely than p_i p_j, which only nearly certain attributes can cause, the sum cancels, and the
probability is computed by recursion over the attributes instead.
"""

from __future__ import annotations

import numpy as np
from numba import njit

# Below this share of p_i p_j a sum over the circle has lost digits, and the recursion takes over.
_CANCELLED = 1e-4


@njit(cache=True, nogil=True)
def new_circle(working: np.ndarray, k: int) -> np.ndarray:
    """One row per point z = exp(i t): cos(t/2)^2, sin t, and the real and imaginary part of its weight.

    ``working`` are the working probabilities p, with sum k up to rounding.
    """
    d = len(working)
    variance = np.sum(working * (1.0 - working))
    # A circle of m points confuses k with k + m and k - m draws; by Bernstein's inequality these have
    # probabilities below exp(-46) = 1e-20. An odd m keeps z = -1, a root of g when some p = 1/2, off the circle.
    m = min(int(16.0 + np.sqrt(256.0 + 92.0 * variance)), d + 1) | 1
    circle = np.empty((m // 2 + 1, 4))
    for point in range(len(circle)):
        angle = 2.0 * np.pi * point / m
        half_cosine, sine = np.cos(0.5 * angle) ** 2, np.sin(angle)
        turn = 2.0 * np.pi * (point * k % m) / m
        real, imaginary = np.cos(turn), -np.sin(turn)
        for i in range(d):
            p = working[i]
            x, y = (1.0 - 2.0 * p) + 2.0 * p * half_cosine, p * sine
            real, imaginary = real * x - imaginary * y, real * y + imaginary * x
        circle[point, 0], circle[point, 1] = half_cosine, sine
        circle[point, 2], circle[point, 3] = real, imaginary
    circle[1:, 2:] *= 2.0  # each stands for its conjugate too
    circle[:, 2:] /= np.sum(circle[:, 2])
    return circle


@njit(cache=True, nogil=True)
def _share(p: float, half_cosine: float, sine: float) -> tuple[float, float]:
    """a(z) of one attribute, as real and imaginary part."""
    q = 1.0 - p
    scale = p / ((q - p) * (q - p) + 4.0 * p * q * half_cosine)
    return scale * ((p - q) + 2.0 * q * half_cosine), scale * q * sine


@njit(cache=True, nogil=True)
def first_order(working: np.ndarray, circle: np.ndarray) -> np.ndarray:
    """pi_i of all attributes."""
    inclusion = np.zeros(len(working))
    for point in range(len(circle)):
        half_cosine, sine, real, imaginary = circle[point]
        for i in range(len(working)):
            x, y = _share(working[i], half_cosine, sine)
            inclusion[i] += real * x - imaginary * y
    return inclusion


@njit(cache=True, nogil=True)
def second_order(working: np.ndarray, circle: np.ndarray, k: int, attributes: np.ndarray) -> np.ndarray:
    """pi_ij of all pairs of different attributes out of the given ones; the diagonal is left at 0."""
    n = len(attributes)
    joint = np.zeros((n, n))
    if k < 2:
        return joint
    real, imaginary = np.empty((len(circle), n)), np.empty((len(circle), n))
    for point in range(len(circle)):
        for r in range(n):
            x, y = _share(working[attributes[r]], circle[point, 0], circle[point, 1])
            real[point, r], imaginary[point, r] = x, y
    everything = -1.0
    for r in range(n):
        for point in range(len(circle)):
            x, y = real[point, r], imaginary[point, r]
            u = circle[point, 2] * x - circle[point, 3] * y
            v = circle[point, 2] * y + circle[point, 3] * x
            for s in range(r + 1, n):
                joint[r, s] += u * real[point, s] - v * imaginary[point, s]
        for s in range(r + 1, n):
            i, j = attributes[r], attributes[s]
            both = working[i] * working[j]
            if joint[r, s] < _CANCELLED * both:
                if everything < 0.0:
                    everything = _probability_of_count(working, k, -1, -1)
                joint[r, s] = both * _probability_of_count(working, k - 2, i, j) / everything
            joint[s, r] = joint[r, s]
    return joint


@njit(cache=True, nogil=True)
def _probability_of_count(working: np.ndarray, count: int, i: int, j: int) -> float:
    """The probability that ``count`` attributes other than i and j are drawn: O(d count), without a subtraction."""
    by_count = np.zeros(count + 1)
    by_count[0] = 1.0
    for other in range(len(working)):
        if other != i and other != j:
            p = working[other]
            for c in range(count, 0, -1):
                by_count[c] = by_count[c] * (1.0 - p) + by_count[c - 1] * p
            by_count[0] *= 1.0 - p
    return by_count[count]
