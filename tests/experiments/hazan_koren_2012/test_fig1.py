"""Claims of Figure 1 follow from the rows."""

from __future__ import annotations

from experiments.helpers import curve_rows, experiment
from keyhole.experiments.runner.paper import FAILS, HOLDS


def test_claims_follow_the_rows():
    fig1 = experiment("hazan-koren-2012", "fig1")
    errors = {"AELR": 0.3, "AELR__as_printed": 0.3, "AER": 0.6, "AER__as_printed": 0.6}
    rows = curve_rows(**errors, Lasso=0.2, online_Lasso=3.0)
    assert [claim.verdict for claim in fig1.claims(rows)[:4]] == [HOLDS] * 4
    assert fig1.claims(rows)[-1].verdict == HOLDS
    rows = curve_rows(**errors | {"AELR": 0.7}, Lasso=0.2, online_Lasso=0.7)
    assert [claim.verdict for claim in fig1.claims(rows)[:4]] == [HOLDS, HOLDS, FAILS, FAILS]
    assert fig1.claims(rows)[-1].verdict == FAILS
