"""Designs simulated on the pilot itself: which ones, what they may see, and how far they move expected errors."""

import numpy as np
import pytest

from keyhole.planning import plan
from keyhole.planning.designs import EVERY_TEST, KEYHOLE, PANEL, ROWS, Design
from keyhole.planning.on_pilot import Check, Fold, checks_of, designs_on, factor, factors_of, squared_errors
from keyhole.planning.pilot import read_pilot
from keyhole.planning.settings import WRONG_WORLDS
from planning.populations import population

SMALL, LARGE = Design(ROWS, 40, 6.0, 6.0, 240), Design(ROWS, 90, 6.0, 6.0, 540)


def errors(*values):
    return np.array(values)


def check(design, by):
    return Check(design, errors(0.3, 0.3), errors(0.0, 0.0), errors(0.3, 0.3), errors(by, by))


def checks(pilot, *designs, expected=0.5):
    return checks_of(pilot, dict.fromkeys(designs, errors(expected, expected)), 2, np.random.default_rng(0), 1)


def test_designs_that_four_fifths_of_the_complete_examples_suffice_for():
    X, y = population(100, 0)
    assert designs_on(read_pilot(X, y), [SMALL, LARGE]) == [SMALL]
    X[:90, 0] = np.nan
    assert designs_on(read_pilot(X, y), [SMALL, LARGE]) == []  # 10 complete examples


def test_a_learner_whose_designs_are_all_too_large_learns_from_every_test_of_four_fifths():
    X, y = population(100, 0)
    X[:50, 0] = np.nan
    thin, panel = Design(KEYHOLE, 270, 2.0, 2.0, 540), Design(PANEL, 180, 3.0, 3.0, 540)
    found = designs_on(read_pilot(X, y), [thin, SMALL, LARGE, panel])
    assert found == [SMALL, Design(KEYHOLE, 40, 6.0, 6.0, 240.0)]
    one, other = checks(read_pilot(X, y), *found)
    assert (one.design, other.design) == tuple(found)
    assert factors_of([thin, panel], [one, other])[:, 0] == pytest.approx(
        [other.factor[0], np.sqrt(one.factor[0] * other.factor[0])]
    )


def test_labels_that_are_predicted_have_no_part_in_what_is_learned():
    X, y = population(100, 0)
    fold = Fold(np.arange(80), np.arange(80, 100), (SMALL, Design(KEYHOLE, 60, 3.0, 3.0, 180)), 0)
    rows, squared = squared_errors(fold, read_pilot(X, y), 2)
    assert rows.tolist() == list(range(80, 100))
    changed = y.copy()
    changed[80:] += 100.0
    _, other = squared_errors(fold, read_pilot(X, changed), 2)
    # With e = prediction - label, (e - 100)^2 - e^2 = 100^2 - 200 e where predictions are the same.
    np.testing.assert_allclose(((100.0**2 - (other - squared)) / 200) ** 2, squared, atol=1e-6)


def test_every_complete_example_is_predicted_once():
    X, y = population(100, 0)
    (one,) = checks(read_pilot(X, y), SMALL)
    held = [squared_errors(Fold(np.delete(np.arange(100), rows), rows, (SMALL,), 0), read_pilot(X, y), 2)[1][0, 0]
            for rows in np.arange(100).reshape(20, 5).T]  # fmt: skip
    by_other_parts = np.concatenate(held)
    assert one.error[0] == pytest.approx(by_other_parts.mean() / y.var(), rel=0.25)
    assert one.standard_error[0] == pytest.approx(by_other_parts.std() / 10 / by_other_parts.mean(), rel=0.4)


def test_expected_errors_are_moved_by_what_is_known():
    expected = errors(0.5, 0.5)
    assert factor(errors(0.25, 0.5), errors(0.0, 0.0), expected) == pytest.approx(errors(0.5, 1.0))
    half = factor(errors(0.25, 1.0), np.full(2, WRONG_WORLDS), expected)
    assert half == pytest.approx(errors(0.5**0.5, 2**0.5))
    assert factor(errors(0.25, 0.25), errors(1e6, 1e6), expected) == pytest.approx(errors(1.0, 1.0))


def test_a_design_that_does_not_fit_is_moved_as_the_most_similar_ones():
    own, thin = Design(KEYHOLE, 40, 6.0, 6.0, 240), Design(KEYHOLE, 400, 2.0, 2.0, 800)
    found = [check(SMALL, 0.8), check(own, 0.5), check(Design(PANEL, 40, 3.0, 3.0, 120), 0.4)]
    comparison = Design(EVERY_TEST, 400, 6.0, 6.0, 2400)
    wanted = [0.8, 0.8, 0.5, 0.5, (0.8 * 0.5 * 0.4) ** (1 / 3)]
    assert factors_of([SMALL, LARGE, own, thin, comparison], found)[:, 0] == pytest.approx(wanted)
    assert (factors_of([SMALL, LARGE], []) == 1).all()


def test_a_plan_from_a_large_pilot_says_what_the_pilot_shows():
    X, y = population(150, 1)
    found = plan(X, y**3, 400, few=2, n_worlds=4, learners=[ROWS], n_jobs=1)
    one = found.checks[0]
    assert [check.design.learner for check in found.checks] == [ROWS, EVERY_TEST]
    assert one.design == found.best()
    assert "simulated on the pilot itself as well" in found.methods_paragraph()
    assert f"On the pilot itself (in 5 parts, each predicted from the others), {one.design} has an error" in str(found)
    error = found.table()[0]["error_all"]
    assert error == pytest.approx(float(one.expected[0] * one.factor[0]))
    assert min(one.error[0], one.expected[0]) < error < max(one.error[0], one.expected[0])


def test_a_plan_from_a_small_pilot_compares_a_smaller_design_on_it():
    X, y = population(40, 1)
    found = plan(X, y, 400, few=2, n_worlds=4, learners=[ROWS], n_jobs=1)
    (one,) = found.checks
    assert one.design == Design(ROWS, 32, 6.0, 6.0, 192.0)
    assert one.design not in found.designs[400.0]
    assert f"expected errors, {found.best()} among them, are multiplied by {one.factor[0]:.2f}" in " ".join(
        str(found).split()
    )


def test_a_plan_from_a_very_small_pilot_rests_on_worlds_alone():
    X, y = population(14, 0)
    with pytest.warns(UserWarning, match="intervals of a plan are wide"):
        found = plan(X, y, 400, few=2, n_worlds=4, learners=[ROWS], n_jobs=1)
    assert found.checks == []
    assert "rest on populations drawn from a model of it alone" in " ".join(str(found).split())
    assert "on the pilot itself" not in found.methods_paragraph()


def test_a_part_with_one_label_predicts_it():
    X = np.random.default_rng(0).normal(size=(30, 3))
    y = np.r_[np.zeros(26), np.ones(4)]
    _, squared = squared_errors(Fold(np.arange(20), np.arange(20, 30), (SMALL,), 0), read_pilot(X, y), 2)
    assert squared[0, 0].tolist() == [0.0] * 6 + [1.0] * 4
