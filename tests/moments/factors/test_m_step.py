"""The maximisation step against dense matrices: the labels as a prior, and a ridge regression for every column."""

import numpy as np
import pytest

from keyhole.moments.factors.m_step import labels_as_prior, rotate_columns, update_columns
from keyhole.moments.factors.settings import LOADING_PRIOR, NOISE_PRIOR
from moments.conftest import textbook_column


def packed(A):
    return A[np.tril_indices(len(A))]


@pytest.mark.parametrize(("L", "r"), [(1, 1), (1, 4), (3, 4), (5, 2)])
def test_labels_are_a_prior(L, r):
    rng = np.random.default_rng(0)
    C, noise = rng.normal(size=(L, r)), rng.uniform(0.2, 2.0, size=L)
    M, inverse, squared, rotated = labels_as_prior(C, noise)
    np.testing.assert_allclose(M, np.linalg.cholesky(np.eye(r) + C.T @ np.diag(1 / noise) @ C), rtol=1e-10)
    np.testing.assert_allclose(inverse @ M, np.eye(r), atol=1e-12)
    np.testing.assert_allclose(squared, packed(M.T @ M), rtol=1e-10)
    np.testing.assert_allclose(rotated, (inverse @ C.T / noise).T, rtol=1e-10, atol=1e-14)


def test_a_column_is_a_ridge_regression_on_the_factors():
    """In the coordinates M' h; the textbook's are those of h."""
    rng = np.random.default_rng(1)
    r, counts = 3, np.array([5, 0, 40])
    C, label_noise = rng.normal(size=(2, r)), rng.uniform(0.5, 1.0, size=2)
    M, _, squared, _ = labels_as_prior(C, label_noise)
    mean, loadings, noise = rng.normal(size=3), rng.normal(size=(3, r)), rng.uniform(0.5, 1.0, size=3)
    before = mean.copy(), loadings.copy(), noise.copy()
    cells, rows, covariances = [], [], []
    for n in counts:
        z, h, root = rng.normal(size=n), rng.normal(size=(n, r)), rng.normal(size=(n, r, r))
        cells.append(z)
        rows.append(h)
        covariances.append(root @ root.transpose(0, 2, 1) + h[:, :, None] * h[:, None, :])
    products = np.array([packed(M.T @ hh.sum(axis=0) @ M) for hh in covariances])
    cross = np.array([M.T @ (z @ h) for z, h in zip(cells, rows, strict=True)])
    factors = np.array([M.T @ h.sum(axis=0) for h in rows])
    total, squares = np.array([z.sum() for z in cells]), np.array([np.sum(z**2) for z in cells])
    prior, noise_prior = LOADING_PRIOR * r * squared, NOISE_PRIOR * r * r
    known = counts.astype(float), total, squares, products, cross, factors, prior, noise_prior, M
    update_columns(0, 3, *known, mean, loadings, noise)
    for i in (0, 2):
        wanted = textbook_column(cells[i], rows[i], covariances[i], before[0][i])
        for got, want in zip((mean[i], loadings[i], noise[i]), wanted, strict=True):
            np.testing.assert_allclose(got, want, rtol=1e-9)
    # The column without cells stays as it is.
    assert (mean[1], noise[1]) == (before[0][1], before[2][1])
    np.testing.assert_array_equal(loadings[1], before[1][1])


def test_loadings_are_rotated_column_by_column():
    rng = np.random.default_rng(0)
    loadings, inverse = rng.normal(size=(6, 3)), np.tril(rng.normal(size=(3, 3)))
    rotated = np.full((6, 3), np.nan)
    rotate_columns(1, 5, loadings, inverse, rotated)
    np.testing.assert_allclose(rotated[1:5], loadings[1:5] @ inverse.T, rtol=1e-12)
    assert np.isnan(rotated[[0, 5]]).all()
