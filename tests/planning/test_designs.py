"""Designs within a total cost."""

import numpy as np
import pandas as pd
import pytest

from keyhole import Attribute
from keyhole.planning.designs import EVERY_TEST, KEYHOLE, PANEL, ROWS, designs_within, spends_per_example
from keyhole.planning.learners import predictions_of
from keyhole.planning.pilot import read_pilot

rng = np.random.default_rng(0)
PILOT = read_pilot(rng.normal(size=(40, 30)), rng.normal(size=40))
ALL = (KEYHOLE, ROWS, PANEL)


def test_layouts_of_the_same_total():
    designs = designs_within(PILOT, 1820, 455, ALL)
    own = [design.layout for design in designs if design.learner == KEYHOLE]
    assert own == ["2 x 455", "4 x 455", "8 x 227", "15 x 121", "30 x 60"]
    assert all(design.cost <= 1820 for design in designs if design.can_be_chosen)
    assert designs[-1].learner == EVERY_TEST
    assert designs[-1].n_examples == 455
    assert [design.layout for design in designs if design.learner == ROWS] == ["30 x 60"]


def test_designs_with_too_few_examples_are_left_out():
    assert {design.spend for design in designs_within(PILOT, 50, None, ALL)[:-1]} == {2, 4, 8}


def test_a_panel_has_at_least_two_examples_for_each_weight():
    wide = read_pilot(np.random.default_rng(0).normal(size=(40, 200)), np.arange(40.0))
    designs = designs_within(wide, 3000, None, ALL)
    panels = [design for design in designs if design.learner == PANEL]
    assert panels
    assert all(0.6 * design.n_examples >= 2 * design.n_tests for design in panels)
    assert max(design.spend for design in panels) < max(design.spend for design in designs if design.learner == KEYHOLE)


def test_a_total_that_is_too_small_is_refused():
    message = "on an example is 2, for the fewest tests, and a study needs at least 5 examples, so the total must be 10"
    with pytest.raises(ValueError, match=message):
        designs_within(PILOT, 9, None, ALL)
    priced = read_pilot(PILOT.values, PILOT.labels, np.r_[np.ones(25), np.full(5, 6.0)])
    with pytest.raises(ValueError, match="is 2, which pays for two tests or bundles of the median price, and a study"):
        designs_within(priced, 9, None, ALL)


@pytest.mark.parametrize("cost", [1.0, 3.0, 0.1])
def test_where_all_tests_cost_the_same_an_example_has_a_whole_number_of_them(cost):
    costs = np.r_[np.zeros(2), np.full(28, cost)]
    pilot = read_pilot(PILOT.values, PILOT.labels, costs)
    spends = spends_per_example(pilot)
    assert np.array(spends) / cost == pytest.approx([2, 4, 7, 14, 28], rel=1e-12)
    assert spends[-1] == pilot.row_price
    designs = designs_within(pilot, 400 * cost, None, (KEYHOLE,))
    assert [design.n_examples for design in designs[:2]] == [200, 100]
    for design in designs[:2]:
        new = pilot.values[:5]
        predictions_of(design, pilot.values, pilot.labels, new, pilot.attributes, 4, 0)
    with pytest.raises(ValueError, match="for the fewest tests, and a study needs at least 5 examples"):
        designs_within(pilot, 9 * cost, None, (KEYHOLE,))


CLINIC = [1, 1, 2, 2, 3, 3, 5, 5, 8, 8, 10, 12, 15, 20, 25, 30, 4, 4, 6, 7.0]


@pytest.mark.parametrize(
    ("costs", "wanted", "left_out"),
    [(CLINIC, [11, 21.8, 43.4, 86.2, 171], 5), ([1.0] * 19 + [500.0], [2, 8.03, 32.2, 129, 519], 1)],
)
def test_with_other_costs_the_thinnest_design_pays_for_two_tests_of_the_median_price(costs, wanted, left_out):
    rng = np.random.default_rng(0)
    values = rng.normal(size=(300, 1)) + rng.normal(size=(300, 20))
    pilot = read_pilot(values, values.sum(axis=1), costs)
    assert spends_per_example(pilot) == pytest.approx(wanted, rel=0.01)
    designs = designs_within(pilot, 6000, None, ALL)
    own = [design for design in designs if design.learner == KEYHOLE]
    assert len(own[0].leaves_out) == left_out
    for design in own:
        dear = {one.name for one in pilot.attributes if one.cost > design.spend}
        assert set(design.leaves_out) == dear
    assert all(not design.leaves_out for design in designs if design.learner != KEYHOLE)
    found = predictions_of(own[0], *pilot[:2], values[:5], pilot.attributes, 4, 0)
    without = values[:5].copy()
    without[:, [i for i, one in enumerate(pilot.attributes) if one.name in own[0].leaves_out]] += 7.0
    assert np.ptp(found.from_all) > 0
    np.testing.assert_allclose(predictions_of(own[0], *pilot[:2], without, pilot.attributes, 4, 0), found, rtol=1e-12)


def test_a_panel_pays_for_its_tests_on_average():
    pilot = read_pilot(PILOT.values, PILOT.labels, np.r_[np.ones(25), np.full(5, 6.0)])
    assert spends_per_example(pilot)[-1] == pilot.row_price == 55
    panels = [design for design in designs_within(pilot, 1000, None, ALL) if design.learner == PANEL]
    assert [design.n_tests for design in panels] == [round(design.spend / (55 / 30)) for design in panels]
    dear = read_pilot(PILOT.values[:, :20], PILOT.labels, [1.0] * 19 + [500.0])
    panels = [design for design in designs_within(dear, 6000, None, ALL) if design.learner == PANEL]
    assert min(design.spend for design in panels) >= 519 / 20


def test_a_bundle_is_left_out_as_a_whole_and_counts_once():
    pilot = read_pilot(
        pd.DataFrame(PILOT.values[:, :5], columns=list("abcde")),
        PILOT.labels,
        [Attribute("a", 9, bundle="scan"), Attribute("b", 9, bundle="scan"), *(Attribute(one, 2) for one in "cd")],
    )
    assert pilot.row_price == 14
    designs = designs_within(pilot, 600, None, (KEYHOLE,))
    assert designs[0].spend == 4
    assert designs[0].leaves_out == ("a", "b")
