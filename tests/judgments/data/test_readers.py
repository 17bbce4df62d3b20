"""Files of judgments, labels and gold items."""

import pandas
import pytest

from keyhole.common.parameters import ParameterError
from keyhole.errors import BadValue
from keyhole.judgments import as_judgments, read_gold, read_judgments, read_labels
from keyhole.judgments.data.columns import Columns


@pytest.fixture
def written(tmp_path):
    """A function that writes a CSV file and returns its path."""

    def write(text, name="judgments.csv"):
        path = tmp_path / name
        path.write_text(text)
        return path

    return write


def test_other_column_names(tmp_path, crowd):
    table, _ = crowd(0, objects=30, severity=0.0)
    names = {"object": "image", "attribute": "question", "value": "answer", "worker": "who"}
    path = tmp_path / "long.csv"
    Columns({names[name]: column for name, column in table.items()}).to_csv(path)
    found, expected = read_judgments(path, names), as_judgments(table)
    assert found.to_long() == expected.to_long()
    with pytest.raises(BadValue, match=r"needs the columns \['object', 'attribute', 'value'\].*'image'"):
        read_judgments(path)
    with pytest.raises(BadValue, match="and, where it is known, 'nobody'"):
        read_judgments(path, names | {"worker": "nobody"})
    with pytest.raises(
        ParameterError, match="columns: it names 'thing'; it may name object, attribute, value and worker"
    ):
        read_judgments(path, {"thing": "image"})


def test_a_parquet_file_is_read_as_the_same_table(tmp_path, crowd):
    table, _ = crowd(0, objects=30, severity=0.0)
    pandas.DataFrame(table).to_parquet(tmp_path / "long.parquet")
    assert read_judgments(tmp_path / "long.parquet").to_long() == as_judgments(table).to_long()


def test_some_attributes_and_answers_in_words(written):
    path = written("object,attribute,value\no1,a,good\no1,b,1\no2,a,bad\n")
    table = read_judgments(path, attributes=["a"], choices={"good": 1, "bad": 0})
    assert (table.attributes, table.to_long()["value"]) == (["a"], [1.0, 0.0])
    with pytest.raises(ParameterError, match=r"attributes: .* has no judgment of attribute 'c'"):
        read_judgments(path, attributes=["a", "c"])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("object,attribute,value\no1,a,1\no1,a,2\no2,a,tall\n", "line 4, column 'value': 'tall' is not a number"),
        ("object,attribute,value\n,a,1\n", "line 2, column 'object': the cell is empty"),
        ("object,attribute,value\no1,a,\n", "the table has no judgment"),
        ("object,attribute,value\no1,a,inf\n", "line 2, column 'value': inf is not a finite number"),
        ('object,attribute,value\n"two\nlines",a,1\no2,a,x\n', "line 4, column 'value'"),
    ],
)
def test_what_is_wrong_in_a_file_is_named_with_its_line(written, text, message):
    with pytest.raises(BadValue, match=message):
        read_judgments(written(text))


def test_labels(written):
    assert read_labels(written("object,label\na,1\nb,2.5\n")) == {"a": 1.0, "b": 2.5}
    with pytest.raises(BadValue, match=r"labels.csv, line 2, column 'label': 'high' is not a number"):
        read_labels(written("object,label\no1,high\n", "labels.csv"))
    with pytest.raises(BadValue, match="line 3: object 'o1' was given before"):
        read_labels(written("object,label\no1,1\no1,2\n"))


def test_gold(written):
    path = written("object,attribute,value\na,tall,3\nb,tall,4\n")
    assert read_gold(path) == {("a", "tall"): 3.0, ("b", "tall"): 4.0}
