"""The radius of Baseline by two-fold cross-validation: each half of the examples assesses the weights of the other.

A half has unbiased estimates A of E[z z'] and b of E[y z], in scaled units, so that for weights w of the other half

    c = w'b    is an estimate of cov(y, w'z),    V = w'A w    of var(w'z)

and a multiple s of w has the error 1 - 2 s c + s^2 V. With m pairs drawn uniformly from all d^2, and entries of z and y
of about unit variance, their standard errors are about |w| sqrt(d / (2 m)) and |w|^2 d / sqrt(m).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .kernels.evidence import CAUTION, supported
from .l1_solver import MOST_ITERATIONS, minimise_in_l1_ball

RADII = tuple(2.0**power for power in range(-4, 3))
ROUGHLY = 1e-3  # the gap to the minimum, relative to the loss, that is good enough for a choice


class Moments(NamedTuple):
    """The estimates A and b, and the number of pairs that they are from."""

    A: np.ndarray
    b: np.ndarray
    pairs: float


class Choice(NamedTuple):
    """The radius, and what the weights in its ball are multiplied by."""

    radius: float
    multiple: float


class Path(NamedTuple):
    """Weights, a column for each radius, and the iterations that the solver took for each."""

    weights: np.ndarray
    n_iter: np.ndarray


def chosen_radius(halves: tuple[Moments, Moments], psd: bool, most_iterations: int = MOST_ITERATIONS) -> Choice:
    """The radius and the multiple with the lowest cross-validated error; a multiple of 0 is the mean label."""
    paths = [solutions(half.A, half.b, RADII, psd, ROUGHLY, most_iterations).weights for half in halves]
    best, lowest = Choice(1.0, 0.0), 0.0
    for at, radius in enumerate(RADII):
        by_half = [_assessed(paths[0][:, at], halves[1]), _assessed(paths[1][:, at], halves[0])]
        c, variance_of_c, V, variance_of_V, squared_norm = np.mean(by_half, axis=0)
        # The standard error of V follows from the design and is not estimated: one is caution enough.
        error_of_V = np.sqrt(variance_of_V / 2) / CAUTION
        found = supported(c, np.sqrt(variance_of_c / 2), V, error_of_V, squared_norm)
        if found.excess < lowest:
            best, lowest = Choice(radius, found.multiple), found.excess
    return best


def _assessed(w: np.ndarray, other: Moments) -> tuple[float, float, float, float, float]:
    """c and V with the squares of their standard errors, and the squared norm of the weights."""
    d, m, norm = len(w), max(other.pairs, 1.0), float(w @ w)
    return float(w @ other.b), norm * d / (2.0 * m), float(w @ other.A @ w), (norm * d) ** 2 / m, norm


def solutions(
    A: np.ndarray,
    b: np.ndarray,
    radii: tuple[float, ...],
    psd: bool,
    gap: float = 1e-6,
    most_iterations: int = MOST_ITERATIONS,
) -> Path:
    """The minimum of the estimated loss in each of some l1 balls."""
    live = A.any(axis=0) | (b != 0)  # the others, such as pixels that are always 0, keep the weight 0
    weights, n_iter = np.zeros((len(b), len(radii))), np.zeros(len(radii), dtype=np.int64)
    if live.any():
        A = A[np.ix_(live, live)]
        eigenvalues, vectors = np.linalg.eigh(A)
        if psd:
            eigenvalues = np.maximum(eigenvalues, 0.0)
            A = (vectors * eigenvalues) @ vectors.T
        steepest = 2.0 * float(np.abs(eigenvalues).max())
        for at, radius in enumerate(radii):
            weights[live, at], n_iter[at] = minimise_in_l1_ball(A, b[live], radius, steepest, gap, most_iterations)
    return Path(weights, n_iter)
