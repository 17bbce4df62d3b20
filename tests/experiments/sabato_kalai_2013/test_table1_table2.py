"""Tables 1 and 2: predictors keep their budgets, and claims follow from the rows."""

from __future__ import annotations

from experiments.helpers import experiment
from experiments.sabato_kalai_2013.made_up import attribute
from keyhole.experiments.runner.paper import FAILS, HOLDS, Size


def test_predictors_keep_their_budgets():
    whole = [
        row
        for each in experiment("sabato-kalai-2013", "table2").tasks(Size.quick, 0)
        for row in each.function(**each.settings)
    ]
    for label, budget in (("age", 35), ("weight", 50)):
        predictor = [row for row in experiment("sabato-kalai-2013", "table2").table(whole) if row["label"] == label]
        assert predictor[-1]["attribute"] == "(bias)"
        assert 0 < sum(row["repeats"] for row in predictor) <= budget
        assert all(row["repeats"] for row in predictor[:-1])
    few = [{"label": label, "attribute": "x", "repeats": 3} for label in ("age", "weight")]
    assert {claim.verdict for claim in experiment("sabato-kalai-2013", "table2").claims(few)} == {FAILS}
    many = few + [{"label": label, "attribute": "y", "repeats": 30} for label in ("age", "weight")]
    assert {claim.verdict for claim in experiment("sabato-kalai-2013", "table2").claims(many)} == {HOLDS}


def test_claims_about_reliability_follow_the_rows():
    table1 = experiment("sabato-kalai-2013", "table1")
    assert table1.claims([attribute(0.1, 0.2), attribute(0.1, 2.0)])[0].verdict == HOLDS
    assert table1.claims([attribute(0.1, 1.0), attribute(0.1, 2.0)])[0].verdict == FAILS
