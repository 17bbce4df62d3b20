"""Measures predictors that need few attributes, and writes the tables into docs/evidence.md.

python benchmarks/keyhole/sparse.py                    # both tables
python benchmarks/keyhole/sparse.py sparse-generated --examples 8000 --seeds 10 11
python benchmarks/keyhole/sparse.py sparse-breast-cancer
"""

from __future__ import annotations

import argparse
import sys
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
FRESH = 20_000  # examples behind those that are learned from
FIRST = 200  # split of breast cancer; docs/evidence.md says which others were used for development


def generated_table(seeds: list[int], examples: list[int]) -> str:
    """Of mapped and of raw values, on one stream per seed, measured at each of the numbers of examples.

    The label has independent noise, so the excess is the mean squared difference between the prediction and the label
    without noise.
    """
    lines = [f"| values | examples | excess, median of {len(seeds)} seeds | worst | within {WITHIN} |"]
    lines.append("|---|---|---|---|---|")
    last = max(examples)
    for values in ("auto", "raw"):
        excess = np.empty((len(seeds), len(examples)))
        for row, seed in enumerate(track(seeds, f"generated, {values}")):
            stream = murata_suzuki(last + FRESH, random_state=seed)
            fresh, start = stream.table(last), 0
            learner = kh.KeyholeRegressor(50, sparsity=25, values=values, random_state=seed)
            for column, stop in enumerate(examples):
                learner.partial_fit(stream.table(start, stop), stream.labels(start, stop))
                excess[row, column] = np.mean((learner.predict(fresh) - fresh @ stream.coef) ** 2)
                start = stop
            print(values, seed, excess[row].round(4), flush=True)
        for stop, found in zip(examples, excess.T, strict=True):
            good = f"{np.sum(found <= WITHIN)} of {len(seeds)}"
            lines.append(f"| {values} | {stop:,} | {np.median(found):.4f} | {found.max():.4f} | {good} |")
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
