"""Theorems 4.1 and 4.3 of Murata and Suzuki 2018: with large batches the excess shrinks by a factor at each update.

Theorem 4.1, of Exploration: with a step of the order 1 / L and some α of the order 1 / κ, L and κ being the smoothness
and the condition number for sparse weights, there are batch sizes with which the excess after T updates is, with high
probability, at most (1 - α)^T times the sum of that at the start and a number that may be as small as wished. Theorem
4.3, of Exploitation: the same where the support at the start contains the true one; in general the excess is at most
1 / (1 - α) times that at the start, plus such a number.

The synthetic data with little noise, and batches that are large enough: what is left is the convergence of the updates.
Correlations within the true support give condition numbers of 4 and 16; at 1 the theorems say little. Here the step is
a share of 1 / L, and α the same share of 1 / κ: the product of the step and the strong convexity.
"""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure

from ...common.style import legend_below, tidy
from ...sparse import Exploitation, Exploration
from ..runner.paper import Claim, Experiment, Row, Rows, Size, Task
from ..shared.rows import draw_curves, grouped, mean_and_error
from .correlated import Correlated

D, SPARSITY, BUDGET, NOISE = 100, 5, 15, 0.01
UPDATES = {1: 8, 4: 16, 16: 32}  # for each condition number
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


def excess_by_update(learner: str, condition: int, share: float, batch: int, seed: int) -> Rows:
    """Task: the exact excess before the first update and after each one."""
    each, updates = batch * BLOCKS if learner == EXPLORATION else batch, UPDATES[condition]  # examples of an update
    stream = Correlated(each * updates, D, SPARSITY, NOISE, condition, seed)
    start, step = start_of(learner, stream.coef), share / (2.0 * stream.largest)  # L is twice the largest eigenvalue
    if learner == EXPLORATION:
        model = Exploration.as_printed(BUDGET, sparsity=SPARSITY, step_size=step, batch_size=batch)
    else:
        model = Exploitation.as_printed(BUDGET, start_coef=start, step_size=step, batch_size=batch)
    excess = [stream.excess(start)]
    for update in range(updates):
        model.partial_fit(*stream.examples(update * each, (update + 1) * each))
        excess.append(stream.excess(model.coef_))
    same: Row = {"learner": learner, "condition": condition, "share": share, "seed": seed}
    return [{**same, "update": update, "excess": value} for update, value in enumerate(excess)]


def tasks(size: Size, seed: int) -> list[Task]:
    """Each learner, condition number and step, a task for each seed."""
    made = []
    for condition, updates in UPDATES.items():
        batch, seeds = (500, 5) if size == Size.quick else (4000, 20 if condition == 1 else 10)
        for learner in (EXPLORATION, COMPLETE, LACKING):
            for share in SHARES:
                same = {"learner": learner, "condition": condition, "share": share, "batch": batch}
                blocks = BLOCKS if learner == EXPLORATION else 1
                cost = batch * updates * blocks / 40_000
                made += [Task(excess_by_update, {**same, "seed": seed + s}, cost=cost) for s in range(seeds)]
    return made


def runs_of(rows: Rows, learner: str, condition: int, share: float) -> np.ndarray:
    """The excess of each run (row) before the first update and after each one (columns)."""
    wanted = {"learner": learner, "condition": condition, "share": share}
    own = [row for row in rows if all(row[name] == value for name, value in wanted.items())]
    return np.array(list(grouped(own, "excess", "seed").values()))


def counted(runs: np.ndarray) -> int:
    """How many updates began, in every run, above the excess at which the noise of a batch is felt."""
    above = np.all(runs[:, :-1] > ENOUGH, axis=0)
    return int(np.logical_and.accumulate(above).sum())


def factors(runs: np.ndarray) -> list[tuple[float, float]]:
    """By what each update multiplies the excess, mean and standard error over runs, down to the noise of a batch."""
    return [mean_and_error(runs[:, at + 1] / runs[:, at]) for at in range(counted(runs))]


def slowest(runs: np.ndarray) -> tuple[float, float]:
    """The largest of these factors, and its standard error."""
    return max(factors(runs))


def claims(rows: Rows) -> list[Claim]:
    """Linear convergence of both, its dependence on the condition number, and no large loss where the support lacks."""
    found = []
    for learner, theorem in ((EXPLORATION, "4.1"), (COMPLETE, "4.3")):
        found += [_shrinks(rows, learner, theorem, share, condition) for share in SHARES for condition in UPDATES]
        found += [_proportion(rows, learner, theorem, share) for share in SHARES]
    return [*found, *(_loses_little(rows, share, condition) for share in SHARES for condition in UPDATES)]


def _shrinks(rows: Rows, learner: str, theorem: str, share: float, condition: int) -> Claim:
    """The excess after T updates, for every T that counts, against (1 - α)^T."""
    runs = runs_of(rows, learner, condition, share)
    last, alpha = counted(runs), share / condition
    after = [mean_and_error(runs[:, at] / runs[:, 0]) for at in range(1, last + 1)]
    mean, error = mean_and_error((runs[:, last] / runs[:, 0]) ** (1 / last))
    largest, its_error = slowest(runs)
    return Claim.with_verdict(
        f"{learner}, condition number {condition}, step {share:g} / L: the excess shrinks by a factor at each update",
        f"at most (1 − α)^T times that of the start after T updates, α of order 1 / κ (Theorem {theorem}); here with"
        f" 1 − α = 1 − {share:g} / {condition} = {1 - alpha:.3f}",
        f"{mean:.3f} ± {error:.3f} for each of {last} updates on average, {largest:.3f} ± {its_error:.3f} for the"
        f" slowest; without noise at most (1 − α)² = {(1 - alpha) ** 2:.3f}",
        all(ratio - 2 * doubt <= (1 - alpha) ** at for at, (ratio, doubt) in enumerate(after, 1)),
        f"Of the updates that began above an excess of {ENOUGH:g}; below it the noise of a batch is felt."
        + (f" The theorem has s of order κ² s*; here s = s* = {SPARSITY}." if learner == EXPLORATION else ""),
    )


def _proportion(rows: Rows, learner: str, theorem: str, share: float) -> Claim:
    """Whether one constant does for all condition numbers: α κ of the slowest update."""
    found = {condition: slowest(runs_of(rows, learner, condition, share)) for condition in UPDATES}
    least = min(condition * (1 - mean + 2 * error) for condition, (mean, error) in found.items())
    values = ", ".join(
        f"{condition * (1 - mean):.2f} ± {condition * error:.2f}" for condition, (mean, error) in found.items()
    )
    return Claim.with_verdict(
        f"{learner}, step {share:g} / L: at condition numbers of {', '.join(map(str, found))} one constant c gives a"
        " factor of at most 1 − c / κ",
        f"α of order 1 / κ (Theorem {theorem}); here with c = {share:g}",
        f"c = {values} of the slowest update",
        least >= share,
    )


def _loses_little(rows: Rows, share: float, condition: int) -> Claim:
    """The excess of Exploitation whose support lacks an attribute, against that of its start."""
    ratio = max(max(run) / run[0] for run in runs_of(rows, LACKING, condition, share))
    limit = 1 / (1 - share / condition)
    return Claim.with_verdict(
        f"{LACKING}, condition number {condition}, step {share:g} / L: the excess does not grow much",
        "at most 1 / (1 − α) times that of the start, plus a small number, α of order 1 / κ (Theorem 4.3); here with"
        f" 1 / (1 − α) = {limit:.3f}",
        f"never more than {ratio:.3f} times that of the start",
        ratio <= limit,
    )


def table(rows: Rows) -> Rows:
    """Mean and standard error of the excess after each update."""
    lines: Rows = []
    keys = ("learner", "condition", "share", "update")
    for (learner, condition, share, update), values in grouped(rows, "excess", *keys).items():
        mean, error = mean_and_error(values)
        line: Row = {"learner": learner, "condition number": condition, "share of 1/L": share, "update": update}
        lines.append(line | {"excess": mean, "standard error": error})
    return lines


def draw(rows: Rows, figure: Figure) -> None:
    """The excess against updates on a logarithmic axis, where linear convergence is a straight line."""
    panels = figure.subplots(len(SHARES), len(UPDATES), sharey="row")
    for share, line in zip(SHARES, panels, strict=True):
        for (condition, updates), axes in zip(UPDATES.items(), line, strict=True):
            here = [row for row in rows if row["share"] == share and row["condition"] == condition]
            draw_curves(axes, here, "update", "excess")
            first = max(float(row["excess"]) for row in here if row["learner"] == EXPLORATION)
            bound = first * (1 - share / condition) ** np.arange(updates + 1.0)
            axes.plot(range(updates + 1), bound, color="0.5", linewidth=1, linestyle="--", label="(1 − α)^T")
            axes.set_yscale("log")
            axes.set_xticks(range(0, updates + 1, updates // 8 * 2))
            below = "updates T" if share == SHARES[-1] else ""
            title = f"condition number {condition}, step {share:g} / L"
            tidy(axes, below, "excess" if condition == 1 else "", title)
    legend_below(figure, panels[0, 0])


CONVERGENCE = Experiment(
    name="convergence",
    title="Theorems 4.1 and 4.3: linear convergence",
    tasks=tasks,
    table=table,
    claims=claims,
    draw=draw,
    caption="Excess against the number of updates, for two constant steps and three condition numbers. A straight line"
    " on these logarithmic axes is linear convergence; the dashed one is (1 − α)^T with α = share / κ. Bars are"
    " standard errors over runs.",
    about=f"Exploration and Exploitation as printed on the synthetic data, d = {D}, {SPARSITY} weights of 1 or -1,"
    f" noise {NOISE:g}, budget {BUDGET}; batches of 4,000 examples per block (500 in a quick run). The attributes of"
    " the true support are uncorrelated (condition number 1) or equally correlated (correlations of 0.375 and 0.75,"
    " condition numbers 4 and 16). L is twice the largest eigenvalue of E[x x']. Exploitation starts from weights of"
    " 0.001 on the true support and three more attributes; with one attribute missing, the first of the true ones is"
    " not in its support. The excess is exact. Bars are standard errors over runs.",
    figure_size=(12.0, 7.5),
)
