"""Rows of which some cells are missing, in groups that know the same attributes."""

import numpy as np
import pytest
from scipy import sparse

import keyhole as kh
from keyhole.moments.predict import partial_rows
from keyhole.moments.predict.partial_rows import by_pattern, rows_alike, tables_with_gaps
from keyhole.observe import CallableSource, as_source

HOLES = np.array([[1.0, np.nan, 3.0], [np.nan] * 3, [4.0, 5.0, 6.0], [7.0, np.nan, 9.0]])


@pytest.mark.parametrize(
    "table",
    [
        HOLES,
        HOLES.astype(np.float32),
        np.where(np.isnan(HOLES), None, HOLES),
        CallableSource(lambda example, attributes: HOLES[example, attributes], 4, 3),
    ],
    ids=["floats", "short floats", "objects", "a function"],
)
@pytest.mark.parametrize("at_once", [1, 7, 100])
def test_rows_of_every_source_come_some_at_a_time_with_nan_for_gaps(table, at_once, monkeypatch):
    monkeypatch.setattr(partial_rows, "CELLS_AT_ONCE", at_once)
    parts = list(tables_with_gaps(as_source(table)))
    assert len(parts) == -(-4 // max(at_once // 3, 1))
    np.testing.assert_array_equal(np.vstack(parts), HOLES)


def test_cells_that_a_sparse_matrix_does_not_store_are_zero_and_no_gaps():
    (table,) = tables_with_gaps(as_source(sparse.csr_array(np.nan_to_num(HOLES))))
    np.testing.assert_array_equal(table, np.nan_to_num(HOLES))


def test_infinity_is_refused_with_the_number_of_its_row(monkeypatch):
    monkeypatch.setattr(partial_rows, "CELLS_AT_ONCE", 3)
    table = HOLES.copy()
    table[3, 2] = np.inf
    with pytest.raises(kh.BadValue, match="example 3, attribute 'x2': infinity"):
        list(tables_with_gaps(as_source(table)))


def test_rows_are_grouped_by_what_they_know():
    present, used = ~np.isnan(HOLES), np.array([2, 5, 8])  # of columns that have a weight
    found = {S.shape[1]: (rows, S, which) for rows, S, which in by_pattern(present, used)}
    assert sorted(found) == [0, 2, 3]
    for rows, S, which in found.values():
        for t, w in zip(rows, which, strict=True):
            np.testing.assert_array_equal(S[w], used[present[t]])
    assert found[2][0].tolist() == [0, 3]
    assert len(found[2][1]) == 1  # one subset serves both


def test_every_row_is_in_one_group_of_by_pattern():
    present = np.random.default_rng(0).random((200, 11)) < 0.5
    rows = np.concatenate([group[0] for group in by_pattern(present, np.arange(11))])
    assert sorted(rows.tolist()) == list(range(200))


def test_rows_are_alike_where_the_same_is_known_and_the_same_could_not_be_had():
    table, missing = np.vstack([HOLES, HOLES]), np.zeros((8, 3), dtype=bool)
    missing[4, 1] = True
    groups = rows_alike(np.array([0, 1, 3, 4, 7]), table, missing)
    assert sorted(group.tolist() for group in groups) == [[0, 3, 7], [1], [4]]
