"""Arrays, frames and files all give the same judgments and labels."""

import numpy as np
import pandas
import polars
import pyarrow
import pytest

from keyhole.common.parameters import ParameterError
from keyhole.errors import BadValue
from keyhole.judgments import Judgments, as_judgments
from keyhole.judgments.data.columns import Columns
from keyhole.judgments.data.inputs import as_judgments_and_labels, column_names


def same(left, right):
    return (
        np.array_equal(left.values, right.values, equal_nan=True)
        and left.objects == right.objects
        and left.attributes == right.attributes
        and left.workers == right.workers
        and np.array_equal(left.worker, right.worker)
    )


def test_every_kind_of_table_is_the_same(tmp_path, crowd):
    table, _ = crowd(0, objects=30, severity=0.0)
    expected = as_judgments(table)
    assert expected.values.shape == (30, 3, 4)
    frame = pandas.DataFrame(table)
    assert same(as_judgments(frame), expected)
    assert same(as_judgments(polars.DataFrame(table)), expected)
    assert same(as_judgments(pyarrow.table(table)), expected)
    Columns(table).to_csv(tmp_path / "long.csv")
    assert same(as_judgments(tmp_path / "long.csv"), expected)
    frame.to_parquet(tmp_path / "long.parquet")
    assert same(as_judgments(str(tmp_path / "long.parquet")), expected)
    assert same(as_judgments(expected.to_long()), expected)


def test_every_kind_of_labels_is_the_same(tmp_path, crowd):
    table, labels = crowd(0, objects=30, severity=0.0)
    long = {"object": list(labels), "label": list(labels.values())}
    Columns(long).to_csv(tmp_path / "labels.csv")
    _, expected = as_judgments_and_labels(table, labels)
    for given in (
        pandas.Series(labels),
        pandas.DataFrame(long),
        polars.DataFrame(long),
        Columns(long),
        tmp_path / "labels.csv",
    ):
        np.testing.assert_array_equal(as_judgments_and_labels(table, given)[1], expected)


def test_a_series_beside_an_array_is_taken_by_position():
    rng = np.random.default_rng(0)
    values, y = rng.normal(size=(40, 2, 2)), rng.normal(size=40)
    for index in (rng.permutation(40), np.arange(100, 140)):
        np.testing.assert_array_equal(as_judgments_and_labels(values, pandas.Series(y, index=index))[1], y)


def test_judgments_take_labels_by_position_or_by_name(crowd):
    table, labels = crowd(0, objects=20, severity=0.0)
    judgments = as_judgments(table)
    in_order = [labels[name] for name in judgments.objects]
    np.testing.assert_array_equal(as_judgments_and_labels(judgments, in_order)[1], in_order)
    np.testing.assert_array_equal(as_judgments_and_labels(judgments, labels)[1], in_order)
    with pytest.raises(ParameterError, match="does not name the objects"):
        as_judgments_and_labels(table, in_order)


def test_judgments_made_by_hand_are_put_in_order():
    values = np.array([[[np.nan, 1.0, 2.0]], [[3.0, np.nan, 4.0]]])
    found = as_judgments(Judgments(values, ["a", "b"], ["tall"]))
    np.testing.assert_array_equal(found.values, [[[1.0, 2.0]], [[3.0, 4.0]]])
    assert as_judgments(found) is found


def test_tables_that_lack_a_column_or_a_number(crowd):
    with pytest.raises(ParameterError, match=r"judgments: a long table needs the columns .*, without \['value'\]"):
        as_judgments({"object": [1], "attribute": ["a"]})
    frame = pandas.DataFrame(crowd(0, objects=20, severity=0.0)[0])
    frame["value"] = frame["value"].astype(object)
    frame.loc[5, "value"] = "tall"
    with pytest.raises(BadValue, match="row 5, column 'value': 'tall' is not a number"):
        as_judgments(frame)


def test_column_names_of_tables_alone():
    assert column_names({"a": [1]}) == ["a"]
    assert column_names(pandas.DataFrame({"a": [1]})) == ["a"]
    assert column_names(pyarrow.table({"a": [1]})) == ["a"]
    assert column_names(np.ones(3)) is None
    assert column_names([1, 2]) is None
