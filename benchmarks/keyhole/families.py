"""Measures which family is selected on which data, and writes the table into docs/evidence.md.

python benchmarks/keyhole/families.py --seeds 10
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path

import numpy as np
from rich.progress import track
from sklearn.datasets import load_breast_cancer, load_diabetes

import keyhole as kh
from keyhole.moments.families.family import Role
from keyhole.moments.families.registry import families_with
from keyhole.moments.settings import MAX_ITERATIONS

sys.path.insert(0, str(Path(__file__).parent.parent))
from pages import EVIDENCE, split_data, write

FIRST = 10  # of the seeds; docs/evidence.md says which others were used for development
TEST = 5000
ALTERNATIVES = families_with(Role.ALTERNATIVE)


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
    kept, errors = Counter(), []
    for seed in track(range(FIRST, FIRST + seeds), name):
        X_train, y_train, X_test, y_test = split(seed)
        learner = kh.KeyholeRegressor(budget, random_state=seed).fit(X_train, y_train)
        solution, data = learner._solution(), learner._training()
        start = solution.start or solution
        every = [start, *(family.fit(data, MAX_ITERATIONS, start) for family in ALTERNATIVES), solution]
        errors.append([np.mean((X_test @ s.coef[0] + s.intercept[0] - y_test) ** 2) / y_test.var() for s in every])
        kept[solution.family.name] += 1
    shown = " | ".join(f"{error:.3f}" for error in np.mean(errors, axis=0))
    return f"| {name} | {shown} | {', '.join(f'{family} {n}' for family, n in kept.most_common())} |"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=10)
    given = parser.parse_args()
    names = " | ".join(family.name for family in ALTERNATIVES)
    lines = [
        f"| data, {given.seeds} seeds | start | {names} | KeyholeRegressor | selected |",
        "|---" * (4 + len(ALTERNATIVES)) + "|",
    ]
    lines += [measured(*how, given.seeds, name) for name, how in DATA.items()]
    print("\n".join(lines))
    write(EVIDENCE, {"families": "\n".join(lines)})
