"""Claims of Figure 2 follow from the rows."""

from __future__ import annotations

from experiments.helpers import curve_rows, drawn, experiment
from keyhole.experiments.runner.kinds import published
from keyhole.experiments.runner.paper import FAILS, HOLDS


def test_claims_follow_the_rows():
    fig2 = experiment("hazan-koren-2012", "fig2")
    errors = {"AERR": 0.3, "AERR__as_printed": 0.3, "AERR__even_draws": 0.3, "AER": 0.6, "AER__as_printed": 0.6}
    rows = curve_rows(**errors, ridge=0.2)
    assert {claim.verdict for claim in fig2.claims(rows)} == {HOLDS}
    worse = curve_rows(**errors | {"AERR": 0.7}, ridge=0.2)
    assert [claim.verdict for claim in fig2.claims(worse)] == [HOLDS] * 4 + [FAILS, FAILS, HOLDS]
    printed = curve_rows(**errors | {"AERR__as_printed": 0.7}, ridge=0.2)
    assert [claim.verdict for claim in fig2.claims(printed)] == [FAILS, FAILS] + [HOLDS] * 5
    assert len(published(fig2.claims(printed))) == 3
    assert all(
        ", even draws" not in claim.text and "scales" not in claim.text for claim in published(fig2.claims(rows))
    )
    drawn(fig2, rows)
