"""Held-out products against plain sums, and the shrunk correlations against what is known."""

import numpy as np
import pytest

from keyhole.moments.choice import compare, explained_singly, product_parts
from keyhole.moments.direct import direct
from keyhole.moments.rows import Rows


def complete_rows(X, label):
    n, d = X.shape
    columns = np.tile(np.arange(d + 1), n)
    return Rows(np.arange(n + 1) * (d + 1), columns, np.column_stack([X, label]).ravel(), d + 1, 1)


def test_product_parts_are_the_plain_sums():
    rng = np.random.default_rng(0)
    X, labels = rng.normal(size=(5, 3)), rng.normal(size=(5, 2))
    W, C, covariances = rng.normal(size=(3, 2)), rng.normal(size=(2, 2)), rng.normal(size=(3, 2))
    columns = np.tile(np.arange(5), 5)
    rows = Rows(np.arange(6) * 5, columns, np.column_stack([X, labels]).ravel(), 5, 2)
    wanted = np.zeros((5, 3))
    for i in range(3):
        for label in range(2):
            product = X[:, i] * labels[:, label]
            wanted[:, 0] += (product - covariances[i, label]) ** 2 - (product - W[i] @ C[label]) ** 2
        for j in range(i):
            wanted[:, 1] += X[:, i] * X[:, j] * (W[i] @ W[j])
            wanted[:, 2] += (W[i] @ W[j]) ** 2
    got = product_parts(rows.start, rows.columns, rows.values, labels, W, W @ C.T, covariances)
    np.testing.assert_allclose(got, wanted, rtol=1e-12)


@pytest.mark.parametrize("shared", [True, False])
def test_the_family_that_made_the_data_wins(shared):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(600, 8)) + shared * rng.normal(size=(600, 1))
    label = X.mean(axis=1)
    rows = complete_rows(X / X.std(axis=0), label / label.std())
    outcome = compare(rows, rows, explained_singly(rows), 4, 30, 0)
    assert outcome.diagonal_is_better is not shared
    assert outcome.attributes_covary is shared
    assert outcome.each_may_stand_alone is not shared


def test_shrinking_makes_correlations_better_than_they_were():
    rng = np.random.default_rng(0)
    n, d = 400, 200
    X = rng.normal(size=(n, d))
    coef = rng.normal(size=d) / np.sqrt(d)
    label = X @ coef
    rows = complete_rows(X, label / label.std())
    said = direct(rows)
    raw = np.array([np.corrcoef(x, label)[0, 1] for x in X.T])
    true = coef * X.std(axis=0) / label.std()
    assert np.sum((said.weights[:, 0] - true) ** 2) < 0.8 * np.sum((raw - true) ** 2)
    np.testing.assert_allclose(said.variance, X.var(axis=0), rtol=1e-10)
