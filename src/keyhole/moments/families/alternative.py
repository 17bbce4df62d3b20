"""What alternative families share: they are derived from the joint moments of the start, and the rows in its scales."""

from __future__ import annotations

from abc import abstractmethod
from typing import ClassVar, NamedTuple

import numpy as np
from scipy.sparse import csr_matrix

from ..solution import Solution, Training, not_kept
from ..standard.joint import JointMoments
from ..standard.rows import Rows, standardised_rows
from .family import Averageable, Role
from .settings import MAX_ATTRIBUTES

# Weights below this share of the largest are taken for rounding errors.
ROUNDING = 1e-9


class Alternative(Averageable):
    """A family that a subclass derives from the start by ``moments``, for one label."""

    role = Role.ALTERNATIVE
    max_attributes: ClassVar[float] = MAX_ATTRIBUTES

    @abstractmethod
    def moments(self, start: JointMoments, rows: Rows) -> JointMoments:
        """Joint moments from those of the start and the rows in its scales."""

    def fit(self, data: Training, max_iterations: int, start: Solution | None = None) -> Solution:
        assert start is not None, f"{self.name} is derived from a start"
        return self.derived(start, standardised_rows(data.cells, data.labels, start.scales))

    def derived(self, start: Solution, rows: Rows) -> Solution:
        derived = start.with_moments(self.moments(start.joint, rows), start.scales)
        # Of weights that are found again from covariances, those that were 0 are rounding errors.
        size = np.abs(derived.coef * start.scales.scale)
        coef = np.where(size > ROUNDING * size.max(), derived.coef, 0.0)
        return derived._replace(coef=coef, family=self, start=start, candidates=not_kept(start.candidates))

    def refit(self, like: Solution, data: Training, max_iterations: int) -> Solution:
        assert like.start is not None
        return self.fit(data, max_iterations, like.start.family.refit(like.start, data, max_iterations))

    def resume(self, like: Solution, rows: Rows, max_iterations: int) -> Solution:
        assert like.start is not None
        return self.derived(like.start.family.resume(like.start, rows, max_iterations), rows)


class Products(NamedTuple):
    """Sums over rows of products of two attributes, the number of rows in which both were revealed, and sums of
    products with the label; values are measured from the means of the start."""

    pairs: np.ndarray
    counts: np.ndarray
    with_label: np.ndarray


def products_of(start: JointMoments, rows: Rows) -> Products:
    """Sums over all rows, for one label."""
    n, d = rows.n_rows, rows.n_attributes
    inside = rows.columns < d
    row, columns = rows.row[inside], rows.columns[inside]
    values = rows.values[inside] - start.mean[columns]
    table = csr_matrix((values, (row, columns)), shape=(n, d))
    present = csr_matrix((np.ones(len(values)), (row, columns)), shape=(n, d))
    labels = rows.labels[:, 0] - start.label_mean[0]
    return Products((table.T @ table).toarray(), (present.T @ present).toarray(), table.T @ labels)


def with_weights(start: JointMoments, weights: np.ndarray) -> JointMoments:
    """The covariance of the start, and covariances with the label such that these are the weights of all attributes."""
    cross = start.loadings @ (start.loadings.T @ weights) + start.noise * weights
    return start._replace(residual_cross=(cross - start.loadings @ start.label_loadings[0])[:, None])
