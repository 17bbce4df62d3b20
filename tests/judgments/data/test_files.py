"""CSV and Parquet tables: broken files are refused with the line."""

import builtins

import numpy as np
import pandas
import pytest

from keyhole.errors import BadValue
from keyhole.judgments.data.files import (
    existing_file,
    numbers_of,
    place_in,
    read_columns,
    read_csv,
    read_keyed,
    read_parquet,
)


@pytest.fixture
def written(tmp_path):
    """A function that writes a CSV file and returns its path."""

    def write(text):
        path = tmp_path / "table.csv"
        path.write_text(text)
        return path

    return write


def test_columns_and_lines_of_a_csv_file(written):
    table = read_csv(written('name , value\n"two\nlines",1\no2,2\n\no3,3\n'))
    assert table == {"name": ["two\nlines", "o2", "", "o3"], "value": ["1", "2", "", "3"]}
    assert table.lines == [2, 4, 5, 6]
    assert place_in(written(""), table, 1).endswith("table.csv, line 4")


def test_broken_csv_files(tmp_path, written):
    with pytest.raises(FileNotFoundError, match="there is no file"):
        existing_file(tmp_path / "nowhere.csv")
    with pytest.raises(BadValue, match=r"table.csv is empty; its first line must name the columns"):
        read_csv(written(""))
    with pytest.raises(BadValue, match="line 2: the row has 2 cells, but the header names 3 columns"):
        read_csv(written("object,attribute,value\no1,a\n"))


def test_text_that_is_not_utf8_is_named(tmp_path):
    path = tmp_path / "table.csv"
    path.write_bytes("object\nköln\n".encode("latin-1"))
    with pytest.raises(BadValue, match=r"table.csv is not UTF-8 text"):
        read_csv(path)


def test_columns_that_are_needed(written):
    path = written("object,label\na,1\n")
    assert read_columns(path, ("label",))["label"] == ["1"]
    with pytest.raises(BadValue, match=r"has the columns \['object', 'label'\]; it needs \['cost'\]"):
        read_columns(path, ("cost",))


def test_numbers_of_a_column(written):
    path = written("object,label\na,1\nb,\nc,high\n")
    with pytest.raises(BadValue, match="line 4, column 'label': 'high' is not a number"):
        numbers_of(path, read_csv(path), "label")
    path = written("object,label\na,1\nb,\n")
    np.testing.assert_array_equal(numbers_of(path, read_csv(path), "label"), [1, np.nan])


def test_keys_come_once(written):
    path = written("object,attribute,value\na,x,1\n,,\na,y,2\n")
    assert read_keyed(path, ("object", "attribute"), "value") == {("a", "x"): 1.0, ("a", "y"): 2.0}
    with pytest.raises(BadValue, match="line 3: object 'o1' was given before"):
        read_keyed(written("object,label\no1,1\no1,2\n"), ("object",), "label")


def test_parquet(tmp_path):
    path = tmp_path / "table.parquet"
    pandas.DataFrame({"object": ["a", "b"], "label": [1.5, 2.5]}).to_parquet(path)
    assert read_parquet(path) == {"object": ["a", "b"], "label": [1.5, 2.5]}
    assert place_in(path, read_parquet(path), 1).endswith("table.parquet, row 1")


def test_parquet_without_pyarrow_names_what_to_install(tmp_path, monkeypatch):
    path = tmp_path / "table.parquet"
    pandas.DataFrame({"object": ["a"]}).to_parquet(path)
    plain_import = builtins.__import__

    def without_pyarrow(name, *rest, **more):
        if name.split(".")[0] == "pyarrow":
            raise ImportError(name)
        return plain_import(name, *rest, **more)

    monkeypatch.setattr(builtins, "__import__", without_pyarrow)
    with pytest.raises(ImportError, match=r"pip install keyhole\[data\]"):
        read_parquet(path)
