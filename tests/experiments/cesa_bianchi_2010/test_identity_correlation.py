"""Footnote 2: the weights are the mean of y x, and verdicts follow the rows."""

from __future__ import annotations

import numpy as np
import pytest

from experiments.helpers import drawn, experiment
from keyhole.experiments.cesa_bianchi_2010 import identity_correlation as footnote
from keyhole.experiments.runner.kinds import OWN_QUESTION, THE_PAPER
from keyhole.experiments.runner.paper import FAILS, HOLDS
from keyhole.experiments.shared.mnist_curves import split_of

FOOTNOTE_2 = experiment("cesa-bianchi-2010", "footnote-2")


@pytest.mark.usefixtures("few_images")
def test_with_every_pixel_the_weights_are_the_mean_of_y_x():
    rows = footnote.errors([3, 5], 0, 0)
    data = split_of([3, 5], 0, 0)
    by_name = {row["learner"]: row for row in rows}
    predicted = data.X_test.astype(float) @ (data.y @ data.X.astype(float) / len(data.y))
    assert by_name[footnote.EVERY_CELL]["error"] == pytest.approx(np.mean((predicted - data.y_test) ** 2), rel=1e-4)
    assert by_name[footnote.MEAN_LABEL]["error"] == pytest.approx(1, abs=0.05)
    printed, scaled = by_name[footnote.IDENTITY], by_name[footnote.MULTIPLE]
    assert scaled["error"] < 1 < printed["error"]
    assert scaled["wrong"] == printed["wrong"]
    assert scaled["multiple"] == pytest.approx(1)
    assert len(FOOTNOTE_2.table(rows)) == len(rows)
    drawn(FOOTNOTE_2, rows)


def test_verdicts_follow_the_rows():
    error = {footnote.IDENTITY: 60.0, footnote.AER: 0.8, footnote.BASELINE: 0.9, footnote.MULTIPLE: 0.4}
    wrong = {footnote.IDENTITY: 0.1, footnote.AER: 0.2, footnote.BASELINE: 0.05, footnote.MULTIPLE: 0.1}
    rows = [
        {"learner": learner, "pair": pair, "split": 0, "error": error.get(learner, 50.0),
         "wrong": wrong.get(learner, 0.5), "multiple": 0.08}
        for learner in (*error, footnote.EVERY_CELL)
        for pair in ("3 vs 5", "0 vs 2")
    ]  # fmt: skip
    claims = FOOTNOTE_2.claims(rows)
    assert [claim.verdict for claim in claims] == [HOLDS, HOLDS, FAILS, HOLDS]
    assert [claim.about for claim in claims] == [THE_PAPER] * 2 + [OWN_QUESTION] * 2  # signs are another measure
    assert "times the best number on the test rows (median 0.08), its median error would be 0.400" in claims[0].why
    assert claims[2].measured == "medians 10% against 20%; more wrong signs on 0 of 2 pairs; 3 vs 5: 10% against 20%"
