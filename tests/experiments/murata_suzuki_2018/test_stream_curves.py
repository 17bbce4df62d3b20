"""Murata and Suzuki 2018: units measure what a plain fit measures, slopes are found again, claims follow from rows."""

from __future__ import annotations

import io

import numpy as np
import pytest
from matplotlib.figure import Figure

import keyhole as kh
from keyhole.datasets import murata_suzuki
from keyhole.experiments import load_paper, sample_complexity, sparse_curves
from keyhole.experiments.further import FULL, budgeted, fully_informed
from keyhole.experiments.paper import FAILS, HOLDS, NOT_RUN, Size
from keyhole.experiments.sparse_curves import CT, RDA, RDA_2018, SYNTHETIC, further_curve, published_curve, split_of
from keyhole.experiments.sparse_results import figure_1_claims, figure_2_claims, shown_rows

PAPER = load_paper("murata-suzuki-2018")
LEARNERS = ("Hybrid", "Exploration", RDA, RDA_2018, "Dantzig")


def drawn(experiment, rows) -> None:
    figure = Figure(figsize=experiment.figure_size, layout="constrained")
    experiment.draw(rows, figure)
    figure.savefig(io.BytesIO())


def named(name: str):
    return next(experiment for experiment in PAPER.experiments if experiment.name == name)


def test_a_curve_ends_where_a_fit_does_and_never_exceeds_its_budget():
    rows = published_curve(SYNTHETIC, "Hybrid", [{}, {"batch": 0.5}], 50, 25, [1000, 2000], seed=3, n=4000)
    assert [(row["settings"], row["examples"]) for row in rows] == [
        *(("defaults", stop) for stop in (1000, 2000, 3600)),
        *(("batch 0.5", stop) for stop in (1000, 2000, 3600)),
    ]
    stream = murata_suzuki(4000, random_state=3)
    learner = kh.Hybrid(50, 25, random_state=3).fit(stream.table(0, 3600), stream.labels(0, 3600))
    assert learner.observed_.max_per_example <= 50
    assert rows[2]["excess"] == pytest.approx(stream.excess(learner.coef_, learner.intercept_), rel=1e-9)
    test_error = np.mean((learner.predict(stream.table(3600)) - stream.labels(3600)) ** 2)
    assert rows[2]["error"] == pytest.approx(test_error, rel=1e-9)
    assert rows[2]["for a prediction"] == len(learner.support_) <= 25


def test_further_learners_keep_to_the_first_examples():
    (row,) = further_curve(SYNTHETIC, "screened panel", 50, stop=500, seed=0, n=1000)
    split = split_of(SYNTHETIC, 0, 1000)
    panel = budgeted("screened panel", 50, 0).fit(split.X[:500], split.y[:500])
    assert panel.observed_.max_per_example <= 50
    assert row["error"] == pytest.approx(np.mean((panel.predict(split.X_test) - split.y_test) ** 2))
    assert row["for a prediction"] == 50


def test_with_full_information_units_do_not_matter():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 6))
    y = X @ [1.0, -1.0, 0.5, 0.0, 0.0, 0.0] + 0.1 * rng.normal(size=300)
    units = np.array([1.0, 1000.0, 1e-3, 1.0, 50.0, 1.0])
    models = fully_informed(X[:200], y[:200], seed=0, n_folds=5)
    scaled = fully_informed(X[:200] * units, 100 * y[:200], seed=0, n_folds=5)
    assert tuple(models) == FULL
    for name, model in models.items():
        assert np.allclose(100 * model.predict(X[200:]), scaled[name].predict(X[200:] * units))
        assert np.mean((model.predict(X[200:]) - y[200:]) ** 2) < 0.05 * y.var() or name.startswith("online")


def test_the_ct_file_is_split_as_in_the_paper(tmp_path, monkeypatch):
    monkeypatch.setenv("KEYHOLE_DATA", str(tmp_path))
    with pytest.raises(FileNotFoundError, match=r"slice_localization_data\.csv"):
        named("fig2").needs()
    table = np.random.default_rng(0).normal(size=(100, 386))
    header = ",".join(["patientId", *(f"value{at}" for at in range(384)), "reference"])
    np.savetxt(tmp_path / "slice_localization_data.csv", table, delimiter=",", header=header, comments="")
    split = split_of(CT, seed=0)
    assert split.X.shape == (90, 384)
    assert split.X_test.shape == (10, 384)
    assert sorted([*split.y, *split.y_test]) == pytest.approx(sorted(table[:, -1]))
    rows = published_curve(CT, "Exploration", [{}], 20, 10, [50], seed=0)
    assert [row["examples"] for row in rows] == [50, 90]


def curves(last: dict[str, float], early: dict[str, float], tuned: float = 0.9, measure: str = "excess") -> list[dict]:
    """Made-up curves of two splits, with the defaults and a better setting."""
    return [
        {
            "learner": name,
            "settings": settings,
            "split": split,
            "examples": stop,
            "error": factor * values[name] * (1 + 0.01 * split),
            measure: factor * values[name] * (1 + 0.01 * split),
            "for a prediction": 25,
        }
        for name in last
        for settings, factor in (("defaults", 1.0), ("radius 2", tuned))
        for split in range(2)
        for stop, values in ((1000, early), (90_000, last))
    ]


EARLY = dict(zip(LEARNERS, (20.0, 22.0, 18.0, 10.0, 25.0), strict=True))
AS_PUBLISHED = dict(zip(LEARNERS, (0.002, 0.01, 4.0, 0.6, 24.0), strict=True))


def test_the_best_setting_is_shown_beside_the_defaults():
    rows = shown_rows(curves(AS_PUBLISHED, EARLY))
    assert {row["learner"]: row["settings"] for row in rows} == {
        **dict.fromkeys(LEARNERS, "radius 2"),
        **{f"{name}, untuned": "defaults" for name in LEARNERS},
    }
    rows = shown_rows(curves(AS_PUBLISHED, EARLY, tuned=1.1))
    assert {row["learner"]: row["settings"] for row in rows} == dict.fromkeys(LEARNERS, "defaults")


@pytest.mark.parametrize("tuned", [0.9, 1.1])
def test_claims_of_figure_1_follow_the_rows(tuned):
    rows = curves(AS_PUBLISHED, EARLY, tuned)
    assert {claim.verdict for claim in figure_1_claims(rows)} == {HOLDS}
    verdicts = [claim.verdict for claim in figure_1_claims(curves({**AS_PUBLISHED, "Hybrid": 5.0}, EARLY, tuned))]
    assert verdicts == [FAILS, FAILS, FAILS, FAILS, HOLDS, HOLDS]
    late = [claim.verdict for claim in figure_1_claims(curves(AS_PUBLISHED, {**EARLY, "Hybrid": 1.0}, tuned))]
    assert late == [HOLDS] * 4 + [FAILS, HOLDS]
    drawn(named("fig1"), rows)
    assert named("fig1").table(rows)[0]["excess"] == pytest.approx(0.002 * min(tuned, 1.0) * 1.005)


def test_claims_of_figure_2_follow_the_rows():
    last = {**AS_PUBLISHED, "Dantzig": 0.02}
    rows = curves(last, EARLY, measure="test")
    claims = figure_2_claims(rows, "CT slices")
    assert {claim.verdict for claim in claims} == {HOLDS}
    last |= {"Hybrid": 30.0, "Dantzig": 50.0}
    assert {claim.verdict for claim in figure_2_claims(curves(last, EARLY, measure="test"), "CT slices")} == {FAILS}
    drawn(named("fig2"), rows)


def falling(exponents: dict[str, float], reached: float = 1.0) -> list[dict]:
    """Made-up runs whose excess is 0.5 (needed / n)^1.2; needed is 200 times powers of the problem's quantities."""
    rows = []
    for unit in sample_complexity.units(Size.quick, 0):
        problem = unit.settings
        needed = 200.0 * reached
        for name, exponent in exponents.items():
            value = problem[name] ** 2 if name == "noise" else problem[name]
            needed *= (value / sample_complexity.BASE[name]) ** exponent
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
        needed = sample_complexity.examples_needed(sample_complexity.swept(rows, "Hybrid", name), name)
        assert needed[sample_complexity.BASE[name]] == pytest.approx([200.0] * len(next(iter(needed.values()))))
        assert sample_complexity.fitted_slope(needed).value == pytest.approx(exponent)
    assert sample_complexity.rate(rows, "Dantzig").value == pytest.approx(1.2)
    verdicts = {claim.text: claim.verdict for claim in sample_complexity.claims(rows)}
    boost = next(text for text in verdicts if text.startswith("Once the support"))
    assert verdicts.pop(boost) == FAILS  # Hybrid's excess grows with d here
    assert set(verdicts.values()) == {HOLDS}
    drawn(named("table1"), rows)


def test_a_slope_above_the_published_one_does_not_hold_and_one_never_reached_is_not_judged():
    verdicts = [claim.verdict for claim in sample_complexity.claims(falling({"sparsity": 2.5, "room": -0.5}))]
    growth = verdicts[10:14]
    assert growth == [FAILS] * 4
    never = [claim.verdict for claim in sample_complexity.claims(falling({}, reached=1e6))]
    assert never[5:16] == [NOT_RUN] * 11


def test_the_smallest_problem_runs():
    rows = sample_complexity.excess_along(20, 2, 4, 1.0, list(LEARNERS), stop=400, seed=0)
    assert [row["examples"] for row in rows[:: len(LEARNERS)]] == [100, 141, 200, 283, 400]
    assert all(row["excess"] > 0 and row["noise"] == 1.0 for row in rows)


def test_rda_is_the_variant_that_its_name_says():
    made = {name: sparse_curves.sparse_learner(name, 8, 4, 40, 0) for name in sparse_curves.VARIANTS}
    assert {name: learner.variant for name, learner in made.items()} == sparse_curves.VARIANTS
