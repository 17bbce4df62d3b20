"""A paper that costs nothing: each task is quick and returns two rows. Its figure and its table share tasks."""

from __future__ import annotations

import sys
import time
import warnings
from dataclasses import replace

from keyhole.experiments.runner.kinds import OTHER_FORM, OWN_QUESTION, THE_PAPER
from keyhole.experiments.runner.paper import FAILS, Claim, Experiment, Paper, Task


def measure(learner: str, split: int, seed: int, seconds: float = 0.0) -> list[dict]:
    time.sleep(seconds)
    return [{"learner": learner, "split": split, "x": x, "error": x + 0.1 * split + seed} for x in (1, 2)]


def tasks(size, seed):
    splits = 2 if size == "quick" else 3
    return [Task(measure, {"learner": "AER", "split": split, "seed": seed}) for split in range(splits)]


def with_one_more(tasks, learner):
    return lambda size, seed: [*tasks(size, seed), Task(measure, {"learner": learner, "split": 0, "seed": seed})]


def slow_tasks(size, seed):
    return [Task(measure, {"learner": "AER", "split": s, "seed": seed, "seconds": 0.4}) for s in range(8)]


def noisy(split: int, seed: int) -> list[dict]:
    """Warns, and writes to standard error, as a learner and its progress bar may do."""
    warnings.warn("too few rows", UserWarning, stacklevel=1)
    warnings.warn(f"split {split} is small", UserWarning, stacklevel=1)
    print("a line on standard error", file=sys.stderr)
    return [{"learner": "AER", "split": split, "x": 1, "error": 0.5, "terminal": int(sys.stderr.isatty())}]


def noisy_tasks(size, seed):
    return [Task(noisy, {"split": split, "seed": seed}) for split in range(3)]


def table(rows):
    return [{"learner": "AER", "mean error": sum(row["error"] for row in rows) / len(rows)}]


def claims(rows):
    worst = max(row["error"] for row in rows)
    return [Claim.with_verdict("the error stays below 3 & <more>", "below 3", f"{worst:.2f}", worst < 3)]


def three_kinds(rows):
    (published,) = claims(rows)
    return [
        published,
        replace(published, text="scaled", verdict=FAILS, about=OTHER_FORM),
        replace(published, text="best of 96", about=OWN_QUESTION),
    ]


def draw(rows, figure):
    axes = figure.subplots()
    axes.plot([row["x"] for row in rows], [row["error"] for row in rows], "o", label="AER")
    axes.set_xlabel("x")


def no_data():
    raise FileNotFoundError("moon.npz is not in /nowhere. Put there the moon.")


def part(rows):
    return f"{len({row['split'] for row in rows})} splits"


def new_paper(tasks=tasks, needs=None, claims=claims, claims_about=THE_PAPER) -> Paper:
    return Paper(
        "fake-2026",
        "A fake paper",
        "Nobody, nowhere, 2026.",
        [
            Experiment(
                "fig1",
                "Figure 1: lines",
                with_one_more(tasks, "AERR"),
                table,
                claims,
                draw,
                about="Two points.",
                part=part,
            ),
            Experiment(
                "table1",
                "Table 1",
                with_one_more(tasks, "AELR"),
                table,
                claims,
                needs=needs,
                claims_about=claims_about,
            ),
        ],
    )
