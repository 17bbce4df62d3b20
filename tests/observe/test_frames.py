"""Frames: kinds follow from the types of columns, and what must be declared is refused before a cell is read."""

import datetime

import numpy as np
import pandas as pd
import polars as pl
import pytest

import keyhole as kh
from keyhole.observe import FrameSource, as_source

DATES = ["2020-01-01", "2020-01-02"]
BLOOD = kh.Attribute("blood", kind="choice", choices=("A", "B", "0"))


def kinds(source):
    return {a.name: (a.kind, a.choices) for a in source.attributes}


@pytest.mark.parametrize(
    "frame",
    [
        pd.DataFrame({"a": pd.array([1, None], dtype="Int64"), "b": [1.0, 2.0]}),
        pd.DataFrame({"a": pd.array([True, None], dtype="boolean"), "b": [1.0, 2.0]}),
        pd.DataFrame({"a": pd.Categorical(["u", None]), "b": [1.0, 2.0]}),
        pd.DataFrame({"a": [1.0, np.nan], "b": [1, 2]}),
        pl.DataFrame({"a": [1, None], "b": [1.0, 2.0]}),
        pl.DataFrame({"a": [1.0, float("nan")], "b": [1, 2]}),
        pl.DataFrame({"a": [True, None], "b": [1.0, 2.0]}),
        pl.DataFrame({"a": pl.Series(["u", None], dtype=pl.Categorical), "b": [1.0, 2.0]}),
        pl.DataFrame({"a": [None, None], "b": [1.0, 2.0]}),
    ],
)
def test_missing_cells_are_none(frame):
    assert as_source(frame).read(1, np.array([0, 1])) == [None, 2.0]


def test_kinds_follow_from_the_types_of_pandas_columns():
    frame = pd.DataFrame(
        {
            "age": [1, 2],
            "sparse": pd.arrays.SparseArray([0.0, 1.0]),
            "smokes": [True, False],
            "treated": pd.array([True, None], dtype="boolean"),
            "blood": pd.Categorical(["0", "A"], categories=["A", "B", "0"]),
            "grade": pd.Categorical([3, 1], categories=[1, 2, 3], ordered=True),
            "empty": pd.Categorical([None, None], categories=[]),
        }
    )
    number, yes = ("number", ()), ("yes/no", ())
    wanted = [number, number, yes, yes, ("choice", ("A", "B", "0")), ("choice", ("1", "2", "3")), number]
    assert kinds(as_source(frame)) == dict(zip(frame.columns, wanted, strict=True))


def test_kinds_follow_from_the_types_of_polars_columns():
    frame = pl.DataFrame(
        {
            "age": [1, 2],
            "price": pl.Series(["1.5", "2"]).cast(pl.Decimal(10, 2)),
            "smokes": [True, None],
            "blood": pl.Series(["0", "A"], dtype=pl.Enum(["A", "B", "0"])),
            "site": pl.Series(["Rome", "Basel"], dtype=pl.Categorical),
        }
    )
    number, yes = ("number", ()), ("yes/no", ())
    wanted = [number, number, yes, ("choice", ("A", "B", "0")), ("choice", ("Basel", "Rome"))]
    assert kinds(as_source(frame)) == dict(zip(frame.columns, wanted, strict=True))


REFUSED = [
    pd.DataFrame({"age": [1, 2], "blood": ["A", "B"]}),
    pd.DataFrame({"age": [1, 2], "blood": ["A", "B"]}, dtype=object)[["blood"]],
    pd.DataFrame({"blood": pd.array(["A", "B"], dtype="string")}),
    pd.DataFrame({"blood": pd.to_timedelta([1, 2])}),
    pl.DataFrame({"age": [1, 2], "blood": ["A", "B"]}),
    pl.DataFrame({"blood": [[1], [2]]}),
    pl.DataFrame({"blood": [datetime.timedelta(1), datetime.timedelta(2)]}),
]


def test_python_objects_are_numbers_where_they_are_declared_to_be():
    frame = pd.DataFrame({"age": [1.0, 2.0, 3.0], "dose": pd.Series([0.5, None, "much"], dtype=object)})
    with pytest.raises(ValueError, match="'number' if it holds numbers and None alone"):
        FrameSource(frame)
    source = FrameSource(frame, [kh.Attribute("dose", kind="number")])
    assert source.read(0, np.array([1])) == [0.5]
    learner = kh.KeyholeRegressor(2, random_state=0)
    first = learner.fit(FrameSource(frame[:2], source.attributes), [1.0, 2.0])
    assert first.observed_.distinct == 3  # None is a missing value
    with pytest.raises(kh.BadValue, match="example 2, attribute 'dose': 'much' was revealed"):
        learner.fit(source, [1.0, 2.0, 3.0])


@pytest.mark.parametrize("frame", REFUSED, ids=lambda frame: f"{type(frame).__module__} {len(frame.columns)}")
@pytest.mark.parametrize("learner", [kh.KeyholeRegressor(1), kh.AERR(2)], ids=str)
def test_text_and_other_types_are_refused_by_name_at_the_start(frame, learner):
    with pytest.raises(ValueError, match=r"column 'blood' has the type .*, which is not of numbers") as caught:
        learner.fit(frame, [1.0, 2.0])
    assert not isinstance(caught.value, kh.BadValue)  # no cell was read


@pytest.mark.parametrize(
    "frame",
    [
        pd.DataFrame({"since": pd.to_datetime(DATES)}),
        pd.DataFrame({"since": pd.to_datetime(DATES).tz_localize("Europe/Berlin")}),
        pl.DataFrame({"since": [datetime.date(2020, 1, 1), None]}),
        pl.DataFrame({"since": [datetime.datetime(2020, 1, 1), None]}),
    ],
    ids=["pandas", "pandas with a zone", "polars dates", "polars times"],
)
def test_dates_are_refused_unless_declared(frame):
    with pytest.raises(ValueError, match=r"column 'since' has the type .*: dates are taken where they are declared"):
        kh.KeyholeRegressor(1).fit(frame, [1.0, 2.0])
    assert kinds(FrameSource(frame, [kh.Attribute("since", kind="date")])) == {"since": ("date", ())}


def test_a_declared_column_keeps_what_else_is_said_of_it():
    frame = pd.DataFrame({"age": [1, 2], "smokes": [True, False], "blood": ["A", "B"]})
    costly = [kh.Attribute("smokes", cost=3), BLOOD]
    age, smokes, blood = FrameSource(frame, costly).attributes
    assert (age.cost, smokes.cost, smokes.kind, blood) == (1, 3, "yes/no", BLOOD)


@pytest.mark.parametrize(
    ("attributes", "message"),
    [
        ([kh.Attribute("bloood")], r"attributes: there is no column 'bloood'; there are 'age', 'blood'"),
        ([BLOOD, BLOOD], "attributes: 'blood' is described twice"),
        (["blood"], "attributes: 'blood' is no Attribute"),
    ],
)
def test_wrong_descriptions(attributes, message):
    with pytest.raises(ValueError, match=message):
        FrameSource(pd.DataFrame({"age": [1, 2], "blood": ["A", "B"]}), attributes)


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame])
def test_choices_are_those_of_the_fit_whatever_a_new_frame_says(make):
    rng = np.random.default_rng(0)
    blood = rng.choice(["A", "B", "0"], 300)
    y = np.where(blood == "0", 2.0, 0.0) + 0.1 * rng.normal(size=300)
    learner = kh.KeyholeRegressor(1, random_state=0)
    learner.fit(FrameSource(make({"age": rng.normal(size=300), "blood": blood.tolist()}), [BLOOD]), y)
    assert learner.attributes_[1] == BLOOD
    assert set(learner.cells_.values[learner.cells_.attributes == 1].tolist()) == {0.0, 1.0, 2.0}
    new = {"age": [0.0, 0.0], "blood": ["0", "A"]}
    plain = learner.predict(make(new))
    other = pd.DataFrame(new).astype({"blood": pd.CategoricalDtype(["0", "A"])})  # another order of the categories
    np.testing.assert_allclose(learner.predict(other), plain)
    with pytest.raises(kh.BadValue, match=r"example 1, attribute 'blood': 'C' .* one of the choices 'A', 'B', '0'"):
        learner.predict(make(new | {"blood": ["0", "C"]}))
    learner.partial_fit(make(new), [2.0, 0.0])
    assert learner.cells_.n_examples == 302


def test_published_learners_and_rivals_take_yes_or_no_and_refuse_choices():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"a": rng.normal(size=60), "b": rng.random(60) < 0.5, "c": rng.normal(size=60)})
    y = frame["a"] + frame["b"]
    for learner in (kh.AERR(2, random_state=0), kh.rivals.CompleteRows(2)):
        assert learner.fit(frame, y).attributes_[1].kind == "yes/no"
        numbers = learner.__class__(2, random_state=0).fit(frame.astype(float), y)
        np.testing.assert_allclose(numbers.coef_, learner.coef_)
        np.testing.assert_allclose(learner.predict(frame), learner.predict(frame.astype(float)))
    frame["blood"] = pd.Categorical(rng.choice(["A", "B"], 60))
    for learner in (kh.AERR(2), kh.Hybrid(4, 2), kh.rivals.CompleteRows(2), kh.rivals.ScreenedPanel(2)):
        with pytest.raises(ValueError, match=r"attribute 'blood' is of the kind 'choice', with 2 choices: .* learns"):
            learner.fit(frame, y)
    with pytest.raises(ValueError, match="attribute 'blood' is of the kind 'choice'"):
        kh.AERR(2).start(["age", "iron", BLOOD])


def test_an_index_that_was_saved_without_a_name_is_named():
    frame = pd.DataFrame({"Unnamed: 0": [0, 1, 2], "age": [1.0, 2.0, 3.5]})
    with pytest.warns(UserWarning, match=r"column 0 has no name of its own \('Unnamed: 0'\)"):
        kh.KeyholeRegressor(1, random_state=0).fit(frame, [1.0, 2.0, 3.0])


def test_whole_numbers_that_lose_their_last_digits_are_named():
    numbers = [2**53 + 1, 2**53 + 3, 5] * 10
    frames = [
        pd.DataFrame({"id": numbers, "age": np.arange(30.0)}),
        pl.DataFrame({"id": numbers, "age": np.arange(30.0)}),
        np.column_stack([numbers, np.arange(30)]),
        np.array([[10**20, 3]] * 30, dtype=object),
    ]
    for frame in frames:
        for learner in (kh.KeyholeRegressor(1, random_state=0), kh.AERR(2, random_state=0)):
            with pytest.warns(UserWarning, match="attribute '(id|x0)' has whole numbers beyond 2"):
                learner.fit(frame, np.arange(30.0))
