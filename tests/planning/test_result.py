"""What a plan says: the table, the choice, the cheapest design, JSON."""

import dataclasses
import json
import re

import pytest


def test_the_table_marks_one_design(small_plan):
    rows = small_plan.table()
    assert [row["mark_all"] for row in rows].count("recommended") == 1
    assert rows[-1]["mark_all"] == "for comparison"
    assert rows[-1]["learner"] == "ridge regression on every test"
    for row in rows:
        assert row["low_all"] < row["error_all"] < row["high_all"]
    chosen = next(row for row in rows if row["mark_all"] == "recommended")
    assert chosen["layout"] == small_plan.best().layout


def test_where_no_design_predicts_none_is_marked(small_plan):
    nothing = dataclasses.replace(small_plan, errors={k: 0 * v + 1.0 for k, v in small_plan.errors.items()})
    assert small_plan.comparison().predicts
    assert not nothing.comparison().predicts
    assert "recommended" not in [row["mark_all"] for row in nothing.table()]


def test_where_no_design_predicts_no_target_is_recommended(small_plan):
    def spoiled(curve):
        return curve._replace(error=curve.error + 1)

    curves = {family: (spoiled(one), spoiled(two)) for family, (one, two) in small_plan.curves.items()}
    plan = dataclasses.replace(small_plan, curves=curves)
    with pytest.raises(ValueError, match="and predicting the mean label has 1, so take a larger total or") as found:
        plan.cheapest(0.9)
    assert "target above" not in str(found.value)


def test_designs_say_what_they_leave_out(small_plan):
    designs = [one._replace(leaves_out=("x1", "x4")) if one.spend == 2 else one for one in small_plan.designs[120]]
    plan = dataclasses.replace(small_plan, designs={120.0: designs}, errors={120.0: small_plan.errors[120]})
    content = json.loads(plan.to_json())["totals"][0]["designs"]
    assert [one["leaves_out"] for one in content] == [["x1", "x4"] if one["spend"] == 2 else [] for one in content]
    found = plan.cheapest(0.75).design
    assert found.leaves_out == (("x1", "x4") if found.spend == 2 else ())


def test_the_cheapest_design_costs_more_for_less_error(small_plan):
    worse, better = small_plan.cheapest(0.75), small_plan.cheapest(0.55)
    assert worse.design.cost <= better.design.cost
    assert better.design.cost == better.design.n_examples * better.design.spend
    assert small_plan.cheapest().error == 0.6


def test_a_target_that_no_design_reaches_is_refused_with_the_best_error(small_plan):
    with pytest.raises(ValueError, match=r"target=0.01: no design reaches it; the smallest error"):
        small_plan.cheapest(0.01)
    with pytest.raises(ValueError, match="target=2: a share of the label's variance is wanted, between 0 and 1"):
        small_plan.cheapest(2)


def test_no_design_takes_more_examples_than_there_are(small_plan):
    found = small_plan.cheapest(0.55)
    enough, too_few = (dataclasses.replace(small_plan, max_examples=found.design.n_examples - less) for less in (0, 1))
    assert enough.cheapest(0.55) == found
    with pytest.raises(ValueError, match="no design reaches it"):
        too_few.cheapest(0.55)
    totals = []
    for plan in (small_plan, dataclasses.replace(small_plan, max_examples=60)):
        with pytest.raises(ValueError, match="no design reaches it") as found:
            plan.cheapest(0.01)
        totals.append(int(re.search(r"tests per example at a total of (\d+)", str(found.value))[1]))
    assert totals[1] <= 60 * 6 < totals[0]


def test_a_total_that_was_not_planned_is_refused(small_plan):
    with pytest.raises(ValueError, match="total=7: the plan has 60, 120"):
        small_plan.best(7)


def test_json_holds_everything(small_plan, tmp_path):
    text = small_plan.to_json(tmp_path / "plan.json")
    assert (tmp_path / "plan.json").read_text() == text
    content = json.loads(text)
    assert content["pilot"]["examples"] == 40
    assert [one["total"] for one in content["totals"]] == [60, 120]
    assert len(content["totals"][1]["designs"]) == len(small_plan.designs[120])
    assert content["methods"] == small_plan.methods_paragraph()
    assert {one["learner"] for one in content["curves"]} == {"KeyholeRegressor", "complete rows", "screened panel"}
