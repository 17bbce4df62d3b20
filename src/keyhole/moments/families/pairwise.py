"""The pairwise family: every covariance by itself, the mean of the revealed products, shrunk towards the start's."""

from __future__ import annotations

import numpy as np

from ..standard.joint import JointMoments
from ..standard.rows import Rows
from .alternative import Alternative, products_of
from .settings import EIGENVALUE_FLOOR, PRIOR_ROWS


class Pairwise(Alternative):
    """Covariances from the real rows, and from further ones that have the covariances of the start."""

    name = "pairwise"

    def moments(self, start: JointMoments, rows: Rows) -> JointMoments:
        products = products_of(start, rows)
        counts, d = np.diag(products.counts), rows.n_attributes
        used = np.flatnonzero(counts)
        pairs, covariance = np.ix_(used, used), start.covariance(used)
        values, vectors = np.linalg.eigh(shrunk(products.pairs[pairs], products.counts[pairs], covariance))
        floor = EIGENVALUE_FLOOR * np.linalg.eigvalsh(covariance)[0]
        loadings, noise, cross = np.zeros((d, len(used))), start.noise.copy(), np.zeros((d, 1))
        loadings[used], noise[used] = vectors * np.sqrt(np.maximum(values - floor, 0.0)), floor
        cross[used, 0] = shrunk(products.with_label[used], counts[used], start.cross_covariance(used)[:, 0])
        return start._replace(
            loadings=loadings,
            noise=noise,
            label_loadings=np.zeros((1, len(used))),
            label_noise=start.label_variance(),
            residual_cross=cross,
        )


def shrunk(sums: np.ndarray, counts: np.ndarray, towards: np.ndarray) -> np.ndarray:
    """Means of products, shrunk towards those of the start."""
    return (sums + PRIOR_ROWS * towards) / (counts + PRIOR_ROWS)
