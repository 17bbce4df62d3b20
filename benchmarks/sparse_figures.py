"""Measures the figures of docs/sparse.md and writes its tables and pictures: ``python benchmarks/sparse_figures.py``.

The comparison of Murata and Suzuki 2018 on their synthetic data, and on BlogFeedback in place of the CT set; defaults
only, beside the rivals and KeyholeRegressor at the same cost. It runs tasks of ``murata-suzuki-2018``, which also
tunes. Every ± is a standard error over seeds. Results are kept in .cache/sparse/results.jsonl as they come, and what is
there is not measured again; ``--draw`` measures nothing.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from joblib import Parallel, delayed, parallel_config
from rich.progress import track

from keyhole.common.line_names import label_directly
from keyhole.common.one_thread import one_thread
from keyhole.common.style import learner_style, tidy
from keyhole.datasets import blogfeedback, murata_suzuki
from keyhole.experiments.murata_suzuki_2018.printed_rivals import RDA, RDA_2018
from keyhole.experiments.murata_suzuki_2018.stream_curves import (
    BLOG,
    RDA_L1,
    SYNTHETIC,
    published_curve,
    reference_curve,
)
from keyhole.experiments.runner.paper import Rows
from keyhole.experiments.shared.reference_lines import OWN
from keyhole.experiments.shared.rows import grouped
from pages import DOCS, FIGURES, with_error, write

RESULTS = Path(__file__).parent.parent / ".cache" / "sparse" / "results.jsonl"
SEEDS, OWN_SEEDS = 5, 2  # KeyholeRegressor takes minutes
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
FEW_STOPS = {SYNTHETIC: [5000, 20_000, 90_000], BLOG: [5000, 20_000, 52_397]}  # of the rivals and KeyholeRegressor
BUDGETS = {SYNTHETIC: (50, 25), BLOG: (20, 10)}
Task = tuple[str, str, int, int | None]  # data, learner, seed, and examples (None: along the whole stream)


def tasks_of(data: str, seeds: int) -> list[Task]:
    """Every task of a data set, slow ones first."""
    others = [(OWN, min(seeds, OWN_SEEDS)), *((rival, seeds) for rival in RIVALS)]
    tasks: list[Task] = [
        (data, name, seed, stop)
        for name, number in others
        for seed in range(number)
        for stop in reversed(FEW_STOPS[data])
    ]
    return tasks + [(data, learner, seed, None) for learner in LEARNERS for seed in range(seeds)]


def rows_of(data: str, learner: str, seed: int, stop: int | None) -> Rows:
    """Errors of a learner along the stream, or of one that is fitted to the first examples of it."""
    budget, sparsity = BUDGETS[data]
    with one_thread():
        if stop is None:
            return published_curve(data, learner, [{}], budget, sparsity, STOPS[data], seed)
        return reference_curve(data, learner, budget, stop, seed)


def known(path: Path) -> dict[Task, Rows]:
    """What was measured before; a last line that is broken is left out."""
    found: dict[Task, Rows] = {}
    for line in path.read_text().splitlines() if path.exists() else []:
        try:
            record = json.loads(line)
            data, learner, seed, stop = record["task"]
            found[data, learner, seed, stop] = record["rows"]
        except (ValueError, KeyError):
            print(f"a line of {path} is not a result and is left out: {line[:60]}")
    return found


def measure(path: Path, tasks: list[Task], jobs: int) -> None:
    """Run the tasks and append the rows of each when it ends."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with parallel_config(backend="loky", inner_max_num_threads=1):
        pool = Parallel(n_jobs=jobs, return_as="generator_unordered", batch_size=1)
        done = pool(delayed(_with_rows)(task) for task in tasks)
        for task, rows in track(done, "sparse learners", total=len(tasks)):
            with path.open("a") as file:
                file.write(json.dumps({"task": task, "rows": rows}) + "\n")


def _with_rows(task: Task) -> tuple[Task, Rows]:
    return task, rows_of(*task)


def draw(path: Path, rows: Rows, measure: str, label: str, of_mean: float) -> None:
    """Means over seeds with standard errors, names beside the lines, and the error of the mean label."""
    figure, axes = plt.subplots(figsize=(8.0, 4.6), layout="constrained")
    for name in (*list(LEARNERS)[:4], *RIVALS, OWN):
        found = grouped([row for row in rows if row["learner"] == name], measure, "examples")
        if not found:
            continue
        stops, values = [stop for (stop,) in sorted(found)], [found[key] for key in sorted(found)]
        mean = np.array([np.mean(of) for of in values])
        error = np.array([np.std(of, ddof=1) / np.sqrt(len(of)) if len(of) > 1 else 0.0 for of in values])
        low = np.maximum(mean - error, 0.3 * mean) if measure == "excess" else mean - error
        style = {**learner_style(name), "label": LEARNERS.get(name, name), "markersize": 9 if name == OWN else 4}
        (line,) = axes.plot(stops, mean, **style)
        axes.fill_between(stops, low, mean + error, color=line.get_color(), alpha=0.2, linewidth=0)
    style = learner_style("mean label") | {"marker": ""}
    axes.plot(axes.get_xlim(), [of_mean] * 2, **style)
    if measure == "excess":
        axes.set_yscale("log")
    else:
        axes.set_ylim(0.4, 1.3)
    axes.xaxis.set_major_formatter("{x:,.0f}")
    tidy(axes, "examples", label)
    label_directly(figure, most=0)
    figure.savefig(path, dpi=110)
    plt.close(figure)


def synthetic_table(rows: Rows, figures: Path) -> str:
    of_mean = float(
        np.count_nonzero(murata_suzuki(10, random_state=0).coef)
    )  # coefficients of 1 and -1, variances of 1
    draw(figures / "sparse_synthetic.png", rows, "excess", "test error minus that of the true coefficients", of_mean)
    excess = grouped(rows, "excess", "learner", "examples")
    found = grouped(rows, "of the true attributes", "learner", "examples")
    lines = [
        "| learner | excess at 40,000 | excess at 90,000 | of 25 attributes found, by seed | for a prediction |",
        "|---|---|---|---|---|",
    ]
    for name, shown in LEARNERS.items():
        right = ", ".join(f"{count:.0f}" for count in found[name, 90_000])
        early, late = (_cell(excess[name, examples], digits=4) for examples in (40_000, 90_000))
        lines.append(f"| {shown} | {early} | {late} | {right} | 25 |")
    for name, needs in zip((*RIVALS, OWN), (500, 50, 500), strict=True):
        if (name, 90_000) in excess:
            lines.append(f"| *{name}* | | {_cell(excess[name, 90_000], digits=4)} | | {needs} |")
    return "\n".join(lines)


def blog_table(rows: Rows, figures: Path) -> str:
    posts = blogfeedback()
    of_mean, end = float(np.mean((posts.y_test - posts.y.mean()) ** 2)), len(posts.y)
    draw(figures / "sparse_blogfeedback.png", rows, "error", "test squared error", of_mean)
    errors = grouped(rows, "error", "learner", "examples")
    lines = [
        "| learner | test error after 20,000 | after all 52,397 | largest of the seeds | for a prediction |",
        "|---|---|---|---|---|",
    ]
    needs = {**dict.fromkeys(LEARNERS, 10), "complete rows": 280, "screened panel": 20, OWN: 280}
    for name, attributes in needs.items():
        shown = LEARNERS.get(name, f"*{name}*")
        if (name, end) in errors:
            early, late = (_cell(errors[name, stop]) for stop in (20_000, end))
            lines.append(f"| {shown} | {early} | {late} | {max(errors[name, end]):.3f} | {attributes} |")
    lines.append(f"| *the mean label* | | {of_mean:.3f} | | 0 |")
    return "\n".join(lines)


def _cell(values: list[float], digits: int = 3) -> str:
    """Mean and standard error over seeds, and their number where it is not the usual one."""
    if len(values) == 1:
        return f"{values[0]:.{digits}f} (one seed)"
    return with_error(values, digits=digits) + ("" if len(values) == SEEDS else f" ({len(values)} seeds)")


def main(arguments: list[str] | None = None) -> None:
    """Measure what is missing, draw, and write the tables."""
    makers: dict[str, tuple[str, Callable[..., str]]] = {
        "blogfeedback": (BLOG, blog_table),
        "synthetic": (SYNTHETIC, synthetic_table),
    }
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", choices=makers)
    parser.add_argument("--seeds", type=int, default=SEEDS)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--draw", action="store_true", help="measure nothing")
    parser.add_argument("--results", type=Path, default=RESULTS)
    parser.add_argument("--figures", type=Path, default=FIGURES)
    parser.add_argument("--page", type=Path, default=DOCS / "sparse.md")
    given = parser.parse_args(arguments)
    for name, (data, table) in makers.items():
        if given.only not in (None, name):
            continue
        done = known(given.results)
        missing = [task for task in tasks_of(data, given.seeds) if task not in done]
        if missing and not given.draw:
            measure(given.results, missing, given.jobs)
            done = known(given.results)
        rows: Any = [row for task in tasks_of(data, given.seeds) for row in done.get(task, [])]
        text = table(rows, given.figures)
        print(text, end="\n\n")
        write(given.page, {name: text})


if __name__ == "__main__":
    main()
