"""Time and memory of the sparse learners, in one run: ``python benchmarks/sparse_speed.py``.

1. Seconds of a fit over 90,000 examples of 500 attributes (budget 50, sparsity 25), compiled before; best of five.
2. A stream of 100,000 attributes that is never held: time per example, peak memory of the process, support found.

Run it on one core of a quiet machine.
"""

from __future__ import annotations

import os

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS"):
    os.environ.setdefault(name, "1")

import resource
import time

from rich.console import Console
from rich.table import Table

import keyhole as kh
from keyhole.datasets import murata_suzuki

ROWS, WIDE, WIDE_ROWS = 90_000, 100_000, 300_000
NARROW_LEARNERS = {
    "Hybrid": kh.Hybrid(50, 25, random_state=0),
    "Exploration": kh.Exploration(50, 25, random_state=0),
    "DualAveraging 1": kh.DualAveraging(50, 25, random_state=0),
    "DualAveraging 2": kh.DualAveraging(50, 25, 2, random_state=0),
}
WIDE_LEARNERS = {
    "Hybrid": kh.Hybrid(200, 5, explore_updates=3, random_state=0),
    "Exploration": kh.Exploration(200, 5, random_state=0),
    "DualAveraging 1": kh.DualAveraging(200, 5, random_state=0),
}


def best_time(learner, X, y, passes: int = 5) -> float:
    """Seconds of a fit, compiled before."""
    learner.fit(X[:20_000], y[:20_000])
    times = []
    for _ in range(passes):
        start = time.perf_counter()
        learner.fit(X, y)
        times.append(time.perf_counter() - start)
    return min(times)


def peak_memory() -> float:
    """The most memory that this process has used, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main() -> None:
    console = Console()
    before = peak_memory()
    stream = murata_suzuki(WIDE_ROWS, n_attributes=WIDE, n_nonzero=5, random_state=0)
    y = stream.labels()
    table = Table("learner", "us per example", "support found", "excess", title=f"d = {WIDE:,}, budget 200")
    for name, learner in WIDE_LEARNERS.items():
        start = time.perf_counter()
        learner.fit(stream.source, y)
        seconds = time.perf_counter() - start
        found = sum(learner.support_ < 5)
        excess = stream.excess(learner.coef_, learner.intercept_)
        table.add_row(name, f"{seconds / WIDE_ROWS * 1e6:.0f}", f"{found} of 5", f"{excess:.3f}")
    console.print(table)
    console.print(
        f"{WIDE_ROWS:,} examples: {WIDE_ROWS * WIDE * 4 / 1e9:.0f} GB as float32; the process grew from"
        f" {before:.0f} to {peak_memory():.0f} MB"
    )
    stream = murata_suzuki(ROWS, random_state=0)
    X, y = stream.table(), stream.labels()
    table = Table("learner", "seconds", title=f"A fit over {ROWS:,} x 500, budget 50")
    for name, learner in NARROW_LEARNERS.items():
        table.add_row(name, f"{best_time(learner, X, y):.2f}")
    console.print(table)


if __name__ == "__main__":
    main()
