"""Claims of Figure 1 follow from the rows."""

from __future__ import annotations

from experiments.helpers import curve_rows, experiment
from keyhole.experiments.runner.kinds import OTHER_FORM, THE_PAPER
from keyhole.experiments.runner.paper import FAILS, HOLDS


def test_claims_follow_the_rows():
    fig1 = experiment("hazan-koren-2012", "fig1")
    errors = {"AELR": 0.3, "AELR__as_printed": 0.3, "AELR__even_draws": 0.3, "AER": 0.6, "AER__as_printed": 0.6}
    rows = curve_rows(**errors, Lasso=0.2, online_Lasso=3.0)
    assert [claim.verdict for claim in fig1.claims(rows)[:6]] == [HOLDS] * 6
    assert [claim.about for claim in fig1.claims(rows)] == [THE_PAPER] * 2 + [OTHER_FORM] * 4 + [THE_PAPER] * 2
    assert fig1.claims(rows)[-1].verdict == HOLDS
    rows = curve_rows(**errors | {"AELR": 0.7}, Lasso=0.2, online_Lasso=0.7)
    assert [claim.verdict for claim in fig1.claims(rows)[:6]] == [HOLDS] * 4 + [FAILS] * 2
    assert fig1.claims(rows)[-1].verdict == FAILS


def test_numbers_are_compared_with_the_learner_as_printed():
    fig1 = experiment("hazan-koren-2012", "fig1")
    errors = {"AELR": 0.3, "AELR__as_printed": 0.7, "AELR__even_draws": 0.5, "AER": 0.6, "AER__as_printed": 0.6}
    claims = fig1.claims(curve_rows(**errors, Lasso=0.3, online_Lasso=3.0))
    assert [claim.verdict for claim in claims[:6]] == [FAILS, FAILS, HOLDS, HOLDS, HOLDS, HOLDS]
    assert "AELR 0.705" in claims[6].measured
    assert claims[7].verdict == FAILS
    assert "With even draws, which the paper does not mention, its error is 0.505" in claims[0].why
