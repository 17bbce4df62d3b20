"""Does the Lasso with every cell depend on how it is solved? The settings that the papers do not give, one by one.

Offline, Kukliansky and Shamir have it best of all: here with several tolerances, numbers of penalties, and with and
without an intercept. Online, Hazan and Koren have its error almost ten times that of AELR: here it is
stochastic gradient descent with a penalty, which is not the online Lasso of Figures 2 and 4, with every step, until
it diverges. All have as many cells as AELR and DDAELR, which see ``budget`` of each example.
"""

from __future__ import annotations

import itertools
import warnings
from functools import partial
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from ...common.style import learner_colour, legend_below, tidy
from ...datasets import kukliansky_shamir
from ..runner.kinds import OWN_QUESTION
from ..runner.paper import Claim, Experiment, Rows, Size, Task
from ..shared.protocol import random_split
from ..shared.rows import each_setting, grouped, mean_and_error, repeats_in_words
from .comparison import Problem
from .evidence import Difference
from .setting import DATA, LARGEST, D, compared

MNIST, SIMULATED, EXAMPLES = "mnist", "alpha ", 10_000
TOLERANCES, PENALTIES, INTERCEPTS = (1e-2, 1e-6), (30, 100), (True, False)
SHARES = np.geomspace(1e-2, 10.0, 31)  # steps of the online Lasso, in units of one over the mean of |x|^2
L1 = 1e-4  # its penalty; a larger one only adds to the error of short steps
DIVERGED = 100.0  # times the loss of zero weights
PUBLISHED = ("AELR", "DDAELR")


def relative_error(X: np.ndarray, y: np.ndarray, w: np.ndarray, b: float) -> float:
    """The squared error relative to that of zero weights."""
    return float(np.mean((X @ w + b - y) ** 2) / np.mean(y**2))


def problem_of(data: str, seed: int, repeat: int) -> Problem:
    """The largest problem of Figure 4 (MNIST), or of Figure 2 for one decay."""
    if data == MNIST:
        split = random_split(*DATA[MNIST](), seed, repeat)
        X, y = split.X[: LARGEST[MNIST]], split.y[: LARGEST[MNIST]]
        moments = np.mean(split.X.astype(np.float64) ** 2, axis=0) + 1e-6
        return Problem(X, y, moments, partial(relative_error, split.X_test, split.y_test))
    stream = kukliansky_shamir(EXAMPLES, D, float(data.removeprefix(SIMULATED)), "lasso", random_state=repeat)
    nothing = stream.excess(np.zeros(D))
    return Problem(stream.X, stream.y, stream.moments, lambda w, b: stream.excess(w, b) / nothing)


def offline_error(problem: Problem, X: np.ndarray, y: np.ndarray, folds: int, tol: float, n: int, b: bool) -> float:
    """Lasso with its penalty by cross-validation, solved to a tolerance over so many penalties."""
    from sklearn.linear_model import LassoCV

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of solutions that end before the tolerance, which the figure shows
        solver = LassoCV(cv=folds, alphas=n, tol=tol, fit_intercept=b, max_iter=5000).fit(X, y)
    return problem.error(solver.coef_, float(solver.intercept_))


def online_error(problem: Problem, X: np.ndarray, y: np.ndarray, step: float, average: bool, seed: int) -> float:
    """One pass of stochastic gradient descent with an l1 penalty; infinite where it diverges."""
    from sklearn.linear_model import SGDRegressor

    solver = SGDRegressor(
        penalty="l1", alpha=L1, learning_rate="constant", eta0=step, average=average, random_state=seed
    )
    try:
        solver.partial_fit(X, y)
        error = problem.error(solver.coef_, float(solver.intercept_[0]))
    except ValueError:  # numbers that overflow
        return np.inf
    return error if np.isfinite(error) and error < DIVERGED else np.inf


def solved(data: str, repeat: int, n_folds: int, seed: int) -> Rows:
    """Task: errors of AELR and DDAELR, tuned as in the paper, and of the Lasso under every setting."""
    problem, comparison = (
        problem_of(data, seed, repeat),
        compared(MNIST if data == MNIST else "simulated", "lasso", n_folds),
    )
    n = len(problem.y) * comparison.budget // problem.X.shape[1]
    X, y = problem.X[:n].astype(np.float64), problem.y[:n]
    found = comparison.published_results(problem, comparison.tune(problem, repeat), repeat)
    shared: dict[str, Any] = {"data": data, "repeat": repeat, "rows": n, "chosen": ""}
    rows: Rows = [
        {**shared, "learner": name, "settings": "tuned", "step": 0.0, "error": error, "chosen": chosen}
        for name, (error, chosen) in ((name, found[name]) for name in PUBLISHED)
    ]
    for tol, number, b in itertools.product(TOLERANCES, PENALTIES, INTERCEPTS):
        settings = f"tolerance {tol:g}, {number} penalties, {'an' if b else 'no'} intercept"
        error = offline_error(problem, X, y, min(n_folds, n), tol, number, b)
        rows.append({**shared, "learner": "Lasso", "settings": settings, "step": 0.0, "error": error})
    largest = 1.0 / np.mean(np.sum(X**2, axis=1))
    for average, share in itertools.product((True, False), SHARES):
        error = online_error(problem, X, y, share * largest, average, repeat)
        settings = "averaged weights" if average else "last weights"
        rows.append({**shared, "learner": "online Lasso", "settings": settings, "step": float(share), "error": error})
    return rows


def tasks(size: Size, seed: int) -> list[Task]:
    """A task for each data set and repeat."""
    quick = size == Size.quick
    data, repeats, n_folds = ([MNIST, f"{SIMULATED}-1"], 2, 3) if quick else ([MNIST, *DECAYS], 20, 10)
    return [
        Task(solved, {"data": one, "repeat": repeat, "n_folds": n_folds, "seed": seed}, cost=5.0)
        for one in data
        for repeat in range(repeats)
    ]


DECAYS = tuple(f"{SIMULATED}{alpha:g}" for alpha in (-0.5, -1.0, -2.0))


def claims(rows: Rows) -> list[Claim]:
    """What the papers say of both solvers, under every setting."""
    return [claim for data in dict.fromkeys(str(row["data"]) for row in rows) for claim in _claims_of(rows, data)]


def _claims_of(rows: Rows, data: str) -> list[Claim]:
    here = [row for row in rows if row["data"] == data]
    errors = grouped(here, "error", "learner", "settings", "step")
    published = {name: errors[name, "tuned", 0.0] for name in PUBLISHED}
    offline = {str(key[1]): found for key, found in errors.items() if key[0] == "Lasso"}
    gaps = {
        name: Difference(*mean_and_error([a - b for a, b in zip(found, published["DDAELR"], strict=True)]))
        for name, found in offline.items()
    }
    best = min(gaps, key=lambda name: gaps[name].mean)
    steps = {
        name: [
            (float(key[2]), float(np.mean(found))) for key, found in errors.items() if key[:2] == ("online Lasso", name)
        ]
        for name in ("averaged weights", "last weights")
    }
    aelr = float(np.mean(published["AELR"]))
    return [
        Claim.with_verdict(
            f"{data}: offline Lasso is better than DDAELR, however it is solved",
            "best of the five",
            f"Lasso minus DDAELR from {min(gaps.values())} ({best}) to {max(gaps.values())}",
            all(gap.mean <= 0 for gap in gaps.values()),
            f"{sum(gap.mean <= 0 for gap in gaps.values())} of {len(gaps)} settings are better;"
            f" {here[0]['rows']:,} whole rows have as many cells.",
        ),
        Claim.with_verdict(
            f"{data}: AELR's error is almost ten times smaller than an online Lasso's (Hazan and Koren 2012)",
            "almost 10 times",
            "; ".join(f"{name}: {_in_words(points, aelr)}" for name, points in steps.items()),
            all(min(error for _, error in points) > 8 * aelr for points in steps.values()),
            f"AELR {aelr:.3f}, relative to zero weights. Steps are in units of one over the mean of |x|²; the solver"
            f" counts as diverged beyond {DIVERGED:g} times the loss of zero weights.",
            f"Zero weights have {1 / aelr:.1f} times AELR's error, so shorter steps cannot give ten times; longer ones"
            " do where the solver begins to diverge.",
        ),
    ]


def _in_words(points: list[tuple[float, float]], aelr: float) -> str:
    """The best step, from which step on the error is ten times AELR's, and where the solver diverges."""
    step, error = min(points, key=lambda point: point[1])
    ten = [at for at, found in points if at > step and found > 10 * aelr]
    diverged = [at for at, found in points if not np.isfinite(found)]
    words = f"{error / aelr:.2f} times AELR's with the best step, {step:.2g}"
    words += f"; ten times from a step of {min(ten):.2g} on" if ten else "; never ten times"
    return words + (f", diverged from {min(diverged):.2g} on" if diverged else "")


def table(rows: Rows) -> Rows:
    """The mean error under each setting; of the online Lasso with the best step."""
    lines: Rows = []
    for (data, learner, settings), _ in grouped(rows, "error", "data", "learner", "settings").items():
        own = [r for r in rows if (r["data"], r["learner"], r["settings"]) == (data, learner, settings)]
        by_step = grouped(own, "error", "step")
        (step,) = min(by_step, key=lambda key: np.mean(by_step[key]))
        mean, error = mean_and_error(by_step[step,])
        line = {"data": data, "learner": learner, "settings": settings, "error": mean, "standard error": error}
        chosen = each_setting([str(row["chosen"]) for row in own])
        lines.append({**line, "best step": step if learner == "online Lasso" else "", "settings chosen": chosen})
    return lines


def draw(rows: Rows, figure: Figure) -> None:
    """The error of the online Lasso against its step, with horizontal lines of the others."""
    kinds = list(dict.fromkeys(str(row["data"]) for row in rows))
    panels = figure.subplots(1, len(kinds), sharey=True, squeeze=False)[0]
    for axes, data in zip(panels, kinds, strict=True):
        here = [row for row in rows if row["data"] == data]
        errors = grouped(here, "error", "learner", "settings", "step")
        for settings, style in (("averaged weights", "-"), ("last weights", ":")):
            own = {k[2]: v for k, v in errors.items() if k[:2] == ("online Lasso", settings) and np.isfinite(v).all()}
            x, y, error = zip(*[(step, *mean_and_error(found)) for step, found in own.items()], strict=True)
            look = {"fmt": style, "marker": "o", "markersize": 3, "color": learner_colour("Lasso"), "capsize": 2}
            axes.errorbar(x, y, error, label=f"online, {settings}", **look)
        lasso = [np.mean(v) for k, v in errors.items() if k[0] == "Lasso"]
        axes.axhspan(min(lasso), max(lasso), color=learner_colour("Lasso"), alpha=0.3, label="offline, every setting")
        for name in PUBLISHED:
            axes.axhline(np.mean(errors[name, "tuned", 0.0]), color=learner_colour(name), linewidth=1.4, label=name)
        axes.axhline(10 * np.mean(errors["AELR", "tuned", 0.0]), color="0.6", linewidth=0.8, label="10 times AELR")
        axes.set_xscale("log")
        axes.set_yscale("log")
        tidy(axes, "step of the online Lasso", "error relative to zero weights" if axes is panels[0] else "", data)
    legend_below(figure, panels[0])


LASSO_SOLVERS = Experiment(
    name="lasso-solvers",
    title="The Lasso with every cell, solved in every way",
    tasks=tasks,
    table=table,
    claims=claims,
    draw=draw,
    caption="Error, relative to that of zero weights, of an online Lasso against its step, beside the Lasso"
    " that is solved offline, AELR and DDAELR, on the largest problems of Figures 4 (left) and 2 (right). Means;"
    " bars are standard errors.",
    about=(
        "The largest problems of Figures 2 and 4. AELR and DDAELR as in the figures, tuned as in the paper; the Lasso"
        " has as many whole rows as have equally many cells. Offline: tolerance 0.01 or 0.000001, 30 or 100 penalties"
        " chosen by cross-validation, with or without an intercept. Online: one pass of stochastic gradient descent"
        " with an l1 penalty and an intercept (scikit-learn's SGDRegressor; the online Lasso of Figures 2 and 4 is"
        " exponentiated gradient), with 31 steps, until it diverges, averaged weights or the last ones. Steps are in"
        " units of one over the mean of |x|²."
    ),
    needs=DATA[MNIST],
    part=repeats_in_words,
    figure_size=(11.0, 5.0),
    claims_about=OWN_QUESTION,
)
