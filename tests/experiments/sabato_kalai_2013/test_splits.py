"""Sabato and Kalai 2013: splits and losses are what they say, claims follow from rows, pictures can be drawn."""

from __future__ import annotations

import io

import numpy as np
import pytest
from matplotlib.figure import Figure

from keyhole.datasets import FaceJudgments
from keyhole.experiments import judgment_comparison as comparison
from keyhole.experiments import judgment_labels, judgment_properties, judgment_splits, judgment_tradeoff, load_paper
from keyhole.experiments.further import FULL
from keyhole.experiments.judgment_splits import CT, CT_FRAGMENT, FACES, face_parts, method_losses, random_parts
from keyhole.experiments.paper import FAILS, HOLDS, NOT_RUN, Size
from keyhole.judgments import MultiSelector

PAPER = load_paper("sabato-kalai-2013")
BUDGETS = [5, 10, 20, 40]


@pytest.fixture(autouse=True)
def faces(monkeypatch) -> FaceJudgments:
    """40 made-up faces of which "age", "weight" and four others were judged 24 times each."""
    rng = np.random.default_rng(0)
    truth = rng.normal(size=(40, 6)) @ (np.eye(6) + 0.5)
    judged = truth[:, :, None] + np.array([0.3, 2.0, 0.5, 1.0, 0.5, 3.0])[:, None] * rng.normal(size=(40, 6, 24))
    made = FaceJudgments(50 + 10 * judged, ["age", "happy", "smart", "cute", "weight", "smug"])
    for module in (judgment_splits, judgment_properties, judgment_labels):
        monkeypatch.setattr(module, "face_judgments", lambda: made)
    return made


@pytest.fixture
def ct_file(tmp_path, monkeypatch):
    """A CT file of 400 slices in which neighbouring bins are alike."""
    monkeypatch.setenv("KEYHOLE_DATA", str(tmp_path))
    rng = np.random.default_rng(0)
    values = np.repeat(rng.normal(size=(400, 48)), 8, axis=1) + 0.5 * rng.normal(size=(400, 384))
    table = np.column_stack([np.arange(400) // 100, values, values[:, 0] + values[:, 100]])
    header = ",".join(["patientId", *(f"value{at}" for at in range(384)), "reference"])
    np.savetxt(tmp_path / "slice_localization_data.csv", table, delimiter=",", header=header, comments="")
    return table


def named(name: str):
    return next(experiment for experiment in PAPER.experiments if experiment.name == name)


def drawn(experiment, rows) -> None:
    figure = Figure(figsize=experiment.figure_size, layout="constrained")
    experiment.draw(rows, figure)
    figure.savefig(io.BytesIO())


def test_the_label_is_no_attribute_and_no_face_is_on_both_sides(faces):
    parts = random_parts(FACES, 0, label="age")
    assert parts.seen.attributes == ["happy", "smart", "cute", "weight", "smug"]
    assert len(parts.y) == len(parts.y_unseen) == 20
    assert not set(parts.seen.objects) & set(parts.unseen.objects)
    face = int(parts.unseen.objects[3])
    assert parts.y_unseen[3] == pytest.approx(faces.judgments[face, 0].mean())
    assert sorted(parts.unseen.values[3, 1]) == pytest.approx(sorted(faces.judgments[face, 2]))
    assert len(random_parts(FACES, 0, 7, "age").y) == 7


def test_a_smaller_budget_gets_its_own_choice(faces):
    parts = face_parts(faces, "age", 20, np.random.default_rng(1))
    rows = method_losses(parts, [3, 8])
    for row in rows:
        selector = MultiSelector(row["budget"], str(row["learner"]).lower(), max_repeats=24)
        selector.fit_arrays(parts.seen.first(2), parts.y)
        assert row["attributes"] == np.count_nonzero(selector.repeats_)
        assert row["loss"] == pytest.approx(judgment_splits.loss_of(parts, selector.repeats_))


def test_further_learners_and_full_information_have_a_loss_at_every_budget():
    shared = {"data": FACES, "budgets": [4, 8], "split": 0, "label": "age"}
    for learner in ("KeyholeRegressor", "complete rows", "screened panel", "multiple imputation"):
        rows = comparison.compared_further(learner=learner, **shared)
        assert [row["budget"] for row in rows] == [4, 8]
        assert all(np.isfinite(row["loss"]) for row in rows)
    rows = comparison.compared_further(learner=comparison.FULL_INFORMATION, n_folds=4, **shared)
    assert [row["learner"] for row in rows] == [name for name in FULL for _ in range(2)]


def test_the_ct_simulation_needs_the_file(tmp_path, monkeypatch):
    monkeypatch.setenv("KEYHOLE_DATA", str(tmp_path))
    for name, missing in (("fig3", "slice_localization_data"), ("fig8", "slice_localization_data")):
        with pytest.raises(FileNotFoundError, match=missing):
            named(name).needs()
    for name in ("fig3-fragment", "fig8-fragment"):
        with pytest.raises(FileNotFoundError, match=r"ct_slice_fragment\.npz"):
            named(name).needs()


def test_the_ct_simulation_runs_where_the_file_is(ct_file, monkeypatch, tmp_path):
    monkeypatch.setattr(judgment_splits, "MOST_SLICES", 300)
    parts = random_parts(CT, 0)
    assert parts.seen.values.shape == (150, 48, 80)
    at = np.flatnonzero(np.isclose(ct_file[:, -1], parts.y[0]))[0]
    assert np.isin(parts.seen.values[0, 0], ct_file[at, 1:9]).all()  # judgments of a slice are its own bins
    rows = comparison.compared(CT, [5, 20], [0])
    assert [row["learner"] for row in rows[::2]] == ["Full", "Scoring", "Averages", "Copies"]
    rows = judgment_tradeoff.few_or_many(CT, "full", [2000], n_splits=2, seed=0)
    assert [(row["k"], row["objects"]) for row in rows] == [(2, 20), (3, 13), (4, 10), (6, 6), (8, 5)]
    np.savez(tmp_path / "ct_slice_fragment.npz", X=ct_file[:, 1:-1], y=ct_file[:, -1], patient=ct_file[:, 0])
    assert random_parts(CT_FRAGMENT, 0).seen.values.shape == (200, 48, 80)


def losses(**means: float) -> list[dict]:
    """Made-up losses of two splits, falling with the budget; Full chooses one attribute, the others three."""
    return [
        {"learner": name, "label": label, "split": split, "budget": budget, "loss": (loss + 0.001 * split) / budget,
         "attributes": 1 if name == "Full" else 3, "most repeats": 2}
        for name, loss in means.items() for label in ("age", "weight") for split in range(2) for budget in BUDGETS
    ]  # fmt: skip


def test_claims_of_a_comparison_follow_the_rows():
    good = losses(Full=1.0, Scoring=1.1, Averages=1.2, Copies=1.3)
    bad = losses(Full=1.25, Scoring=1.1, Averages=1.2, Copies=1.3)
    for figure in ("fig3", "fig3-fragment", "fig4", "fig5"):
        claims = named(figure).claims(good)
        assert [claim.verdict for claim in claims] == [HOLDS] * 3 + [NOT_RUN] * (figure in ("fig4", "fig5"))
        assert [claim.verdict for claim in named(figure).claims(bad)][:3] == [FAILS, HOLDS, FAILS]
    for figure in ("fig6", "fig7"):
        assert [claim.verdict for claim in named(figure).claims(good)] == [HOLDS, HOLDS, FAILS]
        assert [claim.verdict for claim in named(figure).claims(bad)] == [FAILS, HOLDS, HOLDS]
    assert {claim.verdict for claim in named("fig4-all-labels").claims(good)} == {HOLDS}
    mixed = [row for row in good if row["label"] == "age"] + [row for row in bad if row["label"] == "weight"]
    claim = named("fig4-all-labels").claims(mixed)[0]
    assert claim.verdict == FAILS
    assert claim.measured == "for 1 of 2 labels; not for weight"
    assert "Within two standard errors" in named("fig4").claims(losses(Full=1, Scoring=1, Averages=1, Copies=1))[0].why
    drawn(named("fig4"), [*good, {"learner": "ridge", "split": 0, "budget": 5, "loss": 0.3}])
    drawn(named("fig4-all-labels"), good)
    assert named("fig4").table(good)[0]["budget 5"] == "0.200 ± 0.000"


def test_claims_of_the_tradeoff_follow_the_rows():
    def rows(best: int) -> list[dict]:
        return [
            {"learner": name, "total": total, "k": k, "objects": 9, "loss": 0.3 + 0.1 * abs(k - best), "seed": seed}
            for name in ("Full", "Scoring") for total in (1, 2, 3) for k in judgment_tradeoff.K for seed in range(2)
        ]  # fmt: skip

    assert {claim.verdict for claim in named("fig8").claims(rows(2))} == {HOLDS}
    assert {claim.verdict for claim in named("fig8").claims(rows(6))} == {FAILS}
    drawn(named("fig8"), rows(3))
    assert named("fig8").table(rows(3))[0]["k = 3"] == "0.300 ± 0.000"


def test_tables_of_attributes_and_predictors():
    (unit,) = named("fig1").units(Size.quick, 0)
    rows = unit.function(**unit.settings)
    drawn(named("fig1"), rows)
    assert [row["attribute"] for row in named("fig1").table(rows)][-1] == "smug"  # the noisiest comes last
    whole = [row for each in named("table2").units(Size.quick, 0) for row in each.function(**each.settings)]
    for label, budget in (("age", 35), ("weight", 50)):
        predictor = [row for row in named("table2").table(whole) if row["label"] == label]
        assert predictor[-1]["attribute"] == "(bias)"
        assert 0 < sum(row["repeats"] for row in predictor) <= budget
        assert all(row["repeats"] for row in predictor[:-1])
    few = [{"label": label, "attribute": "x", "repeats": 3} for label in ("age", "weight")]
    assert {claim.verdict for claim in named("table2").claims(few)} == {FAILS}
    many = few + [{"label": label, "attribute": "y", "repeats": 30} for label in ("age", "weight")]
    assert {claim.verdict for claim in named("table2").claims(many)} == {HOLDS}


def test_claims_about_attributes_follow_the_rows():
    def attribute(correlation: float, noise: float) -> dict:
        return {"label": "age", "attribute": "x", "correlation": correlation, "noise": noise, "v/σ": noise, "b/σ": 1.0}

    corners = [attribute(correlation, noise) for correlation in (-0.5, 0.1) for noise in (0.2, 2.0)]
    assert named("fig1").claims(corners)[0].verdict == HOLDS
    assert named("fig1").claims(corners[:3])[0].verdict == FAILS
    assert named("table1").claims(corners)[0].verdict == HOLDS
    assert named("table1").claims([attribute(0.1, 1.0), attribute(0.1, 2.0)])[0].verdict == FAILS
