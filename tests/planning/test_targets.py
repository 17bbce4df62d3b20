"""What a plan says of a target, from all attributes and from few: sentences and JSON."""

import dataclasses
import json

from keyhole.planning.report.sentences import verdict
from keyhole.planning.targets import target_sentences, targets_as_dict


def test_a_sentence_for_all_attributes_and_a_short_one_for_few(small_plan):
    assert small_plan.target == 0.6
    whole, few = target_sentences(small_plan)
    design = small_plan.cheapest().design
    assert whole.startswith(f"Target 0.6: the cheapest design that is expected to reach it is {design}, at a cost of ")
    design = small_plan.cheapest(few=True).design
    assert few == (
        f"Target 0.6 for predictions from 2 attributes: the cheapest is {design}, at a cost of {design.cost:,.0f}."
    )


def test_targets_stand_once_at_the_largest_total(small_plan):
    assert verdict(small_plan)[-2:] == target_sentences(small_plan)
    assert not any(one.startswith("Target") for one in verdict(small_plan, 60))
    assert str(small_plan).count("Target 0.6") == 2


def test_where_few_are_all_attributes_there_is_one_sentence(small_plan):
    assert len(target_sentences(dataclasses.replace(small_plan, few=6))) == 1
    assert target_sentences(dataclasses.replace(small_plan, target=None)) == []
    one = dataclasses.replace(small_plan, few=1)
    assert target_sentences(one)[1].startswith("Target 0.6 for predictions from 1 attribute: ")


def test_a_target_may_be_reached_from_all_attributes_alone(small_plan):
    smallest = [min(both[few].error.min() for both in small_plan.curves.values()) for few in (0, 1)]
    assert smallest[0] < smallest[1]
    plan = dataclasses.replace(small_plan, target=sum(smallest) / 2)
    whole, few = target_sentences(plan)
    assert "an extrapolation beyond the total" in whole
    assert "for predictions from 2 attributes: no design reaches it; the smallest error that can be expected is" in few
    assert json.loads(plan.to_json())["cheapest"]["few"] is None


def test_json_has_both_designs(small_plan):
    found = json.loads(small_plan.to_json())["cheapest"]
    for few, name in ((False, "all"), (True, "few")):
        cheapest = small_plan.cheapest(few=few)
        assert found[name]["layout"] == cheapest.design.layout
        assert found[name]["learner"] == cheapest.design.learner
        assert found[name]["cost"] == cheapest.design.cost
        assert found[name]["extrapolated"] is cheapest.extrapolated
    assert targets_as_dict(dataclasses.replace(small_plan, target=None)) is None
