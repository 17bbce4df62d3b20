"""Faces: predict the mean of one attribute's 24 judgments from judgments of the 33 others.

The protocol of Sabato and Kalai (2013): repeats are chosen from 2 judgments of each attribute on half of the
faces; these are then judged as often as was chosen, least squares is fitted, and the loss is measured on the other
half with the same repeats. The judgments are of the One Million Impressions data (Peterson et al. 2022).
``keyhole reproduce sabato-kalai-2013`` draws the paper's figures from the same splits.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from joblib import Parallel, delayed
from matplotlib.figure import Figure
from sklearn.linear_model import RidgeCV
from threadpoolctl import threadpool_limits

from keyhole.common.line_names import label_directly
from keyhole.datasets import FaceJudgments, face_judgments
from keyhole.experiments.sabato_kalai_2013.splits import Parts, chosen_repeats, face_parts, loss_of
from keyhole.judgments import plot_comparison
from keyhole.judgments.core.methods import METHODS

BUDGETS = (5, 10, 20, 40)
ALL = (*METHODS, "full, median", "ridge, spread", "ridge, 2 of each")


def run(splits: int, jobs: int = 2) -> np.ndarray:
    """Losses over the variance of the label (splits, attributes, methods, budgets)."""
    faces = face_judgments()
    return np.array(Parallel(n_jobs=jobs)(delayed(one_split)(faces, seed) for seed in range(splits)))


def one_split(faces: FaceJudgments, seed: int) -> np.ndarray:
    """The losses of one random half."""
    losses = np.empty((len(faces.attributes), len(ALL), len(BUDGETS)))
    with threadpool_limits(1):
        for at, label in enumerate(faces.attributes):
            rng = np.random.default_rng(seed)
            parts = face_parts(faces, label, len(faces.judgments) // 2, rng)
            for i, method in enumerate(METHODS):
                for j, repeats in enumerate(chosen_repeats(parts, method, BUDGETS)):
                    losses[at, i, j] = loss_of(parts, repeats)
                    if method == "full":
                        losses[at, ALL.index("full, median"), j] = loss_of(parts, repeats, "median")
            d = len(parts.seen.attributes)
            order = rng.permutation(d)  # which attributes get a judgment when there are not enough for all
            for j, budget in enumerate(BUDGETS):
                spread = np.full(d, budget // d)
                spread[order[: budget % d]] += 1
                losses[at, ALL.index("ridge, spread"), j] = ridge_loss(parts, spread)
                losses[at, ALL.index("ridge, 2 of each"), j] = ridge_loss(parts, np.full(d, 2))
    return losses


def ridge_loss(parts: Parts, repeats: np.ndarray) -> float:
    """Ridge regression, its penalty by leave-one-out, on the means of these repeats."""
    seen, unseen = (
        np.column_stack([table.values[:, a, :r].mean(axis=1) for a, r in enumerate(repeats) if r])
        for table in (parts.seen, parts.unseen)
    )
    mean, deviation = seen.mean(axis=0), seen.std(axis=0)
    model = RidgeCV(np.logspace(-2, 4, 25)).fit((seen - mean) / deviation, parts.y)
    return float(np.mean((model.predict((unseen - mean) / deviation) - parts.y_unseen) ** 2)) / parts.variance


def summary(losses: np.ndarray, names: list[str]) -> str:
    """The table of the documentation, and for how many labels Full is better at all budgets."""
    splits, means, errors = len(losses), *mean_and_error(losses.mean(axis=1))
    losses = losses.mean(axis=0)
    full, others = losses[:, 0], losses[:, [METHODS.index("averages"), METHODS.index("copies")]]
    better = full < others.min(axis=1)
    head = "| method | " + " | ".join(f"budget {b}" for b in BUDGETS) + " |\n|---|" + "---:|" * len(BUDGETS)
    rows = [
        f"| {name} | " + " | ".join(f"{x:.3f} ± {e:.3f}" for x, e in zip(means[i], errors[i], strict=True)) + " |"
        for i, name in enumerate(ALL)
    ]
    median_wins = (losses[:, ALL.index("full, median")] < full).sum(axis=0)
    worse = [name for name, good in zip(names, better.all(axis=1), strict=True) if not good]
    exceptions = ", ".join(worse) or "none"
    by_budget = ", ".join(map(str, better.sum(axis=0)))
    return f"""Test loss over the label's variance, mean over {len(names)} labels and {splits} random halves ± standard
error over halves:

{head}
{chr(10).join(rows)}

Full has a lower loss than both Averages and Copies at all four budgets for **{better.all(axis=1).sum()} of
{len(names)} labels** (at each of the budgets 5, 10, 20 and 40: {by_budget} labels); exceptions: {exceptions}.
At these budgets, the median in place of the mean has a lower loss for {", ".join(map(str, median_wins))} labels."""


def by_label(losses: np.ndarray, names: list[str]) -> str:
    """Full, Averages and Copies for each label."""
    losses, shown = losses.mean(axis=0), ("full", "averages", "copies")
    head = "| label | " + " | ".join(f"{m} {b}" for b in BUDGETS for m in shown) + " |"
    rows = [
        f"| {name} | "
        + " | ".join(f"{losses[i, METHODS.index(m), j]:.3f}" for j in range(len(BUDGETS)) for m in shown)
        + " |"
        for i, name in enumerate(names)
    ]
    return "\n".join([head, "|---|" + "---:|" * (3 * len(BUDGETS)), *rows])


def draw(losses: np.ndarray, path: Path) -> None:
    """Mean loss against budget of all methods, with standard errors over the splits."""
    means, errors = mean_and_error(losses.mean(axis=1))
    # In the figure, ridge on two judgments of each attribute is "ridge": variants of a name have one style.
    names = [name.removesuffix(", 2 of each") for name in ALL]
    lines, bars = dict(zip(names, means, strict=True)), dict(zip(names, errors, strict=True))
    title = f"Faces: mean over 34 labels, ± standard error over {len(losses)} halves (at most {errors.max():.4f})"
    figure = plot_comparison(lines, BUDGETS, title, bars)
    visible_bars(figure)
    label_directly(figure)
    figure.savefig(path)


def visible_bars(figure: Figure) -> None:
    """Small markers and wide caps, since some error bars are shorter than a marker."""
    for container in figure.axes[0].containers:
        line, caps, _ = container
        line.set_markersize(2.5)
        for cap in caps:
            cap.set_markersize(7)


def mean_and_error(losses: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Means over splits, the first axis, and their standard errors."""
    return losses.mean(axis=0), losses.std(axis=0, ddof=1) / np.sqrt(len(losses))
