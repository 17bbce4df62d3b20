"""Labels are matched to objects; what is missing or unknown is named."""

import numpy as np
import pytest

from keyhole.common.parameters import ParameterError
from keyhole.errors import BadValue
from keyhole.judgments import as_judgments
from keyhole.judgments.data.labels import align_labels, labels_by_object


@pytest.fixture
def table():
    return as_judgments({"object": ["a", "b", "c"], "attribute": ["x"] * 3, "value": [1, 2, 3]})


def test_labels_come_in_the_order_of_the_objects(table):
    np.testing.assert_array_equal(align_labels({"c": 3, "a": 1, "b": "2.5"}, table, positional=False), [1, 2.5, 3])
    np.testing.assert_array_equal(align_labels([5, 6, 7], table, positional=True), [5, 6, 7])


def test_labels_missing_for_some_objects(table):
    with pytest.raises(BadValue, match="objects 'a', 'c' have no finite label; every judged object needs one"):
        align_labels({"b": 1.0}, table, positional=False)
    with pytest.raises(BadValue, match="object 'b' has no finite label"):
        align_labels({"a": 1, "b": float("nan"), "c": 2}, table, positional=False)
    with pytest.raises(BadValue, match="object 'c' has no finite label"):
        align_labels([1.0, 2.0, np.inf], table, positional=True)
    with pytest.raises(BadValue, match="have no finite label"):
        align_labels({}, table, positional=False)


def test_objects_without_judgments(table):
    labels = {"a": 1, "b": 2, "c": 3, "zoe": 1.0, "yan": 2.0}
    with pytest.raises(
        BadValue, match=r"labels are given for objects 'zoe', 'yan', without any judgment.*'a', 'b', 'c'"
    ):
        align_labels(labels, table, positional=False)


def test_labels_of_a_table_must_name_objects(table):
    with pytest.raises(ParameterError, match=r"labels: a list does not name the objects.*dict {object: label}"):
        align_labels([1, 2, 3], table, positional=False)
    with pytest.raises(ParameterError, match=r"labels: an array of shape \(2,\) for 3 objects"):
        align_labels([1.0, 2.0], table, positional=True)


def test_labels_that_are_not_numbers(table):
    with pytest.raises(BadValue, match="the label of object 'b': 'high' is not a number"):
        align_labels({"a": 1, "b": "high", "c": 2}, table, positional=False)


@pytest.mark.parametrize("objects", [["o1", "o2", "o1"], [7, 8, "7"]])
def test_an_object_that_comes_twice_is_refused(objects):
    with pytest.raises(BadValue, match=f"labels, row 2: object '{objects[0]}' was given before"):
        labels_by_object(objects, [1, 2, 3])
