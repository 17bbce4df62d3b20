"""Sentences of plans, for errors that are made up."""

import dataclasses

import numpy as np
import pytest

from keyhole.planning.designs import KEYHOLE, PANEL, ROWS
from keyhole.planning.report.sentences import left_out, verdict


def with_errors(plan, make):
    """The plan with other errors at its largest total: a function of the design."""
    total = plan.total
    noise = np.exp(1e-4 * np.random.default_rng(0).normal(size=(8, len(plan.designs[total]), 2)))
    errors = np.array([make(design) for design in plan.designs[total]])[None, :, None] * noise
    return dataclasses.replace(plan, designs={total: plan.designs[total]}, errors={total: errors})


def test_it_says_when_keyhole_is_the_wrong_choice(small_plan):
    plan = with_errors(small_plan, lambda design: 0.3 if design.learner == ROWS else 0.45)
    assert plan.best().learner == ROWS
    said = " ".join(verdict(plan))
    assert "Keyhole is the wrong choice here: the best of its designs" in said
    assert "is expected to have an error 50% above that of complete rows, 6 x 20" in said


def test_it_says_when_keyhole_is_behind_but_cannot_be_told_apart(small_plan):
    plan = with_errors(small_plan, lambda design: 0.3 if design.learner == ROWS else 0.45)
    own = [i for i, design in enumerate(plan.designs[120]) if design.learner == KEYHOLE]
    plan.errors[120][:, own, :] *= np.tile([0.5, 1.5], 4)[:, None, None]
    said = " ".join(verdict(plan))
    assert "wrong choice" not in said
    assert "Keyhole is not the better choice here: the best of its designs" in said
    assert "above that of complete rows, 6 x 20, though the two cannot be told apart." in said


def test_it_says_why_a_learner_with_the_same_layout_is_recommended(small_plan):
    plan = with_errors(small_plan, lambda design: {ROWS: 0.3, KEYHOLE: 0.31}.get(design.learner, 0.6))
    at = [i for i, design in enumerate(plan.designs[120]) if design.spend == small_plan.row_price]
    only = dataclasses.replace(
        plan, designs={120.0: [plan.designs[120][i] for i in at]}, errors={120.0: plan.errors[120][:, at]}, target=None
    )
    assert only.best().learner == KEYHOLE
    assert "Keyhole comes first among learners with the same layout" in verdict(only)[0]
    assert "wrong choice" not in " ".join(verdict(only))


def test_it_says_which_designs_cannot_be_told_apart(small_plan):
    plan = with_errors(small_plan, lambda design: 0.3 if design.learner == KEYHOLE else 0.6)
    said = verdict(plan)[0]
    assert "the smallest expected error, 0.30" in said
    assert "It cannot be told apart from KeyholeRegressor" in said
    assert "complete rows" not in said.partition(" Recommended")[0]
    assert "wrong choice" not in " ".join(verdict(plan))


def test_it_says_when_complete_rows_are_the_best_layout_of_keyhole(small_plan):
    row = small_plan.row_price
    plan = with_errors(small_plan, lambda design: 0.3 if (design.learner, design.spend) == (KEYHOLE, row) else 0.6)
    assert any("Complete rows are the best layout" in one for one in verdict(plan))
    alike = with_errors(small_plan, lambda design: 0.3 if (design.learner, design.spend) == (KEYHOLE, row) else 0.303)
    assert not any("Complete rows are the best layout" in one for one in verdict(alike))
    near = with_errors(small_plan, lambda design: {(KEYHOLE, row): 0.3, (KEYHOLE, 3.0): 0.312}.get(design[:3:2], 0.6))
    assert near.best().spend == 3
    assert not any("Complete rows are the best layout" in one for one in verdict(near))


def test_it_says_when_nothing_predicts_the_label(small_plan):
    plan = with_errors(small_plan, lambda design: 0.98)
    assert "hardly better than predicting the mean label" in verdict(plan)[0]
    for error in (1.0, 1.3):
        plan = with_errors(small_plan, lambda design: error)  # noqa: B023
        said = " ".join(verdict(plan))
        assert "no design is expected to do better at this cost than predicting the mean label" in said
        assert "none is recommended" in said
        assert "Recommended" not in said
        assert "Keyhole" not in " ".join(verdict(plan)[1:2])
        paragraph = plan.methods_paragraph()
        assert paragraph.startswith("Designs were compared by simulation")
        assert "No design is expected to do better than the mean label, and none was chosen" in paragraph
        assert "could not be told apart" not in paragraph


def test_a_recommendation_of_keyhole_is_not_contradicted(small_plan):
    best = max(one.spend for one in small_plan.designs[120] if one.learner == PANEL)
    plan = with_errors(small_plan, lambda design: {(PANEL, best): 0.3, (KEYHOLE, 3.0): 0.309}.get(design[:3:2], 0.6))
    assert str(plan.best()).startswith("KeyholeRegressor, 3 x")
    said = " ".join(verdict(plan))
    assert "the smallest expected error, 0.300 (90% interval 0.2" in said
    assert (
        "Recommended is KeyholeRegressor, 3 x 40: its expected error is 3.0% larger, but the two lie within 5%" in said
    )
    assert "not the better choice" not in said
    assert "is not better than" not in said
    alike = with_errors(small_plan, lambda design: {(PANEL, best): 0.3, (KEYHOLE, 3.0): 0.303}.get(design[:3:2], 0.6))
    assert "but the two cannot be told apart and lie within 5% of each other, and" in verdict(alike)[0]


def test_a_design_that_is_chosen_says_what_it_leaves_out(small_plan):
    designs = [one._replace(leaves_out=("scan",)) if one.learner == KEYHOLE else one for one in small_plan.designs[120]]
    plan = dataclasses.replace(small_plan, designs={120.0: designs}, errors={120.0: small_plan.errors[120]})
    assert plan.best().learner == KEYHOLE
    said = plan.methods_paragraph()
    assert (
        f"It leaves out 'scan', which costs more than the {plan.best().spend:g} that it spends on an example." in said
    )
    assert len(left_out(plan, 120.0)) == sum(one.learner == KEYHOLE for one in designs)
    assert left_out(small_plan, 120.0) == []


def test_the_target_and_the_learning_curves(small_plan):
    said = verdict(small_plan)
    assert any(one.startswith("Target 0.6: the cheapest design that is expected to reach it is") for one in said)
    missed = verdict(dataclasses.replace(small_plan, target=0.01))
    assert any("Target 0.01: no design reaches it" in one for one in missed)


@pytest.mark.parametrize("total", [60, 120])
def test_every_total_has_sentences(small_plan, total):
    said = " ".join(verdict(small_plan, total))
    assert "For comparison, ridge regression on every test of" in said
    assert "limit" not in said
