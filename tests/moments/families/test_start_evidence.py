"""Which start held-out rows support: products against plain sums, and data whose family is known."""

import numpy as np
import pytest

from keyhole.moments.families.start_evidence import (
    StartEvidence,
    compare,
    product_parts,
    squared_correlations,
    start_evidence,
)
from keyhole.moments.standard.rows import Rows
from moments.conftest import complete_rows, shared_factors, training, with_holes


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
def test_the_family_that_made_the_data_is_supported(shared):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(600, 8)) + shared * rng.normal(size=(600, 1))
    label = X.mean(axis=1)
    rows = complete_rows(X / X.std(axis=0), label / label.std())
    evidence = compare(rows, squared_correlations(rows), 4, 30, 0)
    assert evidence.supports_diagonal is not shared
    assert evidence.attributes_covary is shared
    assert evidence.may_be_uncorrelated is not shared


def evidence_of(**changes):
    """Nothing that supports factors, unless something is changed."""
    nothing = dict.fromkeys(("slope", "difference"), 0.0) | {"explained": 0.5}
    errors = {"slope_error": 0.1, "difference_error": 0.1, "explained_error": 0.1}
    return StartEvidence(**nothing | errors | changes)


@pytest.mark.parametrize(
    ("changes", "factors", "diagonal"),
    [
        ({}, False, True),
        ({"slope": 0.21}, True, False),
        ({"slope": 0.19}, False, True),  # within two standard errors of 0
        ({"slope": 0.09, "slope_error": 0.01}, False, True),  # almost all of the prediction is noise
        ({"difference": 0.21}, True, False),
        ({"explained": 1.3}, True, False),  # uncorrelated attributes explain no more than everything
        ({"explained": 2.9, "explained_error": 1.0}, False, False),  # too little is known for either
    ],
)
def test_what_supports_factors_and_what_a_diagonal(changes, factors, diagonal):
    evidence = evidence_of(**changes)
    assert (evidence.supports_factors, evidence.supports_diagonal) == (factors, diagonal)


def test_the_evidence_in_words_has_every_number_with_its_standard_error():
    words = str(evidence_of(slope=1.1, slope_error=0.13))
    assert "observed products of two attributes rise by 1.1 ± 0.13 per unit predicted" in words
    assert words.endswith("each ± is one standard error")


def test_squared_correlations_are_corrected_for_sampling():
    rng = np.random.default_rng(0)
    X, noise = rng.normal(size=(20_000, 10)), rng.normal(size=20_000)
    label = X[:, 0] + X[:, 1] + noise
    value, error = squared_correlations(complete_rows(X, label / label.std()))
    assert value == pytest.approx(2 / 3, abs=3 * error)
    value, error = squared_correlations(complete_rows(X[:500], noise[:500]))
    assert value == pytest.approx(0.0, abs=3 * error)


def test_at_most_so_many_rows_are_compared():
    X, y = shared_factors(600)
    data = training(with_holes(X, 4), y)
    part = data.where(data.sample(200))
    limited, whole = start_evidence(data, 20, max_rows=200), start_evidence(data, 20)
    assert limited.slope_error > whole.slope_error
    # What attributes explain one by one needs no folds, and is that of all rows.
    assert (limited.explained, limited.explained_error) == (whole.explained, whole.explained_error)
    assert start_evidence(part, 20, max_rows=200).explained != whole.explained
    assert limited.supports_factors
