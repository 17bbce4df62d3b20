"""Pictures say what lies outside them."""

from __future__ import annotations

from matplotlib.figure import Figure

from keyhole.experiments.style import curve, look, mark_beyond


def test_points_above_the_picture_are_written_at_its_edge():
    axes = Figure().subplots()
    curve(axes, [1, 2], [0.5, 3.25], [0.1, 0.1], "AER")
    curve(axes, [1, 2], [0.4, 7.0], [0.1, 0.1], "AELR")
    axes.set_ylim(0, 1)
    mark_beyond(axes)
    written = {text.get_text(): text for text in axes.texts}
    assert set(written) == {"↑3.25", "↑7"}
    assert written["↑7"].get_color() == look("AELR")["color"]
    assert written["↑7"].get_position() != written["↑3.25"].get_position()
