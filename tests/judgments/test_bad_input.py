"""Wrong input is refused with the value, its place, and what would be right."""

import numpy as np
import pandas
import pytest

from judgments.crowd import crowd
from keyhole.errors import BadValue
from keyhole.judgments import MultiSelector, as_judgments, read_judgments, read_labels

TABLE, LABELS = crowd(0, objects=20, severity=0.0)


def fit(table=TABLE, labels=LABELS, budget=5, **arguments):
    return MultiSelector(budget, **arguments).fit(table, labels)


def test_fewer_than_two_judgments_of_an_attribute_everywhere():
    values = np.random.default_rng(0).normal(size=(10, 3, 2))
    values[:, 1, 1] = np.nan
    with pytest.raises(BadValue, match="no object has 2 judgments of attribute 'x1'"):
        MultiSelector(3).fit(values, np.arange(10.0))
    values[0, 1, 1] = 0.5  # once is enough
    assert np.isfinite(MultiSelector(3).fit(values, np.arange(10.0)).projected_loss_)


def test_labels_missing_for_some_objects():
    with pytest.raises(BadValue, match="objects 'o3', 'o7' have no finite label"):
        fit(labels={name: y for name, y in LABELS.items() if name not in ("o3", "o7")})
    with pytest.raises(BadValue, match="object 'o4' has no finite label"):
        fit(labels=LABELS | {"o4": float("nan")})
    with pytest.raises(BadValue, match="object '2' has no finite label"):
        MultiSelector(3).fit(np.random.default_rng(0).normal(size=(3, 1, 2)), [1.0, 2.0, np.inf])


def test_labels_that_are_all_the_same():
    with pytest.raises(BadValue, match="all 20 labels are 3; there is nothing to predict"):
        fit(labels=dict.fromkeys(LABELS, 3.0))


def test_unknown_object_ids():
    with pytest.raises(BadValue, match="objects 'zoe', 'yan' without any judgment"):
        fit(labels=LABELS | {"zoe": 1.0, "yan": 2.0})


def test_labels_of_a_table_must_name_objects():
    with pytest.raises(ValueError, match="must name their objects"):
        fit(labels=list(LABELS.values()))
    with pytest.raises(ValueError, match=r"20 objects, labels of shape \(3,\)"):
        fit(table=as_judgments(TABLE), labels=[1.0, 2.0, 3.0])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"budget": 0.5}, "a budget of 0.5 buys nothing: the cheapest judgment, of 'a', costs 1"),
        ({"budget": 3, "costs": {"a": 4, "b": 5, "c": 3.5}}, "of 'c', costs 3.5"),
        ({"budget": -1}, "budget must be a non-negative number; got -1"),
        ({"budget": "many"}, "budget must be a non-negative number; got 'many'"),
        ({"costs": {"a": 0}}, "the cost of 'a' is 0; a cost must be a positive number"),
        ({"costs": [1, -2, 1]}, "the cost of 'b' is -2"),
        ({"costs": [1, "free", 1]}, "the cost of 'b' is 'free'"),
        ({"costs": {"a": float("nan")}}, "the cost of 'a' is nan"),
        ({"costs": [1, 2]}, "3 attributes, 2 costs"),
        ({"costs": {"tall": 2}}, "costs name 'tall', which nobody can buy"),
        ({"bundles": {"screen": ["a", "zoe"]}}, "unknown attribute 'zoe'"),
        ({"bundles": {"screen": ["a"], "page": ["a"]}}, "'a' is in two bundles"),
        ({"bundles": {"a": ["b"]}}, "bundle 'a' has the name of an attribute"),
        ({"bundles": {"screen": "ab"}}, "bundle 'screen' must list its attributes"),
        ({"bundles": {"screen": ["a", "b"]}, "costs": [1, 2, 3]}, "paid for once, but have different costs"),
        ({"method": "best"}, "method='best': MultiSelector takes 'full' or"),
        ({"rule": "luck"}, "rule='luck'"),
        ({"scaling": "some"}, "scaling='some'"),
        ({"ridge": -0.1}, "ridge must be a non-negative number"),
        ({"max_repeats": 0}, "max_repeats must be None or a whole number, 1 or more; got 0"),
    ],
)
def test_wrong_arguments(arguments, message):
    with pytest.raises(ValueError, match=message):
        fit(**arguments)


def test_text_where_numbers_belong(tmp_path):
    path = tmp_path / "judgments.csv"
    path.write_text("object,attribute,value\no1,a,1\no1,a,2\no2,a,tall\n")
    with pytest.raises(BadValue, match=r"judgments.csv, line 4, column 'value': 'tall' is not a number"):
        read_judgments(path)
    frame = pandas.DataFrame(TABLE)
    frame["value"] = frame["value"].astype(object)
    frame.loc[5, "value"] = "tall"
    with pytest.raises(BadValue, match="row 5, column 'value': 'tall' is not a number"):
        fit(table=frame)
    labels = tmp_path / "labels.csv"
    labels.write_text("object,label\no1,high\n")
    with pytest.raises(BadValue, match=r"labels.csv, line 2, column 'label': 'high' is not a number"):
        read_labels(labels)
    with pytest.raises(BadValue, match="object 0, attribute 'x1', judgment 0: 'tall' is not a number"):
        as_judgments(np.array([[["1", "2"], ["tall", "3"]]]))
    with pytest.raises(BadValue, match="the label of object 'o2': 'high' is not a number"):
        fit(labels=LABELS | {"o2": "high"})


def test_broken_files(tmp_path):
    path = tmp_path / "judgments.csv"
    with pytest.raises(FileNotFoundError, match="there is no file"):
        read_judgments(path)
    path.write_text("")
    with pytest.raises(BadValue, match="is empty"):
        read_judgments(path)
    path.write_text("object,attribute,value\no1,a\n")
    with pytest.raises(BadValue, match="line 2: 2 cells, but the header names 3 columns"):
        read_judgments(path)
    path.write_text("object,attribute,value\n,a,1\n")
    with pytest.raises(BadValue, match="line 2, column 'object': empty"):
        read_judgments(path)
    path.write_text("object,attribute,value\no1,a,\n")
    with pytest.raises(BadValue, match="no judgment at all"):
        read_judgments(path)
    path.write_text("object,attribute,value\no1,a,inf\n")
    with pytest.raises(BadValue, match="line 2, column 'value': inf is not a finite number"):
        read_judgments(path)
    path.write_text("object,label\no1,1\no1,2\n")
    with pytest.raises(BadValue, match="line 3: object 'o1' was given before"):
        read_labels(path)


def test_arrays_of_the_wrong_shape_or_value():
    with pytest.raises(ValueError, match=r"got 2 dimensions, shape \(5, 3\)"):
        MultiSelector(3).fit(np.ones((5, 3)), np.arange(5.0))
    values = np.ones((5, 3, 2))
    values[2, 1, 0] = np.inf
    with pytest.raises(BadValue, match="judgment 0 of attribute 'x1' of object 2 is inf"):
        MultiSelector(3).fit(values, np.arange(5.0))
    with pytest.raises(ValueError, match=r"without \['value'\]"):
        fit(table={"object": [1], "attribute": ["a"]})


def test_attributes_never_judged_together():
    values = np.random.default_rng(0).normal(size=(10, 2, 2))
    values[:5, 0] = np.nan
    values[5:, 1] = np.nan
    with pytest.raises(BadValue, match="'x0' and 'x1' were never judged on one object"):
        MultiSelector(3).fit(values, np.arange(10.0))


def test_a_failed_fit_leaves_nothing_half_learned():
    selector = fit()
    before = selector.repeats_.copy()
    with pytest.raises(BadValue):
        selector.fit(TABLE, LABELS | {"zoe": 1.0})
    np.testing.assert_array_equal(selector.repeats_, before)


def test_a_series_beside_an_array_is_taken_by_position():
    pandas = pytest.importorskip("pandas")
    rng = np.random.default_rng(0)
    truth = rng.normal(size=(40, 2))
    values, y = truth[:, :, None] + rng.normal(size=(40, 2, 2)), truth[:, 0]
    shuffled = pandas.Series(y, index=rng.permutation(40))
    other = pandas.Series(y, index=np.arange(100, 140))
    plain = MultiSelector(4).fit(values, y).projected_loss_
    assert MultiSelector(4).fit(values, shuffled).projected_loss_ == plain
    assert MultiSelector(4).fit(values, other).projected_loss_ == plain


@pytest.mark.parametrize("twice", [["o1", "o2", "o1"], [7, 8, "7"]])
def test_an_object_labelled_twice_in_a_table_is_refused(twice):
    table = {"object": np.repeat(twice[:2], 4), "attribute": ["a", "a", "b", "b"] * 2, "value": range(8)}
    with pytest.raises(ValueError, match=f"row 2: object '{twice[0]}' was given before"):
        MultiSelector(4).fit(table, {"object": twice, "label": [1, 2, 3]})


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"costs": {"x0": 2}}, "no cost is given for 'x1'"),
        ({"costs": {"x0": 2}, "bundles": {"both": ["x0", "x1"]}}, "costs name 'x0', which nobody can buy"),
        ({"costs": 5}, "costs must be None, a dict or one number per attribute; got 5"),
        ({"bundles": [["x0", "x1"]]}, "bundles must be a dict"),
    ],
)
def test_costs_are_of_everything_on_offer(arguments, message):
    values = np.random.default_rng(0).normal(size=(20, 2, 2))
    with pytest.raises(ValueError, match=message):
        MultiSelector(4, **arguments).fit(values, values[:, 0, 0])


@pytest.mark.parametrize("shape", [(0, 2, 2), (5, 0, 2)])
def test_nothing_to_select_from(shape):
    with pytest.raises(ValueError, match=f"there are {shape[0]} objects and {shape[1]} attributes"):
        MultiSelector(4).fit(np.zeros(shape), np.zeros(shape[0]))
