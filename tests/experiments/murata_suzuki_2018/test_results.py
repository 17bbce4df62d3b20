"""The best setting is shown beside the defaults."""

from __future__ import annotations

from experiments.murata_suzuki_2018.made_up import AS_PUBLISHED, EARLY, LEARNERS, curves
from keyhole.experiments.murata_suzuki_2018.results import shown_rows


def test_the_best_setting_is_shown_beside_the_defaults():
    rows = shown_rows(curves(AS_PUBLISHED, EARLY))
    assert {row["learner"]: row["settings"] for row in rows} == {
        **dict.fromkeys(LEARNERS, "radius 2"),
        **{f"{name}, untuned": "defaults" for name in LEARNERS},
    }
    rows = shown_rows(curves(AS_PUBLISHED, EARLY, tuned=1.1))
    assert {row["learner"]: row["settings"] for row in rows} == dict.fromkeys(LEARNERS, "defaults")
