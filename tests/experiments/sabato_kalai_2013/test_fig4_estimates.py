"""Own estimates cost four times as much, budgets hold at these prices, and simulated labels are what they say."""

from __future__ import annotations

import numpy as np
import pytest

from experiments.helpers import drawn, experiment
from keyhole.experiments.runner.paper import FAILS, HOLDS, Size
from keyhole.experiments.sabato_kalai_2013.fig4_estimates import (
    OWN,
    PER_COST,
    PRICE,
    SHARES,
    WITHOUT,
    estimates,
    own_estimates,
    priced_repeats,
    simulated,
)

BUDGETS = [5, 8, 20]


def test_the_error_of_the_crowd_has_the_stated_variance(faces):
    crowd = simulated("age", 0.0, 3)
    mean = faces.judgments[:, 0].mean(axis=1)
    assert sorted(np.concatenate([crowd.parts.y, crowd.parts.y_unseen])) == pytest.approx(sorted(mean))
    for share in (0.1, 0.3):
        label = simulated("age", share, 3)
        assert label.parts.seen.objects == crowd.parts.seen.objects  # the same faces for every share
        error = np.concatenate([label.parts.y - crowd.parts.y, label.parts.y_unseen - crowd.parts.y_unseen])
        assert error.var() / mean.var() == pytest.approx(share, rel=0.5)  # of 40 faces


def test_own_estimates_are_a_quarter_of_the_budget():
    data = simulated("age", 0.1, 0)
    found = own_estimates(data, 11)
    predicted = data.parts.unseen.values[:, 0, :2].mean(axis=1)
    assert found["estimates"] == 2
    assert found["cost"] == 2 * PRICE
    assert found["loss"] == pytest.approx(np.mean((predicted - data.parts.y_unseen) ** 2) / data.parts.variance)


def test_budgets_hold_at_the_prices():
    rows = estimates("age", 0.1, BUDGETS, [0, 1])
    assert {row["learner"] for row in rows} == {"Full", "Scoring", "Averages", "Copies", PER_COST, WITHOUT, OWN}
    assert len(rows) == 7 * len(BUDGETS) * 2
    assert all(row["cost"] <= row["budget"] for row in rows)
    assert all(row["estimates"] == 0 for row in rows if row["learner"] == WITHOUT)
    assert any(row["estimates"] > 0 for row in rows if row["learner"] == "Full")


def test_a_higher_price_means_fewer_estimates():
    data = simulated("age", 0.1, 0)
    priced = priced_repeats(data, "full", 20, data.prices, "gain per cost")
    unpriced = priced_repeats(data, "full", 20, np.ones(6), "gain per cost")
    assert priced @ data.prices <= 20
    assert priced[0] < unpriced[0]


def rows_with(full: float) -> list[dict]:
    levels = {"Full": full, OWN: 0.5, PER_COST: 0.4, WITHOUT: 0.6, "Scoring": 0.5, "Averages": 0.5, "Copies": 0.5}
    return [
        {"learner": name, "share": share, "split": split, "budget": budget, "loss": level + 0.01 * split,
         "attributes": 1, "cost": 4.0, "estimates": 1}
        for name, level in levels.items() for share in SHARES for split in range(2) for budget in (5, 10, 20, 40)
    ]  # fmt: skip


def test_claims_follow_the_rows_and_the_figure_is_drawn():
    figure = experiment("sabato-kalai-2013", "fig4-estimates")
    assert [claim.verdict for claim in figure.claims(rows_with(0.3))] == [HOLDS] * 3
    claims = figure.claims(rows_with(0.7))
    assert [claim.verdict for claim in claims] == [FAILS] * 3
    assert all("Simulated" in claim.why and "+0.200 ± 0.000 above own estimates" in claim.why for claim in claims)
    assert len(drawn(figure, rows_with(0.3)).axes) == len(SHARES)
    assert figure.table(rows_with(0.3))[0]["error of the crowd"] == "0%"
    assert len(figure.tasks(Size.quick, 0)) == len(SHARES)
