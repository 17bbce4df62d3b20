"""Families that may replace the model that a fit starts from: other ways from the same cells to a predictor.

Each takes the second moments of the start and the rows in its units, and gives second moments of its own:

- ``pairwise``: every covariance by itself, the mean of the revealed products, shrunk towards the start's;
- ``lasso``: attributes whose own covariance with the label stands out beyond what the others explain, and no others;
- ``descent``: one averaged pass of stochastic gradient descent over the rows, as the published learners do it, with
  gradients that are right on average (products of two cells over the rate at which both were revealed).

``contest.py`` says whether one of them is better.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numba import njit
from scipy.sparse import csr_matrix
from sklearn.linear_model import lars_path_gram

from .joint import Joint
from .rows import Rows, labels_of

MOST_ATTRIBUTES = 1000  # tables of attributes by attributes are made of them
IMAGINED = 1000.0  # rows with the covariances of the start, for each pair
FLOOR = 0.5  # of the smallest eigenvalue of the start: what the smallest of a pairwise covariance is raised to
MOST_CHOSEN = 100  # attributes of a lasso
RADIUS = 1.0  # of descent, in standard units: uncorrelated attributes that explain everything have weights of norm 1


class Products(NamedTuple):
    """Of n rows: sums of products of two attributes, in how many rows both were revealed, and sums of products with the
    label; measured from the means of the start."""

    pairs: np.ndarray
    times: np.ndarray
    with_label: np.ndarray
    n_rows: int


def pairwise(start: Joint, rows: Rows) -> Joint:
    """From the real rows, and imagined ones with the covariances of the start."""
    found = products_of(start, rows)
    times, d = np.diag(found.times), rows.n_attributes
    used = np.flatnonzero(times)
    pairs, covariance = np.ix_(used, used), start.covariance(used)
    values, vectors = np.linalg.eigh(_shrunk(found.pairs[pairs], found.times[pairs], covariance))
    least = FLOOR * np.linalg.eigvalsh(covariance)[0]
    loadings, noise, rest = np.zeros((d, len(used))), start.noise.copy(), np.zeros((d, 1))
    loadings[used], noise[used] = vectors * np.sqrt(np.maximum(values - least, 0.0)), least
    rest[used, 0] = _shrunk(found.with_label[used], times[used], start.cross(used)[:, 0])
    return start._replace(
        loadings=loadings,
        noise=noise,
        label_loadings=np.zeros((1, len(used))),
        label_noise=start.label_variance(),
        rest=rest,
    )


def lasso(start: Joint, rows: Rows) -> Joint:
    """Least squares on the few that a lasso keeps, whose threshold is what the largest of d standard errors reaches."""
    found = products_of(start, rows)
    covariance, times = start.covariance(np.arange(len(start.mean))), np.diag(found.times)
    cross = np.divide(found.with_label, times, out=np.zeros_like(found.with_label), where=times > 0)
    # In units of its threshold every attribute has the same one.
    threshold = np.sqrt(2 * np.log(max(len(times), 2)) * start.label_variance()[0] / np.maximum(times, 1.0))
    unit = np.sqrt(np.diag(covariance)) * threshold
    kept = lars_path_gram(
        cross / unit,
        covariance / np.outer(unit, unit),
        n_samples=1,
        alpha_min=1.0,
        max_iter=MOST_CHOSEN,
        method="lasso",
    )[2][:, -1]
    chosen = np.flatnonzero(kept)
    weights = np.zeros(len(cross))
    if len(chosen):
        weights[chosen] = np.linalg.solve(covariance[np.ix_(chosen, chosen)], cross[chosen])
    return _with_weights(start, weights)


def descent(start: Joint, rows: Rows) -> Joint:
    """Weights of one pass."""
    d = rows.n_attributes
    rates = np.maximum(products_of(start, rows).times, 1.0) / (len(rows.start) - 1)
    labels = labels_of(rows)[:, 0] - start.label_mean[0]
    means = np.append(start.mean, 0.0)
    values = rows.values - means[np.minimum(rows.columns, d)]
    return _with_weights(start, _averaged_pass(rows.start, rows.columns, values, labels, rates, RADIUS))


FAMILIES: dict[str, Callable[[Joint, Rows], Joint]] = {"pairwise": pairwise, "lasso": lasso, "descent": descent}


def products_of(start: Joint, rows: Rows) -> Products:
    """Sums over all rows, for one label."""
    n, d = len(rows.start) - 1, rows.n_attributes
    inside = rows.columns < d
    row = np.repeat(np.arange(n), np.diff(rows.start))[inside]
    columns, values = rows.columns[inside], rows.values[inside] - start.mean[rows.columns[inside]]
    table = csr_matrix((values, (row, columns)), shape=(n, d))
    there = csr_matrix((np.ones(len(values)), (row, columns)), shape=(n, d))
    labels = labels_of(rows)[:, 0] - start.label_mean[0]
    return Products((table.T @ table).toarray(), (there.T @ there).toarray(), table.T @ labels, n)


def _shrunk(sums: np.ndarray, times: np.ndarray, towards: np.ndarray) -> np.ndarray:
    """Means of products, with imagined ones of the start."""
    return (sums + IMAGINED * towards) / (times + IMAGINED)


def _with_weights(start: Joint, weights: np.ndarray) -> Joint:
    """The covariance of the start, and such covariances with the label that these are the weights of all attributes."""
    cross = start.loadings @ (start.loadings.T @ weights) + start.noise * weights
    return start._replace(rest=(cross - start.loadings @ start.label_loadings[0])[:, None])


@njit(cache=True, nogil=True)
def _averaged_pass(start, columns, values, labels, rates, radius):
    """Mean of w over one pass of w <- P(w - eta g) with eta = radius / sqrt(2 sum of |g|^2), P onto the ball."""
    d = rates.shape[0]
    w, total, squares = np.zeros(d), np.zeros(d), 0.0
    n = len(start) - 1
    for t in range(n):
        first, last = start[t], start[t + 1] - 1  # the label comes last
        g = np.zeros(last - first)
        for s in range(first, last):
            i = columns[s]
            g[s - first] = -labels[t] * values[s] / rates[i, i]
            for q in range(first, last):
                g[s - first] += w[columns[q]] * values[s] * values[q] / rates[i, columns[q]]
        squares += np.sum(g * g)
        if squares > 0:
            for s in range(first, last):
                w[columns[s]] -= radius / np.sqrt(2 * squares) * g[s - first]
        norm = np.sqrt(np.sum(w * w))
        if norm > radius:
            w *= radius / norm
        total += w
    return total / max(n, 1)
