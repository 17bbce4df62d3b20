"""Class probabilities from joint moments: linear scores, and a Gaussian for the scores of each class.

Each of K classes is a point y_c with K - 1 coordinates, which have mean 0 and covariance I over examples. From the
attributes that are known, the best linear scores of these coordinates have a covariance E with them, and with
themselves; so the scores of class c are E y_c on average, and within a class they have covariance E - E^2. With the
shares of the classes that is a linear discriminant for any subset: log odds are linear in the known values, and where
nothing is known the shares themselves are left.

Estimated moments overestimate E, most of all where many attributes are known, and probabilities near 0 and 1 suffer
most. Where held-out rows confirm a share k of E, log odds are lowered by one factor, to what k E would make of them on
average over directions; so the most probable class stays the same.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..standard.joint import JointMoments
from ..standard.scales import Scales
from ..standard.woodbury import solve_by_smaller
from .settings import LEAST_WITHIN, NUMBERS_AT_ONCE, TINY


class Discriminant(NamedTuple):
    """Joint moments; the shares of K classes, and their points (K, q); and the map, (L, q), from standardised labels to
    the coordinates of these points, q at most K - 1.

    Of E held-out rows confirm a share ``confirmed_all`` where all attributes are known, and all of it where few are;
    ``explained_range`` is the trace of E for both, and in between the share is interpolated linearly."""

    joint: JointMoments
    scales: Scales
    shares: np.ndarray
    points: np.ndarray
    to_points: np.ndarray
    confirmed_all: float = 1.0
    explained_range: tuple[float, float] = (0.0, 1.0)

    @property
    def used(self) -> np.ndarray:
        """The attributes that have a weight."""
        return self.scales.used

    def standardise(self, values: np.ndarray, S: np.ndarray) -> np.ndarray:
        """Raw values of used attributes, standardised and measured from their means."""
        return (values - self.scales.mean[S]) / self.scales.scale[S] - self.joint.mean[S]

    def log_odds(self, S: np.ndarray, which: np.ndarray, z: np.ndarray) -> np.ndarray:
        """log p(class | known) up to a constant by row, (n, K): row t knows attributes ``S[which[t]]``, as z[t]."""
        found = np.empty((len(z), len(self.shares)))
        step = max(NUMBERS_AT_ONCE // (S.shape[1] * max(self.joint.loadings.shape[1], S.shape[1], 1) + 1), 1)
        for start in range(0, len(S), step):
            rows = np.flatnonzero((which >= start) & (which < start + step))
            slopes, offsets = self.rules(S[start : start + step])
            at = which[rows] - start
            if len(slopes) == 1:
                found[rows] = z[rows] @ slopes[0] + offsets[0]
            else:
                found[rows] = np.einsum("tk,tkc->tc", z[rows], slopes[at]) + offsets[at]
        return found

    def rules(self, S: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """For subsets of one size, the rows of S: slopes (m, k, K) and offsets (m, K) of the log odds."""
        weights, E = scores_from(self.joint, S, self.to_points)
        size, vectors = np.linalg.eigh((E + E.transpose(0, 2, 1)) / 2.0)
        size = np.clip(size, 0.0, 1.0)
        # In the directions of E: means size * y, variance size - size^2 within a class.
        y = self.points @ vectors
        slope = y * (size / (size * (1.0 - size) + LEAST_WITHIN))[:, None, :]
        with np.errstate(divide="ignore"):  # a class that never occurred has log odds of minus infinity
            offsets = np.log(self.shares) - 0.5 * np.sum(slope * y * size[:, None, :], axis=2)
        factor = self._factor(size)
        return factor[:, None, None] * (weights @ vectors @ slope.transpose(0, 2, 1)), factor[:, None] * offsets

    def explained(self, S: np.ndarray) -> np.ndarray:
        """The trace of E for subsets of one size, the rows of S."""
        return np.trace(scores_from(self.joint, S, self.to_points)[1], axis1=1, axis2=2)

    def _factor(self, size: np.ndarray) -> np.ndarray:
        """The factor of the log odds, for eigenvalues of E (m, q)."""
        few, most = self.explained_range
        many = np.clip((size.sum(axis=1) - few) / max(most - few, TINY), 0.0, 1.0)
        k = (1.0 - many * (1.0 - self.confirmed_all))[:, None]
        claimed, kept = size / (1.0 - size + LEAST_WITHIN), size / (1.0 - k * size + LEAST_WITHIN)
        claims = claimed.sum(axis=1)
        return np.divide(kept.sum(axis=1), claims, out=np.ones_like(claims), where=claims > 0)


def scores_from(joint: JointMoments, S: np.ndarray, to_points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """For subsets of one size, the rows of S: weights (m, k, q) of the scores, and their covariance E (m, q, q)."""
    W = joint.loadings[S]
    cross = (W @ joint.label_loadings.T + joint.residual_cross[S]) @ to_points
    weights = solve_by_smaller(W, joint.noise[S], cross)
    return weights, cross.transpose(0, 2, 1) @ weights


def discriminant(joint: JointMoments, scales: Scales, shares: np.ndarray, coordinates: np.ndarray) -> Discriminant:
    """From joint moments whose labels are the coordinates (K, L) of the classes, which have these shares."""
    scale = scales.label_scale
    points = np.divide(coordinates - scales.label_mean, scale, out=np.zeros_like(coordinates), where=scale > 0)
    points -= shares @ points
    size, vectors = np.linalg.eigh(points.T @ (shares[:, None] * points))
    kept = size > TINY
    to_points = vectors[:, kept] / np.sqrt(size[kept])
    return Discriminant(joint=joint, scales=scales, shares=shares, points=points @ to_points, to_points=to_points)


def class_coordinates(shares: np.ndarray) -> np.ndarray:
    """Points (K, K - 1) with mean 0 and covariance I when the classes have these shares: the indicators, to_points.

    Indicators add up to 1, and each is correlated with the others; EM takes far longer over such labels.
    """
    K = len(shares)
    if K == 1:
        return np.zeros((1, 1))
    # Helmert's contrasts: each class against those before it.
    contrasts = np.zeros((K, K - 1))
    before = np.cumsum(shares)
    for c in range(1, K):
        contrasts[:c, c - 1] = -np.sqrt(shares[c] / (before[c - 1] * before[c]))
        contrasts[c, c - 1] = np.sqrt(before[c - 1] / (shares[c] * before[c]))
    return contrasts
