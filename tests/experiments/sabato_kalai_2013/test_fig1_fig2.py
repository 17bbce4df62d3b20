"""Figures 1 and 2: the noisiest attribute comes last, and claims follow from the rows."""

from __future__ import annotations

from experiments.helpers import drawn, experiment
from experiments.sabato_kalai_2013.made_up import attribute
from keyhole.experiments.runner.paper import FAILS, HOLDS, Size


def test_attributes_are_ordered_by_noise():
    (task,) = experiment("sabato-kalai-2013", "fig1").tasks(Size.quick, 0)
    rows = task.function(**task.settings)
    drawn(experiment("sabato-kalai-2013", "fig1"), rows)
    assert [row["attribute"] for row in experiment("sabato-kalai-2013", "fig1").table(rows)][
        -1
    ] == "smug"  # the noisiest comes last


def test_claims_follow_the_rows():
    corners = [attribute(correlation, noise) for correlation in (-0.5, 0.1) for noise in (0.2, 2.0)]
    assert experiment("sabato-kalai-2013", "fig1").claims(corners)[0].verdict == HOLDS
    assert experiment("sabato-kalai-2013", "fig1").claims(corners[:3])[0].verdict == FAILS
