"""The compiled factor model against the textbook, and what it must find."""

import numpy as np
import pytest

from keyhole.moments.factors import Factors, Sums, add_rows, fit_factors, joint_of, update_columns
from keyhole.moments.rows import Rows
from moments.reference import one_turn


def random_rows(seed, n, d, fewest, most):
    rng = np.random.default_rng(seed)
    columns, values, start = [], [], [0]
    for _ in range(n):
        chosen = np.sort(rng.choice(d, size=rng.integers(fewest, most + 1), replace=False))
        columns += [*chosen, d]
        values += list(rng.normal(size=len(chosen) + 1))
        start.append(len(columns))
    return Rows(np.array(start), np.array(columns), np.array(values), d + 1, 1)


@pytest.mark.parametrize(("fewest", "most"), [(0, 2), (6, 9), (0, 9)])
def test_a_turn_is_the_textbooks(fewest, most):
    rows, rank = random_rows(0, 60, 9, fewest, most), 4
    rng = np.random.default_rng(1)
    mean, W, noise = rng.normal(size=10), rng.normal(size=(10, rank)), rng.uniform(0.2, 2.0, size=10)
    wanted = one_turn(rows, mean, W, noise)
    sums = Sums(np.zeros((10, rank, rank)), np.zeros((10, rank)), np.zeros((10, rank)))
    add_rows(rows.start, rows.columns, rows.values, mean, W, noise, sums)
    count = np.bincount(rows.columns, minlength=10).astype(float)
    total = np.bincount(rows.columns, rows.values, minlength=10)
    squares = np.bincount(rows.columns, rows.values**2, minlength=10)
    update_columns(count, total, squares, sums, mean, W, noise)
    for got, want in zip((mean, W, noise), wanted, strict=True):
        np.testing.assert_allclose(got, want, rtol=1e-9, atol=1e-10)


def test_weights_are_those_of_the_dense_covariance():
    rng = np.random.default_rng(0)
    factors = Factors(np.zeros(8), rng.normal(size=(8, 3)), rng.uniform(0.5, 1, size=8), 1)
    W, c = factors.loadings[:-1], factors.loadings[-1]
    dense = np.linalg.solve(W @ W.T + np.diag(factors.noise[:-1]), W @ c)
    np.testing.assert_allclose(joint_of(factors, 1).weights()[0], dense, rtol=1e-10)


def test_finds_the_covariance_from_a_fifth_of_the_cells():
    rng = np.random.default_rng(0)
    n, d = 4000, 30
    W = 0.6 * rng.normal(size=(d, 2))
    h = rng.normal(size=(n, 2))
    X = h @ W.T + 0.6 * rng.normal(size=(n, d))
    label = h[:, 0] + 0.3 * rng.normal(size=n)
    chosen = np.sort(np.argsort(rng.random((n, d)), axis=1)[:, :6], axis=1)
    columns = np.column_stack([chosen, np.full(n, d)]).ravel()
    values = np.column_stack([np.take_along_axis(X, chosen, 1), label]).ravel()
    factors = fit_factors(Rows(np.arange(n + 1) * 7, columns, values, d + 1, 1), 4, 200, 0)
    found = factors.loadings[:-1] @ factors.loadings.T
    true = W @ np.vstack([W, [1.0, 0.0]]).T
    assert factors.turns < 200
    assert np.abs(found - true).mean() < 0.05 * np.abs(true).max()
    assert np.corrcoef(found.ravel(), true.ravel())[0, 1] > 0.99


def test_a_column_never_seen_has_no_loadings():
    rows = random_rows(0, 50, 4, 1, 4)
    factors = fit_factors(rows._replace(columns=np.where(rows.columns == 2, 1, rows.columns)), 2, 5, 0)
    np.testing.assert_array_equal(factors.loadings[2], 0.0)
    assert np.isfinite(joint_of(factors, 1).weights()).all()
