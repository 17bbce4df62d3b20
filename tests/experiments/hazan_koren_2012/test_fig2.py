"""Claims of Figure 2 follow from the rows."""

from __future__ import annotations

from experiments.helpers import curve_rows, drawn, experiment
from keyhole.experiments.runner.paper import FAILS, HOLDS


def test_claims_follow_the_rows():
    fig2 = experiment("hazan-koren-2012", "fig2")
    rows = curve_rows(AERR=0.3, AERR__as_printed=0.3, AER=0.6, AER__as_printed=0.6, ridge=0.2)
    assert {claim.verdict for claim in fig2.claims(rows)} == {HOLDS}
    worse = curve_rows(AERR=0.7, AERR__as_printed=0.3, AER=0.6, AER__as_printed=0.6, ridge=0.2)
    assert [claim.verdict for claim in fig2.claims(worse)] == [HOLDS, HOLDS, FAILS, FAILS, HOLDS]
    drawn(fig2, rows)
