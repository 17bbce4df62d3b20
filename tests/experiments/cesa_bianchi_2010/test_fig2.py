"""Claims of Figure 2 follow from the rows."""

from __future__ import annotations

from experiments.helpers import curve_rows, drawn, experiment
from keyhole.experiments.runner.kinds import OTHER_FORM, THE_PAPER
from keyhole.experiments.runner.paper import FAILS, HOLDS


def test_claims_of_figure_2_follow_the_rows():
    fig2 = experiment("cesa-bianchi-2010", "fig2")
    errors = {"AER": 0.3, "AER__as_printed": 0.3, "Baseline": 0.8, "Baseline__as_printed": 0.8}
    good = fig2.claims(curve_rows(**errors, ridge=0.2, Lasso=0.25))
    assert {claim.verdict for claim in good} == {HOLDS}
    assert [claim.about for claim in good] == [THE_PAPER, OTHER_FORM, OTHER_FORM] + [THE_PAPER] * 5
    bad = fig2.claims(curve_rows(**errors | {"AER": 0.9, "AER__as_printed": 0.9}, ridge=0.2, Lasso=0.25))
    assert [claim.verdict for claim in bad[:2]] == [FAILS, FAILS]
    drawn(fig2, curve_rows(**errors, ridge=0.2, Lasso=0.25))
