"""The pairwise family: between the start and the mean of the revealed products."""

import numpy as np

from keyhole.moments.families import pairwise
from keyhole.moments.families.pairwise import Pairwise, shrunk
from keyhole.moments.families.settings import PRIOR_ROWS
from moments.conftest import plain_products, random_rows, some_start


def test_it_is_the_start_with_no_rows_and_the_mean_product_with_many(monkeypatch):
    start, everything = some_start(), np.arange(6)
    rows = random_rows(1, 4000, 6, 3, 5)
    monkeypatch.setattr(pairwise, "PRIOR_ROWS", 1e12)
    same = Pairwise().moments(start, rows)
    np.testing.assert_allclose(same.covariance(everything), start.covariance(everything), atol=1e-6)
    np.testing.assert_allclose(same.cross_covariance(), start.cross_covariance(), atol=1e-6)
    np.testing.assert_allclose(same.label_variance(), start.label_variance())
    monkeypatch.setattr(pairwise, "PRIOR_ROWS", 0.0)
    found, (pairs, counts, with_label) = Pairwise().moments(start, rows), plain_products(start, rows)
    np.testing.assert_allclose(found.covariance(everything), pairs / counts, atol=1e-10)
    np.testing.assert_allclose(found.cross_covariance()[:, 0], with_label / np.diag(counts), atol=1e-12)


def test_means_are_shrunk_by_so_many_rows_of_the_start():
    found = shrunk(np.array([100.0, 0.0]), np.array([50.0, 0.0]), np.array([1.0, 0.3]))
    np.testing.assert_allclose(found, [(100 + PRIOR_ROWS) / (50 + PRIOR_ROWS), 0.3])


def test_an_attribute_that_was_never_revealed_has_no_weight():
    start, rows = some_start(), random_rows(1, 300, 6, 2, 4)
    rows = rows._replace(columns=np.where(rows.columns == 2, 1, rows.columns))
    found = Pairwise().moments(start, rows)
    assert found.weights()[0, 2] == 0.0
    assert np.isfinite(found.weights()).all()
    assert np.linalg.eigvalsh(found.covariance(np.arange(6)))[0] > 0
