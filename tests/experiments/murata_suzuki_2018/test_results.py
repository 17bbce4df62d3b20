"""The best setting is shown beside the defaults, and the table says where it is at an end of its grid."""

from __future__ import annotations

from experiments.murata_suzuki_2018.made_up import AS_PUBLISHED, EARLY, LEARNERS, ON_RAW_VALUES, curves
from keyhole.experiments.murata_suzuki_2018.results import shown_rows, table, with_ends


def test_the_best_setting_is_shown_beside_the_defaults():
    rows = shown_rows(curves(AS_PUBLISHED, EARLY))
    assert {row["learner"]: row["settings"] for row in rows} == {
        **dict.fromkeys((*LEARNERS, *ON_RAW_VALUES), "radius 2"),
        **{f"{name}, untuned": "defaults" for name in LEARNERS},
    }
    rows = shown_rows(curves(AS_PUBLISHED, EARLY, tuned=1.1))
    assert {row["learner"]: row["settings"] for row in rows} == {
        **dict.fromkeys(LEARNERS, "defaults"),
        **dict.fromkeys(ON_RAW_VALUES, "radius 2"),
    }


def test_the_table_says_where_a_setting_is_at_an_end_of_its_grid():
    settings = {line["learner"]: line["settings"] for line in table(curves(AS_PUBLISHED, EARLY))}
    assert settings["Hybrid"] == "radius 2 (the smallest that was tried)"
    assert settings["Hybrid, untuned"] == "defaults"
    tried = {"defaults", "batch 0.5", "batch 2", "batch 4", "growth 1.25"}
    assert with_ends("batch 2", tried) == "batch 2"
    assert with_ends("batch 4", tried) == "batch 4 (the largest that was tried)"
