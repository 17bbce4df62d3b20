"""Columns of a pilot as numbers: two values are yes or no, more are refused, and labels may be missing or classes."""

import numpy as np
import pandas as pd
import polars as pl
import pytest

from keyhole import Attribute
from keyhole.observe.frames import FrameSource
from keyhole.planning import plan
from keyhole.planning.pilot import read_pilot
from keyhole.planning.reading import label_numbers, read_numbers

rng = np.random.default_rng(0)
X, y = rng.normal(size=(40, 3)), rng.normal(size=40)
FRAME = pd.DataFrame(X, columns=["iron", "pulse", "age"]).assign(risk=y)

SITE = np.resize(["Basel", "Rome", "Bern"], 40)


@pytest.mark.parametrize("site", [SITE, pd.Categorical(SITE)], ids=["text", "categorical"])
@pytest.mark.parametrize("of", ["pandas", "polars", "csv", "parquet"])
def test_a_column_of_three_values_is_refused_with_what_a_plan_can_do(site, of, tmp_path):
    message = (
        r"column 'site' has 3 values that are not numbers \('Basel', .*\): a plan takes numbers, and two values as"
        r" yes or no, and choices of more than two values are not planned with; leave the column out"
        r" \(--drop site; in Python, drop=\['site'\]\)"
    )
    table = given_as(FRAME.assign(site=site), of, tmp_path)
    with pytest.raises(ValueError, match=message):
        read_pilot(table, "risk")
    assert read_pilot(table, "risk", drop=["site"]).n_attributes == 3


def given_as(frame, of, folder):
    if of == "polars":
        return pl.from_pandas(frame)
    if of == "csv":
        frame.to_csv(folder / "pilot.csv", index=False)
        return folder / "pilot.csv"
    if of == "parquet":
        frame.to_parquet(folder / "pilot.parquet")
        return folder / "pilot.parquet"
    return frame


def two_values(text):
    values = np.resize(text, 40).astype(object)
    values[5] = None
    return values


@pytest.mark.parametrize("of", ["pandas", "polars", "csv", "parquet"])
def test_columns_of_two_values_are_yes_or_no(of, tmp_path):
    frame = FRAME.assign(
        sex=two_values(["m", "f"]),
        size=pd.Categorical(two_values(["small", "large"]), categories=["small", "large"]),
        smokes=np.resize([True, False], 40),
    )
    with pytest.warns(UserWarning, match="columns with two values that are not numbers are taken as yes or no") as said:
        pilot = read_pilot(given_as(frame, of, tmp_path), "risk", {"sex": 2})
    assert "'sex' (1 is m, 0 is f)" in str(said[0].message)
    assert "'smokes' (1 is True, 0 is False)" in str(said[0].message)
    assert [one.kind for one in pilot.attributes] == ["number"] * 6
    assert pilot.row_price == 7
    sex, size, smokes = pilot.values[:, 3:].T
    yes = np.where(np.arange(40) % 2 == 0, 1.0, 0.0)
    there = np.arange(40) != 5
    np.testing.assert_array_equal(sex[there], yes[there])
    np.testing.assert_array_equal(smokes, yes)
    is_one = {"small": yes, "large": 1 - yes}["large" if "'size' (1 is large" in str(said[0].message) else "small"]
    np.testing.assert_array_equal(size[there], is_one[there])
    assert np.isnan([sex[5], size[5]]).all()


def test_a_plan_with_a_column_of_two_values_has_all_its_designs():
    frame = FRAME.assign(smokes=np.resize([True, False], 40))
    with pytest.warns(UserWarning, match="'smokes'"):
        found = plan(frame, "risk", 80, few=2, n_worlds=4, n_jobs=1)
    assert {one.learner for one in found.designs[80.0]} > {"KeyholeRegressor", "complete rows"}


def test_a_column_of_python_numbers_is_of_numbers():
    frame = FRAME.assign(iron=FRAME["iron"].astype(object))
    frame.loc[3, "iron"] = None
    pilot = read_pilot(frame, "risk")
    assert np.isnan(pilot.values[3, 0])
    np.testing.assert_array_equal(pilot.values[4:, 0], X[4:, 0])


@pytest.mark.parametrize("of", ["pandas", "polars", "csv", "parquet"])
def test_examples_without_a_label_are_left_out_and_counted(of, tmp_path):
    frame = FRAME.copy()
    frame.loc[[0, 7, 8], "risk"] = np.nan
    with pytest.warns(UserWarning, match="3 of 40 examples of the pilot have no label and are left out"):
        pilot = read_pilot(given_as(frame, of, tmp_path), "risk")
    there = np.setdiff1d(np.arange(40), [0, 7, 8])
    np.testing.assert_allclose(pilot.values, X[there], rtol=1e-12)
    np.testing.assert_allclose(pilot.labels, y[there], rtol=1e-12)
    frame.loc[11:, "risk"] = np.nan
    with pytest.raises(ValueError, match="it has 8 examples with a label"):
        read_pilot(given_as(frame, of, tmp_path), "risk")


@pytest.mark.parametrize("of", ["pandas", "polars", "csv", "parquet"])
def test_two_classes_may_be_text(of, tmp_path):
    frame = FRAME.assign(risk=np.resize(["low", "high"], 40))
    with pytest.warns(UserWarning, match="the label has two classes: 1 is 'low', and 0 is 'high'"):
        pilot = read_pilot(given_as(frame, of, tmp_path), "risk")
    np.testing.assert_array_equal(pilot.labels, np.resize([1.0, 0.0], 40))


def test_a_source_of_choices_has_two_of_each():
    source = FrameSource(
        pd.DataFrame({"site": SITE}), [Attribute("site", kind="choice", choices=("Basel", "Rome", "Bern"))]
    )
    with pytest.raises(ValueError, match="column 'site' has 3 values that are not numbers"):
        read_pilot(source, y)


def test_labels_become_numbers():
    np.testing.assert_array_equal(label_numbers([1, None, True, 2.5]), [1, np.nan, 1, 2.5])
    with pytest.warns(UserWarning, match="1 is 'well', and 0 is 'ill'"):
        np.testing.assert_array_equal(label_numbers(["well", "ill", None]), [1, 0, np.nan])
    with pytest.raises(
        ValueError,
        match="the label of example 1, 'ill', is not a number, and other labels of the pilot are; a plan needs",
    ):
        label_numbers([1.0, "ill", 0.0])
    with pytest.raises(ValueError, match=r"have 3 classes \('2024-05-31 00:00:00', .*\); a plan needs numbers, or two"):
        label_numbers(pd.Series(pd.date_range("2024-05-31", periods=3)))
    with pytest.raises(ValueError, match="the only label of the pilot is 'ill'"):
        label_numbers([None, "ill"])


@pytest.mark.parametrize("of", ["pandas", "polars", "csv", "parquet"])
@pytest.mark.parametrize("as_type", [object, "category"])
def test_one_class_and_more_than_two_are_refused_with_their_number(of, as_type, tmp_path):
    ill = FRAME.assign(risk=pd.Series(["ill"] * 40, dtype=as_type))
    with pytest.raises(ValueError, match="label: all 40 labels of the pilot are 'ill'; a plan needs labels that vary"):
        read_pilot(given_as(ill, of, tmp_path), "risk")
    ill.loc[:3, "risk"] = None
    with pytest.raises(ValueError, match="label: all 36 labels of the pilot are 'ill'"):
        read_pilot(given_as(ill, of, tmp_path), "risk")
    message = (
        r"label: the labels of the pilot have 4 classes \('a', 'b', 'c' and 1 more\); a plan needs numbers, or two"
        " classes, such as one class against all others"
    )
    several = FRAME.assign(risk=pd.Series(np.resize(list("abcd"), 40), dtype=as_type))
    with pytest.raises(ValueError, match=message):
        read_pilot(given_as(several, of, tmp_path), "risk")


def test_names_that_are_not_there_are_named(tmp_path):
    FRAME.to_csv(tmp_path / "pilot.csv", index=False)
    with pytest.raises(ValueError, match=r"pilot.csv: there is no column 'rsik'; there are 'iron'"):
        read_numbers(tmp_path / "pilot.csv", "rsik", [])
    with pytest.raises(ValueError, match=r"pilot.csv: there is no column 'agee'"):
        read_numbers(tmp_path / "pilot.csv", "risk", ["agee"])
    with pytest.raises(ValueError, match="drop='agee': there is no such column; there are 'iron'"):
        read_numbers(FRAME, "risk", ["agee"])
    (tmp_path / "twice.csv").write_text("a,a,risk\n1,2,3\n")
    with pytest.raises(ValueError, match="more than one column is named 'a'"):
        read_numbers(tmp_path / "twice.csv", "risk", [])
