"""Claims of Figure 1 follow from the rows."""

from __future__ import annotations

import pytest

from experiments.helpers import drawn, experiment
from experiments.murata_suzuki_2018.made_up import AS_PUBLISHED, EARLY, curves
from keyhole.experiments.murata_suzuki_2018 import fig1
from keyhole.experiments.runner.paper import FAILS, HOLDS


@pytest.mark.parametrize("tuned", [0.9, 1.1])
def test_claims_of_figure_1_follow_the_rows(tuned):
    rows = curves(AS_PUBLISHED, EARLY, tuned)
    assert {claim.verdict for claim in fig1.claims(rows)} == {HOLDS}
    verdicts = [claim.verdict for claim in fig1.claims(curves({**AS_PUBLISHED, "Hybrid": 5.0}, EARLY, tuned))]
    assert verdicts == [FAILS] * 6 + [HOLDS, HOLDS]
    late = [claim.verdict for claim in fig1.claims(curves(AS_PUBLISHED, {**EARLY, "Hybrid": 1.0}, tuned))]
    assert late == [HOLDS] * 6 + [FAILS, HOLDS]
    drawn(experiment("murata-suzuki-2018", "fig1"), rows)
    assert experiment("murata-suzuki-2018", "fig1").table(rows)[0]["excess"] == pytest.approx(
        0.002 * min(tuned, 1.0) * 1.005
    )
