"""What JSON holds of a plan: the numbers that the plan has, under names that say what they are."""

import json

import pytest

from keyhole.planning.report.as_json import as_dict


def test_numbers_are_those_of_the_plan(small_plan):
    found = json.loads(json.dumps(as_dict(small_plan), allow_nan=False))
    assert found["pilot"]["examples"] == small_plan.n_pilot == 40
    assert [one["total"] for one in found["totals"]] == [60, 120]
    assert [one["designs"] for one in found["totals"]] == [small_plan.table(60), small_plan.table(120)]
    assert found["methods"] == small_plan.methods_paragraph()


def test_curves_have_a_cost_for_every_error(small_plan):
    found = as_dict(small_plan)["curves"]
    assert len(found) == len(small_plan.curves)
    for one in found:
        curve, _ = small_plan.curves[one["learner"], one["spend"]]
        assert one["all"]["error"] == curve.error.tolist()
        assert len(one["all"]["cost"]) == len(one["all"]["standard_error"]) == len(curve.error)


def test_what_was_simulated_on_the_pilot_is_there_for_both_kinds_of_prediction(small_plan):
    found = as_dict(small_plan)["on_the_pilot"]
    assert [one["predicted_from"] for one in found] == ["all", "few"] * len(small_plan.checks)
    first, check = found[0], small_plan.checks[0]
    assert (first["learner"], first["layout"]) == (check.design.learner, check.design.layout)
    assert first["standard_error"] == pytest.approx(check.error[0] * check.standard_error[0])
