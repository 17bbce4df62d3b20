"""The sweep of an online Lasso: its errors, what divergence is written as, and verdicts that follow the rows."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.linear_model import SGDRegressor

from experiments.helpers import drawn, experiment
from keyhole.experiments.hazan_koren_2012 import online_lasso
from keyhole.experiments.runner.paper import FAILS, HOLDS
from keyhole.experiments.shared.mnist_curves import split_of

EXPERIMENT = experiment("hazan-koren-2012", "online-lasso")


@pytest.mark.usefixtures("few_images")
def test_a_sweep_has_the_errors_of_scikit_learn_and_diverges():
    rows = online_lasso.sweep([3, 5], 0, 0)
    data = split_of([3, 5], 0, 0)
    row = next(row for row in rows if row["trained on"] == online_lasso.ALL and row["step"] == 1e-3)
    model = SGDRegressor(penalty="l1", alpha=1e-5, learning_rate="constant", eta0=1e-3, average=True, random_state=0)
    predicted = model.partial_fit(data.X, data.y).predict(data.X_test)
    assert row["error"] == pytest.approx(np.mean((predicted - data.y_test) ** 2))
    assert max(row["error"] for row in rows) == online_lasso.DIVERGED


def rows_of(errors, aelr):
    """The error at each step, alike for all penalties, weights and numbers of rows."""
    rows = [
        {"learner": "online Lasso", "trained on": which, "weights": weights, "penalty": penalty, "step": step,
         "split": 0, "error": error}
        for which in (online_lasso.SAME_COST, online_lasso.ALL)
        for weights in online_lasso.WEIGHTS
        for penalty in online_lasso.PENALTIES
        for step, error in errors.items()
    ]  # fmt: skip
    learned = {"learner": online_lasso.AELR, "split": 0, "examples": 100, "attributes": 400, "error": aelr}
    return [*rows, learned]


def test_verdicts_follow_the_rows():
    rows = rows_of({1e-3: 0.9, 1e-2: 0.5, 2e-2: 7.0, 1e-1: 1e6}, aelr=0.75)
    claims = EXPERIMENT.claims(rows)
    assert [claim.verdict for claim in claims] == [FAILS, FAILS]
    assert "0.67 times" in claims[0].measured
    assert "is 0.02, 2 times the best step, and its error is 7" in claims[0].why
    assert [claim.verdict for claim in EXPERIMENT.claims(rows_of({1e-3: 9.0, 1e-2: 8.0}, aelr=0.9))] == [HOLDS, HOLDS]
    drawn(EXPERIMENT, rows)


def test_the_best_penalty_is_taken_at_each_step():
    rows = rows_of({1e-3: 0.9}, aelr=0.5)
    rows[1]["error"] = 0.4
    assert EXPERIMENT.table(rows)[0]["penalty (best)"] == online_lasso.PENALTIES[1]
    assert EXPERIMENT.table(rows)[0]["times the error of AELR, as printed"] == pytest.approx(0.8)
