"""Claims of Figure 2 follow from the rows."""

from __future__ import annotations

from experiments.helpers import drawn, experiment
from experiments.murata_suzuki_2018.made_up import AS_PUBLISHED, EARLY, curves
from keyhole.experiments.murata_suzuki_2018 import fig2
from keyhole.experiments.runner.paper import FAILS, HOLDS


def test_claims_of_figure_2_follow_the_rows():
    last = {**AS_PUBLISHED, "Dantzig": 0.02}
    rows = curves(last, EARLY, measure="test")
    claims = fig2.claims(rows, "CT slices")
    assert {claim.verdict for claim in claims} == {HOLDS}
    last |= {"Hybrid": 30.0, "Dantzig": 50.0}
    assert {claim.verdict for claim in fig2.claims(curves(last, EARLY, measure="test"), "CT slices")} == {FAILS}
    drawn(experiment("murata-suzuki-2018", "fig2"), rows)
