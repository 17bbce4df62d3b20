"""A fitted model in words: every number is the learner's own."""

import numpy as np
import pytest

import keyhole as kh
from keyhole.moments.describe.summary import COEFFICIENTS, LOG_ODDS, Summary, coefficient_lines, revealed_lines
from keyhole.observe import PlainAttributes
from moments.conftest import NAMES, costly_table, named_table


def test_the_summary_follows_the_learner(named_learner):
    learner = named_learner
    words = str(learner.summary())
    counts = learner.observed_.per_attribute
    assert words.startswith("KeyholeRegressor: budget 4, 12 attributes\n")
    assert "2,400, which is 33.33% of all cells; their cost is 2,400" in words
    assert f"least often revealed  'test {np.argmin(counts)}', {counts.min()} times" in words
    assert f"most often revealed   'test {np.argmax(counts)}', {counts.max()} times" in words
    for candidate in learner.candidates_:
        assert f"{candidate['family']}{' (kept)' if candidate['kept'] else ''}" in words
        assert candidate["why"] in words
    assert f"for the first {learner.policy_.starts[1]} examples" in words
    assert f"renewed {len(learner.policy_.starts) - 1} times" in words
    assert f"smallest: {learner.policy_.designs[-1].design.inclusion.min():.3f}" in words
    largest = int(np.argmax(np.abs(learner.coef_) * learner._deviations()))
    lines, name = words.splitlines(), learner.get_feature_names_out()[largest]
    first = lines[lines.index(COEFFICIENTS) + 1].split(";")[0]
    assert first.split() == [*name.split(), f"{learner.coef_[largest]:+.3g}"]
    assert "Data warnings" not in words


def test_the_summary_in_a_notebook_is_the_same_in_a_table(named_learner):
    summary = named_learner.summary()
    page = summary._repr_html_()
    assert page.startswith("<table>")
    for _, lines in summary.sections:
        for _, text in lines:
            assert text.replace("'", "&#x27;") in page
    assert repr(summary) == str(summary)


def test_a_name_cannot_break_the_page():
    X, y = named_table()
    learner = kh.KeyholeRegressor(4, random_state=0).fit(X.rename(columns={"test 0": "<b>"}), y)
    page = learner.summary()._repr_html_()
    assert "<b>" not in page
    assert "&lt;b&gt;" in page


def test_the_summary_of_other_ways_to_learn():
    X, y = named_table()
    holes = X.mask(np.random.default_rng(0).random(X.shape) < 0.4)
    holes["test 3"] = np.nan
    with pytest.warns(UserWarning, match="no cell was revealed of 'test 3'"):
        words = str(kh.KeyholeRegressor().fit(holes, y).summary())
    assert "every cell that is present, 12 attributes" in words
    assert "revealed  every cell that is present" in words
    assert "no cell was revealed of 'test 3': the coefficient is 0" in words

    S = np.cov(np.column_stack([X, y]), rowvar=False, ddof=0)
    moments = kh.fit_from_moments(
        X.mean(), S[:12, :12], S[:12, 12], 600, label_mean=y.mean(), label_variance=S[12, 12], names=NAMES
    )
    words = str(moments.summary())
    assert "moments of 600 rows were given" in words
    assert "Policy" not in words
    beginning = kh.KeyholeRegressor(4, random_state=0).partial_fit(X[:5], y[:5])
    with pytest.warns(UserWarning, match="5 examples for 12 attributes"):
        words = str(beginning.summary())
    assert "for all 5 examples so far; by weight from example 36 on" in words


def test_the_summary_shows_the_errors_that_a_learner_can_estimate(named_learner):
    class WithRisk(kh.KeyholeRegressor):
        risk_interval_ = "between 1 and 2"

        def risk_at(self, n_attributes):
            if n_attributes > 3:
                raise ValueError("no estimate")
            raise AssertionError("the number of attributes is the budget")

    twin = WithRisk(4, random_state=0)
    twin.__dict__.update(named_learner.__dict__)
    words = str(twin.summary())
    assert "predictions from 4 attributes    no estimate" in words
    assert "predictions from all attributes  between 1 and 2" in words
    assert "no estimate" not in str(twin.summary(risk=False))


def test_sections_are_aligned_and_empty_ones_are_left_out():
    summary = Summary("A model")
    summary.add("Empty", [])
    summary.add("Numbers", [("one", "1"), ("fifteen", "15")])
    assert str(summary) == "A model\n\nNumbers\n  one      1\n  fifteen  15"
    assert [heading for heading, _ in summary.sections] == ["Numbers"]


def test_what_was_revealed_says_which_attributes_have_no_coefficient_and_how_many_were_skipped():
    meter = kh.Meter(2, PlainAttributes(3))
    assert revealed_lines(meter, PlainAttributes(3), 0, np.empty(0, dtype=int)) == [("cells", "none")]
    meter.charge(0, np.array([0, 2]))
    meter.charge(1, np.array([0]))
    lines = dict(revealed_lines(meter, PlainAttributes(3), 1, np.array([2])))
    assert lines["examples"] == "2, of which 1 were skipped because a value could not be had"
    assert lines["cells"] == "3, which is 50.00% of all cells; their cost is 3"
    assert lines["cells per example"].startswith("1.5 on average; at most 2")
    assert lines["without a coefficient"].startswith("'x2': the spread of the revealed values rests on fewer than 3")


def test_coefficients_are_listed_by_their_size_in_standard_deviations():
    coef, scale = np.array([[1.0, 0.0, -0.5, 100.0]]), np.array([1.0, 1.0, 4.0, 0.001])
    names = ["x0", "x1", "x2", "x3"]
    lines = coefficient_lines(coef, scale, names, np.array([2.0]))
    assert [name for name, _ in lines] == ["x2", "x0", "x3"]
    assert lines[0][1] == "-0.5; -1"
    assert coefficient_lines(0 * coef, scale, names, np.ones(1)) == [("all", "0")]
    two = coefficient_lines(np.vstack([coef, coef]), scale, names, np.ones(2))
    assert two[0] == ("x2", "-0.5 -0.5; -2 -2")


def test_a_classifier_has_its_share_of_wrong_classes():
    X, y = named_table()
    learner = kh.KeyholeClassifier(4, random_state=0).fit(X, y > 0)
    words = str(learner.summary())
    error = learner.error_at(4)
    assert "predictions from 4 attributes" in words
    assert f"share of wrong classes {error.estimate:.3g} ± {error.standard_error:.2g} (standard error)" in words
    assert LOG_ODDS in words


def test_errors_are_those_from_as_many_attributes_as_a_cost_buys():
    X, y = costly_table(200)
    words = str(kh.KeyholeRegressor(2.5, costs=[0, *[0.7] * 7], random_state=0).fit(X, y).summary())
    assert "predictions from 3 attributes" in words
    assert "held-out examples" in words
