"""Covertype: attributes from 0 to 1, and two labels."""

import numpy as np

from keyhole.datasets import covertype


def test_covertype_is_scaled_and_has_two_labels(home, allowed, monkeypatch):
    X, y = np.array([[10.0, 3, 0], [20, 3, 1], [30, 3, 0]]), np.array([1, 2, 7])

    def fake(**settings):
        allowed("fetch_covtype", **settings)
        return X, y

    monkeypatch.setattr("sklearn.datasets.fetch_covtype", fake)
    scaled, labels = covertype()
    np.testing.assert_allclose(scaled, [[0, 0, 0], [0.5, 0, 1], [1, 0, 0]])
    np.testing.assert_array_equal(labels, [-1, 1, -1])
