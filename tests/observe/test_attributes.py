import numpy as np
import pytest

from keyhole import Attribute
from keyhole.observe.attributes import PlainAttributes, Prices, has_unit_prices, is_plain


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"cost": -1}, "cost=-1 must be a finite number, 0 or more"),
        ({"cost": float("nan")}, "cost=nan"),
        ({"low": 3, "high": 2}, "low=3 must not exceed high=2"),
        ({"kind": "colour"}, "kind='colour' must be 'number' or 'choice'"),
        ({"kind": "choice"}, "choices are given for kind='choice'"),
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
