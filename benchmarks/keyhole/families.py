"""Measures every family alone, their average and its weights, and writes the table into docs/evidence.md.

python benchmarks/keyhole/families.py --seeds 10
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import numpy as np
from rich.progress import track
from sklearn.datasets import load_breast_cancer, load_diabetes

import keyhole as kh
from keyhole.moments.families.family import Averageable
from keyhole.moments.families.registry import FAMILIES
from keyhole.moments.families.selection import others_than, select_start
from keyhole.moments.settings import MAX_ITERATIONS

sys.path.insert(0, str(Path(__file__).parent.parent))
from pages import EVIDENCE, mean_weights, split_data, with_error, write

FIRST = 10  # of the seeds; docs/evidence.md says which others were used for development
TEST = 5000
ALONE = [name for name, family in FAMILIES.items() if isinstance(family, Averageable)]


def factors(n: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """40 attributes and a label that share four factors."""
    h = rng.normal(size=(n, 4))
    X = h @ rng.normal(size=(4, 40)) + rng.normal(size=(n, 40))
    return X, h @ [1.0, -1.0, 0.5, 0.5] + 0.5 * rng.normal(size=n)


def few(n: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """60 attributes that share six factors; four of them make the label."""
    X = rng.normal(size=(n, 6)) @ rng.normal(size=(6, 60)) / 2 + rng.normal(size=(n, 60))
    return X, X[:, rng.permutation(60)[:4]] @ [1.0, -1.0, 1.0, -1.0] + 0.5 * rng.normal(size=n)


def chain(n: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """40 attributes, each correlated 0.8 with the one before, that all matter."""
    X = rng.normal(size=(n, 40))
    for j in range(1, 40):
        X[:, j] = 0.8 * X[:, j - 1] + 0.6 * X[:, j]
    return X, X @ rng.normal(size=40) + rng.normal(size=n)


def independent(n: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """60 attributes that have nothing in common; four of them make the label."""
    X = rng.normal(size=(n, 60))
    return X, X[:, rng.permutation(60)[:4]] @ [1.0, -1.0, 1.0, -1.0] + 0.5 * rng.normal(size=n)


def tabled(X: np.ndarray, y: np.ndarray):
    return lambda seed: split_data(X, y, seed)


def generated(make, n: int):
    def split(seed: int):
        X, y = make(n + TEST, np.random.default_rng([3, seed]))
        return X[TEST:], y[TEST:], X[:TEST], y[:TEST]

    return split


cancer, labels = load_breast_cancer(return_X_y=True)
DATA = {  # how a seed is split, and the budget
    "shared factors, 3,000 rows": (generated(factors, 3000), 4),
    "four of 60 correlated matter, 3,000 rows": (generated(few, 3000), 8),
    "four of 60 independent matter, 3,000 rows": (generated(independent, 3000), 8),
    "chain of 40, 3,000 rows": (generated(chain, 3000), 6),
    "chain of 40, 20,000 rows": (generated(chain, 20_000), 6),
    "diabetes": (tabled(*load_diabetes(return_X_y=True)), 4),
    "breast cancer": (tabled(cancer, 2.0 * labels - 1), 4),
}


def measured(split, budget: int, seeds: int, name: str) -> str:
    """Errors are shares of the variance of the test labels."""
    starts, averages, alone, fits = [], [], {family: [] for family in ALONE}, []
    for seed in track(range(FIRST, FIRST + seeds), name):
        X_train, y_train, X_test, y_test = split(seed)
        learner = kh.KeyholeRegressor(budget, random_state=seed).fit(X_train, y_train)
        fits.append(learner.candidates_)
        solution, data, source = learner._solution(), learner._training(), kh.ArraySource(X_test)
        start = solution.start or select_start(data, MAX_ITERATIONS)  # the mean label by itself has none
        for one in (start, *others_than(start, data)):
            error = np.mean((one.predictions(source) - y_test) ** 2) / y_test.var()
            if one is start:
                starts.append(error)
            if one.family.name in alone:
                alone[one.family.name].append(error)
        averages.append(np.mean((learner.predict(X_test) - y_test) ** 2) / y_test.var())
    difference = with_error(np.subtract(averages, starts), "+")
    cells = [f"{np.mean(starts):.3f}", *(shown(found, seeds) for found in alone.values())]
    return f"| {name} | {' | '.join(cells)} | {np.mean(averages):.3f} | {difference} | {mean_weights(fits)} |"


def shown(errors: list[float], seeds: int) -> str:
    """The mean error of a family, and of how many seeds it is where the family had no part in some."""
    part = "" if len(errors) == seeds else f" ({len(errors)})"
    return f"{np.mean(errors):.3f}{part}" if errors else ""


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=10)
    given = parser.parse_args()
    lines = [
        f"| data, {given.seeds} seeds | start | {' | '.join(ALONE)} | KeyholeRegressor | minus start, paired"
        " | mean weights |",
        "|---" * (5 + len(ALONE)) + "|",
    ]
    for name, how in DATA.items():
        lines.append(measured(*how, given.seeds, name))
        print(lines[-1], flush=True)
    write(EVIDENCE, {"families": "\n".join(lines)})
