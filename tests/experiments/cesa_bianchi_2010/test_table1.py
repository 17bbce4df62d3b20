"""The table over pairs of digits: its rows, and verdicts on published medians."""

from __future__ import annotations

import pytest
from matplotlib.figure import Figure

from keyhole.experiments.cesa_bianchi_2010 import table1
from keyhole.experiments.runner.kinds import OTHER_FORM, THE_PAPER
from keyhole.experiments.runner.paper import FAILS, HOLDS, NOT_JUDGED


@pytest.mark.usefixtures("few_images")
def test_the_table_over_pairs():
    rows = table1.pair_errors([3, 5], 0, 0, 2)
    table = table1.table(rows)
    assert next(row for row in table if row["learner"] == "ridge")["published error"] == 0.110
    found = table1.claims(rows)
    assert [claim.verdict for claim in found[:7]] == [NOT_JUDGED] * 7  # one pair is not 45
    assert "1 were run" in found[0].why
    table1.draw(rows, Figure())


ERRORS = {"ridge": 0.11, "Lasso": 0.3, "AER": 0.5, "AER, as printed": 0.6, "Baseline": 0.4,
          "Baseline, as printed": 0.82}  # fmt: skip


def rows_of(errors):
    return [
        {"learner": name, "pair": str(pair), "error": error, "wrong": 0.013, "settings": f"radius {1 + pair % 2}"}
        for name, error in errors.items()
        for pair in range(45)
    ]


def test_with_all_pairs_a_published_number_has_a_verdict():
    found = table1.claims(rows_of(ERRORS))
    assert [claim.verdict for claim in found[:4]] == [HOLDS, FAILS, FAILS, HOLDS]
    assert found[1].why.startswith("Measured worse than published.")
    assert found[3].why.startswith("Baseline's chosen radii, of all splits: radius 1 (23); radius 2 (22).")
    assert [claim.verdict for claim in found[-2:]] == [HOLDS, FAILS]
    assert [claim.about for claim in found] == [THE_PAPER] * (len(found) - 1) + [OTHER_FORM]
    assert found[-1].text == "AER is better than Baseline (running scales, clipped matrix)."
    assert "0.820" in found[-1].why


def test_a_published_number_is_compared_with_the_learner_as_printed_alone():
    aer = table1.claims(rows_of(ERRORS | {"AER": 0.32}))[2]
    assert aer.verdict == FAILS
    assert "the median is 0.32" in aer.why
    assert table1.claims(rows_of(ERRORS | {"AER, as printed": 0.32}))[2].verdict == HOLDS
    published = {row["learner"]: row["published error"] for row in table1.table(rows_of(ERRORS))}
    assert published == {"ridge": 0.110, "Lasso": 0.222, "AER": "", "AER, as printed": 0.320, "Baseline": "",
                         "Baseline, as printed": 0.815}  # fmt: skip


def test_the_development_pair_and_the_other_pairs_are_shown_apart():
    rows = rows_of({"ridge": 0.1})
    rows[0] |= {"pair": "3 vs 5", "error": 0.3}
    (line,) = table1.table(rows)
    assert line["3 vs 5 (development pair)"] == 0.3
    assert line["median without 3 vs 5"] == pytest.approx(0.1)
