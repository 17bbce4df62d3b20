"""Offers: what can be bought and at what cost; wrong costs and bundles are refused by name."""

import numpy as np
import pytest

from keyhole.common.parameters import ParameterError
from keyhole.judgments.core.offers import make_offers

ATTRIBUTES = ["a", "b", "c"]


def described(offers):
    return [(offer.name, offer.columns.tolist(), offer.cost, offer.limit) for offer in offers]


def test_every_attribute_is_an_offer_at_unit_cost():
    expected = [("a", [0], 1.0, np.inf), ("b", [1], 1.0, np.inf), ("c", [2], 1.0, np.inf)]
    assert described(make_offers(ATTRIBUTES, None, None, None)) == expected


def test_a_bundle_is_one_offer_in_the_place_of_its_first_attribute():
    offers = make_offers(ATTRIBUTES, {"screen": 2.5, "b": 1}, {"screen": ["c", "a"]}, 4)
    assert described(offers) == [("screen", [0, 2], 2.5, 4), ("b", [1], 1.0, 4)]


def test_one_cost_per_attribute_is_that_of_a_bundle_whose_attributes_agree():
    offers = make_offers(ATTRIBUTES, np.array([2, 1, 2]), {"screen": ["a", "c"]}, None)
    assert [(offer.name, offer.cost) for offer in offers] == [("screen", 2.0), ("b", 1.0)]


@pytest.mark.parametrize(
    ("costs", "message"),
    [
        ({"a": 0, "b": 1, "c": 1}, "the cost of 'a' is 0; a cost must be a finite number above 0"),
        ([1, -2, 1], "the cost of 'b' is -2"),
        ([1, "free", 1], "the cost of 'b' is 'free'"),
        ({"a": float("nan")}, "the cost of 'a' is nan"),
        ([1, 2], "2 costs are given for 3 attributes"),
        ({"tall": 2}, "a cost is given for 'tall', which is not an offer; the offers are 'a', 'b', 'c'"),
        ({"a": 2}, "no cost is given for 'b', 'c'; every offer needs one"),
        (5, "costs=5: MultiSelector needs None, a dict, or one number per attribute"),
    ],
)
def test_wrong_costs(costs, message):
    with pytest.raises(ParameterError, match=message) as caught:
        make_offers(ATTRIBUTES, costs, None, None)
    assert caught.value.parameter == "costs"


@pytest.mark.parametrize(
    ("bundles", "message"),
    [
        (
            {"screen": ["a", "zoe"]},
            "bundle 'screen' names the unknown attribute 'zoe'; the attributes are 'a', 'b', 'c'",
        ),
        ({"screen": ["a"], "page": ["a"]}, "'a' is in two bundles"),
        ({"screen": ["a", "a"]}, "or twice in bundle 'screen'"),
        ({"a": ["b"]}, "bundle 'a' has the name of an attribute"),
        ({"screen": "ab"}, "bundle 'screen' is 'ab'; it must be a list of attributes"),
        ({"screen": []}, r"bundle 'screen' is \[\]"),
        ([["a", "b"]], "needs a dict of names to lists of attributes"),
    ],
)
def test_wrong_bundles(bundles, message):
    with pytest.raises(ParameterError, match=message) as caught:
        make_offers(ATTRIBUTES, None, bundles, None)
    assert caught.value.parameter == "bundles"


def test_costs_and_bundles_that_do_not_fit_each_other():
    bundles = {"screen": ["a", "b"]}
    with pytest.raises(ParameterError, match=r"paid for once, but have different costs \[1, 2\]"):
        make_offers(ATTRIBUTES, [1, 2, 3], bundles, None)
    with pytest.raises(
        ParameterError, match="a cost is given for 'a', which is not an offer; the offers are 'c', 'screen'"
    ):
        make_offers(ATTRIBUTES, {"a": 1, "screen": 2, "c": 1}, bundles, None)


@pytest.mark.parametrize("max_repeats", [0, 1.5, True])
def test_wrong_limits(max_repeats):
    with pytest.raises(
        ParameterError, match=f"max_repeats={max_repeats}: MultiSelector needs a whole number, 1 or more"
    ):
        make_offers(ATTRIBUTES, None, None, max_repeats)
