"""Claims of Figure 2 follow from the rows."""

from __future__ import annotations

from experiments.helpers import drawn, experiment
from experiments.murata_suzuki_2018.made_up import AS_PUBLISHED, EARLY, RAW, curves
from keyhole.experiments.murata_suzuki_2018 import fig2
from keyhole.experiments.runner.kinds import THE_PAPER
from keyhole.experiments.runner.paper import FAILS, HOLDS, UNEXPLAINED

LAST = {**AS_PUBLISHED, "Dantzig": 0.02, RAW["Dantzig"]: 0.02}


def test_claims_of_figure_2_follow_the_rows():
    rows = curves(LAST, EARLY, measure="test")
    claims = fig2.claims(rows, "CT slices")
    assert {claim.verdict for claim in claims} == {HOLDS}
    worse = {"Hybrid": 30.0, RAW["Hybrid"]: 30.0, "Dantzig": 50.0, RAW["Dantzig"]: 50.0}
    failing = fig2.claims(curves({**LAST, **worse}, EARLY, measure="test"), "CT slices")
    assert {claim.verdict for claim in failing} == {FAILS}
    drawn(experiment("murata-suzuki-2018", "fig2"), rows)


def test_a_counted_claim_that_running_scales_would_save_says_so():
    rows = curves({**LAST, RAW["Hybrid"]: 30.0}, EARLY, measure="test")
    claims = fig2.claims(rows, "BlogFeedback", scales="Scales differ.")
    counted = [claim for claim in claims if claim.about == THE_PAPER]
    assert [claim.verdict for claim in counted] == [FAILS, FAILS, FAILS, HOLDS]
    assert all("With running scales it holds: Hybrid 0.0018" in claim.why for claim in counted[:2])
    assert all(claim.why.endswith("Scales differ.") for claim in counted[:3])
    assert all("not known" not in claim.why for claim in counted)
    assert "running scales it holds" not in counted[3].why
    without = [claim for claim in fig2.claims(rows, "CT slices") if claim.about == THE_PAPER]
    assert all(claim.why.endswith(UNEXPLAINED) for claim in without[:3])
