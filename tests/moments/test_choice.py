"""Held-out products against plain sums, and the shrunk correlations against what is known."""

import numpy as np
import pytest

from keyhole.moments.choice import compare, product_errors
from keyhole.moments.direct import direct
from keyhole.moments.rows import Rows


def complete_rows(X, label):
    n, d = X.shape
    columns = np.tile(np.arange(d + 1), n)
    return Rows(np.arange(n + 1) * (d + 1), columns, np.column_stack([X, label]).ravel(), d + 1)


def test_product_errors_are_the_plain_sums():
    rng = np.random.default_rng(0)
    X, label = rng.normal(size=(5, 3)), rng.normal(size=5)
    W, covariances = rng.normal(size=(4, 2)), rng.normal(size=3)
    rows = complete_rows(X, label)
    wanted = np.zeros(5)
    for i in range(3):
        wanted += (X[:, i] * label - covariances[i]) ** 2 - (X[:, i] * label - W[i] @ W[3]) ** 2
        for j in range(i):
            wanted += (X[:, i] * X[:, j]) ** 2 - (X[:, i] * X[:, j] - W[i] @ W[j]) ** 2
    got = product_errors(rows.start, rows.columns, rows.values, label, W, covariances)
    np.testing.assert_allclose(got, wanted, rtol=1e-12)


@pytest.mark.parametrize("shared", [True, False])
def test_the_family_that_made_the_data_wins(shared):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(600, 8)) + shared * rng.normal(size=(600, 1))
    label = X.mean(axis=1)
    outcome = compare(complete_rows(X / X.std(axis=0), label / label.std()), 4, 30, 0)
    assert outcome.diagonal_is_better is not shared
    assert abs(outcome.difference) > 2 * outcome.standard_error


def test_shrinking_makes_correlations_better_than_they_were():
    rng = np.random.default_rng(0)
    n, d = 400, 200
    X = rng.normal(size=(n, d))
    coef = rng.normal(size=d) / np.sqrt(d)
    label = X @ coef
    rows = complete_rows(X, label / label.std())
    said = direct(rows)
    raw = np.array([np.corrcoef(x, label)[0, 1] for x in X.T])
    true = coef / np.linalg.norm(coef)
    assert np.sum((said.correlations - true) ** 2) < 0.8 * np.sum((raw - true) ** 2)
    np.testing.assert_allclose(said.deviations, X.std(axis=0), rtol=1e-10)
    # A and the variance of the estimates are known here: both are 1 / 200 and 1 / 400.
    np.testing.assert_allclose(said.uncertainty.mean(), 1 / 600, rtol=0.2)
