"""The size that a layout begins with, and the pilot."""

import numpy as np
import pytest

from keyhole.moments.policy.layout import Layout, LayoutStep, first_size, kept_offers, pilot_rows
from keyhole.moments.policy.offers import every_offer
from keyhole.moments.policy.settings import (
    LARGEST_PILOT_SHARE,
    LEAST_PILOT_ROWS,
    LEAST_ROWS_OF_LAYOUT,
    MOST_PILOT_ROWS,
    PILOT_SHARE,
    REVEALS_OF_DEAR,
)
from keyhole.observe import Attribute, PlainAttributes


def offers(d=64, budget=None):
    return every_offer("Learner", PlainAttributes(d), budget)[0]


def test_the_root_of_cells_per_example_times_attributes():
    assert first_size(offers(), 4 * 1400, 1400)[0] == 16
    assert first_size(offers(784), 2 * 10_000, 10_000)[0] == 40


def test_limits_of_the_first_size():
    size, why = first_size(offers(budget=10), 4 * 1400, 1400)
    assert (size, why) == (10, "the most that one example may cost")
    assert first_size(offers(budget=10), 4 * 1400, None)[0] == 10
    size, why = first_size(offers(500), 4 * 135, 135)
    assert size == np.ceil(4 * 135 / LEAST_ROWS_OF_LAYOUT)
    assert str(LEAST_ROWS_OF_LAYOUT) in why
    assert first_size(offers(10), 9.5 * 200, 200)[0] == 10  # all of the total can be spent
    assert first_size(offers(10), 6, 200)[0] == 1


def test_costs_have_no_unit_and_the_largest_one_can_be_paid():
    attributes = [Attribute(f"a{i}", cost=1.0 + i % 3) for i in range(30)]
    cheap = every_offer("Learner", attributes)[0]
    dear = every_offer("Learner", [Attribute(a.name, cost=10 * a.cost) for a in attributes])[0]
    assert first_size(dear, 10 * 6 * 900, 900)[0] == pytest.approx(10 * first_size(cheap, 6 * 900, 900)[0])
    one = every_offer("Learner", [*attributes, Attribute("scan", cost=40.0)])[0]
    size, why = first_size(one, 2 * 900, 900)
    assert size == pytest.approx(40 + np.sqrt(2 * 100))  # an example that shows the scan shows others too
    assert why == "the largest cost, and what others cost at this size"


def priced(costs):
    return every_offer("Learner", [Attribute(f"a{i}", cost=float(c)) for i, c in enumerate(costs)])[0]


def test_the_dearest_are_left_out_until_the_total_pays_for_the_others():
    dear = priced([1] * 19 + [500])
    for total in (600, 5000, REVEALS_OF_DEAR * 519 - 1):
        assert kept_offers(dear, total, 5000).tolist() == list(range(19))
    assert len(kept_offers(dear, REVEALS_OF_DEAR * 519, 5000)) == 20  # often enough, whatever an example costs
    assert len(kept_offers(dear, 120 * 500, 60)) == 20
    several = priced([30, 1, 2, 25, 3, 4, 30, 5])
    for total in (40, 200, 600, 2000):
        kept = kept_offers(several, total, 400)
        costs = several.cost[kept]
        assert costs.max() <= several.cost[np.setdiff1d(np.arange(8), kept)].min()
        pays_often = total >= REVEALS_OF_DEAR * costs.sum()
        assert pays_often or costs.max() <= max(total / LEAST_ROWS_OF_LAYOUT, costs.min())
    assert len(kept_offers(several, 40, 400)) == 1
    assert len(kept_offers(several, REVEALS_OF_DEAR * 100, 400)) == 8


def test_with_equal_costs_or_an_unknown_number_of_examples_nothing_is_left_out():
    assert len(kept_offers(offers(64), 2, 5000)) == 64
    assert len(kept_offers(priced([1] * 19 + [500]), 600, None)) == 20


def test_a_pilot_is_a_small_part_of_the_total():
    assert pilot_rows(offers(500), 100_000, 20_000) == MOST_PILOT_ROWS
    assert pilot_rows(offers(100), 8000, 2000) == int(PILOT_SHARE * 8000 / 100)
    assert pilot_rows(offers(784), 2 * 10_000, 10_000) == 0  # two complete images tell nothing
    assert pilot_rows(offers(64, budget=10), 100_000, 20_000) == 0  # no example may be complete
    assert pilot_rows(offers(64), 100_000, None) == 0


def test_a_pilot_costs_more_where_complete_examples_outnumber_attributes():
    assert pilot_rows(offers(40), 49 * 40, 490) == LEAST_PILOT_ROWS
    assert pilot_rows(offers(60), 49 * 60, 490) == 0  # 49 complete examples of 60 attributes
    least = int(np.ceil(LEAST_PILOT_ROWS / LARGEST_PILOT_SHARE))
    assert pilot_rows(offers(10), least * 10, 200) == LEAST_PILOT_ROWS
    assert pilot_rows(offers(10), (least - 1) * 10, 200) == 0


def test_a_layout_in_words():
    steps = (LayoutStep(0, 0.0, 64.0, "a pilot of 8 complete examples"), LayoutStep(8, 512.0, 16.0, "a reason"))
    layout = Layout(total=5600, spent=5594, left=6, n_passed=1400, n_looked_at=325, steps=steps)
    assert str(layout).split("\n") == [
        "spent of 5600: 5594 on 325 of 1,400 examples; 6 left",
        "from looked-at example 1 on: at most 64 per example: a pilot of 8 complete examples",
        "from looked-at example 9 on: at most 16 per example: a reason",
    ]
