"""Money in whole millionths."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from keyhole.errors import StudyError
from keyhole.observe.attributes import Attribute, Prices
from keyhole.study.money import PriceList, amount, millionths

ATTRIBUTES = [
    Attribute("age", free=True),
    Attribute("iron", cost=0.1, bundle="blood"),
    Attribute("lipids", cost=0.7, bundle="blood"),
    Attribute("pulse", cost=0.2),
    Attribute("mri", cost=300.25),
]


def test_sums_of_tenths_are_exact():
    assert sum(millionths(0.1, "x") for _ in range(10)) == millionths(1.0, "x")
    assert amount(millionths(0.3, "x")) == 0.3
    assert millionths(1e9, "x") == 10**15


def test_an_amount_with_more_digits_is_refused():
    with pytest.raises(StudyError, match=r"the cost of 'iron' is 0.3333333333.*at most six digits"):
        millionths(1 / 3, "the cost of 'iron'")


def test_prices_are_those_of_the_meter_of_learners():
    prices, reference = PriceList(ATTRIBUTES), Prices(ATTRIBUTES)
    for n in range(len(ATTRIBUTES) + 1):
        for some in itertools.combinations(range(len(ATTRIBUTES)), n):
            wanted = reference.total(np.array(some, dtype=np.int64))
            assert amount(prices.price(some)) == pytest.approx(wanted, abs=1e-12)


def test_an_attribute_of_a_bundle_costs_the_bundle():
    assert [amount(PriceList(ATTRIBUTES).each(i)) for i in range(5)] == [0, 0.7, 0.7, 0.2, 300.25]
