"""Draws docs/figures/headline.png: error against attributes per example, on MNIST 3 against 5 and on breast cancer.

KeyholeRegressor beside complete rows, a screened panel and the best published learner, with lines for the mean label,
and for what every cell gives to ridge regression and to KeyholeRegressor, which maps values as well. The published
learners (`PUBLISHED`) are tuned by cross-validation on whole training rows, and the best of them is chosen by the same
errors: this uses cells that were not paid for, which is an advantage for them. Nothing else is tuned.

    python benchmarks/headline.py --jobs 16
    python benchmarks/headline.py --only "breast cancer" --splits 5 --jobs 2
    python benchmarks/headline.py --draw

Results are appended to .cache/headline/results.jsonl as they come, and what is there is not measured again; ``--draw``
measures nothing. Every ± is a standard error over splits.
"""

from __future__ import annotations

import argparse
import itertools
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from joblib import Parallel, delayed, parallel_config
from rich.progress import track
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import RidgeCV
from sklearn.model_selection import KFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import keyhole as kh
from keyhole.common.line_names import label_directly
from keyhole.common.one_thread import one_thread
from keyhole.common.style import curve, learner_style, tidy
from keyhole.datasets import mnist_pair
from keyhole.experiments.runner.provenance import SHORT, code_hash
from league.results import Record, append_results, read_results
from pages import FIGURES, split_data, standard_error, with_error

RESULTS = Path(__file__).parent.parent / ".cache" / "headline" / "results.jsonl"
OWN, BEST, RIDGE, MEAN = "KeyholeRegressor", "best published learner, tuned", "ridge", "mean label"
PENALTIES = np.logspace(-3, 6, 28)


class Data(NamedTuple):
    """A table with labels -1 and 1, its budgets, and the splits, whose first is not one of those for development."""

    load: Callable[[], tuple[np.ndarray, np.ndarray]]
    budgets: tuple[int, ...]
    first: int
    splits: int
    folds: int
    rows_scaling: str  # of complete rows: pixels share a unit, tests do not
    title: str
    regularisations: tuple[float, ...]  # of AER's grid
    l1_steps: tuple[float, ...]  # of the grids of AELR and DDAELR
    l2_steps: tuple[float, ...]  # of the grids of AERR and DDAERR


def breast_cancer() -> tuple[np.ndarray, np.ndarray]:
    X, y = load_breast_cancer(return_X_y=True)
    return X, 2.0 * y - 1


DATA = {
    "MNIST 3 vs 5": Data(
        load=lambda: mnist_pair(3, 5),
        budgets=(2, 4, 16, 57),
        first=10,
        splits=10,
        folds=3,
        rows_scaling="none",
        title="MNIST, 3 against 5: 12,109 images of 784 pixels",
        regularisations=(10.0, 50.0, 250.0),
        l1_steps=(2.5e-4, 1e-3),
        l2_steps=(2e-5, 1e-4),
    ),
    "breast cancer": Data(
        load=breast_cancer,
        budgets=(2, 4, 8, 15),
        first=200,
        splits=100,
        folds=5,
        rows_scaling="deviation",
        title="Breast cancer: 513 patients, 30 measurements",
        regularisations=(10.0, 50.0, 250.0, 1250.0),
        l1_steps=(2.5e-4, 1e-3, 4e-3, 1.6e-2),
        l2_steps=(2e-5, 1e-4, 5e-4, 2.5e-3),
    ),
}


def _grid(**axes: Any) -> list[dict[str, Any]]:
    return [dict(zip(axes, values, strict=True)) for values in itertools.product(*axes.values())]


L1, L2 = ("auto", 1.0, 2.0, 4.0, 8.0, 16.0), ("auto", 0.1, 0.2, 0.4, 0.8, 1.6)
PUBLISHED = ("AER", "Baseline", "AERR", "AELR", "DDAERR", "DDAELR")


def grid_of(method: str, data: Data) -> list[dict[str, Any]]:
    """The settings that a published learner is tuned over; None is its adaptive step or regularisation."""
    if method == "AER":
        return _grid(radius=L1, reg=(None, *data.regularisations))
    if method == "Baseline":
        return _grid(radius=("auto", 0.5, 1.0, 2.0, 4.0))
    ridge = method in ("AERR", "DDAERR")
    return _grid(radius=L2 if ridge else L1, step_size=(None, *(data.l2_steps if ridge else data.l1_steps)))


METHODS = (OWN, "complete rows", "screened panel", *PUBLISHED)
# What has no budget, and its name in the picture.
LIMITS = {RIDGE: "ridge, every cell", OWN: "KeyholeRegressor, every cell", MEAN: "mean label"}


def measured(name: str, method: str, budget: int | None, split: int) -> Record:
    """The test error of one method on one split; of a published learner also its settings and cross-validated error."""
    data = DATA[name]
    X, y, X_test, y_test = split_data(*data.load(), split)
    found: Record = {"table": name, "split": split, "budget": budget, "method": method, "code": code_hash()[:SHORT]}
    with one_thread(), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of few whole rows, and of pixels that are always 0
        if method in PUBLISHED:
            settings, error = tuned(method, data, budget or 0, X, y, split)
            found |= {"settings": settings, "cross-validated": error}
            model = _published(method, budget or 0, split, settings).fit(X, y)
        elif method == RIDGE:
            standard = make_pipeline(StandardScaler(), RidgeCV(PENALTIES)).fit(X, y)
            raw = RidgeCV(PENALTIES).fit(X, y)
            model = standard if standard[-1].best_score_ > raw.best_score_ else raw
        elif method == MEAN:
            return found | {"error": float(np.mean((y_test - y.mean()) ** 2))}
        else:
            made = {
                OWN: lambda: kh.KeyholeRegressor(budget, random_state=split),
                "complete rows": lambda: kh.rivals.CompleteRows(budget, scaling=data.rows_scaling, random_state=split),
                "screened panel": lambda: kh.rivals.ScreenedPanel(budget, random_state=split),
            }
            model = made[method]().fit(X, y)
        return found | {"error": float(np.mean((model.predict(X_test) - y_test) ** 2))}


def _published(method: str, budget: int, seed: int, settings: dict[str, Any]) -> Any:
    return getattr(kh, method)(budget, random_state=seed, **settings)


def tuned(
    method: str, data: Data, budget: int, X: np.ndarray, y: np.ndarray, seed: int
) -> tuple[dict[str, Any], float]:
    """The settings with the least cross-validated squared error on whole training rows, and that error."""
    grid = grid_of(method, data)
    errors = np.zeros(len(grid))
    for train, held_out in KFold(data.folds).split(X):
        for at, settings in enumerate(grid):
            model = _published(method, budget, seed, settings).fit(X[train], y[train])
            errors[at] += np.sum((model.predict(X[held_out]) - y[held_out]) ** 2) / len(y)
    return grid[int(errors.argmin())], float(errors.min())


def errors_of(results: dict[Any, Record], name: str, method: str, budget: int | None) -> np.ndarray:
    """Test errors over splits; of the best published learner, on each split that with the least error in training."""
    own = [r for (table, _, of, _), r in results.items() if (table, of) == (name, budget)]
    if method != BEST:
        return np.array([record["error"] for record in own if record["method"] == method])
    errors = []
    for split in sorted({record["split"] for record in own}):
        published = [r for r in own if r["split"] == split and r["method"] in PUBLISHED]
        if len(published) == len(PUBLISHED):
            errors.append(min(published, key=lambda record: record["cross-validated"])["error"])
    return np.array(errors)


def draw(results: dict[Any, Record], path: Path) -> None:
    """A panel for each data set, with names beside the lines."""
    shown = [name for name in DATA if any(table == name for table, *_ in results)]
    figure, panels = plt.subplots(1, len(shown), figsize=(6.4 * len(shown), 4.6), layout="constrained", squeeze=False)
    for axes, name in zip(panels[0], shown, strict=True):
        budgets = [b for b in DATA[name].budgets if len(errors_of(results, name, OWN, b))]
        splits = 0
        for method in (OWN, "complete rows", "screened panel", BEST):
            found = {budget: errors_of(results, name, method, budget) for budget in budgets}
            points = [(b, e.mean(), standard_error(e) if len(e) > 1 else 0.0) for b, e in found.items() if len(e)]
            splits = max([splits, *(len(e) for e in found.values())])
            if points:
                curve(axes, *zip(*points, strict=True), method)
        for method, words in LIMITS.items():
            errors = errors_of(results, name, method, None)
            if len(errors):
                style = learner_style(method) | {"label": words, "marker": "", "linestyle": ":"}
                axes.plot([budgets[0], budgets[-1]], [errors.mean()] * 2, linewidth=1.4, **style)
        axes.set_xscale("log")
        axes.set_xticks(budgets, [str(budget) for budget in budgets])
        axes.minorticks_off()
        axes.set_ylim(bottom=0)
        over = f"mean ± standard error of {splits} splits" if splits > 1 else "one split"
        words = f"{DATA[name].title}\n{over}"
        tidy(axes, "attributes revealed of each training example", "test squared error, labels -1 and 1", words)
    label_directly(figure, most=0)
    figure.savefig(path, dpi=130)


def table(results: dict[Any, Record]) -> str:
    """What the figure shows, as a table."""
    lines = [
        "| data | attributes per example | KeyholeRegressor | complete rows | screened panel | best published, tuned |"
    ]
    lines.append("|---|---|---|---|---|---|")
    for name, data in DATA.items():
        for budget in data.budgets:
            found = [errors_of(results, name, method, budget) for method in (OWN, *METHODS[1:3], BEST)]
            words = [with_error(e) if len(e) > 1 else f"{e[0]:.3f}" if len(e) else "" for e in found]
            lines.append(f"| {name} | {budget} | {' | '.join(words)} |")
        ends = {words: errors_of(results, name, method, None) for method, words in LIMITS.items()}
        lines += [f"| {name} | {words}: {e.mean():.3f} | | | | |" for words, e in ends.items() if len(e)]
    return "\n".join(lines)


def main(arguments: list[str] | None = None) -> None:
    """Measure what is missing, and draw."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", choices=DATA, help="one of the data sets")
    parser.add_argument("--splits", type=int, help="how many, instead of the usual number")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--draw", action="store_true", help="measure nothing")
    parser.add_argument("--results", type=Path, default=RESULTS)
    parser.add_argument("--picture", type=Path, default=FIGURES / "headline.png")
    given = parser.parse_args(arguments)
    done = read_results(given.results)
    tasks = []
    for name, data in DATA.items():
        if given.draw or given.only not in (None, name):
            continue
        for split in range(data.first, data.first + (given.splits or data.splits)):
            wanted = [(m, b) for b in reversed(data.budgets) for m in METHODS] + [(m, None) for m in LIMITS]
            tasks += [(name, m, b, split) for m, b in wanted if (name, split, b, m) not in done]
    if tasks:
        with parallel_config(backend="loky", inner_max_num_threads=1):
            pool = Parallel(n_jobs=given.jobs, return_as="generator_unordered", batch_size=1)
            for record in track(pool(delayed(measured)(*task) for task in tasks), "headline", total=len(tasks)):
                append_results(given.results, [record])
    results = read_results(given.results)
    codes = sorted({record["code"] for record in results.values()})
    print(table(results), f"measured by code {', '.join(codes)}", sep="\n\n")
    draw(results, given.picture)


if __name__ == "__main__":
    main()
