"""``keyhole demo``: what four attributes of each example are worth, on two built-in data sets.

Each learner, and each rival that spends the same budget in another way, is fitted to the training rows of
several random splits and judged on the whole test rows. KeyholeRegressor has nothing to tune. The radii of the
published learners are fixed: in a small grid, one for each kind of ball and one for Baseline, they did best on the
whole on scikit-learn's wine and diabetes data, which take no part here.
"""

from __future__ import annotations

from pathlib import Path

from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from . import models
from .models import BUDGET, FULL, LEARNER, MEAN, REFERENCE, RIVAL, Row, Task, best, named
from .picture import draw

MOST_SPLITS = 10


def run_demo(
    out: str | Path = "demo.png", quick: bool = False, console: Console | None = None, seed: int = 0
) -> dict[str, list[Row]]:
    """Print a table for each data set, write the picture, and return the rows of the tables.

    The same seed gives the same splits and models; those of different seeds have none in common.
    """
    console, n_splits, tasks = console or Console(), 3 if quick else MOST_SPLITS, models.tasks()
    results: dict[str, list[Row]] = {}
    with Progress(console=console, transient=True) as progress:
        bar = progress.add_task("compiling (once)", total=len(tasks) * n_splits * len(models.rows()))
        for task in tasks:
            rows = results[task.name] = models.rows()
            for split in range(n_splits):
                for row in rows:
                    models.judge(row, task, seed * MOST_SPLITS + split)
                    progress.update(bar, advance=1, description=f"{task.name}, split {split + 1} of {n_splits}")
            rows.sort(key=lambda row: row.error)
    for task in tasks:
        console.print(_table(task, results[task.name], n_splits))
    console.print(
        "seen each: attributes seen per example; most: of any one example; cells: share of all cells seen;"
        " / mean: error relative to predicting the mean label",
        style="dim",
    )
    draw(tasks, results, Path(out))
    console.print(_summary(results))
    console.print(f"Picture: {out}")
    return results


def _table(task: Task, rows: list[Row], n_splits: int) -> Table:
    n, d = task.X.shape
    title = f"{task.name}: {task.question} {n} examples, {d} attributes, {n_splits} splits, budget {BUDGET}"
    table = Table(title=title, title_justify="left")
    table.add_column("model", no_wrap=True)
    for heading in ("seen each", "most", "cells", "test error", "/ mean"):
        table.add_column(heading, justify="right", no_wrap=True)
    styles = {LEARNER: "bold blue", RIVAL: "dark_orange3", REFERENCE: "dim"}
    mean = named(rows, MEAN).error
    for row in rows:
        table.add_row(
            f"{row.name} (rival)" if row.kind == RIVAL else row.name,
            f"{row.share * d:.1f}",
            f"{row.largest}",
            f"{row.share:.1%}",
            f"{row.error:.3f} ± {row.spread:.3f}",
            f"{row.error / mean:.2f}",
            style=styles[row.kind],
        )
    return table


def _summary(results: dict[str, list[Row]]) -> str:
    """One sentence, made from the numbers."""
    sentences = []
    for name, rows in results.items():
        mean = named(rows, MEAN).error
        gone = {row.name: f"{max(1 - row.error / mean, 0):.0%}" for row in rows}
        learner, rival = best(rows, LEARNER), best(rows, RIVAL)
        verdict = "more than" if learner.error < rival.error else "less than"
        shows = f", which shows all {rival.largest} attributes of some" if rival.largest > BUDGET else ""
        sentences.append(
            f"on {name} {learner.name} removes {gone[learner.name]} of the error that predicting the mean leaves,"
            f" {verdict} the {gone[rival.name]} of the best rival at the same cost ({rival.name}{shows}),"
            f" and every cell would remove {gone[FULL]}"
        )
    return f"With {BUDGET} attributes of each example, " + "; ".join(sentences) + "."
