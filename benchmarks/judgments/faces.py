"""Faces: predict the mean of one attribute's 24 judgments from judgments of the 33 others.

The protocol of Sabato and Kalai (2013): repeats are chosen from 2 judgments of each attribute on half of the
faces; these are then judged as often as chosen, least squares is fitted, and the loss measured on the other
half with the same repeats. The judgments are of the One Million Impressions data (Peterson et al. 2022).
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from joblib import Parallel, delayed
from sklearn.linear_model import RidgeCV
from threadpoolctl import threadpool_limits

from keyhole.judgments import Judgments, MultiSelector
from keyhole.judgments.measure import measured_loss, repeats_within, shuffled
from keyhole.judgments.plots import plot_comparison

BUDGETS = (5, 10, 20, 40)
METHODS = ("full", "scoring", "averages", "copies")
ALL = (*METHODS, "full, median", "ridge, spread", "ridge, 2 of each")


def load(folder: Path) -> tuple[np.ndarray, list[str]]:
    """Judgments (faces, attributes, judgments) and the names of the attributes."""
    with np.load(folder / "omi_judgments_a.npz") as data:
        return data["judgments"].astype(float), [str(name) for name in data["attributes"]]


def run(folder: Path, splits: int) -> np.ndarray:
    """Losses over the variance of the label (attributes, methods, budgets), averaged over splits."""
    judgments, names = load(folder)
    return np.mean(Parallel(n_jobs=2)(delayed(one_split)(judgments, names, s) for s in range(splits)), axis=0)


def one_split(judgments: np.ndarray, names: list[str], seed: int) -> np.ndarray:
    """The losses of one random half."""
    rng = np.random.default_rng(seed)
    faces, d, depth = judgments.shape
    mixed = shuffled(Judgments(judgments, [str(i) for i in range(faces)], names), rng).values
    order = rng.permutation(faces)
    train, test = order[: faces // 2], order[faces // 2 :]
    lucky = rng.permutation(d - 1)  # which attributes get a judgment when there are not enough for all
    losses = np.empty((d, len(ALL), len(BUDGETS)))
    with threadpool_limits(1):
        for label in range(d):
            y = judgments[:, label].mean(axis=1)
            others = [name for name in names if name != names[label]]
            table = Judgments(np.delete(mixed, label, axis=1), [str(i) for i in range(faces)], others)
            seen, unseen = table.keep_objects(train), table.keep_objects(test)

            def measure(repeats: np.ndarray, aggregate: str = "mean", y=y, seen=seen, unseen=unseen) -> float:
                return measured_loss(seen, y[train], unseen, y[test], repeats, aggregate)

            for i, method in enumerate(METHODS):
                # With unit costs, the choice for a smaller budget is the beginning of that for a larger one.
                selector = MultiSelector(max(BUDGETS), method, max_repeats=depth)
                selector.fit_arrays(seen.first(2), y[train])
                for j, budget in enumerate(BUDGETS):
                    repeats = repeats_within(selector, budget)
                    losses[label, i, j] = measure(repeats)
                    if method == "full":
                        losses[label, ALL.index("full, median"), j] = measure(repeats, "median")
            for j, budget in enumerate(BUDGETS):
                spread = np.full(d - 1, budget // (d - 1))
                spread[lucky[: budget % (d - 1)]] += 1
                two = np.full(d - 1, 2)
                for name, repeats in (("ridge, spread", spread), ("ridge, 2 of each", two)):
                    losses[label, ALL.index(name), j] = ridge_loss(table.values, y, train, test, repeats)
            losses[label] /= y.var()
    return losses


def ridge_loss(values: np.ndarray, y: np.ndarray, train: np.ndarray, test: np.ndarray, repeats: np.ndarray) -> float:
    """Ridge regression, its penalty by leave-one-out, on the means of these repeats."""
    x = np.column_stack([values[:, a, :r].mean(axis=1) for a, r in enumerate(repeats) if r])
    x = (x - x[train].mean(axis=0)) / x[train].std(axis=0)
    model = RidgeCV(np.logspace(-2, 4, 25)).fit(x[train], y[train])
    return float(np.mean((model.predict(x[test]) - y[test]) ** 2))


def summary(losses: np.ndarray, names: list[str], splits: int) -> str:
    """The table of the docs, and for how many labels Full is better at all budgets."""
    full, rivals = losses[:, 0], losses[:, [METHODS.index("averages"), METHODS.index("copies")]]
    better = full < rivals.min(axis=1)
    head = "| method | " + " | ".join(f"budget {b}" for b in BUDGETS) + " |\n|---|" + "---:|" * len(BUDGETS)
    rows = [
        f"| {name} | " + " | ".join(f"{x:.3f}" for x in losses[:, i].mean(axis=0)) + " |" for i, name in enumerate(ALL)
    ]
    median_wins = (losses[:, ALL.index("full, median")] < full).sum(axis=0)
    worse = [name for name, good in zip(names, better.all(axis=1), strict=True) if not good]
    left_over = ", ".join(worse) or "none"
    singly = ", ".join(map(str, better.sum(axis=0)))
    return f"""Test loss over the label's variance, mean over {len(names)} labels and {splits} random halves:

{head}
{chr(10).join(rows)}

Full has a lower loss than both Averages and Copies at all four budgets for **{better.all(axis=1).sum()} of
{len(names)} labels** (at budgets 5, 10, 20 and 40 taken singly: {singly}); left over: {left_over}.
The median in place of the mean is better for {", ".join(map(str, median_wins))} labels."""


def by_label(losses: np.ndarray, names: list[str]) -> str:
    """Full, Averages and Copies for each label."""
    shown = ("full", "averages", "copies")
    head = "| label | " + " | ".join(f"{m} {b}" for b in BUDGETS for m in shown) + " |"
    rows = [
        f"| {name} | "
        + " | ".join(f"{losses[i, METHODS.index(m), j]:.3f}" for j in range(len(BUDGETS)) for m in shown)
        + " |"
        for i, name in enumerate(names)
    ]
    return "\n".join([head, "|---|" + "---:|" * (3 * len(BUDGETS)), *rows])


def draw(losses: np.ndarray, path: Path) -> None:
    """Mean loss against budget of all methods."""
    lines = {name: losses[:, i].mean(axis=0) for i, name in enumerate(ALL)}
    plot_comparison(lines, BUDGETS, "Faces: mean over 34 labels").savefig(path)
