"""The lasso family: only attributes whose covariance with the label stands out beyond what the others explain."""

from __future__ import annotations

import numpy as np

from ..standard.joint import JointMoments
from ..standard.rows import Rows
from .alternative import Alternative, products_of, with_weights
from .settings import MAX_LASSO


class Lasso(Alternative):
    """Least squares on the few attributes that a lasso keeps. Its threshold is what the largest of d standard errors
    reaches."""

    name = "lasso"

    def moments(self, start: JointMoments, rows: Rows) -> JointMoments:
        from sklearn.linear_model import lars_path_gram  # here, since it takes long to import

        products = products_of(start, rows)
        covariance, counts = start.covariance(np.arange(len(start.mean))), np.diag(products.counts)
        cross = np.divide(products.with_label, counts, out=np.zeros_like(products.with_label), where=counts > 0)
        # In units of its threshold every attribute has the same one.
        threshold = np.sqrt(2 * np.log(max(len(counts), 2)) * start.label_variance()[0] / np.maximum(counts, 1.0))
        unit = np.sqrt(np.diag(covariance)) * threshold
        path = lars_path_gram(
            cross / unit,
            covariance / np.outer(unit, unit),
            n_samples=1,
            alpha_min=1.0,
            max_iter=MAX_LASSO,
            method="lasso",
        )[2]
        chosen = np.flatnonzero(path[:, -1])
        weights = np.zeros(len(cross))
        if len(chosen):
            weights[chosen] = np.linalg.solve(covariance[np.ix_(chosen, chosen)], cross[chosen])
        return with_weights(start, weights)
