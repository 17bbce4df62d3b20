"""Curves made up for the tests of Murata and Suzuki's figures."""

from __future__ import annotations

from keyhole.experiments.murata_suzuki_2018.printed_rivals import (
    DANTZIG,
    DANTZIG_AS_PRINTED,
    RDA,
    RDA_2018,
    RDA_2018_AS_PRINTED,
    RDA_RAW,
)

LEARNERS = ("Hybrid", "Exploration", RDA, RDA_2018, DANTZIG)
ON_RAW_VALUES = ("Hybrid, as printed", "Exploration, as printed", RDA_RAW, RDA_2018_AS_PRINTED, DANTZIG_AS_PRINTED)
RAW = dict(zip(LEARNERS, ON_RAW_VALUES, strict=True))


def _in_both_forms(*errors: float) -> dict[str, float]:
    """The same errors for learners with running scales and on raw values."""
    return dict(zip((*LEARNERS, *ON_RAW_VALUES), 2 * errors, strict=True))


EARLY = _in_both_forms(20.0, 22.0, 10.0, 18.0, 25.0)
AS_PUBLISHED = _in_both_forms(0.002, 0.01, 4.0, 0.6, 24.0)


def curves(last: dict[str, float], early: dict[str, float], tuned: float = 0.9, measure: str = "excess") -> list[dict]:
    """Made-up curves of two splits: with the defaults, where there are any, and with a setting of its own."""
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
        for settings, factor in (("defaults", 1.0), ("radius 2", tuned), ("radius 3", 2.0))
        if settings != "defaults" or name in LEARNERS
        for split in range(2)
        for stop, values in ((1000, early), (90_000, last))
    ]
