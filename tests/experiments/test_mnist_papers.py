"""The two MNIST papers, on a tenth of the images of two digits: units run, and claims follow from rows."""

from __future__ import annotations

import io
import os
from pathlib import Path

import numpy as np
import pytest
from matplotlib.figure import Figure

import keyhole as kh
from keyhole.experiments import load_paper, mnist_curves, pairs_table
from keyhole.experiments.comparing import better, final, summary
from keyhole.experiments.paper import FAILS, HOLDS, NOT_RUN

HERE = Path(os.environ.get("KEYHOLE_DATA", "nowhere")) / "mnist.npz"
pytestmark = pytest.mark.skipif(not HERE.is_file(), reason="mnist.npz is not in $KEYHOLE_DATA")
COMMON = {"budget": 4, "pair": [3, 5], "split": 0, "seed": 0}
TUNING = COMMON | {"n_folds": 2, "n_prefixes": 3}


@pytest.fixture(autouse=True)
def few_images(monkeypatch):
    """A tenth of the images, so that tests are quick."""
    X, y = kh.datasets.mnist_pair(3, 5)
    monkeypatch.setattr(mnist_curves, "_pair", lambda first, second: (X[::10], y[::10]))


def experiment(paper: str, name: str):
    return next(e for e in load_paper(paper).experiments if e.name == name)


def test_a_budgeted_learner_pays_for_no_more_than_its_budget():
    names = ["AER", "AER, as printed", "AER, untuned"]
    rows = mnist_curves.streaming(names, **TUNING)
    rows += mnist_curves.baseline(["Baseline", "Baseline, as printed"], **TUNING)
    rows += mnist_curves.further(["KeyholeRegressor", "complete rows", "screened panel"], **COMMON, lengths=2)
    assert {row["learner"] for row in rows} >= {*names, "Baseline", "KeyholeRegressor", "complete rows"}
    for row in rows:
        assert 0 < row["attributes"] <= 4 * row["examples"]
        assert np.isfinite(row["error"])


def test_a_curve_ends_where_fit_does():
    *_, row = mnist_curves.streaming(["AER, untuned"], **TUNING)
    data = mnist_curves.split_of([3, 5], 0, 0)
    learner = kh.AER(4, 2.0, random_state=0).fit(data.X, data.y)
    assert row["error"] == pytest.approx(np.mean((learner.predict(data.X_test) - data.y_test) ** 2), rel=1e-6)
    assert row["examples"] == len(data.y)


def test_baselines_curve_ends_where_fit_does():
    *_, row = mnist_curves.baseline(["Baseline, untuned"], **TUNING)
    data = mnist_curves.split_of([3, 5], 0, 0)
    learner = kh.Baseline(4, 1.0, random_state=0).fit(data.X, data.y)
    assert row["error"] == pytest.approx(np.mean((learner.predict(data.X_test) - data.y_test) ** 2), rel=1e-6)


def test_full_information_is_also_shown_at_the_cost_of_the_budget():
    rows = mnist_curves.full_information(["ridge", "Lasso", "online Lasso"], **TUNING)
    for name in ("ridge", "Lasso", "online Lasso"):
        spent = final(rows, name, attributes=4 * max(row["examples"] for row in rows))
        assert final(rows, name)[0] < spent[0] or name == "online Lasso"


def test_figure_1_shows_four_pixels_of_each_digit():
    fig1 = experiment("cesa-bianchi-2010", "fig1")
    (unit,) = fig1.units("quick", 0)
    rows = unit.function(**unit.settings)
    assert [row["pixels seen"] for row in fig1.table(rows)] == [4] * 6
    assert fig1.claims(rows)[0].verdict == HOLDS
    fig1.draw(rows, Figure())


def curve_rows(**last_errors: float) -> list[dict]:
    """Made-up curves: two prefixes and two splits of each learner."""
    rows = []
    for name, error in last_errors.items():
        name, cells = (
            name.replace("__", ", ").replace("_", " "),
            784 if name in ("ridge", "Lasso", "online_Lasso") else 4,
        )
        for split in range(2):
            for examples in (61, 12_000):
                shift = 0.5 * (examples == 61) * (1 + split)
                rows.append(
                    {"learner": name, "split": split, "examples": examples, "attributes": cells * examples,
                     "error": error + 0.01 * split + shift, "wrong": 0.1, "settings": "radius 2"}
                )  # fmt: skip
    return rows


def test_claims_of_figure_2_follow_the_rows():
    fig2 = experiment("cesa-bianchi-2010", "fig2")
    errors = {"AER": 0.3, "AER__as_printed": 0.3, "Baseline": 0.8, "Baseline__as_printed": 0.8}
    good = fig2.claims(curve_rows(**errors, ridge=0.2, Lasso=0.25))
    assert {claim.verdict for claim in good} == {HOLDS}
    bad = fig2.claims(curve_rows(**errors | {"AER": 0.9, "AER__as_printed": 0.9}, ridge=0.2, Lasso=0.25))
    assert [claim.verdict for claim in bad[:2]] == [FAILS, FAILS]
    figure = Figure(figsize=fig2.figure_size, layout="constrained")
    fig2.draw(curve_rows(**errors, ridge=0.2, Lasso=0.25), figure)
    figure.savefig(io.BytesIO())


def test_claims_of_hazan_and_koren_follow_the_rows():
    fig1 = experiment("hazan-koren-2012", "fig1")
    errors = {"AELR": 0.3, "AELR__as_printed": 0.3, "AER": 0.6, "AER__as_printed": 0.6}
    rows = curve_rows(**errors, Lasso=0.2, online_Lasso=3.0)
    assert [claim.verdict for claim in fig1.claims(rows)[:4]] == [HOLDS] * 4
    assert fig1.claims(rows)[-1].verdict == HOLDS
    rows = curve_rows(**errors | {"AELR": 0.7}, Lasso=0.2, online_Lasso=0.7)
    assert [claim.verdict for claim in fig1.claims(rows)[:4]] == [HOLDS, HOLDS, FAILS, FAILS]
    assert fig1.claims(rows)[-1].verdict == FAILS
    fig2 = experiment("hazan-koren-2012", "fig2")
    rows = curve_rows(AERR=0.3, AERR__as_printed=0.3, AER=0.6, AER__as_printed=0.6, ridge=0.2)
    assert {claim.verdict for claim in fig2.claims(rows)} == {HOLDS}


def test_the_table_over_pairs():
    rows = pairs_table.pair_errors([3, 5], 0, 0, 2)
    table = pairs_table.pairs_summary(rows)
    assert next(row for row in table if row["learner"] == "ridge")["published error"] == 0.110
    claims = pairs_table.pairs_claims(rows)
    assert [claim.verdict for claim in claims[:7]] == [NOT_RUN] * 7  # one pair is not 45
    assert "1 were run" in claims[0].why
    pairs_table.pairs_figure(rows, Figure())


def test_with_all_pairs_a_published_number_is_judged():
    errors = {"ridge": 0.11, "Lasso": 0.3, "AER": 0.5, "AER, as printed": 0.6, "Baseline": 0.4,
              "Baseline, as printed": 0.82}  # fmt: skip
    rows = [
        {"learner": name, "pair": str(pair), "error": error, "wrong": 0.013}
        for name, error in errors.items()
        for pair in range(45)
    ]
    found = pairs_table.pairs_claims(rows)
    assert [claim.verdict for claim in found[:4]] == [HOLDS, FAILS, FAILS, HOLDS]
    assert found[1].why == "Measured worse than published."
    assert [claim.verdict for claim in found[-2:]] == [HOLDS, FAILS]
    assert "0.820" in found[-1].why


def test_a_difference_within_two_standard_errors_is_said_to_be():
    claim = better("a", "b", ("x", "y"), {0: 0.5, 1: 0.7}, {0: 0.6, 1: 0.65})
    assert "within two standard errors" in claim.why
    assert better("a", "b", ("x", "y"), {0: 0.5}, {0: 0.6}).why == "One split: no standard error."


def test_a_summary_names_the_settings_most_chosen():
    (row,) = summary(curve_rows(AER=0.5), 4)
    assert row["settings (most chosen)"] == "radius 2"
    assert row["test squared error"] == pytest.approx(0.505)
