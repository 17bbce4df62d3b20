"""Measures KeyholeRegressor beside the rivals and the published learners, and writes tables into docs/evidence.md.

``python benchmarks/keyhole_figures.py`` measures everything, and takes an hour or more on two cores; with names
of tables it measures only these, and ``--splits`` sets the number of splits of MNIST (the table says how many):

    python benchmarks/keyhole_figures.py breast-cancer generated
    python benchmarks/keyhole_figures.py mnist-57 --splits 3

Splits and seeds begin at FIRST; docs/evidence.md says which others were used for development.
"""

from __future__ import annotations

import argparse
import time

import numpy as np
from rich.progress import track
from sklearn.datasets import load_breast_cancer, load_diabetes
from sklearn.linear_model import RidgeCV
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import keyhole as kh
from keyhole.datasets import kukliansky_shamir, mnist_pair
from pages import EVIDENCE, mean_weights, split_data, with_error, write_named

BUDGETS = (2, 4, 16, 57)
FIRST = {"mnist": 10, "breast cancer": 200, "generated": 10}
# One radius each, of the grid in streaming_figures.py; not tuned to the budget.
PUBLISHED = {"AERR": lambda budget, seed: kh.AERR(budget, 0.3, random_state=seed)}
PUBLISHED |= {"DDAELR": lambda budget, seed: kh.DDAELR(budget, 4.0, random_state=seed)}
OURS = {"KeyholeRegressor": lambda budget, seed: kh.KeyholeRegressor(budget, random_state=seed)}
RIVALS = {
    "complete rows": lambda budget, seed: kh.rivals.CompleteRows(budget, random_state=seed),
    "complete rows, raw": lambda budget, seed: kh.rivals.CompleteRows(budget, scaling="none", random_state=seed),
    "screened panel": lambda budget, seed: kh.rivals.ScreenedPanel(budget, random_state=seed),
}
IMPUTATION = {"imputation, ridge": lambda budget, seed: kh.rivals.ImputeThenRidge(budget, random_state=seed)}


def full_ridge():
    """Ridge on every cell, its penalty by leave-one-out."""
    return make_pipeline(StandardScaler(), RidgeCV(np.logspace(-3, 6, 28)))


def error(learner, X_train, y_train, X_test, y_test) -> tuple[float, float, float]:
    """Test squared error, share of wrong signs, and seconds of processor, of all threads."""
    begun = time.process_time()
    predicted = learner.fit(X_train, y_train).predict(X_test)
    seconds = time.process_time() - begun
    return float(np.mean((predicted - y_test) ** 2)), float(np.mean(np.sign(predicted) != y_test)), seconds


def mnist_table(splits: int, budget: int) -> str:
    X, y = mnist_pair(3, 5)
    lines = [f"| budget {budget}, {splits} splits | squared error | wrong digits | seconds of processor |"]
    lines.append("|---|---|---|---|")
    for name, make in track((OURS | RIVALS | PUBLISHED).items(), f"MNIST, budget {budget}"):
        first = FIRST["mnist"]
        found = np.array([error(make(budget, s), *split_data(X, y, s)) for s in range(first, first + splits)])
        mark = "**" if name in OURS else ""
        wrong, seconds = found[:, 1].mean(), np.median(found[:, 2])
        lines.append(f"| {name} | {mark}{with_error(found[:, 0])}{mark} | {wrong:.1%} | {seconds:.1f} |")
    return "\n".join(lines)


def breast_cancer_table(splits: int = 100) -> str:
    X, y = load_breast_cancer(return_X_y=True)
    first = FIRST["breast cancer"]
    seeds = range(first, first + splits)
    data = [train_test_split(X, 2.0 * y - 1, test_size=114, random_state=s) for s in seeds]
    errors = {}
    learners = OURS | RIVALS | IMPUTATION | PUBLISHED | {"ridge on every cell": lambda budget, seed: full_ridge()}
    for name, make in track(learners.items(), "breast cancer"):
        found = [
            error(make(4, s), X_, y_, X_test, y_test)[0]
            for s, (X_, X_test, y_, y_test) in zip(seeds, data, strict=True)
        ]
        errors[name] = np.array(found)
    lines = [f"| learner | squared error, {splits} splits | KeyholeRegressor minus this, paired |", "|---|---|---|"]
    for name, found in errors.items():
        difference = errors["KeyholeRegressor"] - found
        paired = "" if name in OURS else with_error(difference, "+")
        lines.append(f"| {name} | {with_error(found)} | {paired} |")
    return "\n".join(lines)


def generated_table(seeds: int = 5) -> str:
    learners = OURS | {"complete rows": RIVALS["complete rows"]} | PUBLISHED
    lines = [
        f"| alpha, {seeds} seeds | " + " | ".join(learners) + " | mean weights |",
        "|---|" + "---|" * (len(learners) + 1),
    ]
    for alpha in track((0, -0.5, -1, -2), "generated"):
        errors, fits = {name: [] for name in learners}, []
        for seed in range(FIRST["generated"], FIRST["generated"] + seeds):
            data = kukliansky_shamir(22_000, alpha=alpha, random_state=seed)
            X, y = data.X, data.y
            for name, make in learners.items():
                learner = make(5, seed).fit(X[2000:], y[2000:])
                errors[name].append(np.mean((learner.predict(X[:2000]) - y[:2000]) ** 2) / np.mean(y[:2000] ** 2))
                fits += [learner.candidates_] if name in OURS else []
        cells = " | ".join(with_error(np.array(found)) for found in errors.values())
        lines.append(f"| {alpha:g} | {cells} | {mean_weights(fits)} |")
    return "\n".join(lines)


def every_cell_table() -> str:
    lines = ["| data | KeyholeRegressor, every cell | ridge, standardised | ridge, raw | ratio to the better |"]
    lines.append("|---|---|---|---|---|")
    cancer, labels = load_breast_cancer(return_X_y=True)
    tables = {"diabetes": load_diabetes(return_X_y=True), "breast cancer": (cancer, 2.0 * labels - 1)}
    raw = lambda: RidgeCV(np.logspace(-6, 9, 46))  # noqa: E731
    for name, (X, y) in (tables | {"MNIST 3 vs 5": mnist_pair(3, 5)}).items():
        splits = range(10, 20) if len(X) < 1000 else range(10, 11)
        learners = kh.KeyholeRegressor(), full_ridge(), raw()
        ours, standardised, plain = np.mean(
            [[error(learner, *split_data(X, y, s))[0] for learner in learners] for s in splits], axis=0
        )
        lines.append(
            f"| {name} | {ours:.4g} | {standardised:.4g} | {plain:.4g} | {ours / min(standardised, plain):.3f} |"
        )
    return "\n".join(lines)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    makers = {f"mnist-{budget}": lambda budget=budget: mnist_table(given.splits, budget) for budget in BUDGETS}
    makers |= {
        "breast-cancer": breast_cancer_table,
        "generated": generated_table,
        "every-cell": every_cell_table,
    }
    parser.add_argument("tables", nargs="*", metavar="table", help=f"of {', '.join(makers)}; all if none is named")
    parser.add_argument("--splits", type=int, default=10)
    given = parser.parse_args()
    write_named(EVIDENCE, makers, given.tables, parser)
