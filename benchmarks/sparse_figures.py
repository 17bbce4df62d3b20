"""Measures the figures of docs/sparse.md and writes its tables and pictures: ``python benchmarks/sparse_figures.py``.

The comparison of Murata and Suzuki 2018 on their synthetic data, and on BlogFeedback in place of the CT set; defaults
only, beside the rivals at the same cost.
"""

from __future__ import annotations

import warnings
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from rich.progress import track

import keyhole as kh
from keyhole.datasets import blogfeedback, murata_suzuki

DOCS = Path(__file__).parent.parent / "docs"
SEEDS = range(5)
LEARNERS = {
    "Hybrid": kh.Hybrid,
    "Exploration": kh.Exploration,
    "DualAveraging": kh.DualAveraging,
    "Dantzig": kh.Dantzig,
}
VARIANTS = {"DualAveraging 2": (kh.DualAveraging, 2), "DualAveraging 3": (kh.DualAveraging, 3)}


def measured(make, X, y, stops, measure) -> list[float]:
    """A measure of a learner at so many examples each, in one stream."""
    learner, start, found = make, 0, []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for stop in stops:
            learner.partial_fit(X[start:stop], y[start:stop])
            found.append(measure(learner))
            start = stop
    return found


def learner_of(name: str, budget: int, sparsity: int, seed: int):
    if name in VARIANTS:
        kind, variant = VARIANTS[name]
        return kind(budget, sparsity, variant, random_state=seed)
    return LEARNERS[name](budget, sparsity, random_state=seed)


def synthetic() -> tuple[np.ndarray, dict[str, np.ndarray], dict[str, list[int]], dict[str, np.ndarray]]:
    """Excess at several points, and the support at the end, by learner and seed; excess of the rivals at the end."""
    stops = np.array([2, 5, 10, 15, 20, 30, 40, 50, 60, 70, 80, 90]) * 1000
    excess: dict[str, list] = {}
    right: dict[str, list[int]] = {}
    rivals: dict[str, list] = {}
    for seed in track(SEEDS, "synthetic"):
        stream = murata_suzuki(90_000, random_state=seed)
        X, y = stream.table(), stream.labels()
        for name in [*LEARNERS, *VARIANTS]:
            learner = learner_of(name, 50, 25, seed)
            rows = measured(learner, X, y, stops, lambda fit, stream=stream: stream.excess(fit.coef_, fit.intercept_))
            excess.setdefault(name, []).append(rows)
            right.setdefault(name, []).append(int(np.sum(learner.support_ < 25)))
        for name, rival in rivals_of(50, seed).items():
            rival.fit(X, y)
            rivals.setdefault(name, []).append(stream.excess(rival.coef_, rival.intercept_))
    return (
        stops,
        {name: np.array(rows) for name, rows in excess.items()},
        right,
        {name: np.array(rows) for name, rows in rivals.items()},
    )


def rivals_of(budget: int, seed: int) -> dict[str, object]:
    return {
        "complete rows": kh.rivals.CompleteRows(budget, random_state=seed),
        "screened panel": kh.rivals.ScreenedPanel(budget, random_state=seed),
    }


def blog() -> tuple[np.ndarray, dict[str, np.ndarray], dict[str, np.ndarray], float]:
    """Test squared error at several points by learner and seed, of the rivals at the end, and of the mean label."""
    posts = blogfeedback()

    def error(fit) -> float:
        return float(np.mean((fit.predict(posts.X_test) - posts.y_test) ** 2))

    stops = np.array([2000, 5000, 10_000, 15_000, 20_000, 30_000, 40_000, len(posts.y)])
    errors: dict[str, list] = {}
    rivals: dict[str, list] = {}
    for seed in track(SEEDS, "BlogFeedback"):
        order = np.random.default_rng(seed).permutation(len(posts.y))
        X, y = posts.X[order], posts.y[order]
        for name in [*LEARNERS, *VARIANTS]:
            errors.setdefault(name, []).append(measured(learner_of(name, 20, 10, seed), X, y, stops, error))
        for name, rival in rivals_of(20, seed).items():
            rivals.setdefault(name, []).append(error(rival.fit(X, y)))
    return (
        stops,
        {name: np.array(rows) for name, rows in errors.items()},
        {name: np.array(rows) for name, rows in rivals.items()},
        float(np.mean((posts.y_test - posts.y.mean()) ** 2)),
    )


def draw(path: Path, stops: np.ndarray, found: dict[str, np.ndarray], label: str, logarithmic: bool) -> None:
    """Mean over seeds with a band of two standard deviations, as in the paper."""
    figure, axes = plt.subplots(figsize=(6.4, 4.0), layout="constrained")
    for name in LEARNERS:
        rows = found[name]
        mean, spread = rows.mean(axis=0), 2 * rows.std(axis=0, ddof=1)
        low = np.maximum(mean - spread, 0.3 * mean) if logarithmic else mean - spread
        (line,) = axes.plot(stops, mean, marker="o", markersize=3, label=name)
        axes.fill_between(stops, low, mean + spread, color=line.get_color(), alpha=0.15, linewidth=0)
    if logarithmic:
        axes.set_yscale("log")
    else:
        axes.set_ylim(0.6, 1.3)
    axes.set_xlabel("examples")
    axes.set_ylabel(label)
    axes.grid(alpha=0.3)
    axes.legend(frameon=False)
    figure.savefig(path, dpi=110)
    plt.close(figure)


def mean_and_spread(values: np.ndarray, digits: int) -> str:
    return f"{values.mean():.{digits}f} ± {values.std(ddof=1):.{digits}f}"


def synthetic_table() -> str:
    stops, excess, right, rivals = synthetic()
    draw(DOCS / "sparse_synthetic.png", stops, excess, "test error less that of the true parameter", True)
    lines = [
        "| learner | excess at 40,000 | excess at 90,000 | of 25 attributes found, by seed | for a prediction |",
        "|---|---|---|---|---|",
    ]
    early = int(np.flatnonzero(stops == 40_000)[0])
    for name, rows in excess.items():
        found = ", ".join(map(str, right[name]))
        lines.append(
            f"| {name} | {mean_and_spread(rows[:, early], 4)} | {mean_and_spread(rows[:, -1], 4)} | {found} | 25 |"
        )
    for name, values in rivals.items():
        needs = 500 if name == "complete rows" else 50
        lines.append(f"| *{name}* | | {mean_and_spread(values, 4)} | | {needs} |")
    return "\n".join(lines)


def blog_table() -> str:
    stops, errors, rivals, of_the_mean = blog()
    draw(DOCS / "sparse_blogfeedback.png", stops, errors, "test squared error", False)
    lines = [
        "| learner | test error after 20,000 | after all 52,397 | largest of 5 seeds | for a prediction |",
        "|---|---|---|---|---|",
    ]
    early = int(np.flatnonzero(stops == 20_000)[0])
    for name, rows in errors.items():
        lines.append(
            f"| {name} | {mean_and_spread(rows[:, early], 3)} | {mean_and_spread(rows[:, -1], 3)}"
            f" | {rows[:, -1].max():.3f} | 10 |"
        )
    for name, values in rivals.items():
        needs = 280 if name == "complete rows" else 20
        lines.append(f"| *{name}* | | {mean_and_spread(values, 3)} | {values.max():.3f} | {needs} |")
    lines.append(f"| *the mean label* | | {of_the_mean:.3f} | | 0 |")
    return "\n".join(lines)


def write(page: Path, tables: dict[str, str]) -> None:
    """Put each table between its two markers."""
    text = page.read_text()
    for name, table in tables.items():
        start, stop = f"<!-- {name} -->", f"<!-- end of {name} -->"
        before, rest = text.split(start)
        text = f"{before}{start}\n{table}\n{stop}{rest.split(stop)[1]}"
    page.write_text(text)


if __name__ == "__main__":
    for name, table in (("blogfeedback", blog_table), ("synthetic", synthetic_table)):
        text = table()
        print(text, end="\n\n")
        write(DOCS / "sparse.md", {name: text})
