"""Writers in processes of their own that may be killed at any moment, and what must be true afterwards.

A writer asks and tells, and appends to a file what was acknowledged to it, and only that. Such a line survives the kill
of its writer. The value of a cell is a function of its example and attribute, so that a writer that goes on with the
example of a dead one tells the same facts.
"""

from __future__ import annotations

import hashlib
import os
import random
import signal
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import keyhole as kh
from keyhole.errors import StoreError, StudyError

ATTRIBUTES = [f"test {k}" for k in range(6)]
NAME = "kills"
LEASE = 0.5  # seconds, after which the example of a dead writer goes to another
MOST_SECONDS = 60.0  # of a run that has not reached the least numbers that are wanted


def forked(work: Callable[..., None], *args: object) -> int:
    """The number of a new process that does some work, and nothing after it. It has all imports already."""
    child = os.fork()
    if child:
        return child
    code = 1
    try:
        work(*args)
        code = 0
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(code)


def fact_of(example: str, attribute: str) -> float | None:
    """The value of a cell; None: it cannot be obtained."""
    number = int.from_bytes(hashlib.blake2b(f"{example}/{attribute}".encode(), digest_size=6).digest(), "little")
    return None if number % 10 == 0 else number / 1000


def write(place: str, log: Path, writer: int, life: int) -> None:
    """Ask and tell until killed."""
    rng = random.Random(f"{writer} {life}")
    file = os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT)

    def acknowledged(*parts: object) -> None:
        os.write(file, ("\t".join(map(str, parts)) + "\n").encode())  # whole, or not at all

    study, n = None, 0
    while True:
        try:
            if study is None:
                study = kh.Study.open(place, NAME, renewals="by hand")
            n += 1
            ask = study.ask(None if rng.random() < 0.5 else f"walk-in {writer} {life} {n}")
            if ask is not None:
                acknowledged("ask", ask.example, ",".join(ask.names))
                work_on(study, ask, rng, acknowledged)
        except StoreError:  # the server is gone for a moment
            time.sleep(0.05)


def work_on(study: kh.Study, ask: kh.StudyAsk, rng: random.Random, acknowledged: Callable[..., None]) -> None:
    """Tell what was asked, in any order, one by one or together; a call that failed is made again."""
    names = list(ask.names)
    rng.shuffle(names)
    step = rng.choice([1, 1, len(names)])
    for at in range(0, len(names), step):
        if rng.random() < 0.05:
            give_up(study, ask, acknowledged)
            return
        facts = {name: fact_of(ask.example, name) for name in names[at : at + step]}
        values = {name: value for name, value in facts.items() if value is not None}
        missing = {name: "not here" for name, value in facts.items() if value is None}
        label = fact_of(ask.example, "label") or 0.0
        again(partial(study.tell, ask, values, label=label, not_obtainable=missing))
        for name, value in facts.items():
            acknowledged("value", ask.example, name, repr(value))
        acknowledged("value", ask.example, "label", repr(label))


def give_up(study: kh.Study, ask: kh.StudyAsk, acknowledged: Callable[..., None]) -> None:
    """Cancel an ask, unless another writer, who has it now, told or cancelled all of it."""
    try:
        again(partial(study.cancel, ask, "to see whether it matters"))
    except StudyError:
        return
    acknowledged("cancel", ask.example)


def again(call: Callable[[], object]) -> None:
    """Make a call until the database is there."""
    while True:
        try:
            call()
            return
        except StoreError:
            time.sleep(0.05)


@dataclass
class Outcome:
    """What a run did, and what it left."""

    kills: int = 0
    crashes: int = 0
    acknowledged: int = 0
    lost: list[str] = field(default_factory=list)
    doubled: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    died: int = 0  # writers that ended of themselves
    spent: float = 0.0
    sum_of_cells: float = 0.0

    @property
    def is_clean(self) -> bool:
        """Whether every promise was kept."""
        return not (self.lost or self.doubled or self.wrong or self.died) and self.spent == self.sum_of_cells


def kill_writers(
    place: str,
    folder: Path,
    seconds: float,
    pause: float,
    crash: Callable[[], None] | None = None,
    crashes: int = 0,
    writers: int = 6,
    seed: int = 0,
    kills: int = 0,
    acknowledged: int = 0,
) -> Outcome:
    """Let writers write, kill one after each pause of this mean length, and look at what is there.

    ``crash`` stops the database without warning and starts it again, so many times at equal distances. A busy machine
    gets up to a minute for the least numbers of kills and of acknowledged facts that are wanted.
    """
    study = kh.Study.create(place, NAME, ATTRIBUTES, budget=3, seed=seed, lease=LEASE, renewals="by hand")
    study.add_examples([f"queued {i}" for i in range(300)])
    study.close()
    rng, outcome = random.Random(seed), Outcome()
    logs = [folder / f"acknowledged-{k}.txt" for k in range(writers)]
    running = {k: forked(write, place, logs[k], k, 0) for k in range(writers)}
    start = time.monotonic()
    try:
        while (now := time.monotonic() - start) < seconds or (
            now < MOST_SECONDS and (outcome.kills < kills or written(logs) < acknowledged)
        ):
            if (
                crash is not None
                and outcome.crashes < crashes
                and now > (outcome.crashes + 1) * seconds / (crashes + 1)
            ):
                crash()
                outcome.crashes += 1
            time.sleep(rng.uniform(0, 2 * pause))
            k = rng.randrange(writers)
            outcome.died += not _killed(running[k])
            outcome.kills += 1
            running[k] = forked(write, place, logs[k], k, outcome.kills)
    finally:
        for process in running.values():
            outcome.died += not _killed(process)
    look(place, logs, outcome)
    return outcome


def written(logs: list[Path]) -> int:
    """How many lines the writers have written."""
    return sum(len(log.read_text().splitlines()) for log in logs if log.exists())


def _killed(process: int) -> bool:
    """Kill a process; whether it was alive."""
    os.kill(process, signal.SIGKILL)
    return os.WIFSIGNALED(os.waitpid(process, 0)[1])


def look(place: str, logs: list[Path], outcome: Outcome) -> None:
    """Compare the study with what its writers know."""
    study = kh.Study.open(place, NAME, renewals="by hand")
    stored: Counter[tuple[str, str, str]] = Counter()
    asks: dict[str, str] = {}
    cancelled: set[str] = set()
    with study.store.snapshot(study.record) as now:
        names = now.names()
        for event in now.events():
            if event.kind in ("value", "not obtainable", "label"):
                what = "label" if event.kind == "label" else ATTRIBUTES[event.attribute]
                stored[names[event.example], what, repr(event.number)] += 1
        cells = [state for *_, state, _, _ in now.cells()]
        for ask in now.asks():
            asks[ask.example] = ",".join(ATTRIBUTES[i] for i in ask.attributes)
            cancelled |= {ask.example} if ask.state == "cancelled" else set()
        outcome.spent = now.committed / 1_000_000
    outcome.sum_of_cells = float(sum(state in ("asked", "value") for state in cells))
    outcome.doubled = [f"{example}, {what}" for (example, what, _), n in stored.items() if n != 1]
    per_cell = Counter((example, what) for example, what, _ in stored)
    outcome.doubled += [f"{example}, {what}: different values" for (example, what), n in per_cell.items() if n != 1]
    for line in [line for log in logs if log.exists() for line in log.read_text().splitlines()]:
        outcome.acknowledged += 1
        kind, example, *rest = line.split("\t")
        if kind == "ask":
            there = asks.get(example) == rest[0]
        else:
            there = stored[example, rest[0], rest[1]] == 1 if kind == "value" else example in cancelled
        if not there:
            outcome.lost.append(line)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        outcome.wrong = study.verify()
    study.close()
