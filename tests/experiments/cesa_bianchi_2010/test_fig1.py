"""Figure 1 shows four pixels of each digit."""

from __future__ import annotations

import pytest
from matplotlib.figure import Figure

from experiments.helpers import experiment
from keyhole.experiments.runner.paper import HOLDS


@pytest.mark.usefixtures("few_images")
def test_figure_1_shows_four_pixels_of_each_digit():
    fig1 = experiment("cesa-bianchi-2010", "fig1")
    (task,) = fig1.tasks("quick", 0)
    rows = task.function(**task.settings)
    assert [row["pixels revealed"] for row in fig1.table(rows)] == [4] * 6
    assert fig1.claims(rows)[0].verdict == HOLDS
    fig1.draw(rows, Figure())
