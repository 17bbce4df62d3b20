"""A learner has one style in every figure, and figures say what lies outside them."""

from __future__ import annotations

import subprocess
import sys

from matplotlib.figure import Figure

import keyhole
from keyhole.common import style
from keyhole.common.line_names import label_directly
from keyhole.common.style import ALIASES, STYLES, curve, learner_colour, learner_style, legend_below, mark_beyond


def test_points_above_the_picture_are_written_at_its_edge():
    axes = Figure().subplots()
    curve(axes, [1, 2], [0.5, 3.25], [0.1, 0.1], "AER")
    curve(axes, [1, 2], [0.4, 7.0], [0.1, 0.1], "AELR")
    axes.set_ylim(0, 1)
    mark_beyond(axes)
    written = {text.get_text(): text for text in axes.texts}
    assert set(written) == {"↑3.25", "↑7"}
    assert written["↑7"].get_color() == learner_colour("AELR")
    assert written["↑7"].get_position() != written["↑3.25"].get_position()


def test_values_beyond_the_picture_do_not_overlap_and_stay_inside():
    figure = Figure()
    axes = figure.subplots()
    curve(axes, [1.0, 1.05, 2.0, 10.0], [5.0, 6.0, 7.0, 8.0], [0, 0, 0, 0], "AER")
    axes.set_ylim(0, 1)
    mark_beyond(axes)
    figure.draw_without_rendering()
    boxes = [text.get_window_extent() for text in axes.texts]
    assert len(boxes) == 4
    assert not any(one.overlaps(other) for at, one in enumerate(boxes) for other in boxes[:at])
    assert all(box.x1 <= axes.get_window_extent().x1 for box in boxes)


def test_values_beyond_a_picture_with_names_beside_its_lines_do_not_overlap():
    figure = Figure(figsize=(11.0, 6.5), layout="constrained")
    for axes in figure.subplots(1, 2, sharey=True):
        for at, name in enumerate(("AER", "AERR", "AELR", "Baseline", "ridge", "Lasso", "Two-Phased DDAERR, untuned")):
            curve(axes, [1000, 5000, 21_000, 52_397], [0.5 + at, 0.6, 30 + at, 265_123.0 + 9000 * at], [0] * 4, name)
        axes.set_xscale("log")
        axes.set_ylim(0, 1)
        mark_beyond(axes)
    label_directly(figure)
    figure.draw_without_rendering()
    for axes in figure.axes:
        boxes = [text.get_window_extent() for text in axes.texts if text.get_text().startswith("↑")]
        assert len(boxes) == 6 + 2 * 7
        assert not any(one.overlaps(other) for at, one in enumerate(boxes) for other in boxes[:at])
    assert "↑265,000" in {text.get_text() for text in figure.axes[0].texts}


def test_a_variant_has_the_colour_of_its_learner_and_another_line():
    plain, variant = learner_style("AER"), learner_style("AER, untuned")
    assert (plain["color"], plain["marker"]) == (variant["color"], variant["marker"])
    assert plain["linestyle"] != variant["linestyle"]
    assert variant["markerfacecolor"] == "white"
    assert variant["label"] == "AER, untuned"


def test_a_learner_is_found_under_all_its_names():
    assert learner_colour("full") == learner_colour("Full")
    for alias, name in ALIASES.items():
        assert learner_colour(alias) == learner_colour(name)


def test_classes_of_the_library_have_a_style():
    families = (keyhole.online, keyhole.sparse, keyhole.rivals)
    classes = [name for family in families for name in family.__all__ if name[0].isupper()]
    assert {"AER", "Hybrid", "CompleteRows"} <= set(classes)
    assert [name for name in classes if name not in STYLES and name not in ALIASES] == []


def test_lines_of_one_figure_can_be_distinguished():
    """No two learners have the same colour, marker and line; those of the demo have a colour each."""
    assert len(set(STYLES.values())) == len(STYLES)
    shown = ["KeyholeRegressor", "AER", "Baseline", "AERR", "AELR", "DDAERR", "DDAELR", "complete rows"]
    shown += ["screened panel", "full information", "mean label"]
    assert len({learner_colour(name) for name in shown}) == len(shown)


def test_a_legend_names_each_line_once():
    figure = Figure(layout="constrained")
    left, right = figure.subplots(1, 2)
    for axes, names in ((left, ("AER", "AERR")), (right, ("AERR", "AELR"))):
        for name in names:
            curve(axes, [1, 2], [1, 2], [0, 0], name)
    legend_below(figure, left, right)
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["AER", "AERR", "AELR"]


def test_importing_the_style_does_not_import_matplotlib():
    code = (
        "import importlib.util, sys;"
        "spec = importlib.util.spec_from_file_location('style', sys.argv[1]);"
        "module = importlib.util.module_from_spec(spec); spec.loader.exec_module(module);"
        "sys.exit('matplotlib' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code, style.__file__]).returncode == 0
