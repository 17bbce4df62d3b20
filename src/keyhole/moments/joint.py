"""The joint second moments of attributes and labels, in one form for every family.

In standard units an attribute is mean_i + loadings_i' h + noise, a label l is the same with its own loadings, and a
label may covary with an attribute beyond what the factors h imply, by ``rest``:

    cov(x) = W W' + diag(noise),   cov(x, y) = W C' + rest,   var(y) = C C' + diag(label noise).

Factors have ``rest`` 0; a diagonal has no factors; a ridge regression is W = Z' / sqrt(n), C = y' / sqrt(n) and
noise = penalty / n. A predictor from all attributes, or from any of them, follows by linear algebra.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .rows import Units


class Joint(NamedTuple):
    """d attributes, L labels, r factors; arrays of shape d, (d, r), d, L, (L, r), L and (d, L)."""

    mean: np.ndarray
    loadings: np.ndarray
    noise: np.ndarray
    label_mean: np.ndarray
    label_loadings: np.ndarray
    label_noise: np.ndarray
    rest: np.ndarray

    def covariance(self, some: np.ndarray) -> np.ndarray:
        """Of some attributes."""
        W = self.loadings[some]
        return W @ W.T + np.diag(self.noise[some])

    def cross(self, some: np.ndarray) -> np.ndarray:
        """Of some attributes with the labels."""
        return self.loadings[some] @ self.label_loadings.T + self.rest[some]

    def label_variance(self) -> np.ndarray:
        """Of each label."""
        return np.sum(self.label_loadings**2, axis=1) + self.label_noise

    def weights(self) -> np.ndarray:
        """(cov x)^-1 cov(x, y) of all attributes, by Woodbury's identity: shape (L, d)."""
        cross = self.cross(np.arange(len(self.mean)))
        scaled = self.loadings / self.noise[:, None]
        inner = np.eye(self.loadings.shape[1]) + self.loadings.T @ scaled
        direct = cross / self.noise[:, None]
        return (direct - scaled @ np.linalg.solve(inner, scaled.T @ cross)).T


def predictor(joint: Joint, weights: np.ndarray, units: Units) -> tuple[np.ndarray, np.ndarray]:
    """Coefficients (L, d) and intercepts (L,) for raw attributes and labels, of weights of standardised ones."""
    used = units.scale > 0
    weights = np.where(used, weights, 0.0)
    offset = joint.label_mean - weights @ joint.mean
    raw = weights * units.label_scale[:, None]
    coef = np.divide(raw, units.scale, out=np.zeros_like(raw), where=used)
    return coef, units.label_mean + units.label_scale * offset - coef @ np.where(used, units.mean, 0.0)
