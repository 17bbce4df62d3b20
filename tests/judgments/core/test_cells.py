"""Statistics of cells: weighted judgments leave the variance unbiased, and empty cells are unknown."""

import itertools

import numpy as np
import pytest

from keyhole.judgments.core.cells import available_mean, cell_statistics


def test_weights_on_judgments_leave_the_variance_unbiased():
    """With any weights, over all outcomes of three judgments: E[variance] = p(1-p) and the noise is exact."""
    weights, p = np.array([[[0.3, 2.0, 1.1]]]), 0.3
    variance = noise = mean_square = 0.0
    for bits in itertools.product((0.0, 1.0), repeat=3):
        probability = np.prod([p if bit else 1 - p for bit in bits])
        cells = cell_statistics(np.array([[bits]]), weights)
        variance += probability * cells.variance[0, 0]
        noise += probability * cells.variance[0, 0] * cells.inverse_count[0, 0]
        mean_square += probability * (cells.mean[0, 0] - p) ** 2
    assert variance == pytest.approx(p * (1 - p), abs=1e-12)
    assert noise == pytest.approx(mean_square, abs=1e-12)


def test_complete_cells_and_cells_with_gaps_agree():
    values = np.random.default_rng(0).normal(size=(5, 2, 3))
    padded = np.concatenate([values, np.full((5, 2, 1), np.nan)], axis=2)
    for fast, slow in zip(cell_statistics(values), cell_statistics(padded), strict=True):
        np.testing.assert_allclose(fast, slow, rtol=1e-12)
    np.testing.assert_allclose(cell_statistics(values).variance, values.var(axis=2, ddof=1))


def test_one_judgment_has_no_variance_and_an_empty_cell_no_mean():
    cells = cell_statistics(np.array([[[3.0, np.nan], [np.nan, np.nan]]]))
    assert cells.mean[0, 0] == 3.0
    assert cells.inverse_count[0, 0] == 1.0
    assert np.isnan([cells.variance[0, 0], cells.mean[0, 1], cells.inverse_count[0, 1]]).all()
    assert np.isnan(cell_statistics(np.ones((2, 1, 1))).variance).all()


def test_the_mean_is_over_the_objects_that_have_a_value():
    x = np.array([[1.0, np.nan], [3.0, np.nan], [np.nan, np.nan]])
    mean = available_mean(x, np.array([1.0, 3.0, 10.0]))
    assert mean[0] == pytest.approx(2.5)
    assert np.isnan(mean[1])
