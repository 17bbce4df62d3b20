"""Runs the units of a paper that are not kept yet, several at a time, and says how long it will take."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from joblib import Parallel, delayed
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from .paper import Experiment, Paper, Rows, Unit
from .store import Kept, Store, name_of

HOUR = 3600.0


@dataclass
class Outcome:
    """The units of an experiment by name, what is kept of them, and, where that is not all, why not."""

    experiment: Experiment
    units: dict[str, Unit]
    kept: dict[str, Kept] = field(default_factory=dict)
    why_not: str = ""

    @property
    def rows(self) -> Rows:
        """The rows of all units, in their order; none unless all are there."""
        return [] if self.why_not else [row for name in self.units for row in self.kept[name].rows]


def run_paper(paper: Paper, store: Store, jobs: int, only: list[str], console: Console) -> list[Outcome]:
    """Run what is missing of the chosen experiments; an outcome for each, and for the others what was kept before.

    A unit that two experiments share is run once.
    """
    chosen = paper.chosen(only)
    store.open()
    known: dict[str, Kept] = {}
    missing: dict[str, Unit] = {}
    outcomes = []
    for experiment in paper.experiments:
        outcome = Outcome(experiment, {name_of(unit): unit for unit in experiment.units(store.size, store.seed)})
        outcomes.append(outcome)
        for name in outcome.units.keys() - known.keys():
            kept = store.kept(name, console.print)
            if kept is not None:
                known[name] = kept
        absent = {name: unit for name, unit in outcome.units.items() if name not in known}
        if absent and experiment in chosen:
            try:
                if experiment.needs is not None:
                    experiment.needs()
                missing |= absent
            except FileNotFoundError as error:
                outcome.why_not = str(error)
    known |= _run_missing(paper.name, missing, store, jobs, console)
    for outcome in outcomes:
        outcome.kept = {name: known[name] for name in outcome.units if name in known}
        if len(outcome.kept) < len(outcome.units) and not outcome.why_not:
            outcome.why_not = f"not run yet: {len(outcome.kept)} of its {len(outcome.units)} units are kept"
    return outcomes


def _run_missing(title: str, missing: dict[str, Unit], store: Store, jobs: int, console: Console) -> dict[str, Kept]:
    """The long ones first, so that no core waits at the end for one that began last."""
    finished: dict[str, Kept] = {}
    if not missing:
        return finished
    pieces = Parallel(n_jobs=jobs, return_as="generator_unordered")(
        delayed(_run_unit)(store, name, unit) for name, unit in sorted(missing.items(), key=lambda item: -item[1].cost)
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
        total = sum(unit.cost for unit in missing.values())
        bar = progress.add_task(title, total=total, done=0, units=len(missing))
        for name, kept in pieces:
            finished[name] = kept
            progress.update(bar, advance=missing[name].cost, done=len(finished))
    return finished


def _run_unit(store: Store, name: str, unit: Unit) -> tuple[str, Kept]:
    """In a worker: the file is written there, so it is kept whatever becomes of the run."""
    start = time.process_time()
    rows = unit.function(**unit.settings)
    return name, store.keep(name, unit, rows, time.process_time() - start)
