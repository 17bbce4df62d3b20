import numpy as np
import pytest

from keyhole import Attribute
from keyhole.observe.attributes import (
    PlainAttributes,
    Prices,
    attribute_numbers,
    charged,
    has_unit_prices,
    is_plain,
)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"cost": -1}, "cost=-1 must be a finite number, 0 or more"),
        ({"cost": float("nan")}, "cost=nan"),
        ({"low": 3, "high": 2}, "low=3 must not exceed high=2"),
        ({"kind": "colour"}, "kind='colour' must be one of 'number', 'yes/no', 'choice', 'date'"),
        ({"kind": "choice"}, "choices are given for kind='choice'"),
        ({"kind": "yes/no", "choices": ("yes", "no")}, "choices are given for kind='choice'"),
        ({"kind": "choice", "choices": "red"}, "choices='red' must be several texts, not one"),
        ({"kind": "choice", "choices": ("red", "red")}, "choices=.* must differ"),
        ({"kind": "yes/no", "low": 0}, "low and high are given for kind='number'"),
    ],
)
def test_wrong_descriptions_are_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        Attribute("age", **arguments)


def test_plain_attributes_are_made_when_looked_at():
    wide = PlainAttributes(10**9)
    assert wide[-1].name == "x999999999"
    assert [a.name for a in PlainAttributes(4, list("abcd"))[1:3]] == ["b", "c"]
    with pytest.raises(IndexError):
        PlainAttributes(4)[4]


def test_a_bundle_is_paid_for_once_and_free_ones_never():
    attributes = [
        Attribute("age", free=True),
        Attribute("iron", cost=3, bundle="blood"),
        Attribute("lipids", cost=5, bundle="blood"),
        Attribute("x-ray", cost=10),
    ]
    prices = Prices(attributes)
    assert prices.total(np.array([0])) == 0
    assert prices.total(np.array([1])) == prices.total(np.array([2])) == prices.total(np.array([1, 2])) == 5
    assert prices.total(np.array([0, 1, 2, 3])) == 15
    assert not has_unit_prices(attributes)


def test_bounds_do_not_make_a_price():
    bounded = [Attribute("age", low=0, high=130)]
    assert has_unit_prices(bounded)
    assert not is_plain(bounded)
    assert is_plain([Attribute("age", unit="years")])


def test_choices_are_texts():
    assert Attribute("grade", kind="choice", choices=[1, 2, 3]).choices == ("1", "2", "3")


def test_attributes_by_name_or_number():
    wide, named = PlainAttributes(10**6), [Attribute("age"), Attribute("iron")]
    assert attribute_numbers(wide, [999_999, 0], "unavailable").tolist() == [999_999, 0]
    assert attribute_numbers(named, ["iron", np.int64(0)], "unavailable").tolist() == [1, 0]
    for wrong, message in (
        (["zinc"], r"unavailable: there is no attribute 'zinc' among 2: 'age', 'iron'"),
        ([2], "there is no attribute 2 among 2"),
        ([-1], "there is no attribute -1"),
        ([1.5], "there is no attribute 1.5"),
        (["iron", 1], "attribute 'iron' is there twice"),
    ):
        with pytest.raises(ValueError, match=message):
            attribute_numbers(named, wrong, "unavailable")


def test_which_missing_cells_are_paid_for():
    assert charged(PlainAttributes(3), np.array([0, 2])).tolist() == [False, False]
    described = [Attribute("age"), Attribute("iron", charged_when_missing=True)]
    assert charged(described, np.array([1, 0])).tolist() == [True, False]
    assert not is_plain(described)
