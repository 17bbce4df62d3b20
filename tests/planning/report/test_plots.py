"""The picture of a plan."""

import dataclasses

import pytest


def test_a_line_for_each_learner_and_for_every_test(small_plan, tmp_path):
    figure = small_plan.plot(tmp_path / "plan.png")
    assert (tmp_path / "plan.png").read_bytes().startswith(b"\x89PNG")
    assert len(figure.axes) == 2
    _, names = figure.axes[0].get_legend_handles_labels()
    assert {"KeyholeRegressor", "complete rows", "screened panel"} < set(names)
    assert any(name.startswith("ridge regression on every test\nof") for name in names)
    assert figure.axes[0].get_xlabel() == "tests of each example"


def test_one_layout_with_one_panel_has_room_for_its_learners_and_legend(small_plan):
    designs = [one for one in small_plan.designs[120] if one.spend == small_plan.row_price]
    at = [small_plan.designs[120].index(one) for one in designs]
    errors = 10 * small_plan.errors[120][:, at]
    one = dataclasses.replace(small_plan, designs={120.0: designs}, errors={120.0: errors}, few=6)
    figure = one.plot()
    low, high = figure.axes[0].get_xlim()
    points = {drawn[0].get_xdata()[0] for drawn in figure.axes[0].containers}
    assert len(points) == 2
    assert low < min(points) < max(points) < high
    figure.canvas.draw()
    box = figure.legends[0].get_window_extent()
    assert figure.bbox.x0 <= box.x0 < box.x1 <= figure.bbox.x1
    assert "cut at 1.6" in figure.get_suptitle()


def test_the_recommended_design_and_those_that_cannot_be_told_apart_have_rings(small_plan):
    figure = small_plan.plot()
    for axes, name in zip(figure.axes, ("all", "few"), strict=True):
        rows = small_plan.table()
        for mark, called in (("recommended", "recommended"), ("cannot be told apart",) * 2):
            rings = [one for one in axes.collections if str(one.get_label()).startswith(called)]
            drawn = sorted(float(y) for ring in rings for _, y in ring.get_offsets())
            wanted = sorted(row[f"error_{name}"] for row in rows if row[f"mark_{name}"] == mark)
            assert drawn == pytest.approx(wanted)
    nothing = dataclasses.replace(small_plan, errors={k: 0 * v + 1.2 for k, v in small_plan.errors.items()})
    assert "recommended" not in nothing.plot().axes[0].get_legend_handles_labels()[1]


def test_a_format_that_is_not_known_is_refused(small_plan, tmp_path):
    with pytest.raises(ValueError, match=r"the name of the picture must end with one of .png, .svg, .pdf"):
        small_plan.plot(tmp_path / "plan.xyz")
    assert not list(tmp_path.iterdir())
