"""Estimates that are those of some population: the nearest positive semidefinite matrices.

Subtracting noise from a diagonal can leave Sigma indefinite; the paper then takes the nearest matrix that is not,
and keeps b. With complete judgments that is enough for b to lie in the range of Sigma + v/r: where there is
noise the matrix is definite, and where there is none Sigma and b are plain moments of the same objects.

Where cells are empty, each moment is over other objects, so b can leave the range even without noise, and the
projected loss then has no lower bound. There, in each attribute's unit:

1. The part of b in directions in which Sigma has little more variance than the error that empty cells cause is
   reduced: the part along an eigenvector with eigenvalue l is multiplied by l^2 / (l^2 + t^2), with t the error that
   empty cells cause in one entry times sqrt(d). By Cauchy-Schwarz, b has hardly anything in such directions; what
   the estimate has there is error.
2. The joint matrix [[Sigma, b], [b', var(label)]] is repaired if it still is not positive semidefinite, so that
   no projected loss is negative. (Without the first step that makes the loss 0: the nearest matrix is a
   singular one, in which the label is a linear function of the attributes.)
"""

from __future__ import annotations

from functools import cache

import numpy as np
from threadpoolctl import ThreadpoolController

from .estimated_moments import Moments

SCALINGS = ("deviation", "none")


def unit_of(moments: Moments, scaling: str) -> np.ndarray:
    """The unit in which each attribute is measured for the repair: its standard deviation, or the raw unit."""
    return moments.deviation if scaling == "deviation" else np.ones(len(moments.b))


def repaired(moments: Moments, unit: np.ndarray) -> Moments:
    """The moments with ``sigma`` repaired; with empty cells, sigma and b together, the label's variance kept.

    The nearest joint matrix may have a larger variance of the label; scaling its last row and column back
    leaves it positive semidefinite.
    """
    if not moments.gap_error:
        return moments._replace(sigma=make_psd(moments.sigma, unit))
    variance = moments.label_variance
    b = _without_error_of_gaps(moments)
    joint = np.block([[moments.sigma, b[:, None]], [b[None, :], np.array([[variance]])]])
    joint[:-1, :-1] = make_psd(moments.sigma, unit)
    joint = make_psd(joint, np.append(unit, np.sqrt(variance) if variance > 0 else 1.0), slack=0.0)
    shrink = np.sqrt(variance / joint[-1, -1]) if joint[-1, -1] > 0 else 0.0
    return moments._replace(sigma=joint[:-1, :-1], b=joint[:-1, -1] * shrink)


def _without_error_of_gaps(moments: Moments) -> np.ndarray:
    unit = moments.deviation
    with _threads().limit(limits=1, user_api="blas"):
        eigenvalues, vectors = np.linalg.eigh(moments.sigma / np.outer(unit, unit))
    square, error = np.maximum(eigenvalues, 0.0) ** 2, moments.gap_error**2 * len(unit)
    return unit * (vectors @ (square / (square + error) * (vectors.T @ (moments.b / unit))))


def make_psd(sigma: np.ndarray, unit: np.ndarray, slack: float = 1e-12) -> np.ndarray:
    """The nearest positive semidefinite matrix in Frobenius norm, with each attribute measured in its unit.

    The paper repairs in the attributes' raw units (``unit`` all ones). The nearest matrix depends on units;
    measured in each attribute's own deviation, it does not. Eigenvalues that are negative by less than
    ``slack`` of the largest are left as they are.
    """
    scaled = sigma / np.outer(unit, unit)
    # A decomposition gains little from a second thread, and loses a factor of 60 when another program has
    # the core: the threads of BLAS wait for each other at every column.
    with _threads().limit(limits=1, user_api="blas"):
        eigenvalues, vectors = np.linalg.eigh(scaled)
    if eigenvalues[0] >= -slack * max(eigenvalues[-1], 0.0):
        return sigma
    nearest = (vectors * np.maximum(eigenvalues, 0.0)) @ vectors.T
    return nearest * np.outer(unit, unit)


@cache
def _threads() -> ThreadpoolController:
    return ThreadpoolController()
