"""The Lasso with every cell under every setting: what is solved, and claims that follow from the rows."""

from __future__ import annotations

import numpy as np
import pytest

from experiments.helpers import drawn, experiment
from keyhole.experiments.kukliansky_shamir_2015 import lasso_solvers
from keyhole.experiments.kukliansky_shamir_2015.comparison import Problem
from keyhole.experiments.runner.paper import FAILS, HOLDS

rng = np.random.default_rng(0)
X = rng.normal(size=(60, 5))
Y = 1.0 + X[:, 0] - X[:, 1] + 0.1 * rng.normal(size=60)
PROBLEM = Problem(X, Y, np.ones(5), lambda w, b: float(np.mean((X @ w + b - Y) ** 2)))


def test_offline_settings_are_those_asked_for():
    with_intercept = lasso_solvers.offline_error(PROBLEM, X, Y, 3, 1e-6, 30, True)
    without = lasso_solvers.offline_error(PROBLEM, X, Y, 3, 1e-6, 30, False)
    assert with_intercept < 0.05 < 0.8 < without


def test_online_steps_that_are_too_long_diverge():
    short, good, long = (
        lasso_solvers.online_error(PROBLEM, X, Y, step, average=True, seed=0) for step in (1e-5, 0.1, 50.0)
    )
    assert good < short <= np.mean(Y**2)
    assert long == np.inf


def made_up(lasso, online):
    rows = []
    for repeat in range(3):
        shared = {"data": "mnist", "repeat": repeat, "rows": 76}
        for name, settings, step, error in [
            ("AELR", "tuned", 0.0, 0.5),
            ("DDAELR", "tuned", 0.0, 0.4),
            ("Lasso", "tolerance 0.01", 0.0, lasso),
            ("Lasso", "tolerance 1e-06", 0.0, 0.3),
            *(("online Lasso", f"{kind} weights", 0.1, 2 * online) for kind in ("averaged", "last")),
            *(("online Lasso", f"{kind} weights", 1.0, online) for kind in ("averaged", "last")),
            *(("online Lasso", f"{kind} weights", 10.0, np.inf) for kind in ("averaged", "last")),
        ]:
            error *= 1 + 0.01 * repeat
            rows.append({**shared, "learner": name, "settings": settings, "step": step, "error": error, "chosen": ""})
    return rows


@pytest.mark.parametrize(("lasso", "online", "verdicts"), [(0.35, 6.0, [HOLDS, HOLDS]), (0.45, 0.4, [FAILS, FAILS])])
def test_claims_follow_the_rows(lasso, online, verdicts):
    rows = made_up(lasso, online)
    claims = lasso_solvers.claims(rows)
    assert [claim.verdict for claim in claims] == verdicts
    assert "diverged from 10 on" in claims[1].measured
    drawn(experiment("kukliansky-shamir-2015", "lasso-solvers"), rows)
    best = {row["settings"]: row["best step"] for row in lasso_solvers.table(rows) if row["learner"] == "online Lasso"}
    assert best == {"averaged weights": 1.0, "last weights": 1.0}
