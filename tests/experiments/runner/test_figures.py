"""Figures are described in words, and carry where they come from."""

from __future__ import annotations

from dataclasses import replace

from matplotlib.figure import Figure

from experiments.fake_paper import measure, new_paper
from keyhole.experiments.runner.figures import figure_in_words, write_figure

ROWS = measure("AER", 0, 0)


def test_a_figure_in_words():
    figure = Figure()
    left, right, hidden = figure.subplots(1, 3)
    left.errorbar([1, 2], [0.5, 0.25], yerr=[0.1, 0.1], label="AER")
    left.set(title="errors", xlabel="examples", ylabel="error")
    right.scatter([1], [1], label="a pair")
    right.plot([], [], label="nothing")
    hidden.axis("off")
    expected = "Panel 1: errors, error against examples. AER: 0.5 at 1, 0.25 at 2. Panel 2: a pair. nothing."
    assert sorted(figure_in_words(figure).split()) == sorted(expected.split())


def test_files_carry_their_origin(tmp_path):
    experiment = new_paper().experiments[0]
    drawing = write_figure(experiment, ROWS, tmp_path, "Keyhole 9, code abc.")
    assert drawing.svg.startswith("<svg")
    assert drawing.words.startswith("Figure 1: lines. x. AER: 1 at 1")
    for name in ("fig1.png", "fig1.svg"):
        assert b"Keyhole 9, code abc." in (tmp_path / name).read_bytes()
    assert write_figure(replace(experiment, draw=None), ROWS, tmp_path, "") is None
    assert write_figure(replace(experiment, alternative_text="One dot."), ROWS, tmp_path, "").words == "One dot."
