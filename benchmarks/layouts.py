"""Measures layouts: the same number of cells spread thin, as complete rows, or in between, and as one total.

    python benchmarks/layouts.py --jobs 16          measures what is missing
    python benchmarks/layouts.py --page             measures nothing; writes docs/layouts.md and its picture

Results are written as they come (.cache/layouts/results.jsonl), and what is there is not measured again, so that a run
can be interrupted at any time. Rows of the page for which there are no results stay as they are.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
import warnings
from pathlib import Path
from typing import Any

import numpy as np
from joblib import Parallel, delayed, parallel_config
from threadpoolctl import threadpool_limits

import keyhole as kh
from layouts.sets import FIRST_SPLIT, SETS, images
from pages import DOCS, FIGURES, with_kept_rows, write

RESULTS = Path(__file__).parent.parent / ".cache" / "layouts" / "results.jsonl"
TOTAL, COMMON, THIN = "total", "total, common units", "budget"
PAIRS = [(a, b) for a in range(10) for b in range(a + 1, 10)]
Key = tuple[str, int, Any]


def sizes(d: int, cells_per_row: int) -> list[int]:
    """Cells per example, from thin to complete."""
    root = round(np.sqrt(cells_per_row * d))
    some = {max(cells_per_row, 2), max(root // 2, cells_per_row), root, 2 * root, 4 * root, d}
    return sorted(size for size in some if size <= d)


def measured(name: str, split: int, size: int | str) -> dict[str, Any]:
    """The error relative to the mean label's, with a fixed size of examples (the first that it pays for) or a total."""
    with threadpool_limits(1), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if name.startswith("MNIST pair"):
            data, cells_per_row = images(*map(int, name[-3:].split("-")))(split), 4
        else:
            data, cells_per_row = SETS[name].load(split), SETS[name].cells_per_row
        total, begun = cells_per_row * len(data.y), time.perf_counter()
        if isinstance(size, int):
            n = min(total // size, len(data.y))
            learner = kh.KeyholeRegressor(size, random_state=split).fit(data.X[:n], data.y[:n])
        else:
            units = "common" if size == COMMON else "own"
            learner = kh.KeyholeRegressor(total=total, units=units, random_state=split).fit(data.X, data.y)
        predicted, seconds = learner.predict(data.X_test), time.perf_counter() - begun
        error = np.mean((predicted - data.y_test) ** 2) / np.mean((data.y.mean() - data.y_test) ** 2)
        found = {"set": name, "split": split, "size": size, "error": float(error), "seconds": round(seconds, 2)}
        if not isinstance(size, int):
            found["sizes"] = [step.per_example for step in learner.layout_.steps]
        if len(np.unique(data.y)) == 2:
            middle = data.y.min() + 0.5 * np.ptp(data.y)
            found["wrong"] = float(np.mean((predicted > middle) != (data.y_test > middle)))
        return found


def tasks(done: set[Key], only: list[str]) -> list[Key]:
    """What was not measured yet, the longest first."""
    wanted: list[Key] = []
    for name, one in SETS.items():
        d = one.load(FIRST_SPLIT).X.shape[1]
        for split in range(FIRST_SPLIT, FIRST_SPLIT + one.splits):
            more = [COMMON] if name.startswith("MNIST") and one.cells_per_row == 4 else []
            wanted += [(name, split, size) for size in [TOTAL, *more, *sizes(d, one.cells_per_row)]]
    wanted += [(f"MNIST pair {a}-{b}", FIRST_SPLIT, TOTAL) for a, b in PAIRS]
    chosen = [key for key in wanted if key not in done and any(part in key[0] for part in only or [""])]
    return sorted(chosen, key=lambda key: not key[0].startswith(("MNIST", "Kuk", "independent, equal")))


def read(path: Path) -> dict[Key, dict[str, Any]]:
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    records = [json.loads(line) for line in lines if line.endswith("}")]
    return {(one["set"], one["split"], one["size"]): one for one in records}


def run(path: Path, wanted: list[Key], jobs: int, minutes: float | None) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    end = time.monotonic() + 60 * (minutes or 1e6)
    calls = (delayed(measured)(*key) for key in wanted if time.monotonic() < end)
    with parallel_config(backend="loky", inner_max_num_threads=1), path.open("a", encoding="utf-8") as file:
        pool = Parallel(n_jobs=jobs, return_as="generator_unordered", pre_dispatch=jobs, batch_size=1)
        for number, found in enumerate(pool(calls), 1):
            file.write(json.dumps(found) + "\n")
            file.flush()
            print(f"{number} of {len(wanted)}: {found['set']}, {found['size']}: {found['error']:.3f}", file=sys.stderr)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--only", nargs="+", default=[], help="parts of the names of data sets")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--minutes", type=float, help="after so many no further task begins")
    parser.add_argument("--results", type=Path, default=RESULTS)
    parser.add_argument("--page", action="store_true")
    asked = parser.parse_args()
    results = read(asked.results)
    if not asked.page:
        run(asked.results, tasks(set(results), asked.only), asked.jobs, asked.minutes)
        results = read(asked.results)
    from layouts.tables import layouts_table, pairs_line, picture

    print(layouts_table(results), pairs_line(results), sep="\n\n")
    if asked.page:
        page = DOCS / "layouts.md"
        table = with_kept_rows(page, "layouts-table", layouts_table(results), list(SETS))
        picture(table, FIGURES / "layouts.png")
        lines = pairs_line(results)
        write(page, {"layouts-table": table, **({"layouts-pairs": lines} if lines else {})})


if __name__ == "__main__":
    main()
