"""The picture of a plan."""

import pytest


def test_a_line_for_each_learner_and_the_limit(small_plan, tmp_path):
    figure = small_plan.plot(tmp_path / "plan.png")
    assert (tmp_path / "plan.png").read_bytes().startswith(b"\x89PNG")
    assert len(figure.axes) == 2
    _, names = figure.axes[0].get_legend_handles_labels()
    assert {"KeyholeRegressor", "complete rows", "screened panel"} < set(names)
    assert any(name.startswith("full information on") for name in names)
    assert figure.axes[0].get_xlabel() == "tests of each example"


def test_a_format_that_is_not_known_is_refused(small_plan, tmp_path):
    with pytest.raises(ValueError, match=r"the name of the picture must end with one of .png, .svg, .pdf"):
        small_plan.plot(tmp_path / "plan.xyz")
    assert not list(tmp_path.iterdir())
