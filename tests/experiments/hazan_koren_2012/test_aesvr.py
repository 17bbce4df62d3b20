"""Claims about AESVR follow from the rows."""

from __future__ import annotations

from experiments.helpers import curve_rows, experiment
from keyhole.experiments.runner.paper import FAILS, HOLDS


def test_claims_follow_the_rows():
    claims = experiment("hazan-koren-2012", "aesvr").claims
    assert [claim.verdict for claim in claims(curve_rows(AESVR=0.8, AERR=0.5))] == [HOLDS, HOLDS]
    assert [claim.verdict for claim in claims(curve_rows(AESVR=1.2, AERR=1.5))] == [FAILS, FAILS]
