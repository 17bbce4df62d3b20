"""The table over pairs of digits: its rows, and verdicts on published medians."""

from __future__ import annotations

import pytest
from matplotlib.figure import Figure

from keyhole.experiments.cesa_bianchi_2010 import table1
from keyhole.experiments.runner.paper import FAILS, HOLDS, NOT_RUN


@pytest.mark.usefixtures("few_images")
def test_the_table_over_pairs():
    rows = table1.pair_errors([3, 5], 0, 0, 2)
    table = table1.table(rows)
    assert next(row for row in table if row["learner"] == "ridge")["published error"] == 0.110
    found = table1.claims(rows)
    assert [claim.verdict for claim in found[:7]] == [NOT_RUN] * 7  # one pair is not 45
    assert "1 were run" in found[0].why
    table1.draw(rows, Figure())


def test_with_all_pairs_a_published_number_has_a_verdict():
    errors = {"ridge": 0.11, "Lasso": 0.3, "AER": 0.5, "AER, as printed": 0.6, "Baseline": 0.4,
              "Baseline, as printed": 0.82}  # fmt: skip
    rows = [
        {"learner": name, "pair": str(pair), "error": error, "wrong": 0.013}
        for name, error in errors.items()
        for pair in range(45)
    ]
    found = table1.claims(rows)
    assert [claim.verdict for claim in found[:4]] == [HOLDS, FAILS, FAILS, HOLDS]
    assert found[1].why == "Measured worse than published."
    assert [claim.verdict for claim in found[-2:]] == [HOLDS, FAILS]
    assert "0.820" in found[-1].why
