"""Curves made up for the tests of Murata and Suzuki's figures."""

from __future__ import annotations

from keyhole.experiments.murata_suzuki_2018.stream_curves import RDA, RDA_2018

LEARNERS = ("Hybrid", "Exploration", RDA, RDA_2018, "Dantzig")
EARLY = dict(zip(LEARNERS, (20.0, 22.0, 18.0, 10.0, 25.0), strict=True))
AS_PUBLISHED = dict(zip(LEARNERS, (0.002, 0.01, 4.0, 0.6, 24.0), strict=True))


def curves(last: dict[str, float], early: dict[str, float], tuned: float = 0.9, measure: str = "excess") -> list[dict]:
    """Made-up curves of two splits, with the defaults and a better setting."""
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
        for settings, factor in (("defaults", 1.0), ("radius 2", tuned))
        for split in range(2)
        for stop, values in ((1000, early), (90_000, last))
    ]
