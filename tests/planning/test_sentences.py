"""Sentences of plans, for errors that are made up."""

import dataclasses

import numpy as np
import pytest

from keyhole.planning.designs import KEYHOLE, ROWS
from keyhole.planning.sentences import verdict


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
        plan, designs={120.0: [plan.designs[120][i] for i in at]}, errors={120.0: plan.errors[120][:, at]}
    )
    assert only.best().learner == KEYHOLE
    assert "Keyhole comes first among learners with the same layout" in verdict(only)[0]
    assert "wrong choice" not in " ".join(verdict(only))


def test_it_says_which_designs_cannot_be_told_apart(small_plan):
    plan = with_errors(small_plan, lambda design: 0.3 if design.learner == KEYHOLE else 0.6)
    said = verdict(plan)[0]
    assert "the smallest expected error, 0.30" in said
    assert "It cannot be told apart from KeyholeRegressor" in said
    assert "complete rows" not in said
    assert "wrong choice" not in " ".join(verdict(plan))


def test_it_says_when_complete_rows_are_the_best_layout_of_keyhole(small_plan):
    row = small_plan.row_price
    plan = with_errors(small_plan, lambda design: 0.3 if (design.learner, design.spend) == (KEYHOLE, row) else 0.6)
    assert any("Complete rows are the best layout" in one for one in verdict(plan))
    alike = with_errors(small_plan, lambda design: 0.3 if (design.learner, design.spend) == (KEYHOLE, row) else 0.303)
    assert not any("Complete rows are the best layout" in one for one in verdict(alike))


def test_it_says_when_nothing_predicts_the_label(small_plan):
    plan = with_errors(small_plan, lambda design: 1.0)
    assert "hardly better than predicting the mean label" in verdict(plan)[0]


def test_the_target_and_the_learning_curves(small_plan):
    said = verdict(small_plan)
    assert any(one.startswith("Target 0.6: the cheapest design that is expected to reach it is") for one in said)
    missed = verdict(dataclasses.replace(small_plan, target=0.01))
    assert any("Target 0.01: no design reaches it" in one for one in missed)


def test_the_paragraph_for_the_protocol(small_plan):
    said = small_plan.methods_paragraph()
    for words in ("seed 0", "a pilot of 40 examples and 6 attributes (complete)", str(small_plan.best()), "120 tests"):
        assert words in said
    assert "A design is written as a learner and tests of each example x number of examples." in said
    assert "the pilot is a random sample of the examples" in said
    missed = dataclasses.replace(small_plan, target=0.01).methods_paragraph()
    assert "No design is expected to reach the target, 0.01." in missed
    partial = dataclasses.replace(small_plan, share_present=0.7).methods_paragraph()
    assert "(70% of the cells present)" in partial


@pytest.mark.parametrize("total", [60, 120])
def test_every_total_has_sentences(small_plan, total):
    assert any("the limit" in one for one in verdict(small_plan, total))
