"""Tasks measure what a plain fit measures."""

from __future__ import annotations

import numpy as np
import pytest

import keyhole as kh
from experiments.helpers import experiment
from keyhole.datasets import murata_suzuki
from keyhole.experiments.murata_suzuki_2018 import stream_curves
from keyhole.experiments.murata_suzuki_2018.results import shown_rows
from keyhole.experiments.murata_suzuki_2018.stream_curves import (
    CT,
    SYNTHETIC,
    published_curve,
    reference_curve,
    split_of,
)
from keyhole.experiments.shared.reference_lines import budgeted


def test_a_curve_ends_where_a_learner_does_and_never_exceeds_its_budget():
    rows = published_curve(SYNTHETIC, "Hybrid", [{}, {"batch": 0.5}], 50, 25, [1000, 2000], seed=3, n=4000)
    assert [(row["settings"], row["examples"]) for row in rows] == [
        *(("defaults", stop) for stop in (1000, 2000, 3600)),
        *(("batch 0.5", stop) for stop in (1000, 2000, 3600)),
    ]
    stream = murata_suzuki(4000, random_state=3)
    learner = kh.Hybrid(50, 25, shrink_to_mean=False, random_state=3)
    learner.partial_fit(stream.table(0, 3600), stream.labels(0, 3600))
    assert learner.observed_.max_per_example <= 50
    assert rows[2]["excess"] == pytest.approx(stream.excess(learner.coef_, learner.intercept_), rel=1e-9)
    test_error = np.mean((learner.predict(stream.table(3600)) - stream.labels(3600)) ** 2)
    assert rows[2]["error"] == pytest.approx(test_error, rel=1e-9)
    assert rows[2]["for a prediction"] == len(learner.support_) <= 25


def test_reference_lines_keep_to_the_first_examples():
    (row,) = reference_curve(SYNTHETIC, "screened panel", 50, stop=500, seed=0, n=1000)
    split = split_of(SYNTHETIC, 0, 1000)
    panel = budgeted("screened panel", 50, 0).fit(split.X[:500], split.y[:500])
    assert panel.observed_.max_per_example <= 50
    assert row["error"] == pytest.approx(np.mean((panel.predict(split.X_test) - split.y_test) ** 2))
    assert row["for a prediction"] == 50


def test_the_excess_of_keyholes_own_learner_is_that_of_its_predictions():
    (row,) = reference_curve(SYNTHETIC, "KeyholeRegressor", 50, stop=200, seed=0, n=1000)
    split = split_of(SYNTHETIC, 0, 1000)
    own = budgeted("KeyholeRegressor", 50, 0).fit(split.X[:200], split.y[:200])
    best = split.X_test @ split.stream.coef
    assert row["excess"] == pytest.approx(np.mean((own.predict(split.X_test) - best) ** 2))


def test_the_ct_file_is_split_as_in_the_paper(write_ct_file):
    with pytest.raises(FileNotFoundError, match=r"slice_localization_data\.csv"):
        experiment("murata-suzuki-2018", "fig2").needs()
    table = np.random.default_rng(0).normal(size=(100, 386))
    write_ct_file(table)
    split = split_of(CT, seed=0)
    assert split.X.shape == (90, 384)
    assert split.X_test.shape == (10, 384)
    assert sorted([*split.y, *split.y_test]) == pytest.approx(sorted(table[:, -1]))
    rows = published_curve(CT, "Exploration", [{}], 20, 10, [50], seed=0)
    assert [row["examples"] for row in rows] == [50, 90]


def test_rda_is_the_variant_that_its_name_says():
    made = {name: stream_curves.sparse_learner(name, 8, 4, 40, 0) for name in stream_curves.VARIANTS}
    assert {name: learner.variant for name, learner in made.items()} == stream_curves.VARIANTS


def test_a_step_that_is_far_too_large_has_an_infinite_error_and_the_others_are_measured(monkeypatch):
    rng = np.random.default_rng(0)
    X, X_test = rng.normal(size=(4000, 20)), rng.normal(size=(50, 20))
    small = stream_curves.Split(X, X[:, 0], X_test, X_test[:, 0])
    monkeypatch.setattr(stream_curves, "split_of", lambda *_: small)
    grid = [{"share": share, "batch": 1, "growth": 1.0} for share in (1e30, 0.1)]
    rows = stream_curves.published_curve("made up", "Exploration, as printed", grid, 10, 3, [1000], 0)
    assert [row["examples"] for row in rows] == [1000, 4000] * 2
    assert [np.isinf(row["error"]) for row in rows] == [True, True, False, False]
    assert {str(row["settings"]) for row in shown_rows(rows)} == {"share 0.1, batch 1, growth 1"}
