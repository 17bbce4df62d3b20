"""A plan as text."""

import dataclasses

import pytest

from keyhole.planning.report.text import as_text


@pytest.mark.parametrize("width", [80, 100])
def test_the_table_is_as_wide_as_a_terminal_and_complete(small_plan, width):
    text = as_text(small_plan, width)
    lines = text.splitlines()
    assert max(map(len, lines)) <= width
    assert "Designs for a total of 120 tests" in text
    for design in small_plan.designs[120]:
        first = design.learner.partition(" on ")[0]  # a long name has two lines
        assert any(first in line and design.layout in line for line in lines)
    assert " *" in text
    assert "…" not in text


def test_designs_that_leave_out_tests_have_a_remark(small_plan):
    own = [one for one in small_plan.designs[120] if one.learner == "KeyholeRegressor"]
    designs = [one._replace(leaves_out=("x1", "x4")) if one == own[0] else one for one in small_plan.designs[120]]
    plan = dataclasses.replace(small_plan, designs={120.0: designs}, errors={120.0: small_plan.errors[120]})
    text = as_text(plan, 80)
    assert f"{own[0].layout}†" in text
    assert f"† {own[0]} leaves out 'x1', 'x4', each of which costs more than the 2" in " ".join(text.split())
    assert text.count("†") == 2
    assert "†" not in str(small_plan)


def test_a_few_that_is_all_has_no_column_of_its_own(small_plan):
    assert "error from 2" in str(small_plan)
    assert "error from 6" not in str(dataclasses.replace(small_plan, few=6))


def test_a_large_total_with_costs_loses_no_mark(small_plan):
    designs = [one._replace(n_examples=1481, spend=13.5, cost=19993.5) for one in small_plan.designs[120]]
    large = dataclasses.replace(
        small_plan, designs={20000.0: designs}, errors={20000.0: small_plan.errors[120]}, unit_costs=False, target=None
    )
    text = as_text(large, width=80)
    assert "…" not in text
    assert " =" in text
