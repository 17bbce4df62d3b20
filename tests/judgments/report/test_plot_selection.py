"""Figures of a selection: one point per attribute, one bar per attribute with repeats."""

import numpy as np
import pytest

from keyhole.common.style import BLUE
from keyhole.judgments import MultiSelector, bootstrap, plot_attributes, plot_repeats
from keyhole.judgments.report.figure import new_figure
from keyhole.judgments.report.plot_selection import scatter_attributes


@pytest.fixture(scope="module")
def judged(random_instance):
    return random_instance(1, d=6, m=60, k=3)


@pytest.fixture(scope="module")
def selector(judged):
    return MultiSelector(8).fit(*judged)


def test_every_attribute_is_a_point_at_its_correlation_and_noise(selector):
    axes = plot_attributes(selector).axes[0]
    points = np.vstack([collection.get_offsets() for collection in axes.collections])
    shown = selector.external_variance_ > 1e-9
    expected = selector.covariance_with_label_ / np.sqrt(selector.external_variance_ * selector.label_variance_)
    np.testing.assert_allclose(np.sort(points[:, 0]), np.sort(expected[shown]))
    noise = selector.internal_variance_ / selector.external_variance_
    np.testing.assert_allclose(np.sort(points[:, 1]), np.sort(noise[shown]))


def test_at_most_so_many_attributes_are_named_those_with_most_repeats_first():
    axes = new_figure(4, 3)[1]
    correlation, repeats = np.array([0.9, -0.2, 0.1, 0.3]), np.array([0, 1, 5, 0])
    scatter_attributes(axes, ["a", "b", "c", "d"], correlation, np.ones(4), repeats, most_names=3)
    assert [text.get_text() for text in axes.texts] == ["c", "b", "a"]


def test_the_axis_of_noise_is_logarithmic_where_it_is_long():
    for largest, scale in ((10.0, "linear"), (30.0, "log")):
        axes = new_figure(4, 3)[1]
        scatter_attributes(axes, ["a", "b"], np.array([0.1, 0.5]), np.array([1.0, largest]), np.array([0, 1]))
        assert axes.get_yscale() == scale


def test_attributes_without_external_variance_are_counted(judged):
    values, y = judged
    values = values.copy()
    values[:, 2] = 5.0
    axes = plot_attributes(MultiSelector(8).fit(values, y)).axes[0]
    assert "(1 attributes without external variance not shown)" in axes.get_xlabel()


def test_there_may_be_no_attribute_to_draw():
    selector = MultiSelector(5).fit(np.ones((20, 3, 2)), np.arange(20.0))
    axes = plot_attributes(selector).axes[0]
    assert "(3 attributes without external variance not shown)" in axes.get_xlabel()
    assert axes.get_legend() is None
    assert len(plot_repeats(selector).axes[0].patches) == 0


def test_bars_are_the_repeats(selector):
    axes = plot_repeats(selector).axes[0]
    assert sorted(bar.get_width() for bar in axes.patches) == sorted(selector.repeats_[selector.repeats_ > 0])
    assert {bar.get_facecolor() for bar in axes.patches} == {
        (*tuple(int(BLUE[i : i + 2], 16) / 255 for i in (1, 3, 5)), 1)
    }
    assert f"cost {selector.spent_:g} of a budget of 8" in axes.get_title()


def test_attributes_with_repeats_in_their_interval_have_a_bar(selector, judged):
    table = bootstrap(selector, *judged, 20, random_state=0).table()
    axes = plot_repeats(selector, table).axes[0]
    expected = sum(high > 0 or r > 0 for high, r in zip(table["high"], table["repeats"], strict=True))
    assert len(axes.patches) == expected
    assert axes.get_legend().texts[0].get_text() == "bootstrap interval"
