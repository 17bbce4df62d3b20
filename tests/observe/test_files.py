"""Tables in files: text is converted when it is revealed, and complaints name the place."""

import sys

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

from keyhole import AERR, Attribute, BadValue
from keyhole.moments.policy.policy import ask_of
from keyhole.observe import Source, read_table, reveal


@pytest.fixture(params=["with pyarrow", "without pyarrow"])
def reader(request, monkeypatch):
    """CSV is read with pyarrow and without, and must come out the same."""
    if request.param == "without pyarrow":
        for name in ("pyarrow", "pyarrow.csv", "pyarrow.parquet"):
            monkeypatch.setitem(sys.modules, name, None)
    return read_table


def written(path, text):
    path.write_text(text, encoding="utf-8")
    return path


def test_numbers_take_the_compiled_path(reader, tmp_path):
    path = written(tmp_path / "t.csv", '"a, ""b""",y,c\n1,2,3\n"4",5e0,-6\n\n7, 8 ,9\n')
    table = reader(path, label="y")
    assert isinstance(table, Source)
    assert [a.name for a in table.attributes] == ['a, "b"', "c"]
    np.testing.assert_array_equal(table.table, [[1, 3], [4, -6], [7, 9]])
    assert table.table.flags.c_contiguous
    np.testing.assert_array_equal(table.labels, [2, 5, 8])
    np.testing.assert_array_equal(table.read(1, np.array([1, 0])), [-6, 4])
    table.check_complete()


def test_columns_are_picked_by_name(reader, tmp_path):
    path = written(tmp_path / "t.csv", "a,b,c\n1,x,3\n4,,6\n")
    np.testing.assert_array_equal(reader(path, columns=["c", "a"]).table, [[3, 1], [6, 4]])
    np.testing.assert_array_equal(reader(path, label="c", drop=["b"]).table, [[1], [4]])


def test_text_in_a_column_of_numbers_harms_nothing_until_it_is_revealed(reader, tmp_path):
    path = written(tmp_path / "t.csv", "a,b,y\n1,,3\n\n4,tall,6\nNaN,2,1\n5,-inf,1\nNA,3,1\n")
    table = reader(path, label="y")
    assert table.table is None
    assert table.read(0, np.array([0, 1])) == [1.0, None]
    assert table.read(1, np.array([0])) == [4.0]
    assert table.read(2, np.array([0])) == table.read(4, np.array([0])) == [None]
    for example, attribute, complaint in (
        (1, 1, "t.csv, line 4, column 'b': 'tall' was revealed; it must be a finite number"),
        (3, 1, "t.csv, line 6, column 'b': '-inf' was revealed"),
    ):
        with pytest.raises(BadValue, match=complaint):
            table.read(example, np.array([attribute]))
    with pytest.raises(ValueError, match="line 2, column 'b': there is no value"):
        table.check_complete()


@pytest.mark.parametrize("nothing", ["", "NaN", "nan", "NA", "null", "None", "N/A"])
def test_missing_cells_take_the_compiled_path(reader, nothing, tmp_path):
    table = reader(written(tmp_path / "t.csv", f"a,b\n1,2\n{nothing},4\n"))
    np.testing.assert_array_equal(table.table, [[1, 2], [np.nan, 4]])


def test_columns_of_text_and_dates_are_refused_by_name_unless_declared(reader, tmp_path):
    lines = ["a,site,since,ok,y", "1,Basel,2020-01-01,yes,3", "4,NA,1970-01-02T12:00,no,6", "5,07,,1,6", "1,Rome,,,1"]
    path = written(tmp_path / "t.csv", "\n".join(lines))
    with pytest.raises(ValueError, match=r"t.csv: column 'site' has the type text \(such as 'Basel'\).*read_table"):
        reader(path, label="y")
    with pytest.raises(ValueError, match="column 'since' has the type text"):
        reader(path, label="y", drop=["site"])
    kinds = [
        Attribute("site", kind="choice", choices=("Basel", "07", "NA", "Rome"), cost=2),
        Attribute("since", kind="date"),
        Attribute("ok", kind="yes/no"),
    ]
    table = reader(path, label="y", attributes=kinds)
    assert [a.kind for a in table.attributes] == ["number", "choice", "date", "yes/no"]
    everything = ask_of(np.arange(4), np.ones(4))
    values = [reveal(table, t, everything, absent=True) for t in range(3)]
    np.testing.assert_array_equal(values, [[1, 0, 18262, 1], [4, 2, 1.5, 0], [5, 1, np.nan, 1]])
    kinds[0] = Attribute("site", kind="choice", choices=("Basel", "Rome"))
    table = reader(path, label="y", attributes=kinds)
    assert table.read(1, np.array([1])) == [None]  # NA is no choice, and so it is missing
    with pytest.raises(BadValue, match="example 2, attribute 'site': '07' was revealed; it must be one of the choices"):
        reveal(table, 2, everything)
    with pytest.raises(ValueError, match="attributes: there is no column 'town'"):
        reader(path, label="y", attributes=[Attribute("town")])


def test_large_whole_numbers_and_unnamed_columns_are_named(reader, tmp_path):
    path = written(tmp_path / "t.csv", ",id,mass,y\n0,1,1e20,3\n1,9007199254740993,2e20,6\n2,7,3e20,1\n")
    with pytest.warns(UserWarning, match="attribute 'id' has whole numbers beyond 2") as caught:
        table = reader(path, label="y")
    assert not [one for one in caught if "mass" in str(one.message)]
    with pytest.warns(UserWarning, match=r"column 0 has no name of its own \(''\)"):
        AERR(2, random_state=0).fit(table, table.labels)


def test_a_line_is_counted_as_an_editor_counts(reader, tmp_path):
    path = written(tmp_path / "t.csv", 'a,b\n"1\n",2\n\n3,x\n')
    table = reader(path)
    with pytest.raises(BadValue, match="line 5, column 'b'"):
        table.check_complete()


def test_examples_with_an_absent_value_are_skipped(reader, tmp_path):
    rng = np.random.default_rng(0)
    lines = [",".join("" if rng.random() < 0.1 else f"{x:.3f}" for x in rng.normal(size=6)) for _ in range(80)]
    path = written(tmp_path / "t.csv", "a,b,c,d,e,f,y\n" + "".join(f"{line},{i % 3}\n" for i, line in enumerate(lines)))
    table = reader(path, label="y")
    learner = AERR(2, random_state=0).fit(table, table.labels)
    assert 0 < learner.n_skipped_ < 80
    assert learner.observed_.n_examples == 80  # what was revealed of a skipped example counts, too


@pytest.mark.parametrize(
    ("text", "options", "complaint"),
    [
        ("", {}, "empty file: the first line must name the columns"),
        ("a,b,y\n", {}, "it has column names but no examples"),
        ("a,b,y\n1,2,3\n1,2\n", {}, "line 3: it has 2 cells, but the header names 3 columns"),
        ("a,b,y\n1,2,3,4\n", {}, "line 2: it has 4 cells"),
        ("a,a,y\n1,2,3\n", {}, "more than one column is named 'a'"),
        ("a,b,y\n1,2,3\n", {"label": "z"}, "there is no column 'z'; there are 'a', 'b', 'y'"),
        ("a,b,y\n1,2,3\n", {"drop": ["q"]}, "there is no column 'q'"),
        ("a,b,y\n1,2,3\n", {"columns": ["a", "k"], "label": None}, "there is no column 'k'"),
        ("a,b,y\n1,2,3\n", {"drop": ["a", "b"]}, "no attributes are left"),
        ("a,b,y\n1,2,3\n1,2,\n", {}, "line 3, column 'y': there is no label"),
        (
            "a,b,y\n1,2,3\n\n1,2,low\n",
            {},
            "line 4, column 'y': the label 'low' is not a finite number; .* of two classes, make 0 and 1",
        ),
        ("a,b,y\n1,2,inf\n", {}, "line 2, column 'y': the label 'inf'"),
        ('a,b,y\n1,2,"3\n', {}, "not CSV in UTF-8"),
        ("a,b,\udcff\n1,2,3\n", {}, "not CSV in UTF-8"),
    ],
)
def test_each_bad_file_has_its_own_message(reader, text, options, complaint, tmp_path):
    path = tmp_path / "t.csv"
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(ValueError, match=complaint) as caught:
        reader(path, **{"label": "y", **options})
    assert str(caught.value).startswith(str(path))


def test_parquet(tmp_path):
    path = tmp_path / "t.parquet"
    columns = {
        "y": pa.array([1, 0, 1], pa.int8()),
        "flag": pa.array([True, False, None]),
        "height": pa.array([1.5, 2.5, 3.5], pa.float32()),
        "text": pa.array(["1", "2e1", ""]),
        "odd": pa.array([1.0, float("nan"), None]),
        "name": pa.array(["Ann", "Bo", None]).dictionary_encode(),
        "since": pa.array([0, 1, 2], pa.int32()).cast(pa.date32()),
    }
    parquet.write_table(pa.table(columns), path)
    with pytest.raises(ValueError, match=r"t.parquet: column 'text' has the type string, which is not of numbers"):
        read_table(path, columns=["text", "height"], label="y")
    table = read_table(path, label="y", drop=["text", "since"])
    assert [a.kind for a in table.attributes] == ["yes/no", "number", "number", "choice"]
    assert table.attributes[3].choices == ("Ann", "Bo")
    np.testing.assert_array_equal(table.labels, [1, 0, 1])
    assert table.read(0, np.arange(4)) == [1.0, 1.5, 1.0, "Ann"]
    assert table.read(1, np.arange(4)) == [0.0, 2.5, None, "Bo"]
    assert table.read(2, np.arange(4)) == [None, 3.5, None, None]
    with pytest.raises(ValueError, match=r"t.parquet, row 1, column 'name': the label 'Ann'"):
        read_table(path, label="name", drop=["text", "since"])
    with pytest.raises(
        ValueError, match=r"column 'since' has the type date32.*: dates are taken where they are declared"
    ):
        read_table(path, label="y", columns=["since"])
    table = read_table(path, label="y", columns=["since"], attributes=[Attribute("since", kind="date")])
    assert reveal(table, 1, ask_of(np.array([0]), np.ones(1))).tolist() == [1.0]


def test_whole_numbers_of_parquet_that_lose_their_last_digits_are_named(tmp_path):
    path = tmp_path / "t.parquet"
    parquet.write_table(pa.table({"id": [1, 2**60 + 1], "mass": [1e30, 1.0]}), path)
    with pytest.warns(UserWarning, match="attribute 'id' has whole numbers") as caught:
        read_table(path)
    assert len(caught) == 1


def test_files_that_cannot_be_read(tmp_path, monkeypatch):
    with pytest.raises(FileNotFoundError):
        read_table(tmp_path / "none.csv")
    with pytest.raises(FileNotFoundError):
        read_table(tmp_path / "none.parquet")
    with pytest.raises(ValueError, match=r"a table is a .csv or a .parquet file"):
        read_table(tmp_path / "t.xlsx")
    with pytest.raises(ValueError, match="not a Parquet file"):
        read_table(written(tmp_path / "t.parquet", "a,b\n1,2\n"))
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(ImportError, match=r'pip install "keyhole\[data\]"'):
        read_table(tmp_path / "t.parquet")
