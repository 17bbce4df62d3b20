"""Updates are those of the printed algorithms, and the claims of linear convergence follow from the rows."""

from __future__ import annotations

import numpy as np
import pytest

from experiments.helpers import drawn, experiment
from keyhole.experiments.murata_suzuki_2018 import convergence
from keyhole.experiments.runner.paper import FAILS, HOLDS

LEARNERS = (convergence.EXPLORATION, convergence.COMPLETE, convergence.LACKING)


@pytest.mark.parametrize("learner", LEARNERS)
def test_a_task_measures_every_update(learner):
    rows = convergence.excess_by_update(learner, 0.5, 200, seed=0)
    excess = np.array([row["excess"] for row in rows])
    assert len(excess) == convergence.UPDATES + 1
    assert (np.diff(excess[:4]) < 0).all()
    if learner == convergence.LACKING:
        assert excess[-1] > 0.9  # the weight of 1 that is not in the support
    else:
        assert excess[3] == pytest.approx(excess[0] / 4**3, rel=0.5)


def made_up(factor, grows=1.0):
    return [
        {
            "learner": learner,
            "share": share,
            "seed": seed,
            "update": update,
            "excess": 5.0 * (grows if learner == convergence.LACKING else factor) ** update * (1 + 0.01 * seed),
        }
        for learner in LEARNERS
        for share in convergence.SHARES
        for seed in range(3)
        for update in range(convergence.UPDATES + 1)
    ]


def test_claims_follow_the_rows():
    assert {claim.verdict for claim in convergence.claims(made_up(0.4))} == {HOLDS}
    assert [claim.verdict for claim in convergence.claims(made_up(1.1))] == [FAILS] * 4 + [HOLDS] * 2
    assert [claim.verdict for claim in convergence.claims(made_up(0.4, grows=1.5))] == [HOLDS] * 4 + [FAILS] * 2
    drawn(experiment("murata-suzuki-2018", "convergence"), made_up(0.4))
    assert len(convergence.table(made_up(0.4))) == 3 * 2 * 9
