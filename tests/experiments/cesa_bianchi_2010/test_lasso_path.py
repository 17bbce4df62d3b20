"""Lasso along its constraint: weights have the radius that is asked for, and verdicts follow the rows."""

from __future__ import annotations

import numpy as np
import pytest

from experiments.helpers import drawn, experiment
from keyhole.experiments.cesa_bianchi_2010 import lasso_path
from keyhole.experiments.runner.paper import FAILS, HOLDS, NOT_JUDGED
from keyhole.experiments.shared.full_information import lasso_path_of, moments_of
from keyhole.online.l1_solver import minimise_in_l1_ball

LASSO_PATH = experiment("cesa-bianchi-2010", "lasso-path")


def test_weights_at_a_radius_solve_the_constrained_problem():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 8))
    y = X @ [2.0, -1.5, 1.0, 0.5, 0, 0, 0, 0] + rng.normal(size=300)
    origin = moments_of(X, y)._replace(x=np.zeros(8), y=0.0)
    radii, weights = lasso_path.at_radii(lasso_path_of(origin, np.logspace(-4, 1, 200).tolist(), 1e-8))
    A, b = X.T @ X / 300, X.T @ y / 300
    assert len(radii) > 5
    for at, radius in enumerate(radii):
        assert np.abs(weights[:, at]).sum() == pytest.approx(radius, rel=1e-3)
        best = minimise_in_l1_ball(A, b, radius, 2 * np.linalg.eigvalsh(A)[-1], gap=1e-9).weights
        reached, least = (w @ A @ w - 2 * b @ w for w in (weights[:, at], best))
        assert reached - least < 1e-3 * (y @ y / 300)  # a straight line between two penalties misses a corner by little


@pytest.mark.usefixtures("few_images")
def test_a_task_has_the_path_and_ridge():
    rows = lasso_path.path([3, 5], 0, 0)
    *along, ridge = LASSO_PATH.table(rows)
    assert [row["l1 radius"] for row in along] == sorted(row["l1 radius"] for row in along)
    assert along[0]["median error"] > along[8]["median error"]
    assert ridge["learner"] == "ridge, best penalty"
    assert {claim.verdict for claim in LASSO_PATH.claims(rows)} == {NOT_JUDGED}
    drawn(LASSO_PATH, rows)


def rows_of(points, ridge):
    found = [(lasso_path.LASSO, radius, error, wrong) for radius, error, wrong in points]
    return [
        {"learner": learner, "pair": str(pair), "split": 0, "radius": radius, "error": error, "wrong": wrong}
        for learner, radius, error, wrong in [*found, (lasso_path.RIDGE, 20.0, *ridge)]
        for pair in range(45)
    ]


def test_verdicts_follow_the_rows():
    early, late = lasso_path.RADII[4], lasso_path.RADII[-1]
    apart = rows_of([(early, 0.222, 0.04), (late, 0.12, 0.011)], ridge=(0.119, 0.013))
    assert [claim.verdict for claim in LASSO_PATH.claims(apart)] == [FAILS, HOLDS]
    together = rows_of([(early, 0.5, 0.04), (late, 0.222, 0.011)], ridge=(0.11, 0.013))
    assert [claim.verdict for claim in LASSO_PATH.claims(together)] == [HOLDS, FAILS]
