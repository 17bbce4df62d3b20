"""Slopes are found again, and verdicts follow from them."""

from __future__ import annotations

import numpy as np
import pytest

import keyhole as kh
from experiments.helpers import drawn, experiment
from keyhole.datasets import murata_suzuki
from keyhole.experiments.murata_suzuki_2018 import slopes, table1
from keyhole.experiments.murata_suzuki_2018.printed_rivals import DANTZIG_AS_PRINTED, RDA, RDA_2018
from keyhole.experiments.murata_suzuki_2018.regret import Watched
from keyhole.experiments.murata_suzuki_2018.table1_bounds import hidden_logarithms
from keyhole.experiments.runner.kinds import published
from keyhole.experiments.runner.paper import FAILS, HOLDS, NOT_JUDGED, Size


def falling(exponents: dict[str, float], reached: float = 1.0) -> list[dict]:
    """Made-up runs; needed is 200 times powers of the problem's quantities.

    The excess is 0.5 (needed / n)^1.2, and the mean regret 1.5 (needed / n)^0.92, as logarithms may have it.
    """
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
                rows.append(
                    row | {"excess": 0.5 * (needed / stop) ** 1.2, "mean regret": 1.5 * (needed / stop) ** 0.92}
                )
    return rows


def test_slopes_are_found_again():
    exponents = {"d": 0.9, "sparsity": 1.9, "room": -1.1, "noise": 0.5}
    rows = falling(exponents)
    for name, exponent in exponents.items():
        needed = slopes.examples_needed(slopes.swept(rows, "Hybrid", name), name)
        assert needed[slopes.BASE[name]] == pytest.approx([200.0] * len(next(iter(needed.values()))))
        assert slopes.fitted_slope(needed).value == pytest.approx(exponent)
    assert slopes.rate(rows, "Hybrid").value == pytest.approx(1.2)
    assert slopes.rate(rows, DANTZIG_AS_PRINTED, slopes.REGRET).value == pytest.approx(0.92)
    claims = table1.claims(rows)
    assert claims[0].measured.startswith("n^(-1.20 ± ")
    verdicts = {claim.text: claim.verdict for claim in claims}
    boosts = [text for text in verdicts if text.startswith("Once the support")]
    assert [verdicts.pop(boost) for boost in boosts] == [FAILS] * 2  # Hybrid's excess grows with d here
    others = [text for text in verdicts if text.split(":")[0] in (RDA, RDA_2018)]
    assert [verdicts.pop(text) for text in others] == [NOT_JUDGED] * 4
    assert set(verdicts.values()) == {HOLDS}
    counted = published(claims)
    # The rate and four quantities of Hybrid and Exploration, Hybrid's boost, and two of Dantzig and of RDA each.
    assert len(counted) == 2 * 5 + 1 + 2 * 2
    assert all("as printed" in claim.text or claim.text.startswith(f"{RDA}:") for claim in counted)
    assert len(table1.table(rows)) == len(table1.LEARNERS)
    drawn(experiment("murata-suzuki-2018", "table1"), rows)


def test_the_bound_of_dantzig_is_compared_with_its_regret_and_its_logarithms_are_allowed_for():
    rows = falling({"d": 2.9})
    (rate, growth) = [claim for claim in table1.claims(rows) if claim.text.startswith(DANTZIG_AS_PRINTED + ":")]
    assert "mean regret falls" in rate.text
    assert "mean regret stays below 1.5," in growth.text
    assert rate.measured.startswith("n^(-0.92 ± ")
    assert growth.measured.startswith("d^(2.90 ± ")
    assert (rate.verdict, growth.verdict) == (HOLDS, HOLDS)
    end = max(row["examples"] for row in rows)
    adds = np.log(hidden_logarithms(end, 50) / hidden_logarithms(end / 8, 50)) / np.log(8)
    assert f"add {adds:.2f}" in rate.why
    slow = [row | {"mean regret": row["mean regret"] ** 0.5} for row in rows]
    (rate, _) = [claim for claim in table1.claims(slow) if claim.text.startswith(DANTZIG_AS_PRINTED + ":")]
    assert rate.verdict == FAILS


def test_hidden_logarithms_are_those_of_the_sum_of_what_the_constraint_allows():
    """Against a plain sum over examples, each with the program that was solved last."""
    n, d, k0 = 3000, 60, slopes.BASE["room"]
    total = 0.0
    for t in range(1, n):
        solved = 2 ** int(np.log2(t))
        side = 0.5 * np.sqrt(d * np.log(solved * d / 0.05) / (solved * k0)) * (1.0 + d / k0)
        total += min(side**2, 1.0)
    assert hidden_logarithms(n, d) == pytest.approx(total / (d * (1 + d / k0) ** 2))


@pytest.mark.parametrize("exponents", [{}, {"d": 4.0}])
def test_what_is_not_the_algorithm_of_the_bound_is_never_a_refutation(exponents):
    """However slowly they learn, RDA is a reconstruction, and RDA 2018 has no row in the table; numbers are shown."""
    slow = [row | {"mean regret": row["mean regret"] ** 0.1} for row in falling(exponents)]
    others = [claim for claim in table1.claims(slow) if claim.text.split(":")[0] in (RDA, RDA_2018)]
    assert [claim.verdict for claim in others] == [NOT_JUDGED] * 4
    assert all(claim.measured.startswith("n^(-0.09 ± ") for claim in others[:2])
    assert ["reconstruction" in claim.why for claim in others] == [True, False, True, False]
    assert ["printed in 2018" in claim.why for claim in others] == [False, True, False, True]


def test_mean_regret_is_that_of_predictions_made_before_learning():
    """Against a plain loop that predicts each example and then learns from it."""
    stream = murata_suzuki(300, 12, 3, 0.7, random_state=5)
    learner = kh.DualAveraging(6, 3, scaling="none", random_state=1)
    plain = kh.DualAveraging(6, 3, scaling="none", random_state=1)
    watched, regret = Watched(stream), 0.0
    for t in range(300):
        x, y = stream.table(t, t + 1), stream.labels(t, t + 1)
        prediction = plain.predict(x)[0] if t else 0.0
        regret += (prediction - y[0]) ** 2 - (x[0] @ stream.coef - y[0]) ** 2
        plain.partial_fit(x, y)
    for low, high in ((0, 100), (100, 300)):
        learner.partial_fit(*watched(low, high))
    assert watched.mean_regret(learner) == pytest.approx(regret / 300, rel=1e-5)


def test_a_slope_above_the_published_one_does_not_hold_and_one_never_reached_has_no_verdict():
    verdicts = [claim.verdict for claim in table1.claims(falling({"sparsity": 2.5, "room": -0.5}))]
    growth = verdicts[14:22]
    assert growth == [FAILS] * 8
    never = [claim.verdict for claim in table1.claims(falling({}, reached=1e6))]
    assert never[7:26] == [NOT_JUDGED] * 19
    assert len(published(table1.claims(falling({}, reached=1e6)))) == 15  # with two of Dantzig and two of RDA


def test_the_smallest_problem_runs():
    learners = list(table1.LEARNERS)
    rows = table1.excess_along(20, 2, 4, 1.0, learners, stop=400, seed=0)
    assert [row["examples"] for row in rows[:: len(learners)]] == [100, 141, 200, 283, 400]
    assert {row["learner"] for row in rows} == set(learners)
    assert all(row["excess"] > 0 and row["noise"] == 1.0 for row in rows)
    assert all(np.isfinite(row["mean regret"]) for row in rows)
