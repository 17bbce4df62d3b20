"""Speed as ratios against peers, all in one run: ``python benchmarks/speed.py``.

1. Time per example at d = 100,000 over that at d = 1,000, budget 5, for each learner with a step of O(budget log d).
2. A pass of scikit-learn's SGDRegressor over a pass of AERR, at d = 100,000.
3. The first fit in a new process with compiled code cached, over the import.

Run it on one core of a quiet machine; the best of several passes counts.
"""

from __future__ import annotations

import os

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS"):
    os.environ.setdefault(name, "1")

import subprocess
import sys
import time

import numpy as np
from rich.console import Console
from rich.table import Table
from sklearn.linear_model import SGDRegressor

import keyhole as kh

BUDGET = 5
NARROW, WIDE, ROWS = 1_000, 100_000, 4_000
LEARNERS = {
    "AER": kh.AER(BUDGET, random_state=0),
    "AERR": kh.AERR(BUDGET, random_state=0),
    "AELR": kh.AELR(BUDGET, random_state=0),
    "DDAERR": kh.DDAERR(BUDGET, warmup=100, random_state=0),
    "DDAELR": kh.DDAELR(BUDGET, warmup=100, random_state=0),
}


def best_time(learner, X, y, passes: int = 7) -> float:
    """Seconds per example of going on learning, state set up and code compiled before."""
    learner.fit(X, y)
    times = []
    for _ in range(passes):
        start = time.perf_counter()
        learner._consume(kh.observe.as_source(X), y)
        times.append(time.perf_counter() - start)
    return min(times) / len(y)


def first_fit() -> tuple[float, float]:
    """Seconds of the import and of the first fit, in a new process."""
    code = (
        "import time; t0 = time.perf_counter(); import keyhole as kh, numpy as np; t1 = time.perf_counter();"
        "X = np.random.default_rng(0).random((200, 50)); y = X[:, 0];"
        "t2 = time.perf_counter(); kh.AERR(4, random_state=0).fit(X, y); t3 = time.perf_counter();"
        "print(t1 - t0, t3 - t2)"
    )
    runs = [subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True) for _ in range(4)]
    times = np.array([[float(number) for number in run.stdout.split()] for run in runs[1:]])
    return tuple(times.min(axis=0))


def main() -> None:
    rng = np.random.default_rng(0)
    console = Console()
    tables = {d: rng.random((ROWS, d), dtype=np.float32) for d in (NARROW, WIDE)}
    labels = rng.normal(size=ROWS)

    table = Table(
        "learner", f"d = {NARROW:,} (us)", f"d = {WIDE:,} (us)", "ratio", title=f"Time per example, budget {BUDGET}"
    )
    times = {}
    for name, learner in LEARNERS.items():
        narrow, wide = (best_time(learner, tables[d], labels) * 1e6 for d in (NARROW, WIDE))
        times[name] = wide
        table.add_row(name, f"{narrow:.2f}", f"{wide:.2f}", f"{wide / narrow:.2f}")
    console.print(table)

    rows = 200
    sgd = SGDRegressor(max_iter=1, tol=None, random_state=0)
    start = time.perf_counter()
    sgd.partial_fit(tables[WIDE][:rows], labels[:rows])
    sgd_time = (time.perf_counter() - start) / rows * 1e6
    start = time.perf_counter()
    for row in tables[WIDE][:rows]:
        row.sum()
    sum_time = (time.perf_counter() - start) / rows * 1e6
    console.print(
        f"d = {WIDE:,}: SGDRegressor {sgd_time:.0f} us per example, summing the row {sum_time:.0f} us,"
        f" AERR {times['AERR']:.2f} us: [bold]{sgd_time / times['AERR']:.0f} times faster[/bold] than SGDRegressor"
    )
    imported, fitted = first_fit()
    console.print(f"A new process: import {imported:.2f} s, first fit {fitted:.2f} s")


if __name__ == "__main__":
    main()
