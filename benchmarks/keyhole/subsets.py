"""Measures prediction from subsets, and writes its tables and picture into docs/evidence.md.

``python benchmarks/keyhole/subsets.py`` measures everything; with names of data sets only these, and what was measured
of the others before is read from .cache. ``--splits`` sets how many splits.

    python benchmarks/keyhole/subsets.py diabetes "breast cancer"
    python benchmarks/keyhole/subsets.py "MNIST 3 vs 5, budget 4" --splits 2
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import joblib
import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_breast_cancer, load_diabetes

import keyhole as kh
from keyhole.common.style import CYCLE, GREY, PALE, learner_colour, plain_log, tidy
from keyhole.datasets import mnist_pair

sys.path.insert(0, str(Path(__file__).parent.parent))
from pages import DOCS, EVIDENCE, FIGURES, split_data, write

FIRST = 10  # of the splits and seeds; docs/evidence.md says which others were used for development
BOUGHT = np.arange(5, 51)
GAUSSIAN = 1.6449
SIZES_HEAD = [
    "| data | splits | 1 attribute | 4 | half | all | largest | 90% intervals cover | 1.645 std cover |",
    "|---|---|---|---|---|---|---|---|---|",
]
ORDERS = ("next_attributes", "coefficient", "random")
BUYING_HEAD = [
    "| data | bought | next_attributes | by coefficient | random | by coefficient minus next_attributes |",
    "|---|---|---|---|---|---|",
]
RISK_HEAD = ["| data | attributes | risk_at | test rows |", "|---|---|---|---|"]


def shared_factors(seed: int) -> tuple[np.ndarray, np.ndarray]:
    """40 attributes that share 4 factors."""
    rng = np.random.default_rng([1, seed])
    h = rng.normal(size=(3000, 4))
    X = h @ rng.normal(size=(4, 40)) + rng.normal(size=(3000, 40))
    return X, h @ np.array([1.0, -1.0, 0.5, 0.5]) + 0.5 * rng.normal(size=3000)


def independent(seed: int) -> tuple[np.ndarray, np.ndarray]:
    """40 attributes that have nothing in common, with a heavy tail each."""
    rng = np.random.default_rng([2, seed])
    X = rng.standard_t(5, size=(3000, 40))
    return X, X @ rng.normal(size=40) + rng.normal(size=3000)


def breast_cancer(seed: int) -> tuple[np.ndarray, np.ndarray]:
    X, y = load_breast_cancer(return_X_y=True)
    return X, 2.0 * y - 1


# How each is made from a seed, the budget, and the number of splits.
DATA = {
    "shared factors": (shared_factors, 4, 5),
    "independent": (independent, 4, 5),
    "diabetes": (lambda seed: load_diabetes(return_X_y=True), 4, 20),
    "breast cancer": (breast_cancer, 4, 20),
    "MNIST 3 vs 5, budget 4": (lambda seed: mnist_pair(3, 5), 4, 3),
    "MNIST 3 vs 5, budget 16": (lambda seed: mnist_pair(3, 5), 16, 3),
}


def kept(name: str) -> Path:
    """Where the measurements of a data set are kept."""
    folder = DOCS.parent / ".cache" / "subsets"
    folder.mkdir(parents=True, exist_ok=True)
    return folder / f"{name}.joblib"


def sizes_of(d: int) -> list[int]:
    """Every number of attributes, or powers of two and all."""
    return list(range(1, d + 1)) if d <= 40 else [*(2**i for i in range(10) if 2**i < d), d]


def with_holes(X: np.ndarray, size: int, seed: int) -> np.ndarray:
    """Each row with so many of its attributes, drawn at random."""
    rng = np.random.default_rng([size, seed])
    drawn = np.argsort(rng.random(X.shape), axis=1)[:, :size]
    holes = np.full(X.shape, np.nan)
    np.put_along_axis(holes, drawn, np.take_along_axis(X.astype(np.float64), drawn, axis=1), axis=1)
    return holes


def by_size(learner, X, y, mean: float, seed: int) -> np.ndarray:
    """For each size and test row: squared error, that of the mean, and whether two intervals cover the label."""
    found = []
    for size in sizes_of(X.shape[1]):
        holes = with_holes(X, size, seed)
        predicted, std = learner.predict(holes, return_std=True)
        low, high = learner.predict_interval(holes).T
        gaussian = np.abs(y - predicted) <= GAUSSIAN * std
        found.append([(y - predicted) ** 2, (y - mean) ** 2, (low <= y) & (y <= high), gaussian])
    return np.array(found, dtype=np.float64)


def by_policy(learner, X, y, n_attributes: int, seed: int) -> float:
    """The error of test rows from so many attributes, drawn as those of a training row at random were."""
    rng, cells = np.random.default_rng(seed), learner.cells_
    holes = np.full(X.shape, np.nan)
    for t, row in enumerate(rng.integers(cells.n_examples, size=len(X))):
        revealed = cells.attributes[slice(*np.searchsorted(cells.rows, [row, row + 1]))]
        drawn = rng.permutation(revealed)[:n_attributes]
        holes[t, drawn] = X[t, drawn]
    return float(np.mean((learner.predict(holes) - y) ** 2))


def buying(learner, X, y, seed: int) -> dict[str, np.ndarray]:
    """Test error after each number of purchases, by three orders."""
    d, most = X.shape[1], int(BOUGHT[-1])
    path = learner.predict_path(X, most)
    errors = {"next_attributes": np.mean((path.predictions - y[:, None]) ** 2, axis=0)}
    orders = {
        "coefficient": np.argsort(-np.abs(learner.coef_) * learner._solution().scales.scale),
        "random": np.random.default_rng(seed).permutation(d),
    }
    for name, order in orders.items():
        holes, found = np.full(X.shape, np.nan), [np.mean((y - learner.cells_.labels.mean()) ** 2)]
        for i in order[:most]:
            holes[:, i] = X[:, i]
            found.append(np.mean((learner.predict(holes) - y) ** 2))
        errors[name] = np.array(found)
    return errors


def measure(name: str, splits: int | None) -> dict:
    """Everything about one data set, over splits."""
    make, budget, usual = DATA[name]
    splits = splits or usual
    sizes, covered, risks, paths = [], [], [], []
    for split in range(FIRST, FIRST + splits):
        X, y = make(split)
        X_train, y_train, X_test, y_test = split_data(X, y, split)
        learner = kh.KeyholeRegressor(budget, random_state=split).fit(X_train, y_train)
        covered.append(by_size(learner, X_test, y_test, y_train.mean(), split))
        for b in sorted({1, budget // 2, budget}):
            risk = learner.risk_at(b)
            risks.append((b, risk.estimate, risk.standard_error, by_policy(learner, X_test, y_test, b, split)))
        if name.startswith("MNIST"):
            paths.append(buying(learner, X_test, y_test, split))
        sizes = sizes_of(X.shape[1])
        print(f"{name}, split {split}: {learner.family_}", flush=True)
    return {"sizes": sizes, "rows": np.concatenate(covered, axis=2), "splits": splits, "risks": risks, "paths": paths}


def size_row(name: str, found: dict) -> str:
    squares, of_mean, covered, gaussian = found["rows"].mean(axis=2).T
    ratio, sizes = squares / of_mean, found["sizes"]
    d = sizes[-1]
    shown = " | ".join(f"{ratio[np.searchsorted(sizes, size)]:.3f}" for size in (1, 4, d // 2, d))
    return (
        f"| {name} | {found['splits']} | {shown} | {ratio.max():.3f} | {covered.min():.0%} to {covered.max():.0%}"
        f" | {gaussian.min():.0%} to {gaussian.max():.0%} |"
    )


def risk_rows(name: str, found: dict) -> list[str]:
    name = f"{name}, {found['splits']} splits"
    numbers, lines = np.array(found["risks"]), []
    for b in np.unique(numbers[:, 0]):
        _, estimate, error, truth = numbers[numbers[:, 0] == b].mean(axis=0)
        lines.append(f"| {name} | {b:.0f} | {estimate:.4g} ± {float(f'{error:.2g}'):g} | {truth:.4g} |")
    return lines


def buying_rows(name: str, found: dict) -> list[str]:
    name = f"{name}, {found['splits']} splits"
    curves = {order: np.array([path[order] for path in found["paths"]]) for order in found["paths"][0]}
    lines = []
    gain = curves["coefficient"] - curves["next_attributes"]
    for b in (1, 2, 5, 10, 20, 30, 40, 50):
        shown = " | ".join(f"{curves[order][:, b].mean():.3f}" for order in ORDERS)
        lines.append(f"| {name} | {b} | {shown} | {gain[:, b].mean():+.3f} |")
    least = gain[:, BOUGHT].mean(axis=0)
    at = f"smallest difference of 5 to 50: at {BOUGHT[np.argmin(least)]}"
    lines.append(f"| {name} | {at} | | | | {least.min():+.3f} |")
    return lines


def picture(measured: dict[str, dict]) -> None:
    """Error against prediction budget, and coverage against the number of attributes."""
    figure, (left, right) = plt.subplots(1, 2, figsize=(11, 5.2), layout="constrained")
    for name, style in zip((n for n in measured if measured[n]["paths"]), ("-", "--"), strict=False):
        paths = measured[name]["paths"]
        for order, colour in zip(ORDERS, (learner_colour("KeyholeRegressor"), CYCLE[0], GREY), strict=True):
            found = np.array([path[order] for path in paths])
            curve, x = found.mean(axis=0), np.arange(found.shape[1])
            order = order.replace("coefficient", "|coefficient| x std")
            left.plot(curve, style, color=colour, label=f"{order}, {name[14:]}")
            if len(found) > 1:
                error = found.std(axis=0, ddof=1) / np.sqrt(len(found))
                left.fill_between(x, curve - error, curve + error, color=colour, alpha=0.2, lw=0)
    left.axhline(1.0, color=PALE, lw=1.2, zorder=0)
    left.annotate("mean label", (1.0, 1.0), (-4, 3), ("axes fraction", "data"), "offset points", color=GREY, ha="right")
    left.set_ylim(bottom=0)
    tidy(left, "attributes bought for a prediction", "test squared error ± standard error", "MNIST 3 against 5")
    right.axhspan(0.85, 0.95, color="0.93", lw=0)
    right.axhline(0.9, color="black", lw=1.2)
    right.annotate("90%", (1.0, 0.9), (4, 0), ("axes fraction", "data"), "offset points", va="center")
    for (name, found), colour in zip(measured.items(), CYCLE, strict=False):
        covered = found["rows"][:, 2].mean(axis=1)
        right.plot(found["sizes"], covered, "o-", ms=3, color=colour, label=name)
    right.set(xscale="log", ylim=(0.8, 1.0), yticks=(0.8, 0.85, 0.9, 0.95, 1.0))
    right.yaxis.set_major_formatter("{x:.0%}")
    plain_log(right.xaxis)
    title = "90% intervals of predictions from a subset"
    tidy(right, "attributes known, drawn at random", "share of labels covered", title)
    for axes in (left, right):
        axes.legend(fontsize=8, frameon=False, ncols=2, loc="upper center", bbox_to_anchor=(0.5, -0.13))
    figure.savefig(FIGURES / "keyhole_subsets.png", dpi=110)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", nargs="*", help=f"of {'; '.join(DATA)}")
    parser.add_argument("--splits", type=int, help="how many, instead of the usual number")
    given = parser.parse_args()
    unknown = set(given.data) - set(DATA)
    if unknown:
        parser.error(f"no data set is called {', '.join(sorted(unknown))}; there are {'; '.join(DATA)}")
    for name in given.data or DATA:
        joblib.dump(measure(name, given.splits), kept(name))
    measured = {name: joblib.load(kept(name)) for name in DATA if kept(name).exists()}
    mnist = [name for name in measured if measured[name]["paths"]]
    tables = {
        "subsets": SIZES_HEAD + [size_row(name, found) for name, found in measured.items()],
        "buying": BUYING_HEAD + [line for name in mnist for line in buying_rows(name, measured[name])],
        "risk-at": RISK_HEAD + [line for name, found in measured.items() for line in risk_rows(name, found)],
    }
    for lines in tables.values():
        print("\n".join(lines), end="\n\n")
    write(EVIDENCE, {name: "\n".join(lines) for name, lines in tables.items()})
    picture(measured)
