"""Figures are made without pyplot, and become the content of a PNG file."""

import sys

from keyhole.judgments.report.figure import new_figure, png_bytes


def test_a_figure_of_the_given_size():
    figure, axes = new_figure(4, 3)
    assert figure.axes == [axes]
    assert figure.get_size_inches().tolist() == [4, 3]


def test_png_bytes(monkeypatch):
    monkeypatch.delitem(sys.modules, "matplotlib.pyplot", raising=False)
    png = png_bytes(new_figure(2, 1)[0])
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    assert int.from_bytes(png[16:20], "big") == 240  # width: 2 inches at 120 dots per inch
    assert "matplotlib.pyplot" not in sys.modules
