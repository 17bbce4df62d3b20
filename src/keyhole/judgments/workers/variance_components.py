"""Where disagreement comes from: variance components of objects, workers and their interaction.

For each attribute the model is x = mean + object + worker + object x worker + residual, all independent. The
estimates are moments: sums of squares within objects, within workers, within object-worker pairs, and around
the additive fit of objects and workers, each with an expectation that is linear in the components whatever
the pattern of who judged what (Henderson 1953, his third method). They are unbiased, and rounded up to 0
where negative.

Object x worker and residual can be separated only where a worker judged a cell twice; otherwise
their sum is reported as "residual", and the interaction is NaN. Where no worker judged two objects, the variance of
workers cannot be estimated.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ..data.columns import Columns
from ..data.inputs import as_judgments
from ..data.table import Judgments, require_workers


class Components(NamedTuple):
    """Variances that add up to the variance of one judgment; NaN where the design does not identify one."""

    object: float
    worker: float
    interaction: float
    residual: float

    @property
    def worker_share(self) -> float:
        """The part of the disagreement about an object that differences in workers' severity cause."""
        noise = np.nansum([self.worker, self.interaction, self.residual])
        return float(self.worker / noise) if noise > 0 else 0.0


def variance_components(judgments: Any) -> Columns:
    """Estimate the variance that objects, workers and their interaction contribute to each attribute.

    The model of a judgment is the sum of a mean, an object's value, a worker's severity, an interaction of object and
    worker, and a residual, all independent. The estimates are those of Henderson's third method [1]_: unbiased for
    any pattern of who judged what, and rounded up to 0 where negative.

    Parameters
    ----------
    judgments : table, path or Judgments
        Judgments with their workers, in any form that ``as_judgments`` takes.

    Returns
    -------
    Columns
        One row per attribute: the variances ``object``, ``worker``, ``object_x_worker`` and ``residual`` (NaN where
        the judgments do not identify one), ``worker_share`` (the share of the disagreement about an object that
        workers' severity causes), and the numbers of ``judgments`` and ``workers``.

    Raises
    ------
    BadValue
        If the workers were not recorded.

    References
    ----------
    .. [1] C. R. Henderson, "Estimation of variance and covariance components", Biometrics 9, 1953.

    Examples
    --------
    >>> import numpy as np
    >>> from keyhole.judgments import variance_components
    >>> rng = np.random.default_rng(0)
    >>> severity, truth = rng.normal(size=10), 2 * rng.normal(size=200)
    >>> who = rng.permuted(np.tile(np.arange(10), (200, 1)), axis=1)[:, :3]
    >>> value = truth[:, None] + severity[who] + 0.5 * rng.normal(size=(200, 3))
    >>> table = {"object": np.repeat(np.arange(200), 3), "attribute": ["tall"] * 600,
    ...          "value": value.ravel(), "worker": who.ravel()}
    >>> found = variance_components(table)
    >>> print(f"object {found['object'][0]:.2f}, worker {found['worker'][0]:.2f}, residual {found['residual'][0]:.2f}")
    object 3.78, worker 0.70, residual 0.28
    """
    judgments = as_judgments(judgments)
    require_workers(judgments, "variance components")
    rows = []
    for a, name in enumerate(judgments.attributes):
        x, objects, workers = judgments_of(judgments, a)
        parts = attribute_components(x, objects, workers)
        rows.append((name, *parts, parts.worker_share, len(x), len(np.unique(workers))))
    names = (
        "attribute",
        "object",
        "worker",
        "object_x_worker",
        "residual",
        "worker_share",
        "judgments",
        "workers",
    )
    return Columns.from_rows(names, rows)


def attribute_components(x: np.ndarray, objects: np.ndarray, workers: np.ndarray) -> Components:
    """The components of one attribute from its judgments, the objects judged and the workers."""
    return Components(*map(float, np.maximum(unbiased_components(x, objects, workers), 0.0)))


def unbiased_components(x: np.ndarray, objects: np.ndarray, workers: np.ndarray) -> np.ndarray:
    """The same four, not yet rounded up to 0."""
    n = len(x)
    x = x - x.mean()
    n_o, n_w = np.bincount(objects), np.bincount(workers)
    _, pair, n_ow = np.unique(objects * len(n_w) + workers, return_inverse=True, return_counts=True)
    first = np.zeros(len(n_ow), dtype=np.int64)
    first[pair] = np.arange(n)  # a judgment of each pair, to look up its object and worker
    shared_o = float(np.sum(n_ow**2 / n_o[objects[first]]))
    shared_w = float(np.sum(n_ow**2 / n_w[workers[first]]))
    r, c, p = int((n_o > 0).sum()), int((n_w > 0).sum()), len(n_ow)
    # Rows: the sums of squares. Columns: object, worker, object x worker, residual.
    expected = np.array(
        [
            [0, n - shared_o, n - shared_o, n - r],
            [n - shared_w, 0, n - shared_w, n - c],
            [0, 0, 0, n - p],
            [n - (n_o**2).sum() / n, n - (n_w**2).sum() / n, n - (n_ow**2).sum() / n, n - 1],
        ]
    )
    squares = np.array([_within(x, objects), _within(x, workers), _within(x, pair), float(x @ x)])
    # A component that the design does not separate from the residual stays in it, and its equation is left out.
    objects_known, workers_known = r > 1 and n > r, c > 1 and n > c
    known = np.array([objects_known, workers_known, objects_known and workers_known and n > p, True])
    if objects_known and workers_known and n == p:
        around, freedom = _around_additive_fit(x, objects, workers)
        if freedom > 0:  # the same residual as from the total, free of the spread of objects and workers
            expected[3], squares[3] = [0, 0, 0, freedom], around
    parts = np.full(4, np.nan)
    parts[known] = np.linalg.lstsq(expected[np.ix_(known, known)], squares[known], rcond=None)[0]
    return parts


def judgments_of(judgments: Judgments, a: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The values, object indices and worker indices of all judgments of attribute a."""
    assert judgments.worker is not None
    at = np.nonzero(~np.isnan(judgments.values[:, a]))
    return judgments.values[:, a][at], at[0], judgments.worker[:, a][at]


def _within(x: np.ndarray, group: np.ndarray) -> float:
    """Sum of squares around the mean of each group."""
    count = np.bincount(group)
    sums = np.bincount(group, weights=x)
    return float(x @ x - np.sum(sums[count > 0] ** 2 / count[count > 0]))


def _around_additive_fit(x: np.ndarray, objects: np.ndarray, workers: np.ndarray) -> tuple[float, int]:
    """Sum of squares around object + worker, and its degrees of freedom."""
    from scipy import sparse

    n, r, c = len(x), int(objects.max()) + 1, int(workers.max()) + 1
    rows = np.arange(n)
    one = np.ones(n)
    design = sparse.hstack(
        [sparse.csr_matrix((one, (rows, objects)), (n, r)), sparse.csr_matrix((one, (rows, workers)), (n, c))]
    ).tocsr()
    fitted = design @ sparse.linalg.lsmr(design, x, atol=1e-13, btol=1e-13, maxiter=10 * (r + c))[0]
    judged = sparse.csr_matrix((one, (objects, r + workers)), (r + c, r + c))
    used = np.unique(np.concatenate([objects, r + workers]))
    groups = sparse.csgraph.connected_components(judged[used][:, used], directed=False)[0]
    return float(np.sum((x - fitted) ** 2)), n - len(used) + groups
