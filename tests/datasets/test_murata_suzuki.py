import numpy as np
import pytest

from keyhole.datasets import murata_suzuki


def test_the_stream_is_what_it_says():
    stream = murata_suzuki(20_000, random_state=0)
    X, y = stream.table(), stream.labels()
    assert X.shape == (20_000, 500)
    np.testing.assert_array_equal(stream.coef[:26], [1.0] * 13 + [-1.0] * 12 + [0.0])
    n = X.size
    assert abs(X.mean()) < 5 / np.sqrt(n)
    assert abs(X.astype(float).var() - 1) < 5 * np.sqrt(2 / n)
    assert abs((X.astype(float) ** 4).mean() - 3) < 5 * np.sqrt(96 / n)
    correlations = np.corrcoef(np.column_stack([X[:, :60], y - X @ stream.coef]).T) - np.eye(61)
    assert np.abs(correlations).max() < 5.5 / np.sqrt(20_000)
    neighbours = np.corrcoef(X[:-1, :60].ravel(), X[1:, :60].ravel())[0, 1]
    assert abs(neighbours) < 5 / np.sqrt(60 * 20_000)
    assert np.var(y - X @ stream.coef) == pytest.approx(1.0, abs=0.05)


def test_cells_do_not_depend_on_how_they_are_read():
    stream = murata_suzuki(1000, n_attributes=30, random_state=7)
    X = stream.table()
    np.testing.assert_array_equal(stream.table(200, 210), X[200:210])
    np.testing.assert_array_equal(stream.labels(200, 210), stream.labels()[200:210])
    wanted = np.array([29, 3, 0])
    np.testing.assert_array_equal(stream.source.read(999, wanted).astype(np.float32), X[999, wanted])
    again, other = murata_suzuki(1000, 30, random_state=7), murata_suzuki(1000, 30, random_state=8)
    np.testing.assert_array_equal(again.table(), X)
    assert (other.table() != X).all()


def test_excess_is_the_expected_one():
    stream = murata_suzuki(200_000, n_attributes=6, n_nonzero=3, random_state=0)
    coef = np.array([0.5, 1.0, -1.0, 0.2, 0.0, 0.0])
    X, y = stream.table().astype(float), stream.labels()
    measured = np.mean((X @ coef + 0.1 - y) ** 2) - np.mean((X @ stream.coef - y) ** 2)
    assert stream.excess(coef, 0.1) == pytest.approx(0.3)
    assert measured == pytest.approx(0.3, abs=0.02)
