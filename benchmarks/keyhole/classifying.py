"""Measures KeyholeClassifier on MNIST beside complete rows, and writes its tables into docs/evidence.md.

``python benchmarks/keyhole/classifying.py`` measures both tables; a name measures one of them, and ``--splits`` says on
how many splits, from number 10 on (the table says which). Each row is written with the load of the machine, since times
mean little on a busy one.

    python benchmarks/keyhole/classifying.py classes-3-5 --splits 3
    python benchmarks/keyhole/classifying.py classes-ten --splits 1
"""

from __future__ import annotations

import argparse
import os
import resource
import sys
import time
from pathlib import Path

import numpy as np
from rich.progress import track
from sklearn.linear_model import LogisticRegressionCV, RidgeClassifierCV
from sklearn.metrics import log_loss
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import keyhole as kh
from keyhole.datasets import mnist_pair
from keyhole.datasets.files import find_file
from keyhole.datasets.mnist import WHAT

sys.path.insert(0, str(Path(__file__).parent.parent))
from pages import EVIDENCE, split_data, standard_error, write

FIRST = 10  # of the splits; docs/evidence.md says which others were used for development
HEAD = [
    "| learner | wrong classes | log loss | wrong from as many pixels as the budget | the same by error_at | seconds"
    " | seconds of processor | load |",
    "|---|---|---|---|---|---|---|---|",
]
RIVALS = {
    "complete rows, ridge": lambda: make_pipeline(StandardScaler(), RidgeClassifierCV(np.logspace(-3, 6, 28))),
    "complete rows, logistic": lambda: LogisticRegressionCV(
        Cs=10, cv=5, max_iter=2000, use_legacy_attributes=False, l1_ratios=(0,), scoring="neg_log_loss"
    ),
}


def ours(budget, split, X, y, X_test, y_test) -> list[float]:
    """Shares of wrong classes and log loss from all pixels; shares of wrong classes from as many pixels as the budget,
    on test rows and by error_at; times.

    The times are those of fitting and predicting; probabilities take fits without each fold."""
    begun, used = time.perf_counter(), time.process_time()
    learner = kh.KeyholeClassifier(budget, random_state=split).fit(X, y)
    wrong = np.mean(learner.predict(X_test) != y_test)
    times = [time.perf_counter() - begun, time.process_time() - used]
    proba = learner.predict_proba(X_test)
    # What the policy would show of a new example.
    holes = np.full(X_test.shape, np.nan)
    for row, pixels in zip(holes, X_test, strict=True):
        ask = learner.ask()
        row[ask.attributes] = pixels[ask.attributes]
        learner.forget(ask)
    wrong_from_few = np.mean(learner.predict(holes) != y_test)
    return [
        wrong,
        log_loss(y_test, proba),
        wrong_from_few,
        learner.error_at(budget).estimate,
        *times,
        os.getloadavg()[0],
    ]


def rival(name, budget, X, y, X_test, y_test) -> list[float]:
    """The same of a classifier on as many cells in whole rows."""
    begun, used = time.perf_counter(), time.process_time()
    rows = len(y) * budget // X.shape[1]
    model = RIVALS[name]().fit(X[:rows], y[:rows])
    wrong = np.mean(model.predict(X_test) != y_test)
    loss = log_loss(y_test, model.predict_proba(X_test)) if hasattr(model, "predict_proba") else np.nan
    times = [time.perf_counter() - begun, time.process_time() - used]
    return [wrong, loss, np.nan, np.nan, *times, os.getloadavg()[0]]


def line(name: str, found: np.ndarray) -> str:
    """A row of the table: means over splits, with a standard error of the first."""
    means = found.mean(axis=0)
    error = f" ± {standard_error(found[:, 0]):.1%}" if len(found) > 1 else ""
    shown = [
        f"{means[0]:.1%}{error}",
        f"{means[1]:.3f}",
        *(f"{m:.1%}" for m in means[2:4]),
        *(f"{m:.0f}" for m in means[4:]),
    ]
    return f"| {name} | " + " | ".join("" if cell.startswith("nan") else cell for cell in shown) + " |"


def table(budget: int, splits: range, data) -> str:
    lines = list(HEAD)
    for name in ("KeyholeClassifier", *RIVALS):
        found = []
        for split in track(splits, name):
            parts = data(split)
            found.append(ours(budget, split, *parts) if name not in RIVALS else rival(name, budget, *parts))
        lines.append(line(name, np.array(found)))
    numbers = f"{splits[0]} to {splits[-1]}" if len(splits) > 1 else f"{splits[0]} alone"
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    return "\n".join([*lines, "", f"Splits {numbers}; the whole process needed {most:.1f} GB at most."])


def three_or_five(split: int):
    X, y = mnist_pair(3, 5)
    return split_data(X, np.where(y > 0, "five", "three"), split)


def all_digits(split: int):
    """MNIST's own training images, in the order of the split, and its test images."""
    with np.load(find_file("mnist.npz", WHAT)) as stored:
        X, y = (stored["X"] / np.float32(255)).astype(np.float32), stored["y"].astype(np.int64)
    order = np.random.default_rng(split).permutation(60_000)
    return X[order], y[order], X[60_000:], y[60_000:]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    makers = {"classes-3-5": (4, three_or_five), "classes-ten": (8, all_digits)}
    parser.add_argument("tables", nargs="*", choices=[*makers, []], default=list(makers))
    parser.add_argument("--splits", type=int, default=3)
    given = parser.parse_args()
    for name in given.tables:
        budget, data = makers[name]
        found = table(budget, range(FIRST, FIRST + given.splits), data)
        print(found, end="\n\n")
        write(EVIDENCE, {name: found})
