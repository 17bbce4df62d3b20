"""Section 6: k follows from the moments, gradient descent on whole rows is plain, and claims follow from the rows."""

from __future__ import annotations

import numpy as np
import pytest

from experiments.helpers import drawn, experiment
from keyhole.datasets import kukliansky_shamir
from keyhole.experiments.kukliansky_shamir_2015 import speed_up
from keyhole.experiments.runner.kinds import published
from keyhole.experiments.runner.paper import FAILS, HOLDS


def test_k_is_the_half_norm_of_rows_of_norm_one():
    moments = kukliansky_shamir(1, 500, -2.0, "ridge", 0).moments
    expected = np.sqrt(moments).sum() ** 2 / moments.sum()
    assert speed_up.draws_needed(moments) == int(np.ceil(expected)) == 29


def made_up(ddaerr, micro):
    return [
        {
            "alpha": alpha,
            "steps": steps,
            "learner": name,
            "examples": m,
            "repeat": repeat,
            "error": factor * (1 + 0.01 * repeat) / np.sqrt(m),
            "attributes of an example": 500 if name == speed_up.ONLINE else 30,
            "microseconds for an example": micro if name == speed_up.SAME else 2.0,
        }
        for alpha in speed_up.ALPHAS
        for steps in (speed_up.PRINTED, speed_up.BEST)
        for name, factor in ((speed_up.ONLINE, 1.0), (speed_up.SAME, ddaerr), (speed_up.UNIFORM, 3.0))
        for m in (300, 1000)
        for repeat in range(3)
    ]


@pytest.mark.parametrize(("ddaerr", "micro", "verdict"), [(1.3, 1.0, HOLDS), (2.0, 5.0, FAILS)])
def test_claims_follow_the_rows(ddaerr, micro, verdict):
    rows = made_up(ddaerr, micro)
    assert {claim.verdict for claim in speed_up.claims(rows)} == {verdict}
    assert not any(speed_up.BEST in claim.text for claim in published(speed_up.claims(rows)))
    assert len(published(speed_up.claims(rows))) == 3
    drawn(experiment("kukliansky-shamir-2015", "speed-up"), rows)
    assert len(speed_up.table(rows)) == 2 * 2 * 3 * 2


def test_a_task_measures_all_learners():
    rows = speed_up.compare(-2.0, [200], 0)
    assert {(row["learner"], row["steps"]) for row in rows} == {
        (name, steps)
        for name in (speed_up.ONLINE, speed_up.SAME, speed_up.UNIFORM)
        for steps in (speed_up.PRINTED, speed_up.BEST)
    }
    assert all(0 < row["error"] < 1.5 for row in rows)
    assert {row["attributes of an example"] for row in rows} == {500, 30}
