"""The printed improvement ratios are found again, and others are not."""

from __future__ import annotations

from keyhole.experiments.kukliansky_shamir_2015 import ratios
from keyhole.experiments.runner.paper import FAILS, HOLDS


def test_printed_ratios():
    rows = ratios.ratios("simulated", 0)
    assert [claim.verdict for claim in ratios.claims(rows)] == [HOLDS] * 8
    wrong = [row | {"ridge ratio": 1.2 * row["ridge ratio"]} for row in rows]
    assert [claim.verdict for claim in ratios.claims(wrong)] == [FAILS, HOLDS, FAILS, HOLDS, FAILS, HOLDS, FAILS, HOLDS]
