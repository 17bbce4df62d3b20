"""Revealed cells as standardised rows."""

import numpy as np

from keyhole.moments.standard.rows import Rows, standardised_rows
from keyhole.moments.standard.scales import Scales
from moments.conftest import cells_of, random_rows

THREE = Rows(np.array([0, 2, 3, 6]), np.array([0, 3, 3, 1, 2, 3]), np.arange(6.0), 4, 1)


def test_rows_are_drawn_with_their_cells():
    drawn = THREE.take(np.array([2, 0, 2]))
    assert drawn.start.tolist() == [0, 3, 5, 8]
    assert drawn.values.tolist() == [3, 4, 5, 0, 1, 3, 4, 5]
    assert drawn.columns.tolist() == [1, 2, 3, 0, 3, 1, 2, 3]


def test_a_mask_keeps_what_taking_its_rows_keeps():
    rows = random_rows(0, 30, 5, 0, 4, n_labels=2)
    keep = np.random.default_rng(1).random(30) < 0.4
    for one, other in zip(rows.where(keep), rows.take(np.flatnonzero(keep)), strict=True):
        np.testing.assert_array_equal(one, other)
    assert rows.where(np.zeros(30, dtype=bool)).n_rows == 0


def test_sizes_numbers_of_rows_and_labels():
    assert (THREE.n_rows, THREE.n_attributes) == (3, 3)
    assert THREE.row.tolist() == [0, 0, 1, 2, 2, 2]
    assert THREE.labels.tolist() == [[1.0], [2.0], [5.0]]
    np.testing.assert_array_equal(THREE.table, [[0, np.nan, np.nan], [np.nan] * 3, [np.nan, 3, 4]])


def test_several_labels_are_the_last_cells_of_every_row():
    rows = random_rows(0, 10, 4, 0, 3, n_labels=2)
    for t in range(10):
        np.testing.assert_array_equal(rows.labels[t], rows.values[rows.start[t + 1] - 2 : rows.start[t + 1]])


def test_cells_and_labels_are_standardised_and_what_is_left_out_is_not_there():
    X = np.array([[1.0, 2.0, np.nan], [np.nan, np.nan, np.nan], [3.0, np.nan, 6.0]])
    labels = np.array([[10.0, 1.0], [20.0, 2.0], [30.0, 3.0]])
    scales = Scales(np.array([1.0, 0.0, 2.0]), np.array([2.0, 0.0, 4.0]), np.array([20.0, 0.0]), np.array([10.0, 0.0]))
    rows = standardised_rows(cells_of(X, labels[:, 0]), labels, scales)
    assert rows.start.tolist() == [0, 3, 5, 9]
    assert rows.columns.tolist() == [0, 3, 4, 3, 4, 0, 2, 3, 4]
    assert rows.values.tolist() == [0.0, -1.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 0.0]  # a label that never varies is 0
    assert (rows.n_columns, rows.n_labels) == (5, 2)
