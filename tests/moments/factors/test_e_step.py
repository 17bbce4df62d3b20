"""The expectation step against dense matrices: moments of the factors by row, and their sums by column."""

import numpy as np
import pytest

from keyhole.moments.factors.blocks import blocks_of
from keyhole.moments.factors.e_step import (
    Parameters,
    Sums,
    add_to_columns,
    moments_of_long_row,
    moments_of_rows,
    moments_of_short_row,
)
from keyhole.moments.factors.m_step import labels_as_prior
from moments.conftest import random_rows, textbook_moments


def dense(packed, r):
    matrix = np.zeros((r, r))
    matrix[np.tril_indices(r)] = packed
    return matrix + np.tril(matrix, -1).T


def expectation(rows, r, seed=1):
    """By the compiled step, in the coordinates of h: E[h] and E[h h'] of every row; and the packed sums of both."""
    d, L, n = rows.n_attributes, rows.n_labels, rows.n_rows
    rng = np.random.default_rng(seed)
    mean, W, noise = rng.normal(size=d + L), rng.normal(size=(d + L, r)), rng.uniform(0.2, 2.0, size=d + L)
    M, inverse, _, rotated = labels_as_prior(W[d:], noise[d:])
    now = Parameters(mean[:d], noise[:d], W[:d] @ inverse.T, mean[d:], rotated)
    cells, size = blocks_of(rows), r * (r + 1) // 2
    h, P = np.empty((n, r)), np.empty((n, size))
    sums = Sums(np.zeros(size), np.zeros((L, r)), np.zeros(r))
    moments_of_rows(0, n, 0, cells.start, cells.columns, cells.values, cells.labels, now, h, P, *sums)
    return (mean, W, noise), np.linalg.inv(M), (h, P), sums, cells


@pytest.mark.parametrize("n_labels", [1, 3])
@pytest.mark.parametrize(("fewest", "most"), [(0, 0), (1, 4), (5, 9), (0, 9)])
def test_moments_of_a_row_are_the_textbooks(n_labels, fewest, most):
    rows, r = random_rows(0, 25, 9, fewest, most, n_labels), 4
    (mean, W, noise), inverse, (h, P), _, _ = expectation(rows, r)
    for t in range(rows.n_rows):
        cells = slice(rows.start[t], rows.start[t + 1])
        which = rows.columns[cells]
        wanted, covariance = textbook_moments(W[which], noise[which], rows.values[cells] - mean[which])
        # The step works in the coordinates M' h.
        np.testing.assert_allclose(inverse.T @ h[t], wanted, rtol=1e-9, atol=1e-11)
        second = inverse.T @ dense(P[t], r) @ inverse
        np.testing.assert_allclose(second, covariance + np.outer(wanted, wanted), rtol=1e-9, atol=1e-11)


def test_sums_for_the_labels_are_those_over_rows():
    rows, r = random_rows(0, 25, 9, 0, 9, 2), 4
    *_, (h, P), sums, cells = expectation(rows, r)
    np.testing.assert_allclose(sums.products, P.sum(axis=0), rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(sums.cross, cells.labels.T @ h, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(sums.factors, h.sum(axis=0), rtol=1e-12, atol=1e-12)


def test_sums_of_a_column_are_those_over_its_cells():
    """Columns with one to many cells: four at a time, and the rest one by one."""
    rows, r = random_rows(3, 40, 6, 0, 6), 3
    *_, (h, P), _, cells = expectation(rows, r)
    sums = Sums(np.zeros((6, P.shape[1])), np.zeros((6, r)), np.zeros((6, r)))
    add_to_columns(0, len(cells.order), 0, cells.order, cells.row, cells.columns, cells.values, h, P, sums)
    for i in range(6):
        mine = cells.columns == i
        row = cells.row[mine]
        np.testing.assert_allclose(sums.products[i], P[row].sum(axis=0), rtol=1e-11, atol=1e-12)
        np.testing.assert_allclose(sums.cross[i], cells.values[mine] @ h[row], rtol=1e-11, atol=1e-12)
        np.testing.assert_allclose(sums.factors[i], h[row].sum(axis=0), rtol=1e-11, atol=1e-12)


@pytest.mark.parametrize(("k", "r"), [(3, 4), (3, 9), (8, 5)])
def test_sums_do_not_depend_on_where_arrays_lie_in_memory(k, r):
    """Results are the same to the last digit when the arrays that are written lie close behind those that are read."""
    rng = np.random.default_rng(0)
    W, z, noise = rng.normal(size=(k, r)), rng.normal(size=k), rng.uniform(0.5, 1.0, size=k)
    found = set()
    for gap in range(0, 40, 2):
        room, at = np.zeros(4000), 0
        parts = []
        for size in (k * r, r, (k + 3) * r, r, r, r * (r + 1) // 2):
            parts.append(room[at : at + size])
            at += size + gap
        rotated, h, V = parts[0].reshape(k, r), parts[1], parts[2].reshape(k + 3, r)
        rotated[:], h[:] = W, 0.1
        now = Parameters(np.zeros(k), noise, rotated, np.zeros(1), np.zeros((1, r)))
        if k <= r:
            moments_of_short_row(np.arange(k), z, now, np.empty((k, k)), V, np.empty(k), h, parts[5])
        else:
            moments_of_long_row(np.arange(k), z, now, V, parts[3], parts[4], h, parts[5])
        found.add((h.tobytes(), parts[5].tobytes()))
    assert len(found) == 1
