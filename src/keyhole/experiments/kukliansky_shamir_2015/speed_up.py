"""Section 6 of Kukliansky and Shamir 2015: learning from whole rows faster, by reading only k + 1 attributes of each.

Online gradient descent reads all d attributes of an example. DDAERR with k = |E x^2|_(1/2) has, up to a factor of
sqrt(2), the same bound after equally many examples, and reads k + 1. Rows are scaled to E|x|^2 = 1, as the paper
assumes |x| <= 1, so k is d times the improvement ratio.
"""

from __future__ import annotations

import itertools
import time
from functools import partial
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from ...common.style import legend_below, tidy
from ...datasets import improvement_ratios, kukliansky_shamir
from ...online import AERR, DDAERR
from ..runner.kinds import OTHER_FORM, THE_PAPER
from ..runner.paper import Claim, Experiment, Row, Rows, Size, Task
from ..shared.online_descent import gradient_descent
from ..shared.rows import draw_curves, grouped, mean_and_error, repeats_in_words
from ..shared.sweeps import Sweep
from .evidence import difference
from .setting import D

ALPHAS = (-1.0, -2.0)
ONLINE, SAME, UNIFORM = "online ridge", "DDAERR", "AERR"
STEPS = np.geomspace(3e-4, 3.0, 17)  # of gradient descent on rows of E|x|^2 = 1
PRINTED, BEST = "that of the bound", "the best of 17"
RADIUS = 100.0  # large enough that no weights reach it: both learners are plain gradient descent


def draws_needed(moments: np.ndarray) -> int:
    """k = |E x^2|_(1/2) / E|x|^2, rounded up."""
    return int(np.ceil(len(moments) * improvement_ratios(moments)[0]))


def compare(alpha: float, examples: list[int], repeat: int) -> Rows:
    """Task: errors with the step of the bounds and with the best step, relative to zero weights; the time of a pass."""
    stream = kukliansky_shamir(max(examples), D, alpha, "ridge", random_state=repeat)
    scale = np.sqrt(stream.moments.sum())
    X, y, moments = stream.X / scale, stream.y, stream.moments / scale**2
    k, nothing = draws_needed(moments), stream.excess(np.zeros(D))
    whole = X.astype(np.float64)
    gradient_descent(whole[:2], y[:2].astype(np.float64), 0.1, RADIUS)  # compile
    rows: Rows = []
    for m in examples:
        start = time.perf_counter()
        steps = [1.0 / np.sqrt(m), *STEPS]
        found = [gradient_descent(whole[:m], y[:m].astype(np.float64), step, RADIUS) for step in steps]
        passes = {ONLINE: (found, D, time.perf_counter() - start)}
        known = partial(DDAERR.as_printed, moments=moments)
        for name, make, factor in ((SAME, known, 2.0), (UNIFORM, AERR.as_printed, 2.0 * D / k)):
            steps = [1.0 / np.sqrt(factor * m), *STEPS]  # Theorem 3.3, and 3.1 of Hazan and Koren
            learners = [make(k + 1, radius=RADIUS, step_size=step, random_state=repeat) for step in steps]
            sweep = Sweep(learners, D)
            sweep.learn(X, y, 0, 1)  # compile
            start = time.perf_counter()
            sweep.learn(X, y, 1, m)
            passes[name] = ([one.coef_ for one in sweep.learners], k + 1, time.perf_counter() - start)
        for name, (weights, read, seconds) in passes.items():
            errors = [stream.excess(w / scale) / nothing for w in weights]
            row: Row = {
                "alpha": alpha,
                "learner": name,
                "examples": m,
                "repeat": repeat,
                "attributes of an example": read,
            }
            row["microseconds for an example"] = 1e6 * seconds / (m * len(errors))
            rows += [{**row, "steps": PRINTED, "error": errors[0]}, {**row, "steps": BEST, "error": min(errors[1:])}]
    return rows


def tasks(size: Size, seed: int) -> list[Task]:
    """A task for each decay and repeat."""
    examples, repeats = ([300, 1000], 4) if size == Size.quick else ([300, 1000, 3000, 10_000, 30_000], 20)
    return [
        Task(compare, {"alpha": alpha, "examples": examples, "repeat": 1000 * seed + repeat}, cost=sum(examples) / 2000)
        for alpha in ALPHAS
        for repeat in range(repeats)
    ]


def claims(rows: Rows) -> list[Claim]:
    """That both fall equally fast, and what each reads."""
    found = []
    for alpha, steps in itertools.product(ALPHAS, (PRINTED, BEST)):
        here = [row for row in rows if row["alpha"] == alpha and row["steps"] == steps]
        ratios: dict[int, tuple[float, float]] = {}
        for (m,), _ in grouped(here, "error", "examples").items():
            errors = {
                name: grouped([r for r in here if r["learner"] == name and r["examples"] == m], "error", "repeat")
                for name in (SAME, ONLINE)
            }
            ratios[int(m)] = mean_and_error([errors[SAME][at][0] / errors[ONLINE][at][0] for at in errors[SAME]])
        read = {str(row["learner"]): int(row["attributes of an example"]) for row in here}
        last = [row for row in here if row["examples"] == max(ratios)]
        uniform = difference(last, UNIFORM, SAME)
        found.append(
            Claim.with_verdict(
                f"alpha {alpha:g}, step: {steps}: DDAERR with {read[SAME]} attributes of an example converges like"
                f" online ridge with {read[ONLINE]}",
                "the same rate; by the bounds an excess of at most sqrt(2) times as much",
                "error of DDAERR over that of online ridge: "
                + ", ".join(f"{mean:.2f} ± {error:.2f} after {m:,}" for m, (mean, error) in ratios.items()),
                all(mean - 2 * error <= np.sqrt(2) for mean, error in ratios.values()),
                f"AERR, which draws equally many attributes uniformly, minus DDAERR: {uniform}.",
                "The bounds are equal up to sqrt(2), and the claim is about them. These labels have no noise: the"
                " gradients of whole rows vanish at the best weights, and those that DDAERR estimates do not, so with"
                " steps that suit it online ridge falls faster than its bound.",
                about=THE_PAPER if steps == PRINTED else OTHER_FORM,
            )
        )
    return [*found, faster(rows)]


def faster(rows: Rows) -> Claim:
    """Whether an example with fewer attributes takes less time."""
    here = [row for row in rows if row["alpha"] == ALPHAS[-1]]
    found = grouped(here, "microseconds for an example", "learner")
    times = {name: float(np.median(found[name,])) for name in (SAME, ONLINE)}
    return Claim.with_verdict(
        f"alpha {ALPHAS[-1]:g}: an example of which fewer attributes are read takes less time",
        "can be much faster",
        ", ".join(f"{name} {value:.1f} microseconds" for name, value in times.items()),
        times[SAME] < times[ONLINE],
        otherwise="Rows in memory are read in order, several numbers at a time; each random draw costs more than many"
        " such reads. Reading fewer attributes pays where a cell is costly: on disk, over a network, in a laboratory.",
    )


def table(rows: Rows) -> Rows:
    """Mean errors, the attributes that were read, and the time of an example."""
    lines: Rows = []
    keys = ("alpha", "steps", "learner", "examples")
    for key, errors in grouped(rows, "error", *keys).items():
        mean, error = mean_and_error(errors)
        own = [row for row in rows if tuple(row[name] for name in keys) == key]
        line: dict[str, Any] = {**dict(zip(keys, key, strict=True)), "error": mean, "standard error": error}
        line["attributes of an example"] = own[0]["attributes of an example"]
        line["microseconds for an example"] = float(np.median([float(r["microseconds for an example"]) for r in own]))
        lines.append(line)
    return lines


def draw(rows: Rows, figure: Figure) -> None:
    """Error against examples, a column for each decay; above the steps of the bounds, below the best ones."""
    panels = figure.subplots(2, len(ALPHAS), sharex=True, sharey=True)
    for axes, (steps, alpha) in zip(panels.ravel(), itertools.product((PRINTED, BEST), ALPHAS), strict=True):
        here = [row for row in rows if row["alpha"] == alpha and row["steps"] == steps]
        draw_curves(axes, here, "examples", "error")
        axes.set_xscale("log")
        axes.set_yscale("log")
        sizes = sorted({int(row["examples"]) for row in here})
        axes.set_xticks(sizes, [f"{size:,}" for size in sizes])
        axes.minorticks_off()
        read = {str(row["learner"]): int(row["attributes of an example"]) for row in here}
        title = f"alpha = {alpha:g}: {read[SAME]} of {read[ONLINE]} attributes, or all" if steps == PRINTED else ""
        label = f"step: {steps}\nerror relative to zero weights" if alpha == ALPHAS[0] else ""
        tidy(axes, "examples" if steps == BEST else "", label, title)
    legend_below(figure, panels[0, 0])


SPEED_UP = Experiment(
    name="speed-up",
    title="Section 6: whole rows learned from faster, k = |E x²|½",
    tasks=tasks,
    table=table,
    claims=claims,
    draw=draw,
    caption="Error, relative to that of zero weights, against training examples: DDAERR and AERR with k"
    " attributes of each example, and online ridge with all of them. Bars are standard errors over repeats.",
    about=(
        "Simulated data as in Figure 1. Online ridge is gradient descent on whole rows, DDAERR and AERR are as printed"
        " (all draws but one for x, known moments), each with the step of its bound and with the best of 17 constant"
        " steps by its exact error, and a ball that none of them reaches. Errors are exact, relative to zero weights."
        " Times are of compiled code, the median over repeats; whole rows are read in the order in which they lie in"
        " memory, single attributes are not, so fewer attributes need not be faster. Bars are standard errors over"
        " repeats."
    ),
    part=repeats_in_words,
    figure_size=(9.0, 7.0),
)
