"""The lasso family: it finds the few attributes that matter, and fits them by least squares."""

import numpy as np

import keyhole as kh
from keyhole.moments.families.alternative import products_of
from keyhole.moments.families.lasso import Lasso
from keyhole.moments.standard.rows import standardised_rows
from moments.conftest import few_matter, random_rows, some_start


def test_it_finds_the_few_and_fits_them_by_least_squares():
    X, y, weights = few_matter()
    learner = kh.KeyholeRegressor(8, random_state=0).fit(X, y)
    solution = learner._solution()
    start = solution.start or solution
    rows = standardised_rows(learner.cells_, learner._targets(), start.scales)
    found = Lasso().moments(start.joint, rows).weights()[0]
    chosen = np.flatnonzero(np.abs(found) > 1e-9)
    assert set(np.flatnonzero(weights)) <= set(chosen)
    assert len(chosen) <= 12
    products = products_of(start.joint, rows)
    cross = products.with_label[chosen] / np.diag(products.counts)[chosen]
    np.testing.assert_allclose(start.joint.covariance(chosen) @ found[chosen], cross, atol=1e-9)


def test_labels_that_follow_nothing_keep_no_attribute():
    rows = random_rows(0, 500, 6, 2, 4)  # labels are drawn apart from the attributes
    found = Lasso().moments(some_start(), rows).weights()[0]
    np.testing.assert_allclose(found, 0.0, atol=1e-12)
