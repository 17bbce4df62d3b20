"""``keyhole demo``: the value of four attributes of each example, on two built-in data sets.

Each learner, and each rival that spends the same budget in another way, is fitted to the training rows of several
random splits and assessed on the whole test rows. KeyholeRegressor has no parameters to tune. The radii of the
published learners are fixed: in a small grid, one for each kind of ball and one for Baseline, they were the best
overall on scikit-learn's wine and diabetes data, which are not used here.
"""

from __future__ import annotations

from pathlib import Path

from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from . import models
from .models import BUDGET, FULL, LAID_OUT, LEARNER, MEAN, REFERENCE, RIVAL, DataSet, Row, best, named
from .picture import draw

__all__ = ["Row", "run_demo"]

MOST_SPLITS = 10


def run_demo(
    out: str | Path = "demo.png", quick: bool = False, console: Console | None = None, seed: int = 0
) -> dict[str, list[Row]]:
    """Compare learners under a budget on two built-in data sets, print a table for each, and draw a picture.

    Parameters
    ----------
    out : str or pathlib.Path, default="demo.png"
        Where the picture is written.
    quick : bool, default=False
        Whether to run 3 random splits instead of 10.
    console : rich.console.Console, default=None
        Where tables are printed; standard output by default.
    seed : int, default=0
        The same seed gives the same splits and models; those of different seeds have none in common.

    Returns
    -------
    dict of list of Row
        The rows of the table of each data set, by its name, from the smallest test error to the largest.
    """
    console, n_splits, data_sets = console or Console(), 3 if quick else MOST_SPLITS, models.data_sets()
    results: dict[str, list[Row]] = {}
    with Progress(console=console, transient=True) as progress:
        bar = progress.add_task("compiling (once)", total=len(data_sets) * n_splits * len(models.rows()))
        for data in data_sets:
            rows = results[data.name] = models.rows()
            for split in range(n_splits):
                for row in rows:
                    models.assess(row, data, seed * MOST_SPLITS + split)
                    progress.update(bar, advance=1, description=f"{data.name}, split {split + 1} of {n_splits}")
            rows.sort(key=lambda row: row.error)
    for data in data_sets:
        console.print(_table(data, results[data.name], n_splits))
    console.print(
        "per example: attributes revealed of a training example on average; most: the largest number of any example;"
        " cells: share of all training cells that were revealed; test error: squared error, mean ± standard error over"
        " splits; ratio: the error relative to predicting the mean label",
        style="dim",
    )
    draw(data_sets, results, Path(out))
    console.print(_summary(results))
    console.print(f"Picture: {out}")
    return results


def _table(data: DataSet, rows: list[Row], n_splits: int) -> Table:
    n, d = data.X.shape
    title = f"{data.name}: {data.question} {n} examples, {d} attributes, {n_splits} splits, budget {BUDGET}"
    table = Table(title=title, title_justify="left")
    table.add_column("model", no_wrap=True)
    for heading in ("per example", "most", "cells", "test error", "ratio"):
        table.add_column(heading, justify="right", no_wrap=True)
    styles = {LEARNER: "bold blue", LAID_OUT: "bold blue", RIVAL: "dark_orange3", REFERENCE: "dim"}
    mean = named(rows, MEAN).error
    for row in rows:
        table.add_row(
            f"{row.name} (rival)" if row.kind == RIVAL else row.name,
            f"{row.share * d:.1f}",
            f"{row.largest}",
            f"{row.share:.1%}",
            f"{row.error:.3f} ± {row.standard_error:.3f}",
            f"{row.error / mean:.2f}",
            style=styles[row.kind],
        )
    return table


def _summary(results: dict[str, list[Row]]) -> str:
    """One sentence, made from the numbers."""
    sentences = []
    for name, rows in results.items():
        mean = named(rows, MEAN).error
        removed = {row.name: f"{max(1 - row.error / mean, 0):.0%}" for row in rows}
        learner, laid_out, rival = best(rows, LEARNER), best(rows, LAID_OUT), best(rows, RIVAL)
        comparison = "more than" if learner.error < rival.error else "less than"
        if removed[learner.name] == removed[rival.name]:
            comparison = "as much as"
        reveals = f", which reveals all {rival.largest} attributes of some" if rival.largest > BUDGET else ""
        sentences.append(
            f"on {name} {learner.name} removes {removed[learner.name]} of the error of predicting the mean label,"
            f" {comparison} the {removed[rival.name]} of the best rival at the same cost ({rival.name}{reveals}),"
            f" with one total for all examples it removes {removed[laid_out.name]}, and every cell would remove"
            f" {removed[FULL]}"
        )
    return f"With {BUDGET} attributes of each example, " + "; ".join(sentences) + "."
