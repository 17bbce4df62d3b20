"""Measures ridge from moments and false data warnings, for docs/evidence.md; draws a figure of docs/own_learner.md.

    python benchmarks/keyhole/explain.py from-moments
    python benchmarks/keyhole/explain.py false-alarms --tables 1000
    python benchmarks/keyhole/explain.py pictures

Without a name all three are made. docs/evidence.md says which splits and seeds were used for development.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure
from rich.progress import track
from sklearn.datasets import load_breast_cancer, load_diabetes
from sklearn.linear_model import RidgeCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import keyhole as kh
from keyhole.datasets import mnist_pair
from keyhole.moments.describe.data_warnings import related_to_label
from keyhole.observe.cells import Cells

sys.path.insert(0, str(Path(__file__).parent.parent))
from pages import EVIDENCE, FIGURES, split_data, write_named

SPLITS = range(10, 20)
IMAGES = 4000


def factors(n: int, d: int, noise: float, seed: int):
    """Five factors, and a label that follows all attributes; a further 2,000 rows to test on."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n + 2000, 5)) @ rng.normal(size=(5, d)) + rng.normal(size=(n + 2000, d))
    y = X @ rng.normal(size=d)
    y = y / y.std() + noise * rng.normal(size=len(y))
    return X[:n], y[:n], X[n:], y[n:]


def by_moments(X: np.ndarray, y: np.ndarray):
    X = X.astype(np.float64)
    sums = kh.moments_from_sums(X.T @ X, X.T @ y, y @ y, len(y), sum_X=X.sum(axis=0), sum_y=y.sum())
    return kh.fit_from_moments(**sums)


def moments_table() -> str:
    cancer, diabetes = load_breast_cancer(return_X_y=True), load_diabetes(return_X_y=True)
    digits = mnist_pair(3, 5)

    def few(seed):
        X, y, X_test, y_test = split_data(*cancer, seed)
        return X[:60], y[:60], X_test, y_test

    data = {
        "diabetes": (lambda s: split_data(*diabetes, s), SPLITS),
        "breast cancer": (lambda s: split_data(*cancer, s), SPLITS),
        "breast cancer, 60 patients": (few, SPLITS),
        "generated, 80 rows, 200 attributes": (lambda s: factors(80, 200, 1.0, s), SPLITS),
        "generated, 80 rows, 70 attributes": (lambda s: factors(80, 70, 1.0, s), SPLITS),
        "generated, 300 rows, 100 attributes, much noise": (lambda s: factors(300, 100, 3.0, s), SPLITS),
        "MNIST 3 vs 5": (lambda s: split_data(*digits, s), SPLITS[:2]),
    }
    lines = ["| data | splits | ratio to ridge with all rows | largest |", "|---|---|---|---|"]
    for name, (make, splits) in track(data.items(), "from moments"):
        ratios = []
        for split in splits:
            X, y, X_test, y_test = make(split)
            ridge = make_pipeline(StandardScaler(), RidgeCV(np.logspace(-3, 6, 28))).fit(X, y)
            errors = [np.mean((m.predict(X_test) - y_test) ** 2) for m in (by_moments(X, y), ridge)]
            ratios.append(errors[0] / errors[1])
        lines.append(f"| {name} | {len(ratios)} | {np.mean(ratios):.3f} | {max(ratios):.3f} |")
    return "\n".join(lines)


def cells_at(present: np.ndarray) -> Cells:
    cells = Cells()
    cells._places = np.array(np.nonzero(present))
    cells._values = np.zeros(cells._places.shape[1])
    cells._n_cells, cells.n_examples = len(cells._values), len(present)
    return cells


def alarms_table(tables: int) -> str:
    rng = np.random.default_rng(2025)
    labels = {
        "normal": lambda n: rng.normal(size=n),
        "log-normal, long tails": lambda n: np.exp(2.0 * rng.normal(size=n)),
        "two values, alike": lambda n: (rng.random(n) < 0.5) * 1.0,
        "two values, one in 20": lambda n: (rng.random(n) < 0.05) * 1.0,
    }
    rates = (0.1, 0.5, 0.9)
    lines = [
        f"| label, {tables} tables each | rows, attributes | {' | '.join(f'{rate:.0%} missing' for rate in rates)} |",
        "|---|---|" + "---|" * len(rates),
    ]
    for name, draw in track(labels.items(), "false alarms"):
        for n, d in ((60, 12), (400, 30), (300, 200)):
            found = []
            for rate in rates:
                alarms = 0
                for _ in range(tables):
                    y = draw(n)[:, None]
                    alarms += bool(related_to_label(cells_at(rng.random((n, d)) > rate), y, d))
                found.append(alarms / tables)
            lines.append(f"| {name} | {n}, {d} | {' | '.join(f'{share:.1%}' for share in found)} |")
    return "\n".join(lines)


def draw_pictures() -> None:
    X, y, X_test, y_test = split_data(*mnist_pair(3, 5), 10)
    learner = kh.KeyholeRegressor(4, random_state=0).fit(X[:IMAGES], y[:IMAGES])
    figure = Figure(figsize=(14, 4.4), layout="constrained", dpi=110)
    weights, reveals, risk = figure.subplots(1, 3)
    learner.plot_weights(weights, shape=(28, 28))
    bar = weights.images[0].colorbar.ax  # labels are -1 for a 3 and 1 for a 5
    bar.set_title("a 5", fontsize=11)
    bar.set_xlabel("a 3", fontsize=11)
    learner.plot_reveals(reveals, shape=(28, 28))
    learner.plot_risk(X_test, y_test, ax=risk)
    figure.savefig(FIGURES / "keyhole_pictures.png")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    makers = {
        "from-moments": moments_table,
        "false-alarms": lambda: alarms_table(given.tables),
        "pictures": draw_pictures,
    }
    parser.add_argument("names", nargs="*", metavar="name", help=f"of {', '.join(makers)}; all if none is given")
    parser.add_argument("--tables", type=int, default=300, help="drawn for each share of false alarms")
    given = parser.parse_args()
    write_named(EVIDENCE, makers, given.names, parser)
