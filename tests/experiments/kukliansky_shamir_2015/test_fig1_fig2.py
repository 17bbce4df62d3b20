"""Figures 1 and 2 at the smallest size: tasks run, the figure is drawn, and claims follow from rows."""

from __future__ import annotations

import re

import numpy as np
import pytest
from matplotlib.figure import Figure

from experiments.helpers import experiment
from experiments.kukliansky_shamir_2015.made_up import SMALL, made_up
from keyhole.experiments.kukliansky_shamir_2015 import fig1_fig2
from keyhole.experiments.kukliansky_shamir_2015.setting import ALPHAS
from keyhole.experiments.runner.paper import FAILS, HOLDS


@pytest.fixture(scope="module")
def decays():
    """Rows of Figure 1 with 600 examples, and of one decay with 1,200."""
    cases = [(alpha, 600) for alpha in ALPHAS] + [(-2.0, 1200)]
    return [
        row
        for alpha, examples in cases
        for row in fig1_fig2.simulated("ridge", alpha, examples, repeats=[0, 1, 2], **SMALL)
    ]


def test_every_line_is_there(decays):
    names = {row["learner"] for row in decays if row["alpha"] == -2.0}
    assert names == {
        "AERR",
        "DDAERR",
        "Two-Phased DDAERR",
        "AERR, untuned",
        "Two-Phased DDAERR, untuned",
        "ridge",
        "online ridge",
        "complete rows",
        "screened panel",
    }
    assert all(np.isfinite(row["error"]) and row["error"] >= 0 for row in decays)
    assert {row["attributes"] for row in decays} == {3000, 6000}
    assert sum(row["learner"] == "screened panel" for row in decays) == 5


def test_figure_and_table_and_claims_follow_from_rows(decays):
    fig1 = experiment("kukliansky-shamir-2015", "fig1")
    fig1.draw(decays, Figure(figsize=fig1.figure_size, layout="constrained"))
    table = fig1.table(decays)
    mine = [row for row in decays if (row["alpha"], row["attributes"], row["learner"]) == (-2.0, 6000, "DDAERR")]
    (shown,) = [row for row in table if (row["alpha"], row["attributes"], row["learner"]) == (-2.0, 6000, "DDAERR")]
    assert shown["error"] == pytest.approx(np.mean([row["error"] for row in mine]))
    assert shown["repeats"] == 3
    chosen = [row["settings"] for row in mine]
    assert all(settings.startswith("step_size ") and ", radius " in settings for settings in chosen)
    assert sum(int(count) for count in re.findall(r"\((\d+)", shown["settings chosen"].split("; ")[1])) == 3
    assert {claim.verdict for claim in fig1.claims(decays)} <= {HOLDS, FAILS}


def test_decays_are_compared_at_most_attributes():
    rows = []
    for alpha, gain in zip(ALPHAS, (0.0, 0.05, 0.2, 0.4), strict=True):
        errors = {"AERR": 0.8, "DDAERR": 0.8 - gain, "two": 0.8 - gain / 2, "online": 0.5, "ridge": 0.2}
        rows += [row | {"alpha": alpha} for row in made_up(**errors)]
    assert [claim.verdict for claim in fig1_fig2.claims("ridge", rows)] == [HOLDS] * 4
    upset = [row | {"error": 0.9} if row["learner"] == "ridge" and row["attributes"] == 200 else row for row in rows]
    assert [claim.verdict for claim in fig1_fig2.claims("ridge", upset)] == [HOLDS] * 3 + [FAILS]
    early = [row | {"error": 0.9} if row["learner"] == "ridge" and row["attributes"] == 100 else row for row in rows]
    assert [claim.verdict for claim in fig1_fig2.claims("ridge", early)] == [HOLDS] * 4
