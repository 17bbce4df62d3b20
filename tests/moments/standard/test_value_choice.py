"""What the parameter ``values`` may be, and the columns that attributes have."""

import numpy as np
import pytest

import keyhole as kh
from keyhole.common.parameters import ParameterError
from keyhole.moments.standard.value_choice import CHOICES, allowed_maps, column_names, columns_of
from keyhole.moments.standard.values import MAPS
from keyhole.observe import PlainAttributes

THREE = [
    kh.Attribute("age"),
    kh.Attribute("colour", kind="choice", choices=("red", "green", "blue")),
    kh.Attribute("b"),
]


@pytest.mark.parametrize(
    ("values", "names"),
    [
        ("auto", {"winsorised", "log", "log from the edge", "rank"}),
        ("winsorised", {"winsorised"}),
        ("log", {"log", "log from the edge"}),
        ("rank", {"rank"}),
    ],
)
def test_one_word_is_for_all_attributes(values, names):
    allowed = allowed_maps("test", values, PlainAttributes(3))
    assert allowed.shape == (3, len(MAPS))
    for row in allowed:
        assert {name for name, may in zip(MAPS, row, strict=True) if may} == names


def test_raw_values_have_no_map_at_all():
    assert allowed_maps("test", "raw", PlainAttributes(3)) is None
    assert not any(CHOICES["raw"])


@pytest.mark.parametrize("given", [["raw", "log", "auto"], ("raw", "log", "auto"), np.array(["raw", "log", "auto"])])
def test_a_word_for_each_attribute(given):
    found = allowed_maps("test", given, PlainAttributes(3))
    np.testing.assert_array_equal(found, [CHOICES["raw"], CHOICES["log"], CHOICES["auto"]])


def test_a_dict_is_by_name_and_the_others_are_chosen_automatically():
    found = allowed_maps("test", {"x1": "rank"}, PlainAttributes(3))
    np.testing.assert_array_equal(found, [CHOICES["auto"], CHOICES["rank"], CHOICES["auto"]])
    np.testing.assert_array_equal(allowed_maps("test", {}, PlainAttributes(2)), [CHOICES["auto"]] * 2)


@pytest.mark.parametrize("values", ["auto", ["rank", "rank", "rank"], {"colour": "log"}])
def test_the_values_of_a_choice_have_no_order_and_no_map(values):
    allowed = allowed_maps("test", values, THREE)
    assert allowed.any(axis=1).tolist() == [True, False, True]


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ("ranks", "'ranks': test takes one of 'auto', 'raw', 'winsorised', 'log', 'rank'"),
        (["auto", "auto", 3], "3 for attribute 'b': test takes one of"),
        ({"age": "cube"}, "'cube' for attribute 'age': test takes one of"),
        ({"weight": "log"}, "no attribute is called 'weight'; there are 'age', 'colour', 'b'"),
        (["auto"], "one for each of 3 attributes, or a dict of them by name; got"),
        (None, "got None"),
        (7, "got 7"),
    ],
)
def test_other_values_are_refused_with_the_name_of_the_parameter(values, message):
    with pytest.raises(ParameterError, match=message) as error:
        allowed_maps("test", values, THREE)
    assert str(error.value).startswith("values")


def test_a_learner_refuses_them_when_it_is_fitted():
    X = np.random.default_rng(0).normal(size=(30, 3))
    with pytest.raises(ValueError, match="'cube': KeyholeRegressor takes one of"):
        kh.KeyholeRegressor(2, values="cube").fit(X, X[:, 0])


def test_a_choice_of_three_or_more_has_a_column_for_each():
    assert columns_of(PlainAttributes(4)) is None
    assert columns_of(THREE).tolist() == [1, 3, 1]
    two = kh.Attribute("sex", kind="choice", choices=("f", "m"))
    assert columns_of([two, kh.Attribute("ill", kind="yes/no")]) is None


def test_columns_are_named_by_their_attribute_its_map_or_its_value():
    found = column_names(THREE, ["rank", "choice", "raw"])
    assert found.tolist() == ["age (rank)", "colour=red", "colour=green", "colour=blue", "b"]
