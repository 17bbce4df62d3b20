"""Ask, tell and status on a study of 100,000 examples with 4 values each, while a renewal runs beside.

    python benchmarks/study_load.py [--examples 100000] [--database sqlite|postgresql|both]

The first examples are written in bulk, as the rows that asks and tells would have left; ``verify`` counts them again.
The last 1,000 are asked for and told one by one by a process of its own.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from sqlalchemy import insert, text, update

import keyhole as kh
from keyhole.study.renewal import NAME, PLACE
from keyhole.study.store.base import Candidate
from keyhole.study.store.connect import clock
from keyhole.study.store.tables import ASK, CELL, EVENT, EXAMPLE, STUDY

sys.path.append(str(Path(__file__).parent.parent / "tests"))

ATTRIBUTES, BUDGET, MEASURED, PIECE = 20, 4, 1_000, 2_000
BARS = {"ask": 50.0, "tell": 50.0, "status": 300.0}  # milliseconds at the 95th percentile


def value(example: int, attribute: int) -> float:
    """A value that looks like one."""
    return float(np.sin(example * 12.9898 + attribute * 78.233))


def fill(study: kh.Study, n: int) -> None:
    """Write n examples that are done, as asks and tells leave them."""
    with study.store.snapshot(study.record) as now:
        designs = now.designs()
    with study.store.engine.connect().execution_options(writing=True) as c, c.begin():
        now, seq, empty = clock(c), 0, {"attribute": None, "ask_id": None, "number": None, "text": None, "reason": None}
        for first in range(1, n + 1, PIECE):
            rows: dict[object, list[dict]] = {EXAMPLE: [], ASK: [], CELL: [], EVENT: []}
            for number in range(first, min(first + PIECE, n + 1)):
                name, label = f"e{number}", value(number, 0) - value(number, 1)
                drawn = study._drawer.draw(Candidate(name, number, (), 0, designs.__getitem__))
                about = {"design": 0, "attributes": drawn.attributes, "probabilities": drawn.probabilities}
                events = [
                    {"kind": "added", "text": name, "number": float(number)},
                    {"kind": "asked", "ask_id": number, "text": json.dumps(about), "number": float(drawn.price)},
                    *(
                        {"kind": "value", "attribute": i, "ask_id": number, "number": value(number, i)}
                        for i in drawn.attributes
                    ),
                    {"kind": "label", "number": label},
                ]
                for event in events:
                    seq += 1
                    whose = {"study_id": study.record.id, "seq": seq, "example_id": number, "person_id": 1, "at": now}
                    rows[EVENT].append(whose | empty | event)
                example = {"id": number, "study_id": study.record.id, "number": number, "name": name, "state": "done"}
                rows[EXAMPLE].append(
                    example | {"label_state": "value", "label_number": label, "label_text": None, "learnable": True}
                )
                ask = {"id": number, "study_id": study.record.id, "example_id": number, "design": 0, "state": "done"}
                ask |= {name: json.dumps(about[name]) for name in ("attributes", "probabilities")}
                rows[ASK].append(
                    ask | {"price": drawn.price, "person_id": 1, "asked_at": now, "lease_until": now + 86_400}
                )
                rows[CELL] += [
                    {"example_id": number, "attribute": i, "drawn": True, "state": "value", "number": value(number, i)}
                    for i in drawn.attributes
                ]
            for table, of_table in rows.items():
                c.execute(insert(table), of_table)
        counts = dict.fromkeys(("n_examples", "n_asked", "n_done", "n_labelled", "n_learnable"), n)
        counts |= {"n_values": n * BUDGET, "seq": seq, "committed": n * BUDGET * 1_000_000}
        c.execute(update(STUDY).where(STUDY.c.id == study.record.id).values(**counts))
        if not study.store.is_file:
            for table in ("example", "ask"):
                c.execute(text(f"SELECT setval('keyhole_{table}_id_seq', {n})"))


def measure(place: str) -> None:
    """Ask and tell, in a process of its own whose memory is looked at; prints JSON."""
    study = kh.Study.open(place, "load")
    renewal = subprocess.Popen(
        [sys.executable, "-m", "keyhole.study.renewal"], env=os.environ | {PLACE: place, NAME: "load"}
    )
    while study.store.wants_renewal(study.record):  # until it has claimed the work
        time.sleep(0.2)
    times: dict[str, list[float]] = {"ask": [], "tell": [], "status": []}

    def timed(name, call):
        start = time.perf_counter()
        result = call()
        times[name].append(1000 * (time.perf_counter() - start))
        return result

    def memory() -> float:
        # ru_maxrss would be that of the process that started this one, if that was larger.
        lines = Path("/proc/self/status").read_text().splitlines()
        return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) / 1024

    began, before, beside = time.perf_counter(), 0.0, 0
    for n in range(MEASURED):
        ask = timed("ask", study.ask)
        values = {one.name: value(n, i) for i, one in enumerate(ask.attributes)}
        timed("tell", lambda ask=ask, values=values: study.tell(ask, values, label=1.0))
        if n % 20 == 0:
            timed("status", study.status)
        beside += renewal.poll() is None
        before = memory() if n == 100 else before
    taken, after = time.perf_counter() - began, memory()
    is_ended = renewal.poll()
    renewal.kill()
    renewal.wait()
    found = {name: [float(q) for q in np.percentile(every, [50, 95, 99])] for name, every in times.items()}
    print(json.dumps({"times": found, "memory": [before, after], "beside": beside, "s": taken, "ended": is_ended}))


def run(name: str, place: str, n: int) -> bool:
    """One database: fill it, and measure; whether the bars are kept."""
    start = time.perf_counter()
    study = kh.Study.create(place, "load", [f"a{i}" for i in range(ATTRIBUTES)], budget=BUDGET, seed=0)
    fill(study, n)
    study.add_examples([f"last {i}" for i in range(MEASURED)])
    filled = time.perf_counter() - start
    wrong = study.verify()
    assert wrong == [], wrong
    study.close()
    counted = time.perf_counter() - start - filled
    print(f"{name}: {n:,} examples written in {filled:.0f} s, counted again in {counted:.0f} s", flush=True)
    command = [sys.executable, __file__, "--measure", place]
    found = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()[-1])
    kept = True
    for what, (half, most, last) in found["times"].items():
        kept &= most < BARS[what]
        print(f"  {what}: {half:.1f} / {most:.1f} / {last:.1f} ms at the 50th / 95th / 99th percentile")
    early, late = found["memory"]
    print(f"  peak memory of the asking process: {early:.0f} MB after 100 examples, {late:.0f} MB at the end")
    print(f"  {found['beside']} of {MEASURED:,} steps had the renewal running; {found['s']:.0f} s in all", flush=True)
    study = kh.Study.open(place, "load")
    wrong = study.verify()
    assert wrong == [], wrong
    study.close()
    return kept


def main() -> None:
    """Run on one database or both."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--examples", type=int, default=100_000)
    parser.add_argument("--database", choices=["sqlite", "postgresql", "both"], default="both")
    parser.add_argument("--measure", metavar="URL")
    given = parser.parse_args()
    if given.measure:
        measure(given.measure)
        return
    print(f"Load of the machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors.")
    kept = []
    if given.database != "postgresql":
        with tempfile.TemporaryDirectory() as folder:
            kept.append(run("SQLite", f"sqlite:///{folder}/study.db", given.examples))
    if given.database != "sqlite":
        from study.servers import PostgreSQL

        server = PostgreSQL()
        try:
            kept.append(run("PostgreSQL", server.new_database(), given.examples))
        finally:
            server.close()
    print(f"Load of the machine at the end: {os.getloadavg()[0]:.1f}.")
    sys.exit(0 if all(kept) else 1)


if __name__ == "__main__":
    main()
