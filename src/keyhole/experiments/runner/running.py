"""Runs the tasks of a paper that are not on disk yet, several at a time, and shows how long it will take."""

from __future__ import annotations

import io
import re
import time
import warnings
from collections import Counter
from collections.abc import Iterable
from contextlib import redirect_stderr
from dataclasses import dataclass, field

from joblib import Parallel, delayed
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from ...datasets.files import folders
from .paper import Experiment, Paper, Rows, Task
from .provenance import file_checksums
from .store import Finished, Store, name_of

HOUR = 3600.0


@dataclass
class Outcome:
    """The tasks of an experiment by name, those that are finished, and, where some are not, the reason or the part.

    Parameters
    ----------
    experiment : Experiment
        The experiment.
    tasks : dict of Task
        Its tasks, by name.
    finished : dict of Finished
        What is on disk of them, by name.
    why_not : str, default=""
        Why there is nothing to report; empty if all tasks are finished, or enough of them for a report of a part.
    part : str, default=""
        What was run, in words, where the report is of a part of the tasks.
    """

    experiment: Experiment
    tasks: dict[str, Task]
    finished: dict[str, Finished] = field(default_factory=dict)
    why_not: str = ""
    part: str = ""

    @property
    def rows(self) -> Rows:
        """The rows of all finished tasks, in their order; none if there is nothing to report."""
        names = [] if self.why_not else [name for name in self.tasks if name in self.finished]
        return [row for name in names for row in self.finished[name].rows]


def run_paper(
    paper: Paper, store: Store, jobs: int, only: list[str], console: Console, partial: bool = False
) -> list[Outcome]:
    """Run the tasks of the chosen experiments that are not on disk yet.

    A task that several experiments share is run once. Warnings of tasks are kept for the report, and their number is
    printed when the progress bar is finished.

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
        Where progress is printed.
    partial : bool, default=False
        Run nothing, and accept experiments of which a part of the tasks is finished, where they can be reported so.

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
                checksums = file_checksums(experiment.needs) if experiment.needs is not None else {}
                if not (store.redraw or partial):
                    store.record_data(experiment.name, checksums)
                    missing |= absent
            except FileNotFoundError as error:
                outcome.why_not = _without_folders(str(error))
    finished |= _run_missing(paper.name, missing, store, jobs, console)
    for outcome in outcomes:
        outcome.finished = {name: finished[name] for name in outcome.tasks if name in finished}
        if len(outcome.finished) < len(outcome.tasks) and not outcome.why_not:
            of = f"{len(outcome.finished)} of its {len(outcome.tasks)} tasks are finished"
            if partial and outcome.finished and outcome.experiment.part is not None:
                outcome.part = f"{of}: {outcome.experiment.part(outcome.rows)}."
            else:
                outcome.why_not = f"not run yet: {of}"
    return outcomes


def _without_folders(message: str) -> str:
    """A message without the folders of this machine, since reports are sent to others."""
    for folder, name in zip(reversed(folders()), ("~/.cache/keyhole", "$KEYHOLE_DATA"), strict=False):
        message = message.replace(str(folder), name)
    return message


def _run_missing(
    title: str, missing: dict[str, Task], store: Store, jobs: int, console: Console
) -> dict[str, Finished]:
    """Long tasks first, so that no core waits at the end for one that began last."""
    finished: dict[str, Finished] = {}
    if not missing:
        return finished
    store.record_run()
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
    try:
        with warnings.catch_warnings(), Progress(*columns, console=console, speed_estimate_period=HOUR) as progress:
            # Of joblib, where it starts a worker again since its memory has grown; no task is lost.
            warnings.filterwarnings("ignore", "A worker stopped while some jobs were given to the executor")
            total = sum(task.cost for task in missing.values())
            bar = progress.add_task(title, total=total, done=0, number=len(missing))
            for name, task in runs:
                finished[name] = task
                progress.update(bar, advance=missing[name].cost, done=len(finished))
    finally:
        kinds = len(messages_of(finished.values()))
        if kinds:
            console.print(f"Tasks gave {kinds} kind{'s' if kinds > 1 else ''} of warnings, which the report lists.")
    return finished


def _run_task(store: Store, name: str, task: Task) -> tuple[str, Finished]:
    """Run one task in a worker, which writes the file itself, so that it is there whatever becomes of the run.

    What the task warns of, or writes to standard error, would run through the progress bar of the main process; it is
    kept with the rows instead. A library's own progress bar does not appear, since standard error is then no terminal.
    """
    start = time.process_time()
    with warnings.catch_warnings(record=True) as caught, redirect_stderr(io.StringIO()) as written:
        rows = task.function(**task.settings)
    messages = [f"{warning.category.__name__}: {warning.message}" for warning in caught]
    messages += [line for line in written.getvalue().splitlines() if line.strip()]
    return name, store.write(name, task, rows, time.process_time() - start, list(dict.fromkeys(messages)))


def messages_of(tasks: Iterable[Finished]) -> dict[str, int]:
    """One warning of each kind with the number of tasks that gave it, the most frequent first.

    Warnings that differ in their numbers alone are of one kind.

    >>> messages_of([Finished([], 1.0, ["8 rows are few"]), Finished([], 1.0, ["9 rows are few", "no label"])])
    {'8 rows are few': 2, 'no label': 1}
    """
    kinds: Counter[str] = Counter()
    examples: dict[str, str] = {}
    for task in tasks:
        own = {re.sub(r"\d+", "0", message): message for message in task.messages}
        kinds.update(own.keys())
        examples = own | examples
    return {examples[kind]: times for kind, times in kinds.most_common()}
