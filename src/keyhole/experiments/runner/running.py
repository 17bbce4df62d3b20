"""Runs the tasks of a paper that are not on disk yet, several at a time, and shows how long it will take."""

from __future__ import annotations

import io
import time
import warnings
from collections import Counter
from contextlib import redirect_stderr
from dataclasses import dataclass, field
from typing import NamedTuple

from joblib import Parallel, delayed
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from .paper import Experiment, Paper, Rows, Task
from .store import Finished, Store, name_of

HOUR = 3600.0
SHOWN_MESSAGES = 10


@dataclass
class Outcome:
    """The tasks of an experiment by name, those that are finished, and, where some are not, the reason.

    Parameters
    ----------
    experiment : Experiment
        The experiment.
    tasks : dict of Task
        Its tasks, by name.
    finished : dict of Finished
        What is on disk of them, by name.
    why_not : str, default=""
        Why not all tasks are finished; empty if they are.
    """

    experiment: Experiment
    tasks: dict[str, Task]
    finished: dict[str, Finished] = field(default_factory=dict)
    why_not: str = ""

    @property
    def rows(self) -> Rows:
        """The rows of all tasks, in their order; none unless all tasks are finished."""
        return [] if self.why_not else [row for name in self.tasks for row in self.finished[name].rows]


class _Run(NamedTuple):
    """A task that was just run: its name, its rows, and what it wrote to be read on a terminal."""

    name: str
    finished: Finished
    messages: list[str]


def run_paper(paper: Paper, store: Store, jobs: int, only: list[str], console: Console) -> list[Outcome]:
    """Run the tasks of the chosen experiments that are not on disk yet.

    A task that several experiments share is run once. Warnings of tasks are printed when the progress bar is finished.

    Parameters
    ----------
    paper : Paper
        The paper.
    store : Store
        The folder of results.
    jobs : int
        The number of processes; -1 for as many as there are cores.
    only : list of str
        Names of experiments; an empty list chooses all.
    console : rich.console.Console
        Where progress and warnings are printed.

    Returns
    -------
    list of Outcome
        One for each experiment of the paper; for those that were not chosen, what earlier runs have finished.
    """
    chosen = paper.chosen(only)
    store.open()
    finished: dict[str, Finished] = {}
    missing: dict[str, Task] = {}
    outcomes = []
    for experiment in paper.experiments:
        outcome = Outcome(experiment, {name_of(task): task for task in experiment.tasks(store.size, store.seed)})
        outcomes.append(outcome)
        for name in outcome.tasks.keys() - finished.keys():
            found = store.read(name, console.print)
            if found is not None:
                finished[name] = found
        absent = {name: task for name, task in outcome.tasks.items() if name not in finished}
        if absent and experiment in chosen:
            try:
                if experiment.needs is not None:
                    experiment.needs()
                missing |= absent
            except FileNotFoundError as error:
                outcome.why_not = str(error)
    finished |= _run_missing(paper.name, missing, store, jobs, console)
    for outcome in outcomes:
        outcome.finished = {name: finished[name] for name in outcome.tasks if name in finished}
        if len(outcome.finished) < len(outcome.tasks) and not outcome.why_not:
            outcome.why_not = f"not run yet: {len(outcome.finished)} of its {len(outcome.tasks)} tasks are finished"
    return outcomes


def _run_missing(
    title: str, missing: dict[str, Task], store: Store, jobs: int, console: Console
) -> dict[str, Finished]:
    """Long tasks first, so that no core waits at the end for one that began last."""
    finished: dict[str, Finished] = {}
    if not missing:
        return finished
    ordered = sorted(missing.items(), key=lambda item: -item[1].cost)
    runs = Parallel(n_jobs=jobs, return_as="generator_unordered")(
        delayed(_run_task)(store, name, task) for name, task in ordered
    )
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.fields[done]}/{task.fields[number]} tasks"),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
    )
    messages: Counter[str] = Counter()
    try:
        with Progress(*columns, console=console, speed_estimate_period=HOUR) as progress:
            total = sum(task.cost for task in missing.values())
            bar = progress.add_task(title, total=total, done=0, number=len(missing))
            for run in runs:
                finished[run.name] = run.finished
                messages.update(run.messages)
                progress.update(bar, advance=missing[run.name].cost, done=len(finished))
    finally:
        _print_messages(messages, console)
    return finished


def _run_task(store: Store, name: str, task: Task) -> _Run:
    """Run one task in a worker, which writes the file itself, so that it is there whatever becomes of the run.

    What the task warns of, or writes to standard error, would run through the progress bar of the main process; it is
    returned instead. A library's own progress bar does not appear, since standard error is then no terminal.
    """
    start = time.process_time()
    with warnings.catch_warnings(record=True) as caught, redirect_stderr(io.StringIO()) as written:
        rows = task.function(**task.settings)
    messages = [f"{warning.category.__name__}: {warning.message}" for warning in caught]
    messages += [line for line in written.getvalue().splitlines() if line.strip()]
    finished = store.write(name, task, rows, time.process_time() - start)
    return _Run(name, finished, list(dict.fromkeys(messages)))


def _print_messages(messages: Counter[str], console: Console) -> None:
    """Each message once, the most frequent first, with the number of tasks that gave it."""
    for message, times in messages.most_common(SHOWN_MESSAGES):
        console.print(f"{message} ({times} tasks)" if times > 1 else message, markup=False, highlight=False)
    if len(messages) > SHOWN_MESSAGES:
        console.print(f"Tasks gave {len(messages) - SHOWN_MESSAGES} further warnings, which are not shown.")
