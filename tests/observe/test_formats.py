"""Files as blocks of numbers, with the text of what is no number beside them."""

import sys

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

from keyhole.observe import TableSource, formats, read_table


@pytest.fixture(params=["with pyarrow", "without pyarrow"])
def _pyarrow_or_not(request, monkeypatch):
    if request.param == "without pyarrow":
        for name in ("pyarrow", "pyarrow.csv", "pyarrow.parquet"):
            monkeypatch.setitem(sys.modules, name, None)


def joined(blocks):
    """All rows, and the texts by row of the file."""
    numbers, texts, start = [], {}, 0
    for block, written in blocks:
        numbers.append(block)
        texts |= {(start + row, column): text for (row, column), text in written.items()}
        start += len(block)
    return np.concatenate(numbers), texts


@pytest.mark.usefixtures("_pyarrow_or_not")
def test_csv_blocks_hold_numbers_and_texts(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("a,b,c\n1,tall,3\n4,,-inf\n")
    numbers, texts = joined(formats.csv_blocks(path, ["c", "b"]))
    np.testing.assert_array_equal(numbers, [[3, np.nan], [np.nan, np.nan]])
    assert texts == {(0, 1): "tall", (1, 0): "-inf"}


@pytest.mark.usefixtures("_pyarrow_or_not")
def test_a_large_table_is_read_in_blocks(tmp_path, monkeypatch):
    monkeypatch.setattr(formats, "CELLS_AT_ONCE", 30)
    rows = np.random.default_rng(0).normal(size=(50, 4))
    path = tmp_path / "t.csv"
    text = "".join(",".join(map(repr, row)) + "\n" for row in rows.tolist())
    path.write_text("a,b,c,y\n" + text.replace(repr(rows[47, 1].item()), "x"))
    table = read_table(path, label="y")
    assert isinstance(table, TableSource)
    np.testing.assert_array_equal(table.X[:47], rows[:47, :3])
    with pytest.raises(ValueError, match="line 49, column 'b': 'x'"):
        table.read(47, np.array([1]))


def test_parquet_blocks_follow_the_wanted_columns(tmp_path, monkeypatch):
    monkeypatch.setattr(formats, "CELLS_AT_ONCE", 4)
    path = tmp_path / "t.parquet"
    parquet.write_table(pa.table({"a": [1, 2, 3], "b": ["x", "5", None]}), path)
    numbers, texts = joined(formats.parquet_blocks(path, ["b", "a"]))
    np.testing.assert_array_equal(numbers, [[np.nan, 1], [5, 2], [np.nan, 3]])
    assert texts == {(0, 0): "x"}


def test_records_know_their_line(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text('a,b\n\n1,"two\nlines"\n3,4\n')
    assert list(formats.csv_records(path)) == [(1, ["a", "b"]), (3, ["1", "two\nlines"]), (5, ["3", "4"])]
