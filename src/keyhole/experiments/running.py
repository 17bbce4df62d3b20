"""Runs the units of a paper that are not kept yet, several at a time, and says how long it will take."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from joblib import Parallel, delayed
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from .paper import Experiment, Paper, Rows, Unit
from .store import Kept, Store

HOUR = 3600.0


@dataclass
class Outcome:
    """The rows of an experiment, or why there are none."""

    experiment: Experiment
    rows: Rows = field(default_factory=list)
    seconds: float = 0.0
    n_units: int = 0
    why_not: str = ""


def run_paper(paper: Paper, store: Store, jobs: int, only: list[str], console: Console) -> list[Outcome]:
    """Run what is missing of the chosen experiments; outcomes of all that are complete, kept ones included."""
    chosen = paper.chosen(only)
    store.open()
    found: dict[tuple[str, int], Kept] = {}
    missing: list[tuple[str, int, Unit]] = []
    outcomes = []
    for experiment in paper.experiments:
        outcome = Outcome(experiment)
        outcomes.append(outcome)
        absent: list[tuple[str, int, Unit]] = []
        for at, unit in enumerate(experiment.units(store.size, store.seed)):
            outcome.n_units += 1
            kept = store.kept(experiment.name, unit, console.print)
            if kept is not None:
                found[experiment.name, at] = kept
            else:
                absent.append((experiment.name, at, unit))
        if absent and experiment in chosen:
            try:
                if experiment.needs is not None:
                    experiment.needs()
                missing += absent
            except FileNotFoundError as error:
                outcome.why_not = str(error)
    _run_missing(paper.name, missing, found, store, jobs, console)
    for outcome in outcomes:
        _collect(outcome, found)
    return outcomes


def _run_missing(
    title: str,
    missing: list[tuple[str, int, Unit]],
    found: dict[tuple[str, int], Kept],
    store: Store,
    jobs: int,
    console: Console,
) -> None:
    """The long ones first, so that no core waits at the end for one that began last."""
    if not missing:
        return
    missing = sorted(missing, key=lambda piece: -piece[2].cost)
    pieces = Parallel(n_jobs=jobs, return_as="generator_unordered")(
        delayed(_run_unit)(store, experiment, at, unit) for experiment, at, unit in missing
    )
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.fields[done]}/{task.fields[units]} units"),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console, speed_estimate_period=HOUR) as progress:
        total = sum(unit.cost for *_, unit in missing)
        bar = progress.add_task(title, total=total, done=0, units=len(missing))
        for done, (experiment, at, cost, kept) in enumerate(pieces, start=1):
            found[experiment, at] = kept
            progress.update(bar, advance=cost, done=done)


def _run_unit(store: Store, experiment: str, at: int, unit: Unit) -> tuple[str, int, float, Kept]:
    """In a worker: the file is written there, so it is kept whatever becomes of the run."""
    start = time.process_time()
    rows = unit.function(**unit.settings)
    return experiment, at, unit.cost, store.keep(experiment, unit, rows, time.process_time() - start)


def _collect(outcome: Outcome, found: dict[tuple[str, int], Kept]) -> None:
    """The rows of all units in their order, when all are there."""
    if outcome.why_not:
        return
    name = outcome.experiment.name
    pieces = [found.get((name, at)) for at in range(outcome.n_units)]
    kept = [piece for piece in pieces if piece is not None]
    if len(kept) < outcome.n_units:
        outcome.why_not = f"not run yet: {len(kept)} of its {outcome.n_units} units are kept"
        return
    outcome.rows = [row for piece in kept for row in piece.rows]
    outcome.seconds = sum(piece.seconds for piece in kept)
