"""The joint moments of attributes and labels, in one form for every family.

A standardised attribute is mean_i + loadings_i' h + noise, a label is the same with its own loadings, and a label may
covary with an attribute beyond what the factors h imply, by ``residual_cross``:

    cov(x) = W W' + diag(noise),   cov(x, y) = W C' + residual_cross,   var(y) = C C' + diag(label noise).

The factor model has ``residual_cross`` 0; a diagonal model has no factors; a ridge regression is W = Z' / sqrt(n),
C = y' / sqrt(n) and noise = penalty / n. A predictor from all attributes, or from some, follows by linear algebra.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .scales import Scales
from .woodbury import solve_by_factors


class JointMoments(NamedTuple):
    """d attributes, L labels, r factors; arrays of shape d, (d, r), d, L, (L, r), L and (d, L)."""

    mean: np.ndarray
    loadings: np.ndarray
    noise: np.ndarray
    label_mean: np.ndarray
    label_loadings: np.ndarray
    label_noise: np.ndarray
    residual_cross: np.ndarray

    def covariance(self, some: np.ndarray) -> np.ndarray:
        """The covariance matrix of some attributes."""
        W = self.loadings[some]
        return W @ W.T + np.diag(self.noise[some])

    def cross_covariance(self, some: np.ndarray | None = None) -> np.ndarray:
        """The covariances of some attributes (None: all of them) with the labels."""
        if some is None:
            return self.loadings @ self.label_loadings.T + self.residual_cross
        return self.loadings[some] @ self.label_loadings.T + self.residual_cross[some]

    def label_variance(self) -> np.ndarray:
        """The variance of each label."""
        return np.sum(self.label_loadings**2, axis=1) + self.label_noise

    def weights(self) -> np.ndarray:
        """(cov x)^-1 cov(x, y) of all attributes, shape (L, d)."""
        return solve_by_factors(self.loadings, self.noise, self.cross_covariance()).T


def uncorrelated(d: int, n_labels: int) -> JointMoments:
    """Attributes and labels of mean 0 and variance 1 that have nothing to do with each other."""
    return JointMoments(
        mean=np.zeros(d),
        loadings=np.zeros((d, 0)),
        noise=np.ones(d),
        label_mean=np.zeros(n_labels),
        label_loadings=np.zeros((n_labels, 0)),
        label_noise=np.ones(n_labels),
        residual_cross=np.zeros((d, n_labels)),
    )


def raw_predictor(joint: JointMoments, weights: np.ndarray, scales: Scales) -> tuple[np.ndarray, np.ndarray]:
    """Coefficients (L, d) and intercepts (L,) for raw attributes and labels, of weights of standardised ones."""
    used = scales.scale > 0
    weights = np.where(used, weights, 0.0)
    offset = joint.label_mean - weights @ joint.mean
    raw = weights * scales.label_scale[:, None]
    coef = np.divide(raw, scales.scale, out=np.zeros_like(raw), where=used)
    return coef, scales.label_mean + scales.label_scale * offset - coef @ np.where(used, scales.mean, 0.0)
