"""Measures the figures of docs/sparse.md and writes its tables and pictures: ``python benchmarks/sparse_figures.py``.

The comparison of Murata and Suzuki 2018 on their synthetic data, and on BlogFeedback in place of the CT set; defaults
only, beside the rivals at the same cost. It runs tasks of ``keyhole reproduce murata-suzuki-2018``, which also tunes.
Every ± is a standard error over seeds.
"""

from __future__ import annotations

from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from rich.progress import track

from keyhole.common.style import learner_style, tidy
from keyhole.datasets import blogfeedback
from keyhole.experiments.murata_suzuki_2018.stream_curves import (
    BLOG,
    RDA,
    RDA_2018,
    RDA_L1,
    SYNTHETIC,
    published_curve,
    reference_curve,
)
from keyhole.experiments.runner.paper import Rows
from keyhole.experiments.shared.rows import grouped
from pages import DOCS, FIGURES, with_error, write

SEEDS = range(5)
# By their names in the library; the first four are drawn.
LEARNERS = {
    "Hybrid": "Hybrid",
    "Exploration": "Exploration",
    RDA_2018: "DualAveraging",
    "Dantzig": "Dantzig",
    RDA: "DualAveraging 2",
    RDA_L1: "DualAveraging 3",
}
RIVALS = ("complete rows", "screened panel")
STOPS = {
    SYNTHETIC: [1000 * thousands for thousands in (2, 5, 10, 15, 20, 30, 40, 50, 60, 70, 80, 90)],
    BLOG: [2000, 5000, 10_000, 15_000, 20_000, 30_000, 40_000, 52_397],
}
BUDGETS = {SYNTHETIC: (50, 25), BLOG: (20, 10)}


def measured(data: str) -> Rows:
    """Errors of the learners along the stream and of the rivals at its end, for every seed."""
    stops, (budget, sparsity), rows = STOPS[data], BUDGETS[data], []
    for seed in track(SEEDS, data):
        for learner in LEARNERS:
            rows += published_curve(data, learner, [{}], budget, sparsity, stops, seed)
        for rival in RIVALS:
            rows += reference_curve(data, rival, budget, stops[-1], seed)
    return rows


def draw(path: Path, rows: Rows, measure: str, label: str) -> None:
    """Mean over seeds with a band of two standard deviations, as in the paper."""
    figure, axes = plt.subplots(figsize=(6.4, 4.0), layout="constrained")
    for name in list(LEARNERS)[:4]:
        found = grouped([row for row in rows if row["learner"] == name], measure, "examples")
        stops, values = [stop for (stop,) in found], np.array(list(found.values()))
        mean, spread = values.mean(axis=1), 2 * values.std(axis=1, ddof=1)
        low = np.maximum(mean - spread, 0.3 * mean) if measure == "excess" else mean - spread
        (line,) = axes.plot(stops, mean, **{**learner_style(name), "label": LEARNERS[name], "markersize": 3})
        axes.fill_between(stops, low, mean + spread, color=line.get_color(), alpha=0.15, linewidth=0)
    if measure == "excess":
        axes.set_yscale("log")
    else:
        axes.set_ylim(0.6, 1.3)
    tidy(axes, "examples", label)
    axes.legend(frameon=False)
    figure.savefig(path, dpi=110)
    plt.close(figure)


def synthetic_table() -> str:
    rows = measured(SYNTHETIC)
    draw(FIGURES / "sparse_synthetic.png", rows, "excess", "test error minus that of the true coefficients")
    excess = grouped(rows, "excess", "learner", "examples")
    found = grouped(rows, "of the true attributes", "learner", "examples")
    lines = [
        "| learner | excess at 40,000 | excess at 90,000 | of 25 attributes found, by seed | for a prediction |",
        "|---|---|---|---|---|",
    ]
    for name, shown in LEARNERS.items():
        right = ", ".join(f"{count:.0f}" for count in found[name, 90_000])
        early, late = (with_error(excess[name, examples], digits=4) for examples in (40_000, 90_000))
        lines.append(f"| {shown} | {early} | {late} | {right} | 25 |")
    for name, needs in zip(RIVALS, (500, 50), strict=True):
        lines.append(f"| *{name}* | | {with_error(excess[name, 90_000], digits=4)} | | {needs} |")
    return "\n".join(lines)


def blog_table() -> str:
    rows, posts = measured(BLOG), blogfeedback()
    draw(FIGURES / "sparse_blogfeedback.png", rows, "error", "test squared error")
    errors, end = grouped(rows, "error", "learner", "examples"), len(posts.y)
    lines = [
        "| learner | test error after 20,000 | after all 52,397 | largest of 5 seeds | for a prediction |",
        "|---|---|---|---|---|",
    ]
    for name, shown in LEARNERS.items():
        lines.append(
            f"| {shown} | {with_error(errors[name, 20_000])} | {with_error(errors[name, end])}"
            f" | {max(errors[name, end]):.3f} | 10 |"
        )
    for name, needs in zip(RIVALS, (280, 20), strict=True):
        last = errors[name, end]
        lines.append(f"| *{name}* | | {with_error(last)} | {max(last):.3f} | {needs} |")
    of_the_mean = np.mean((posts.y_test - posts.y.mean()) ** 2)
    lines.append(f"| *the mean label* | | {of_the_mean:.3f} | | 0 |")
    return "\n".join(lines)


if __name__ == "__main__":
    for name, table in (("blogfeedback", blog_table), ("synthetic", synthetic_table)):
        text = table()
        print(text, end="\n\n")
        write(DOCS / "sparse.md", {name: text})
