"""Slopes are found again, and verdicts follow from them."""

from __future__ import annotations

import pytest

from experiments.helpers import drawn, experiment
from keyhole.experiments.murata_suzuki_2018 import slopes, table1
from keyhole.experiments.runner.kinds import published
from keyhole.experiments.runner.paper import FAILS, HOLDS, NOT_JUDGED, Size


def falling(exponents: dict[str, float], reached: float = 1.0) -> list[dict]:
    """Made-up runs whose excess is 0.5 (needed / n)^1.2; needed is 200 times powers of the problem's quantities."""
    rows = []
    for task in table1.tasks(Size.quick, 0):
        problem = task.settings
        needed = 200.0 * reached
        for name, exponent in exponents.items():
            value = problem[name] ** 2 if name == "noise" else problem[name]
            needed *= (value / slopes.BASE[name]) ** exponent
        for learner in problem["learners"]:
            for stop in (100 * 2**step for step in range(12)):
                row = {name: problem[name] for name in ("d", "sparsity", "room", "seed")}
                row |= {"noise": problem["noise"] ** 2, "learner": learner, "examples": stop}
                rows.append(row | {"excess": 0.5 * (needed / stop) ** 1.2})
    return rows


def test_slopes_are_found_again():
    exponents = {"d": 0.9, "sparsity": 1.9, "room": -1.1, "noise": 0.5}
    rows = falling(exponents)
    for name, exponent in exponents.items():
        needed = slopes.examples_needed(slopes.swept(rows, "Hybrid", name), name)
        assert needed[slopes.BASE[name]] == pytest.approx([200.0] * len(next(iter(needed.values()))))
        assert slopes.fitted_slope(needed).value == pytest.approx(exponent)
    assert slopes.rate(rows, "Dantzig").value == pytest.approx(1.2)
    assert table1.claims(rows)[0].measured.startswith("n^(-1.20 ± ")
    verdicts = {claim.text: claim.verdict for claim in table1.claims(rows)}
    boosts = [text for text in verdicts if text.startswith("Once the support")]
    assert [verdicts.pop(boost) for boost in boosts] == [FAILS] * 2  # Hybrid's excess grows with d here
    assert set(verdicts.values()) == {HOLDS}
    counted = published(table1.claims(rows))
    assert len(counted) == 2 * 5 + 1  # the rate, four quantities, and the boost of Hybrid
    assert all("as printed" in claim.text for claim in counted)
    drawn(experiment("murata-suzuki-2018", "table1"), rows)


def test_a_slope_above_the_published_one_does_not_hold_and_one_never_reached_has_no_verdict():
    verdicts = [claim.verdict for claim in table1.claims(falling({"sparsity": 2.5, "room": -0.5}))]
    growth = verdicts[14:22]
    assert growth == [FAILS] * 8
    never = [claim.verdict for claim in table1.claims(falling({}, reached=1e6))]
    assert never[7:26] == [NOT_JUDGED] * 19
    assert len(published(table1.claims(falling({}, reached=1e6)))) == 11


def test_the_smallest_problem_runs():
    learners = list(table1.LEARNERS)
    rows = table1.excess_along(20, 2, 4, 1.0, learners, stop=400, seed=0)
    assert [row["examples"] for row in rows[:: len(learners)]] == [100, 141, 200, 283, 400]
    assert {row["learner"] for row in rows} == set(learners)
    assert all(row["excess"] > 0 and row["noise"] == 1.0 for row in rows)
