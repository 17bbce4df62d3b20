"""Pilots from arrays, frames and files; and what is refused, each with a sentence that says what would be right."""

import numpy as np
import pandas as pd
import polars as pl
import pytest

from keyhole import Attribute
from keyhole.planning.pilot import read_pilot

rng = np.random.default_rng(0)
X, y = rng.normal(size=(40, 3)), rng.normal(size=40)
FRAME = pd.DataFrame(X, columns=["iron", "pulse", "age"]).assign(risk=y)


def test_array_frames_and_files_give_the_same_pilot(tmp_path):
    FRAME.to_csv(tmp_path / "pilot.csv", index=False)
    FRAME.to_parquet(tmp_path / "pilot.parquet")
    sources = [(X, y), (FRAME, "risk"), (pl.from_pandas(FRAME), "risk"), (FRAME[["iron", "pulse", "age"]], y)]
    sources += [(tmp_path / "pilot.csv", "risk"), (str(tmp_path / "pilot.parquet"), "risk")]
    for table, label in sources:
        pilot = read_pilot(table, label)
        np.testing.assert_allclose(pilot.values, X, rtol=1e-12)
        np.testing.assert_allclose(pilot.labels, y, rtol=1e-12)
        assert pilot.complete
        assert pilot.unit_costs
        assert pilot.row_price == 3


def test_missing_cells_stay_missing(tmp_path):
    table = FRAME.copy()
    table.iloc[3, 1] = np.nan
    table.to_csv(tmp_path / "pilot.csv", index=False)
    for given in (table, tmp_path / "pilot.csv"):
        pilot = read_pilot(given, "risk")
        assert not pilot.complete
        assert np.isnan(pilot.values[3, 1])
        assert np.isnan(pilot.values).sum() == 1


def test_columns_may_have_numbers_for_names_and_one_name_may_be_dropped():
    table = pd.DataFrame(np.column_stack([X, y]))
    np.testing.assert_array_equal(read_pilot(table, "3").values, X)
    np.testing.assert_array_equal(read_pilot(table, "3").labels, y)
    assert read_pilot(FRAME, "risk", drop="age").n_attributes == 2


def test_the_column_to_predict_cannot_be_dropped():
    with pytest.raises(ValueError, match="drop='risk': this is the column to predict, and cannot be left out"):
        read_pilot(FRAME, "risk", drop=["age", "risk"])


def test_costs_by_number_by_name_and_with_bundles():
    assert read_pilot(X, y, [1, 2, 5]).row_price == 8
    assert read_pilot(FRAME, "risk", {"age": 0, "iron": 4}).row_price == 5
    together = [Attribute("iron", 3, bundle="blood"), Attribute("pulse", 3, bundle="blood")]
    assert read_pilot(FRAME, "risk", together).row_price == 4


@pytest.mark.parametrize(
    ("table", "label", "costs", "message"),
    [
        (X[:3], y[:3], None, r"3 examples; a plan needs at least 12"),
        (X, None, None, "label=None: a plan needs the name of the column to predict"),
        (FRAME, "rsik", None, "label='rsik': there is no such column; there are 'iron', 'pulse', 'age', 'risk'"),
        (X, "risk", None, "an array has no names of columns"),
        (X, np.ones(40), None, "all 40 labels of the pilot are 1; a plan needs labels that vary"),
        (
            X,
            np.arange(40) == 3,
            None,
            "39 of 40 labels of the pilot are 0; a plan needs at least 3 examples with others",
        ),
        (FRAME.assign(site="Basel"), "risk", None, "column 'site' has no two values that differ: leave the column out"),
        (FRAME.assign(day=pd.Timestamp("2024-05-31")), "risk", None, "column 'day' holds dates: a plan takes numbers"),
        (
            FRAME.assign(risk=np.resize(["low", "middle", "high"], 40)),
            "risk",
            None,
            r"label: the labels of the pilot have 3 classes \('high', 'low', 'middle'\); a plan needs numbers, or two",
        ),
        (FRAME[:0], "risk", None, "pilot: it has 0 examples; a plan needs at least 12"),
        (pl.from_pandas(FRAME)[:0], "risk", None, "pilot: it has 0 examples; a plan needs at least 12"),
        (X[:0], y[:0], None, "pilot: it has 0 examples; a plan needs at least 12"),
        (X, np.where(np.arange(40) == 3, np.inf, y), None, "Input y contains infinity: label of example 3"),
        (X, y, {"iron": 2}, "costs: no attribute is called 'iron'"),
        (X, y, [0, 0, 0], "every attribute is free"),
        (X, 2, None, "label=2: give the name of a column as text, or an array with a label per example"),
        (FRAME.rename(columns={"age": "risk"}), "risk", None, "label='risk': 2 columns have this name"),
        (FRAME[["risk"]], "risk", None, "it has no attribute; a plan needs at least one column beside the label"),
        (np.ones((40, 3)), y, None, "no attribute has different values; a plan needs at least one that varies"),
        (np.where(np.arange(40)[:, None] < 39, [1, 1, np.nan], 1.0), y, None, "fewer than 3 examples show 'x2'"),
    ],
)
def test_what_is_wrong_is_said(table, label, costs, message):
    with pytest.raises(ValueError, match=message):
        read_pilot(table, label, costs)


def test_a_small_pilot_is_warned_of():
    with pytest.warns(UserWarning, match="the pilot has 20 examples"):
        read_pilot(X[:20], y[:20])


def test_costs_of_the_label_and_of_columns_that_are_left_out_are_ignored():
    by_name = {"age": 7, "risk": 3, "iron": 2}
    assert read_pilot(FRAME, "risk", by_name, drop=["age"]).row_price == 3
    described = [Attribute(name, cost) for name, cost in by_name.items()]
    assert read_pilot(FRAME, "risk", described, drop="age").row_price == 3
    with pytest.raises(ValueError, match="no attribute is called 'aeg'"):
        read_pilot(FRAME, "risk", {"aeg": 7}, drop=["age"])


def test_attributes_that_equal_the_label_are_warned_of():
    copies = FRAME.assign(copy=y, other=2 - 1e3 * y, near=y + 1e-3 * rng.normal(size=40))
    with pytest.warns(UserWarning, match="'copy', 'other' have a correlation of 1 or -1 with the label") as said:
        read_pilot(copies, "risk")
    assert "near" not in str(said[0].message)
