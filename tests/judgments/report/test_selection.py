"""The table and the sentences about a selection."""

import numpy as np
import pytest

from keyhole.judgments import MultiSelector
from keyhole.judgments.assess.bootstrap import Stability
from keyhole.judgments.core.repeats import missing_judgments
from keyhole.judgments.data.columns import Columns
from keyhole.judgments.data.inputs import as_judgments
from keyhole.judgments.report.selection import Selection, interval_clause


@pytest.fixture
def selected(random_instance):
    """A function that makes a selection from two judgments of three attributes."""
    values, y = random_instance(1, d=3, m=50, k=2)

    def make(losses="some reason", stability=None, **parameters):
        selector = MultiSelector(4, **parameters).fit(values, y)
        return Selection(
            selector=selector,
            stability=stability,
            missing_judgments=missing_judgments(as_judgments(values), selector.repeats_),
            losses=losses,
            warnings=[],
            excluded=[],
        )

    return make


def test_the_table_has_the_chosen_attributes_first(selected):
    selection = selected(costs=[1, 2, 0.5])
    table = selection.table()
    order = np.argsort(-selection.selector.repeats_, kind="stable")
    assert table["attribute"] == [f"x{a}" for a in order]
    assert table["repeats"] == sorted(selection.selector.repeats_, reverse=True)
    assert table["cost"] == [[1, 2, 0.5][a] for a in order]
    np.testing.assert_array_equal(table["covariance_with_label"], selection.selector.covariance_with_label_[order])
    np.testing.assert_array_equal(table["external_variance_used"], selection.selector.external_variance_[order])
    assert "bundle" not in table
    assert "low" not in table


def test_attributes_of_a_bundle_have_its_name_and_cost(selected):
    table = selected(bundles={"screen": ["x0", "x2"]}, costs={"screen": 1.5, "x1": 1}).table()
    rows = {row[0]: row for row in zip(table["attribute"], table["bundle"], table["cost"], strict=True)}
    assert rows["x0"] == ("x0", "screen", 1.5)
    assert rows["x1"] == ("x1", "", 1.0)


def test_the_sentences_state_the_losses_with_their_uncertainty(selected):
    losses = Columns(budget=[4.0], projected_loss=[0.4], held_out_loss=[0.51234], standard_error=[0.023])
    selection = selected(losses)
    sentences = selection.loss_sentences()
    assert f"The projected squared loss is {selection.selector.projected_loss_:.4g}, " in sentences
    assert "loss on held-out objects is 0.5123 ± 0.023 (standard error)" in sentences
    assert "interval" not in sentences


def test_the_reason_is_stated_where_the_loss_cannot_be_estimated(selected):
    assert selected().loss_sentences().endswith("The loss on held-out objects could not be estimated: some reason.")


def test_an_interval_that_excludes_the_projected_loss_is_explained(random_instance):
    selector = MultiSelector(4).fit(*random_instance(1, d=3, m=50, k=2))
    low = np.full(20, selector.projected_loss_ / 2)
    clause = interval_clause(Stability(selector, np.zeros((20, 3)), low, 0.9))
    assert "its 90% bootstrap interval is" in clause
    assert "the interval excludes the projected loss" in clause
    around = selector.projected_loss_ * np.linspace(0.5, 1.5, 20)
    assert "excludes" not in interval_clause(Stability(selector, np.zeros((20, 3)), around, 0.9))
