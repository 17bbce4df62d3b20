"""A paper that costs nothing: each unit takes a moment and returns two rows. Its figure and its table share units."""

from __future__ import annotations

import time

from keyhole.experiments.paper import Claim, Experiment, Paper, Unit


def measure(learner: str, split: int, seed: int, seconds: float = 0.0) -> list[dict]:
    time.sleep(seconds)
    return [{"learner": learner, "split": split, "x": x, "error": x + 0.1 * split + seed} for x in (1, 2)]


def units(size, seed):
    splits = 2 if size == "quick" else 3
    return [Unit(measure, {"learner": "AER", "split": split, "seed": seed}) for split in range(splits)]


def with_one_more(units, learner):
    return lambda size, seed: [*units(size, seed), Unit(measure, {"learner": learner, "split": 0, "seed": seed})]


def slow_units(size, seed):
    return [Unit(measure, {"learner": "AER", "split": s, "seed": seed, "seconds": 0.4}) for s in range(8)]


def table(rows):
    return [{"learner": "AER", "mean error": sum(row["error"] for row in rows) / len(rows)}]


def claims(rows):
    worst = max(row["error"] for row in rows)
    return [Claim.judged("the error stays below 3 & <more>", "below 3", f"{worst:.2f}", worst < 3)]


def draw(rows, figure):
    axes = figure.subplots()
    axes.plot([row["x"] for row in rows], [row["error"] for row in rows], "o", label="AER")
    axes.set_xlabel("x")


def no_data():
    raise FileNotFoundError("moon.npz is not in /nowhere. Put there the moon.")


def new_paper(units=units, needs=None) -> Paper:
    return Paper(
        "fake-2026",
        "A fake paper",
        "Nobody, nowhere, 2026.",
        [
            Experiment(
                "fig1", "Figure 1: lines", with_one_more(units, "AERR"), table, claims, draw, about="Two points."
            ),
            Experiment("table1", "Table 1", with_one_more(units, "AELR"), table, claims, needs=needs),
        ],
    )
