"""Measures predictors that need few attributes, and writes the tables into docs/evidence.md.

python benchmarks/keyhole/sparse.py                    # both tables
python benchmarks/keyhole/sparse.py sparse-generated --examples 8000 --seeds 10 11
python benchmarks/keyhole/sparse.py sparse-breast-cancer
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

import numpy as np
from rich.progress import track
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import train_test_split

import keyhole as kh
from keyhole.datasets import murata_suzuki

sys.path.insert(0, str(Path(__file__).parent.parent))
from pages import EVIDENCE, with_error, write_named

WITHIN = 0.01
FIRST = 200  # split of breast cancer; docs/evidence.md says which others were used for development


def generated_table(seeds: list[int], examples: list[int]) -> str:
    """One stream per seed, measured at each of the numbers of examples."""
    excess, seconds = np.empty((len(seeds), len(examples))), []
    for row, seed in enumerate(track(seeds, "generated")):
        stream = murata_suzuki(max(examples), random_state=seed)
        learner = kh.KeyholeRegressor(50, sparsity=25, random_state=seed)
        begun, start = time.perf_counter(), 0
        for column, stop in enumerate(examples):
            learner.partial_fit(stream.table(start, stop), stream.labels(start, stop))
            excess[row, column] = stream.excess(learner.coef_, learner.intercept_)
            start = stop
        seconds.append(time.perf_counter() - begun)
        print(seed, excess[row].round(4), f"{seconds[-1]:.0f} s", flush=True)
    lines = [f"| examples | excess, median of {len(seeds)} seeds | worst | within {WITHIN} |", "|---|---|---|---|"]
    for column, stop in enumerate(examples):
        found = excess[:, column]
        good = f"{np.sum(found <= WITHIN)} of {len(seeds)}"
        lines.append(f"| {stop:,} | {np.median(found):.4f} | {found.max():.4f} | {good} |")
    return "\n".join(lines)


def breast_cancer_table(splits: int = 100) -> str:
    X, y = load_breast_cancer(return_X_y=True)
    found = []
    for split in track(range(FIRST, FIRST + splits), "breast cancer"):
        X_train, X_test, y_train, y_test = train_test_split(X, 2.0 * y - 1, test_size=114, random_state=split)
        learners = (
            kh.KeyholeRegressor(4, sparsity=4, random_state=split),
            kh.rivals.ScreenedPanel(4, random_state=split),
        )
        found.append([np.mean((one.fit(X_train, y_train).predict(X_test) - y_test) ** 2) for one in learners])
    ours, panel = np.array(found).T
    return "\n".join(
        [
            f"| learner | squared error, {splits} splits | KeyholeRegressor minus this, paired |",
            "|---|---|---|",
            f"| KeyholeRegressor, sparsity 4 | {with_error(ours)} |  |",
            f"| screened panel | {with_error(panel)} | {with_error(ours - panel, '+')} |",
        ]
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "tables", nargs="*", metavar="table", help="sparse-generated, sparse-breast-cancer; both if none is named"
    )
    parser.add_argument("--seeds", type=int, nargs="+", default=list(range(10, 20)))
    parser.add_argument("--examples", type=int, nargs="+", default=[8000, 12_000])
    given = parser.parse_args()
    makers = {
        "sparse-breast-cancer": breast_cancer_table,
        "sparse-generated": lambda: generated_table(given.seeds, given.examples),
    }
    write_named(EVIDENCE, makers, given.tables, parser)
