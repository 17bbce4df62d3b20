"""Many lines are named where they end; a few keep their legend."""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib.figure import Figure

from keyhole.common.line_names import MOST_IN_LEGEND, label_directly, lines_of, spread_apart
from keyhole.common.style import legend_below


def drawn(number: int, panels: int = 1) -> Figure:
    figure = Figure(layout="constrained")
    for axes in np.ravel(figure.subplots(1, panels)):
        for at in range(number):
            axes.errorbar([1, 2, 3], [at, at, 0.01 * at], yerr=0.1, label=f"line {at}")
        axes.legend()
    return figure


def names(axes) -> list[str]:
    return [text.get_text() for text in axes.texts]


def test_a_few_lines_keep_their_legend():
    figure = drawn(MOST_IN_LEGEND)
    label_directly(figure)
    assert names(figure.axes[0]) == []
    assert figure.axes[0].get_legend() is not None


def test_many_lines_are_named_where_they_end():
    figure = drawn(MOST_IN_LEGEND + 3, panels=2)
    label_directly(figure)
    for axes in figure.axes:
        assert names(axes) == list(lines_of(axes))
        assert axes.get_legend() is None
        heights = sorted(text.get_position()[1] for text in axes.texts)
        assert np.diff(heights).min() > 0.01  # ends are nearly equal, names are not
        colours = {text.get_text(): text.get_color() for text in axes.texts}
        assert colours == {name: line.get_color() for name, line in lines_of(axes).items()}


def with_a_small_panel(key: str) -> Figure:
    """Two panels, one with many lines and one with two of them, and a legend of the figure or of one panel."""
    figure = Figure(layout="constrained")
    many, few = figure.subplots(1, 2)
    for axes, number in ((many, MOST_IN_LEGEND + 1), (few, 2)):
        for at in range(number):
            axes.plot([1, 2], [at, at], label=f"line {at}")
    if key == "figure":
        legend_below(figure, many, few)
    else:
        {"many": many, "few": few}[key].legend()
    return figure


@pytest.mark.parametrize("key", ["figure", "many"])
def test_a_legend_stays_while_a_panel_has_neither_names_nor_a_legend(key):
    figure = with_a_small_panel(key)
    many, few = figure.axes
    label_directly(figure)
    assert names(many) == [f"line {at}" for at in range(MOST_IN_LEGEND + 1)]
    assert names(few) == []
    assert figure.legends if key == "figure" else many.get_legend()


def test_a_panel_with_few_lines_keeps_its_own_legend():
    figure = with_a_small_panel("few")
    label_directly(figure)
    assert figure.axes[1].get_legend() is not None


def test_a_legend_of_the_figure_goes_when_every_panel_has_names_or_its_own_legend():
    figure = with_a_small_panel("figure")
    figure.axes[1].legend()
    label_directly(figure)
    assert not figure.legends
    assert figure.axes[1].get_legend() is not None


def test_a_legend_with_other_lines_stays():
    figure = drawn(MOST_IN_LEGEND + 1)
    (axes,) = figure.axes
    axes.scatter([1], [1], label="a dot")
    axes.legend()
    label_directly(figure)
    assert axes.get_legend() is not None
    assert "a dot" not in names(axes)


def test_a_line_of_one_point_is_named_too():
    figure = drawn(MOST_IN_LEGEND)
    (axes,) = figure.axes
    axes.errorbar([2], [3], yerr=[0.1], label="one point")
    axes.legend()
    label_directly(figure)
    assert "one point" in names(axes)
    assert axes.get_legend() is None


def test_a_name_is_at_the_right_end_whatever_the_order_of_points():
    figure = drawn(MOST_IN_LEGEND)
    (axes,) = figure.axes
    axes.plot([2, 3, 1], [4, 1, 2], label="unsorted")
    label_directly(figure)
    (name,) = [text for text in axes.texts if text.get_text() == "unsorted"]
    assert axes.transAxes.inverted().transform(axes.transData.transform((3, 1)))[1] == pytest.approx(name.xy[1])


@pytest.mark.parametrize("heights", [[0.1, 0.1, 0.1], [0.9, 0.1, 0.11], [0.3], []])
def test_heights_are_spread_and_keep_order_and_mean(heights):
    found = spread_apart(heights, 0.05)
    assert list(np.argsort(found, kind="stable")) == list(np.argsort(heights, kind="stable"))
    assert np.sum(found) == pytest.approx(np.sum(heights))
    assert np.all(np.diff(np.sort(found)) >= 0.05 - 1e-12)
