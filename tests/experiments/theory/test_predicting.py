"""No strategy beats a ninth, and verdicts follow from the rows."""

from __future__ import annotations

import pytest
from matplotlib.figure import Figure

from keyhole.experiments.runner.paper import FAILS, HOLDS
from keyhole.experiments.theory import predicting


def test_no_strategy_of_two_reveals_beats_a_ninth():
    assert predicting.best_strategy() == pytest.approx(1 / 9)


def test_verdicts_follow_the_rows():
    rows = [row for name in (predicting.BEST, "screened panel", "AERR") for row in predicting.loss_of(name, 2000, 0)]
    assert [row["attributes used"] for row in rows] == [2, 2, 3]
    assert [claim.verdict for claim in predicting.claims(rows)] == [HOLDS, HOLDS]
    predicting.draw(rows, Figure(layout="constrained"))
    impossible = [*rows, rows[0] | {"loss": 0.1}]
    assert predicting.claims(impossible)[0].verdict == FAILS
