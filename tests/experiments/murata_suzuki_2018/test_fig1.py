"""Claims of Figure 1 follow from the rows."""

from __future__ import annotations

import pytest

from experiments.helpers import drawn, experiment
from experiments.murata_suzuki_2018.made_up import AS_PUBLISHED, EARLY, RAW, curves
from keyhole.experiments.murata_suzuki_2018 import fig1
from keyhole.experiments.murata_suzuki_2018.printed_rivals import RDA
from keyhole.experiments.runner.kinds import OTHER_FORM, THE_PAPER
from keyhole.experiments.runner.paper import FAILS, HOLDS


def failing(last, early, tuned=0.9):
    return [at for at, claim in enumerate(fig1.claims(curves(last, early, tuned))) if claim.verdict == FAILS]


@pytest.mark.parametrize("tuned", [0.9, 1.1])
def test_claims_of_figure_1_follow_the_rows(tuned):
    """Nine claims about order, three forms of each; and two about RDA and Dantzig, two forms of each."""
    rows = curves(AS_PUBLISHED, EARLY, tuned)
    claims = fig1.claims(rows)
    assert {claim.verdict for claim in claims} == {HOLDS}
    assert [claim.about for claim in claims] == [
        *2 * (THE_PAPER, OTHER_FORM, OTHER_FORM),
        *3 * [OTHER_FORM],
        *2 * (THE_PAPER, OTHER_FORM),
    ]
    assert failing({**AS_PUBLISHED, "Hybrid": 5.0}, EARLY, tuned) == [1, 2, 4, 5, 7, 8]
    assert failing({**AS_PUBLISHED, RAW["Hybrid"]: 5.0}, EARLY, tuned) == [0, 3, 6]
    assert failing(AS_PUBLISHED, {**EARLY, "Hybrid": 1.0}, tuned) == [10]
    assert failing(AS_PUBLISHED, {**EARLY, RAW[RDA]: 30.0}, tuned) == [9]
    drawn(experiment("murata-suzuki-2018", "fig1"), rows)
    table = {line["learner"]: line for line in experiment("murata-suzuki-2018", "fig1").table(rows)}
    assert table["Hybrid"]["excess"] == pytest.approx(0.002 * min(tuned, 1.0) * 1.005)
