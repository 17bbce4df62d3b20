"""Measures what the file of results lacks, several tasks at a time."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from joblib import Parallel, delayed, parallel_config

from keyhole.common.one_thread import one_thread
from keyhole.datasets import league_table
from league.methods import EVERY_CELL, METHODS, measured
from league.protocol import attributes_of, split_of, splits_of
from league.results import Record, append_results, read_results, state_of_source

BETWEEN_LINES = 15.0  # seconds between two lines about the progress


class Task(NamedTuple):
    """One split of a table with one budget (None: every cell), and the methods to measure on it."""

    table: str
    split: int
    budget: int | None
    methods: tuple[str, ...]
    size: int  # of the table; large tasks come first, so that no core is left with one of them in the end


def tasks_of(
    path: Path, tables: Sequence[str], budgets: Sequence[str], methods: Sequence[str], splits: int | None
) -> list[Task]:
    """What was not measured yet."""
    done = read_results(path)
    tasks = []
    for table in tables:
        n, d = league_table(table).X.shape
        numbers: list[int | None] = [*dict.fromkeys(attributes_of(budget, d) for budget in budgets), None]
        for budget in numbers:
            fitting = [name for name in methods if (name == EVERY_CELL) == (budget is None)]
            fitting = [name for name in fitting if METHODS[name].is_measured_with(budget)]
            for split in splits_of(n, splits):
                missing = tuple(name for name in fitting if (table, split, budget, name) not in done)
                if missing:
                    tasks.append(Task(table, split, budget, missing, n * (d + 40 * (budget or 0))))
    return sorted(tasks, key=lambda task: (-task.size, task.split))


def run(path: Path, tasks: Sequence[Task], jobs: int, minutes: float | None = None) -> int:
    """Run tasks, write the results of each when it ends, and return how many ended.

    After so many minutes no further task begins. An interrupt loses only the tasks that are running.
    """
    begun = time.monotonic()
    end = begun + 60 * minutes if minutes else float("inf")
    source, done, told = state_of_source(), 0, 0.0
    calls = (delayed(records_of)(task, source) for task in tasks if time.monotonic() < end)
    try:
        with parallel_config(backend="loky", inner_max_num_threads=1):
            pool = Parallel(n_jobs=jobs, return_as="generator_unordered", pre_dispatch=jobs, batch_size=1)
        for records in pool(calls):
            append_results(path, records)
            done += 1
            for record in records:
                if "crash" in record:
                    where = "{method} on {table}, split {split}, budget {budget}".format(**record)
                    print(f"{where}: {record['crash']}", file=sys.stderr)
            passed = time.monotonic() - begun
            if passed > told + BETWEEN_LINES or done == len(tasks):
                told = passed
                print(f"{done} of {len(tasks)} tasks after {passed:.0f} s", file=sys.stderr, flush=True)
    except KeyboardInterrupt:
        print("interrupted; the same command continues here", file=sys.stderr)
    if done < len(tasks):
        print(f"{len(tasks) - done} tasks are left for the next run", file=sys.stderr)
    return done


def records_of(task: Task, source: str) -> list[Record]:
    """The results of one task, on one thread."""
    with one_thread():
        data = split_of(task.table, task.split)
        found = {name: measured(name, data, task.budget or data.X.shape[1], task.split) for name in task.methods}
    place = {"table": task.table, "split": task.split, "budget": task.budget}
    return [{**place, "method": name, **result, "source": source} for name, result in found.items()]
