"""The small table: rows and columns, text, CSV and HTML."""

import csv

import numpy as np
import pytest

from keyhole.judgments.data.columns import SHOWN_ROWS, Columns

TABLE = Columns(attribute=["tall", "<b>"], share=[0.25, float("nan")], repeats=[3, 1])


def test_rows_and_columns():
    assert Columns.from_rows(("attribute", "repeats"), [("tall", 3), ("male", 1)]) == {
        "attribute": ["tall", "male"],
        "repeats": [3, 1],
    }
    assert (len(TABLE), TABLE.n_rows, Columns().n_rows) == (3, 2, 0)
    assert next(iter(TABLE.rows())) == ("tall", 0.25, 3)
    with pytest.raises(ValueError, match="zip"):
        list(Columns(a=[1], b=[1, 2]).rows())


def test_text_aligns_numbers_to_the_right_and_leaves_unknown_ones_empty():
    assert str(TABLE).splitlines() == [
        "attribute  share  repeats",
        "tall        0.25        3",
        "<b>                     1",
    ]


def test_long_tables_are_cut():
    lines = str(Columns(x=list(range(SHOWN_ROWS + 5)))).splitlines()
    assert len(lines) == SHOWN_ROWS + 2
    assert lines[-1] == "... and 5 more rows"


def test_csv_has_exact_numbers_and_empty_cells_for_unknown_ones(tmp_path):
    Columns(name=["a,b", "c"], value=[1 / 3, np.nan]).to_csv(tmp_path / "table.csv")
    with open(tmp_path / "table.csv", newline="") as file:
        rows = list(csv.reader(file))
    assert rows == [["name", "value"], ["a,b", repr(1 / 3)], ["c", ""]]


def test_a_failed_write_leaves_the_earlier_file(tmp_path):
    path = tmp_path / "table.csv"
    TABLE.to_csv(path)
    before = path.read_bytes()
    with pytest.raises(ValueError, match="zip"):
        Columns(a=[1], b=[1, 2]).to_csv(path)
    assert path.read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == ["table.csv"]


def test_html_escapes_text_and_marks_numbers():
    page = TABLE.to_html()
    assert "<td>&lt;b&gt;</td>" in page
    assert '<td class="number">0.25</td>' in page
    assert page == TABLE._repr_html_()
