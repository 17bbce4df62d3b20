"""What can be bought within a budget: attributes with costs, free ones and bundles."""

import warnings

import numpy as np
import pytest

import keyhole as kh
from keyhole.moments.policy.offers import Offers, offers_within, with_costs
from keyhole.observe import PlainAttributes
from moments.conftest import COSTS, costly_table, described


def test_plain_attributes_are_one_offer_each():
    offers = offers_within("test", PlainAttributes(5), 2)
    assert offers.members.tolist() == [0, 1, 2, 3, 4]
    assert offers.first.tolist() == [0, 1, 2, 3, 4, 5]
    assert offers.cost.tolist() == [1.0] * 5
    assert (len(offers.free), offers.limit, offers.equal_costs) == (0, 2, True)
    assert offers_within("test", PlainAttributes(5), 5) is None


def test_free_attributes_are_no_offer_and_a_bundle_is_one():
    offers = offers_within("test", described(), 4)
    assert offers.free.tolist() == [0]
    assert offers.members.tolist() == [2, 3, 5, 6, 7, 1, 4]
    assert offers.first.tolist() == [0, 1, 2, 3, 4, 5, 7]
    assert offers.cost.tolist() == [0.5, 3.0, 2.5, 1.0, 1.0, 2.0]
    assert (offers.limit, offers.equal_costs) == (4.0, False)
    assert offers.containing(np.array([4, 7, 0])).tolist() == [4, 5]
    assert offers.containing(np.array([1])).tolist() == offers.containing(np.array([1, 4])).tolist() == [5]


def test_offers_of_one_cost_are_counted():
    offers = offers_within("test", [kh.Attribute(f"a{i}", cost=0.3) for i in range(6)], 1.0)
    assert isinstance(offers, Offers)
    assert (offers.limit, offers.equal_costs) == (3, True)
    assert offers.cost.tolist() == [1.0] * 6
    exact = offers_within("test", [kh.Attribute(f"a{i}", cost=0.1) for i in range(6)], 0.3)  # 0.3 / 0.1 is 2.999...
    assert exact.limit == 3


def test_where_everything_is_free_or_affordable_there_is_nothing_to_choose():
    assert offers_within("test", [kh.Attribute("a", free=True), kh.Attribute("b", cost=0)], 1) is None
    assert offers_within("test", [kh.Attribute("a", cost=2), kh.Attribute("b", cost=3)], 5.0) is None


@pytest.mark.parametrize("budget", [0, -1, 6, 1.5, True])
def test_attributes_that_cost_1_need_a_whole_number(budget):
    with pytest.raises(ValueError, match=f"budget={budget}"):
        offers_within("test", PlainAttributes(5), budget)
    with pytest.raises(ValueError, match=f"budget={budget}"):
        offers_within("test", [kh.Attribute("free", free=True), *(kh.Attribute(c) for c in "abcde")], budget)


def test_equal_costs_and_bundles_are_a_number_of_offers():
    attributes = [kh.Attribute(f"a{i}", cost=2, bundle=f"b{i // 2}") for i in range(8)]
    X, y = costly_table()
    learner = kh.KeyholeRegressor(4, random_state=0).fit(kh.observe.ArraySource(X, attributes), y)
    assert learner.observed_.max_per_example == 4  # two bundles of two
    assert learner.observed_.cost == 4 * 300


def test_costs_by_array_and_by_name_are_those_of_the_attributes():
    X, y = costly_table()
    names = [f"a{i}" for i in range(8)]
    source = kh.observe.ArraySource(X, [kh.Attribute(n, cost=c) for n, c in zip(names, COSTS, strict=True)])
    by_attributes = kh.KeyholeRegressor(4, random_state=0).fit(source, y)
    by_array = kh.KeyholeRegressor(4, costs=COSTS, random_state=0).fit(X, y)
    plain = kh.observe.ArraySource(X, [kh.Attribute(n) for n in names])
    by_name = kh.KeyholeRegressor(4, costs=dict(zip(names, COSTS, strict=True)), random_state=0).fit(plain, y)
    for other in (by_array, by_name):
        np.testing.assert_array_equal(by_attributes.coef_, other.coef_)
        assert by_attributes.observed_.cost == other.observed_.cost
    free = with_costs("test", [kh.Attribute("a"), kh.Attribute("b", free=True)], {"a": 0})
    assert [a.free for a in free] == [True, True]


def test_costs_change_nothing_else_of_an_attribute():
    given = [kh.Attribute("a", cost=2, unit="kg", low=0), kh.Attribute("b", bundle="x")]
    assert with_costs("test", given, None) is given
    changed = with_costs("test", given, {"a": 3})
    assert changed == [kh.Attribute("a", cost=3.0, unit="kg", low=0), kh.Attribute("b", bundle="x")]


def test_what_costs_more_than_the_budget_is_left_out_with_a_warning():
    X, y = costly_table(60)
    with pytest.warns(UserWarning, match="'x3' costs 9, more than the budget of 2"):
        learner = kh.KeyholeRegressor(2, costs=[1, 1, 1, 9, 1, 1, 1, 2], random_state=0).fit(X, y)
    assert learner.observed_.per_attribute[3] == 0
    assert learner.coef_[3] == 0
    with pytest.warns(UserWarning, match=r"'x0' costs 9, more than the budget of 2.*\. 1 more cost too much as well"):
        offers_within("test", [kh.Attribute("x0", cost=9), kh.Attribute("b", cost=1), kh.Attribute("c", cost=3)], 2)
    blood = [kh.Attribute(f"blood {i}", cost=9, bundle="panel") for i in range(3)]
    with pytest.warns(UserWarning, match="bundle 'panel' costs 9, more than the budget of 2"):
        offers_within("test", [*blood, kh.Attribute("b", cost=1), kh.Attribute("c", cost=2)], 2)
    with pytest.raises(ValueError, match="can afford no attribute; attribute 'x0' costs 9"):
        kh.KeyholeRegressor(2, costs=np.full(8, 9.0)).fit(X, y)


def test_costs_that_differ_by_rounding_are_named_with_the_budget_that_is_needed():
    attributes = [kh.Attribute(f"a{i}", cost=1.0 + 0.0001 * (i % 2)) for i in range(20)]
    with pytest.warns(UserWarning, match=r"a budget of 4\.0004 would pay for one more of them"):
        offers_within("test", attributes, 4)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        offers_within("test", attributes, 4.0004)
        offers_within("test", [kh.Attribute(f"a{i}", cost=1.0 + 0.1 * (i % 2)) for i in range(20)], 4)


def test_pairs_that_cost_more_than_the_budget_together_are_named():
    attributes = [kh.Attribute("ct", cost=5), kh.Attribute("mri", cost=6), kh.Attribute("age"), kh.Attribute("sex")]
    blood = [kh.Attribute(f"blood {i}", cost=4, bundle="blood") for i in range(3)]
    message = r"2 of 10 pairs .* than the budget of 9: 'ct' with 'mri', 'mri' with 'blood'\. No example"
    with pytest.warns(UserWarning, match=message) as caught:
        offers_within("test", [*attributes, *blood], 9)
    assert len(caught) == 1
    with pytest.warns(UserWarning, match=r"66 of 66 pairs .*'a0' with 'a10' and 56 more"):
        offers_within("test", [kh.Attribute(f"a{i}", cost=3) for i in range(12)], 5)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        offers_within("test", [*attributes, *blood], 11)


@pytest.mark.parametrize(
    ("costs", "message"),
    [
        ([1, 2], "one for each of 8 attributes; got 2"),
        ({"z": 1}, "no attribute is called 'z'"),
        ([1, 1, 1, 1, 1, 1, 1, "dear"], "'dear' for attribute 'x7' is not a number"),
        ([1, 1, 1, 1, 1, 1, 1, -1], "'x7': cost=-1.0"),
    ],
)
def test_wrong_costs(costs, message):
    X, y = costly_table(20)
    with pytest.raises(ValueError, match=message):
        kh.KeyholeRegressor(2, costs=costs).fit(X, y)


@pytest.mark.parametrize("budget", [0, -1.0, np.nan, "much"])
def test_wrong_budgets(budget):
    with pytest.raises(ValueError, match="budget"):
        kh.KeyholeRegressor(budget, costs=COSTS).start(8)


def test_a_budget_for_everything_reveals_everything():
    X, y = costly_table(60)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        learner = kh.KeyholeRegressor(100, costs=COSTS, random_state=0).fit(X, y)
    assert learner.family_ == "ridge"
    assert learner.observed_.cost == 60 * COSTS.sum()


def test_an_unknown_name_among_costs_is_answered_with_the_nearest():
    attributes = [kh.Attribute(name) for name in ("age", "x-ray", "pulse")]
    with pytest.raises(
        ValueError, match=r"costs: no attribute is called 'xray' \(did you mean 'x-ray'\?\); there are 'age'"
    ):
        with_costs("KeyholeRegressor", attributes, {"xray": 2})
