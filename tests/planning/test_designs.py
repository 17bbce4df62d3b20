"""Designs within a total cost."""

import numpy as np
import pytest

from keyhole.planning.designs import KEYHOLE, LIMIT, PANEL, ROWS, designs_within, spends_per_example
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
    assert designs[-1].learner == LIMIT
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
    with pytest.raises(ValueError, match="is 6, which pays for any one test or bundle, and a study"):
        designs_within(priced, 29, None, ALL)


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


def test_costs_are_spent_on_attributes_that_all_can_be_afforded():
    costs = np.r_[np.ones(25), np.full(5, 6.0)]
    pilot = read_pilot(PILOT.values, PILOT.labels, costs)
    spends = spends_per_example(pilot)
    assert spends[0] == 6
    assert spends[-1] == pilot.row_price == 55
    panels = [design for design in designs_within(pilot, 1000, None, ALL) if design.learner == PANEL]
    assert panels[0].n_tests == round(6 / (55 / 30))
