"""Variants of AER: their tasks, their medians, and verdicts that follow the rows."""

from __future__ import annotations

from collections import Counter

import pytest
from matplotlib.figure import Figure

from experiments.helpers import drawn, experiment
from keyhole.experiments.cesa_bianchi_2010 import aer_variants
from keyhole.experiments.cesa_bianchi_2010.aer_passes import AVERAGE, LAST
from keyhole.experiments.cesa_bianchi_2010.pixels import BOTH, CENTRED, DROPPED, RAW
from keyhole.experiments.runner.kinds import OWN_QUESTION, THE_PAPER
from keyhole.experiments.runner.paper import FAILS, HOLDS, NOT_JUDGED, Size
from keyhole.experiments.runner.store import name_of

VARIANTS = experiment("cesa-bianchi-2010", "aer-variants")


def rows_of(variants, n_pairs=45):
    return [
        {"pixels": pixels, "passes": passes, "weights": which, "tuning": tuning, "pair": f"pair {at}", "split": 0,
         "error": error, "wrong": wrong, "settings": "radius 8, reg 4"}
        for (pixels, passes, which, error, wrong) in variants
        for tuning in (aer_variants.BY_FOLDS, aer_variants.BY_TEST)
        for at in range(n_pairs)
    ]  # fmt: skip


def test_eleven_pairs_have_every_variant_and_all_others_those_that_came_near():
    tasks = VARIANTS.tasks(Size.full, 0)
    explored, continued = tasks[:44], tasks[44:]
    assert (explored[0].settings["pixels"], explored[0].settings["pair"]) == (RAW, [3, 5])
    pairs = Counter(tuple(task.settings["pair"]) for task in explored)
    assert len(pairs) == 11
    assert set(pairs.values()) == {4}
    assert all(task.settings["passes"] == [1, 5, 10, 20] for task in explored)
    for pixels, most in ((RAW, 20), (DROPPED, 20), (CENTRED, 5), (BOTH, 5)):
        mine = [task for task in continued if task.settings["pixels"] == pixels]
        assert len({tuple(task.settings["pair"]) for task in mine} - pairs.keys()) == len(mine) == 34
        assert {task.settings["passes"][-1] for task in mine} == {most}
    assert len({name_of(task) for task in tasks}) == len(tasks) == 44 + 4 * 34


@pytest.mark.usefixtures("few_images")
def test_a_task_has_a_row_for_each_variant_and_tuning():
    rows = aer_variants.variants(RAW, [3, 5], passes=[1, 5], n_folds=2, split=0, seed=0)
    assert len(rows) == 2 * 3 * 2
    for folds, test in zip(rows[::2], rows[1::2], strict=True):
        assert (folds["tuning"], test["tuning"]) == (aer_variants.BY_FOLDS, aer_variants.BY_TEST)
        assert test["error"] <= folds["error"]
    claims = VARIANTS.claims(rows)
    assert [claim.verdict for claim in claims] == [NOT_JUDGED, NOT_JUDGED]
    assert [claim.about for claim in claims] == [THE_PAPER, OWN_QUESTION]
    assert " of 12 variants are within a tenth of both numbers. This is an exploration" in claims[1].why
    drawn(VARIANTS, rows)


def test_a_variant_is_near_when_both_medians_are():
    printed, near, wrong_only = (
        (RAW, 1, AVERAGE, 0.57, 0.09),
        (RAW, 20, LAST, 0.318, 0.037),
        (BOTH, 1, LAST, 0.5, 0.035),
    )
    verdicts = [claim.verdict for claim in VARIANTS.claims(rows_of([printed, near]))]
    assert verdicts == [FAILS, HOLDS]
    best = VARIANTS.claims(rows_of([printed, near]))[1]
    assert "20 passes" in best.measured
    assert best.about == OWN_QUESTION
    assert best.why.startswith("2 of 4 variants are within a tenth of both numbers.")
    assert "may come near by chance" in best.why
    assert [claim.verdict for claim in VARIANTS.claims(rows_of([printed, wrong_only]))] == [FAILS, FAILS]
    few = rows_of([near], n_pairs=11)
    claim = VARIANTS.claims(rows_of([printed]) + few)[1]
    assert claim.verdict == FAILS  # eleven pairs are not 45
    assert "20 passes" not in claim.measured
    assert VARIANTS.table(few)[0]["median wrong signs, %"] == pytest.approx(3.7)


def test_medians_have_a_standard_error_from_five_pairs_on():
    rows = rows_of([(RAW, 1, AVERAGE, 0.5, 0.09)], n_pairs=11)
    for at, row in enumerate(rows):
        row["error"] += 0.01 * (at % 11)
    (line,) = VARIANTS.table(rows)
    error = line["standard error of the median (bootstrap over pairs)"]
    assert 0.25 * 0.11 / 11**0.5 < error < 3 * 0.11 / 11**0.5
    assert f": {line['median error']:.3f} ± {error:.3f}, 9.0%" in VARIANTS.claims(rows)[0].measured
    assert aer_variants.standard_error({"3 vs 5": 0.5}) == ""


def test_all_columns_of_the_figure_fit_into_their_common_scale():
    rows = rows_of([(RAW, 1, AVERAGE, 0.3, 0.05), (BOTH, 1, AVERAGE, 0.9, 0.3)], n_pairs=1)
    figure = Figure()
    VARIANTS.draw(rows, figure)
    for axes in figure.axes:
        low, high = axes.get_ylim()
        assert low == 0
        assert all(max(line.get_ydata(), default=0) <= high for line in axes.lines)


def test_medians_over_fewer_pairs_are_white_points_and_not_joined_to_the_others():
    rows = rows_of([(CENTRED, 1, AVERAGE, 0.3, 0.05), (CENTRED, 5, AVERAGE, 0.2, 0.04)])
    rows += rows_of([(CENTRED, 20, AVERAGE, 0.1, 0.03)], n_pairs=11)
    figure = Figure()
    VARIANTS.draw(rows, figure)
    axes = figure.axes[0]
    assert axes.get_title().endswith("(45 pairs; white points: 11)")
    points = [line for line in axes.lines if line.get_marker() == "o" and len(line.get_xdata())]
    assert [(list(line.get_xdata()), line.get_markerfacecolor() == "white") for line in points] == [
        ([1, 5], False),
        ([20], True),
    ]
