"""Theorems 4.1 and 4.3 of Murata and Suzuki 2018: with large batches the excess shrinks by a factor at each update.

The synthetic data with little noise, and batches that are large enough: what is left is the convergence of the updates.
Exploitation converges to the truth where its support contains it, and otherwise does not lose much (Theorem 4.3).
"""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure

from ...common.style import legend_below, tidy
from ...datasets import murata_suzuki
from ...sparse import Exploitation, Exploration
from ..runner.paper import Claim, Experiment, Rows, Size, Task
from ..shared.rows import draw_curves, grouped, mean_and_error

D, SPARSITY, BUDGET, NOISE, UPDATES = 100, 5, 15, 0.01, 8
L = 2.0  # twice the variance of an attribute
SHARES = (0.25, 0.5)  # the step is such a share of 1 / L
EXPLORATION, COMPLETE, LACKING = "Exploration", "Exploitation", "Exploitation, one attribute missing"
BLOCKS = -(-D // (BUDGET - SPARSITY))
ENOUGH = 1e-3  # the excess below which the noise of a batch is felt


def start_of(learner: str, truth: np.ndarray) -> np.ndarray:
    """The first weights: 0, or small ones on the true support, of which one may be missing, and three more."""
    start = np.zeros(D)
    if learner != EXPLORATION:
        start[np.flatnonzero(truth)] = 1e-3
        start[[40, 60, 80]] = 1e-3
    if learner == LACKING:
        start[np.flatnonzero(truth)[0]] = 0.0
    return start


def excess_by_update(learner: str, share: float, batch: int, seed: int) -> Rows:
    """Task: the exact excess before the first update and after each one."""
    each = batch * BLOCKS if learner == EXPLORATION else batch  # examples of an update
    stream = murata_suzuki(each * UPDATES, D, SPARSITY, NOISE, random_state=seed)
    start = start_of(learner, stream.coef)
    if learner == EXPLORATION:
        model = Exploration.as_printed(BUDGET, sparsity=SPARSITY, step_size=share / L, batch_size=batch)
    else:
        model = Exploitation.as_printed(BUDGET, start_coef=start, step_size=share / L, batch_size=batch)
    excess = [stream.excess(start)]
    for update in range(UPDATES):
        model.partial_fit(
            stream.table(update * each, (update + 1) * each), stream.labels(update * each, (update + 1) * each)
        )
        excess.append(stream.excess(model.coef_))
    return [
        {"learner": learner, "share": share, "seed": seed, "update": update, "excess": value}
        for update, value in enumerate(excess)
    ]


def tasks(size: Size, seed: int) -> list[Task]:
    """Each learner and step, a task for each seed."""
    batch, seeds = (500, 5) if size == Size.quick else (4000, 20)
    return [
        Task(excess_by_update, {"learner": learner, "share": share, "batch": batch, "seed": seed + s}, cost=batch / 500)
        for learner in (EXPLORATION, COMPLETE, LACKING)
        for share in SHARES
        for s in range(seeds)
    ]


def factors(rows: Rows, learner: str, share: float) -> list[tuple[float, float]]:
    """By what each update multiplies the excess, mean and standard error over seeds, down to the noise of a batch."""
    own = [row for row in rows if row["learner"] == learner and row["share"] == share]
    runs = grouped(own, "excess", "seed")
    found = []
    for update in range(UPDATES):
        if all(run[update] > ENOUGH for run in runs.values()):
            found.append(mean_and_error([run[update + 1] / run[update] for run in runs.values()]))
    return found


def claims(rows: Rows) -> list[Claim]:
    """Linear convergence of both, and no large loss where the support lacks an attribute."""
    found = []
    for learner, theorem in ((EXPLORATION, "4.1"), (COMPLETE, "4.3")):
        for share in SHARES:
            by_update = factors(rows, learner, share)
            largest = max(mean + 2 * error for mean, error in by_update)
            found.append(
                Claim.with_verdict(
                    f"{learner}, step {share:g} / L: the excess shrinks by a constant factor at each update",
                    f"a factor of 1 − Θ(1 / κ) (Theorem {theorem}); 1 − 2 share + share² without noise, as κ = 1 here",
                    f"{', '.join(f'{mean:.3f} ± {error:.3f}' for mean, error in by_update)}; without noise"
                    f" {(1 - share) ** 2:.3f}",
                    largest < 1 and by_update[-1][0] < 2 * by_update[0][0],
                    f"Of the updates that began above an excess of {ENOUGH:g}; below it the noise of a batch is felt.",
                )
            )
    for share in SHARES:
        runs = grouped([r for r in rows if r["learner"] == LACKING and r["share"] == share], "excess", "seed").values()
        ratio = max(max(run) / run[0] for run in runs)
        found.append(
            Claim.with_verdict(
                f"{LACKING}, step {share:g} / L: the excess does not grow much",
                "at most 1 / (1 − Θ(1 / κ)) times that of the start, plus a small number (Theorem 4.3)",
                f"never more than {ratio:.3f} times that of the start",
                ratio <= 1 / (1 - share) ** 2,
            )
        )
    return found


def table(rows: Rows) -> Rows:
    """Mean and standard error of the excess after each update."""
    lines: Rows = []
    for (learner, share, update), values in grouped(rows, "excess", "learner", "share", "update").items():
        mean, error = mean_and_error(values)
        lines.append(
            {"learner": learner, "share of 1/L": share, "update": update, "excess": mean, "standard error": error}
        )
    return lines


def draw(rows: Rows, figure: Figure) -> None:
    """The excess against updates on a logarithmic axis, where linear convergence is a straight line."""
    panels = figure.subplots(1, len(SHARES), sharey=True)
    for axes, share in zip(panels, SHARES, strict=True):
        here = [row for row in rows if row["share"] == share]
        draw_curves(axes, here, "update", "excess")
        first = max(float(row["excess"]) for row in here if row["learner"] == EXPLORATION)
        updates = np.arange(UPDATES + 1)
        noiseless = first * (1 - share) ** (2.0 * updates)
        axes.plot(updates, noiseless, color="0.5", linewidth=1, linestyle="--", label="without noise")
        axes.set_yscale("log")
        tidy(axes, "updates", "excess" if axes is panels[0] else "", f"step {share:g} / L")
    legend_below(figure, panels[0])


CONVERGENCE = Experiment(
    name="convergence",
    title="Theorems 4.1 and 4.3: linear convergence",
    tasks=tasks,
    table=table,
    claims=claims,
    draw=draw,
    caption="Excess against the number of updates, for two constant steps. A straight line on this logarithmic axis is"
    " linear convergence. Bars are standard errors over runs.",
    about=f"Exploration and Exploitation as printed on the synthetic data, d = {D}, {SPARSITY} weights of 1 or -1,"
    f" noise {NOISE:g}, budget {BUDGET}; batches of 4,000 examples per block (500 in a quick run). Exploitation starts"
    " from weights of 0.001 on the true support and three more attributes; with one attribute missing, the first of the"
    " true ones is not in its support. The excess is exact. Bars are standard errors over runs.",
    figure_size=(9.0, 5.0),
)
