"""Learning curves on two digits: learners pay for what they reveal, and curves end where a fit does."""

from __future__ import annotations

import numpy as np
import pytest

import keyhole as kh
from keyhole.experiments.shared import mnist_curves
from keyhole.experiments.shared.comparing import final, summary
from keyhole.experiments.shared.protocol import grid

pytestmark = pytest.mark.usefixtures("few_images")
COMMON = {"budget": 4, "pair": [3, 5], "split": 0, "seed": 0}
TUNING = COMMON | {"n_folds": 2, "n_prefixes": 3}


def test_a_budgeted_learner_pays_for_no_more_than_its_budget():
    names = ["AER", "AER, as printed", "AER, untuned"]
    rows = mnist_curves.streaming(names, **TUNING)
    rows += mnist_curves.baseline(["Baseline", "Baseline, as printed"], **TUNING)
    rows += mnist_curves.reference_lines(["KeyholeRegressor", "complete rows", "screened panel"], **COMMON, lengths=2)
    assert {row["learner"] for row in rows} >= {*names, "Baseline", "KeyholeRegressor", "complete rows"}
    for row in rows:
        assert 0 < row["attributes"] <= 4 * row["examples"]
        assert np.isfinite(row["error"])


def test_as_printed_and_even_draws_differ_in_the_division_of_the_budget():
    printed, even = (mnist_curves._maker(f"AERR, {form}", 56)(step_size=1e-4) for form in ("as printed", "even draws"))
    assert (printed.draws, even.draws) == ("textbook", "even")
    assert (printed.scaling, even.scaling) == ("none", "none")
    assert mnist_curves._maker("AERR", 56)().scaling == "running"
    assert mnist_curves._maker("AER, as printed", 4)(reg=2.0).average == "updated"


def test_the_letter_has_every_draw_but_one_for_x(monkeypatch):
    """A curve of AELR as printed ends where a learner ends that is made by hand."""
    monkeypatch.setitem(mnist_curves.GRIDS, "AELR, as printed 4", [{"radius": 8.0, "step_size": 1e-3}])
    *_, row = mnist_curves.streaming(["AELR, as printed"], **TUNING)
    data = mnist_curves.split_of([3, 5], 0, 0)
    learner = kh.AELR(4, 8.0, 1e-3, scaling="none", draws="textbook", random_state=0).fit(data.X, data.y)
    assert row["error"] == pytest.approx(np.mean((learner.predict(data.X_test) - data.y_test) ** 2), rel=1e-6)
    assert learner.rule_.x_draws == 3


def test_the_table_says_where_a_chosen_setting_is_at_an_end_of_the_grid(monkeypatch):
    """All radii are far too small, so the largest is chosen; with one that is far too large it is inside the grid."""
    monkeypatch.setitem(mnist_curves.GRIDS, "AER 4", grid(radius=(1e-3, 2e-3, 4e-3), reg=(None,)))
    (line,) = summary(mnist_curves.streaming(["AER"], **TUNING), 4)
    assert line["settings (most chosen)"] == "radius 0.004 (the largest that was tried)"
    monkeypatch.setitem(mnist_curves.GRIDS, "AER 4", grid(radius=(1e-3, 4e-3, 1e9), reg=(None,)))
    (line,) = summary(mnist_curves.streaming(["AER"], **TUNING), 4)
    assert line["settings (most chosen)"] == "radius 0.004"


def test_baseline_says_so_too(monkeypatch):
    monkeypatch.setattr(mnist_curves, "BASELINE_RADII", (1e-4, 1e-3))
    (baseline,) = summary(mnist_curves.baseline(["Baseline"], **TUNING), 4)
    assert baseline["settings (most chosen)"].endswith("est that was tried)")  # of two, each is at an end
    (untuned,) = summary(mnist_curves.baseline(["Baseline, untuned"], **TUNING), 4)
    assert untuned["settings (most chosen)"] == "radius 1"


def test_learners_with_every_cell_say_so_too(monkeypatch):
    monkeypatch.setitem(mnist_curves.ONLINE_GRIDS, "online ridge", grid(penalty=(1e-4,), step=(1e-7, 1e-6)))
    row, *_ = mnist_curves.full_information(["online ridge"], **TUNING)
    assert row["settings"] == "penalty 0.0001, step 1e-06 (the largest that was tried)"
    row, *_ = mnist_curves.full_information(["ridge"], **TUNING)
    assert row["settings"].startswith("penalty")
    assert "tried" not in row["settings"]


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
