"""Packed symmetric matrices against numpy's dense ones."""

import numpy as np
import pytest

from keyhole.moments.factors.packed import add_outer, factorise, invert, solve, square

SIZES = pytest.mark.parametrize("r", [1, 2, 5, 12])


def packed(A):
    return A[np.tril_indices(len(A))].copy()


def unpacked(A, r):
    dense = np.zeros((r, r))
    dense[np.tril_indices(r)] = A
    return dense


def positive_definite(r):
    root = np.random.default_rng(r).normal(size=(r, r + 2))
    return root @ root.T + 0.1 * np.eye(r)


@SIZES
@pytest.mark.parametrize("k", [0, 1, 3, 4, 7])
@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_outer_products_are_added(r, k, sign):
    A, V = positive_definite(r), np.zeros((k + 3, r))
    V[:k] = np.random.default_rng(0).normal(size=(k, r))
    found = packed(A)
    add_outer(found, V, k, sign)
    np.testing.assert_allclose(found, packed(A + sign * V[:k].T @ V[:k]), rtol=1e-12, atol=1e-12)


@SIZES
def test_the_factor_is_that_of_cholesky(r):
    A = positive_definite(r)
    found = packed(A)
    factorise(found, r)
    np.testing.assert_allclose(unpacked(found, r), np.linalg.cholesky(A), rtol=1e-9, atol=1e-12)


@SIZES
def test_systems_are_solved(r):
    A, x = positive_definite(r), np.random.default_rng(1).normal(size=r)
    L = packed(A)
    factorise(L, r)
    found = x.copy()
    solve(L, found)
    np.testing.assert_allclose(found, np.linalg.solve(A, x), rtol=1e-9)


@SIZES
def test_the_inverse(r):
    A = positive_definite(r)
    found = packed(A)
    invert(found, np.empty(r))
    np.testing.assert_allclose(found, packed(np.linalg.inv(A)), rtol=1e-9, atol=1e-12)


@SIZES
def test_the_quadratic_form(r):
    A, x = positive_definite(r), np.random.default_rng(1).normal(size=r)
    assert square(packed(A), x) == pytest.approx(x @ A @ x, rel=1e-12)
