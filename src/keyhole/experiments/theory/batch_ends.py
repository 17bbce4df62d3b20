"""The rates of Murata and Suzuki 2018 where they are stated: at the ends of batches, on long streams.

Weights change only where a batch ends, so an excess that is measured at given numbers of examples falls in uneven
steps, and a line through such points is not a line through the learner's own. Here each run is measured where a batch
of Exploration, or a cycle of Hybrid, ends, and its exponent is fitted through these points.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.figure import Figure

from ...common.style import learner_style, legend_below, tidy
from ...datasets import murata_suzuki
from ...sparse import Exploration, Hybrid
from ...sparse.schedule import BATCH, CYCLE, IN_BATCH
from ..runner.kinds import OTHER_FORM, THE_PAPER
from ..runner.paper import Claim, Experiment, Rows, Size, Task
from ..shared.rows import grouped
from .other_lines import other_lines
from .rates import rate
from .sparse import BUDGET, NOISE, SPARSITY, D

AS_PRINTED = ", as printed"
LEARNERS = ("Exploration", "Hybrid", "Exploration" + AS_PRINTED, "Hybrid" + AS_PRINTED)
STEP, FIRST_BATCH, GROWTH = 0.25, 30, 1.25  # of the printed algorithms: half of 1 / L, and examples per block
FIRST_COUNTED = 2000  # examples


def learner_of(name: str, last: int, seed: int) -> Any:
    """The learner with the library's schedule, or as printed with batches that grow as the theorems' do."""
    if not name.endswith(AS_PRINTED):
        kind = {"Exploration": Exploration, "Hybrid": Hybrid}[name]
        return kind(BUDGET, SPARSITY, scaling="none", random_state=seed)
    n_batches = int(np.ceil(np.log(last / FIRST_BATCH) / np.log(GROWTH)))
    batches = [int(np.ceil(FIRST_BATCH * GROWTH**t)) for t in range(n_batches)]
    if name.startswith("Exploration"):
        return Exploration.as_printed(BUDGET, sparsity=SPARSITY, step_size=STEP, batch_size=batches)
    return Hybrid.as_printed(
        BUDGET,
        sparsity=SPARSITY,
        step_size=STEP,
        explore_batch=batches,
        exploit_batch=[4 * size for size in batches],
        explore_updates=3,
        exploit_updates="theorem",
    )


def excess_at_ends(learner: str, last: int, seed: int) -> Rows:
    """Task: the exact excess at the end of each batch (Exploration) or cycle (Hybrid)."""
    stream = murata_suzuki(last, D, SPARSITY, NOISE, random_state=seed)
    model = learner_of(learner, last, seed).start(D)
    rows: Rows = []
    seen = 0
    while seen < last:
        numbers = model.state_.numbers
        cycle = numbers[CYCLE]
        stop = min(seen + int(numbers[BATCH] - numbers[IN_BATCH]), last)
        model.partial_fit(stream.table(seen, stop), stream.labels(seen, stop))
        seen = stop
        if model.state_.numbers[CYCLE] > cycle and seen >= FIRST_COUNTED:
            excess = stream.excess(model.coef_, model.intercept_)
            rows.append({"learner": learner, "examples": seen, "seed": seed, "excess": excess})
    return rows


def tasks(size: Size, seed: int) -> list[Task]:
    """Each learner, a task for each seed."""
    last, seeds = (128_000, 5) if size == Size.quick else (1_000_000, 20)
    return [
        Task(excess_at_ends, {"learner": learner, "last": last, "seed": seed + s}, cost=last / 1e5)
        for learner in LEARNERS
        for s in range(seeds)
    ]


def claims(rows: Rows) -> list[Claim]:
    """How fast the excess falls at the ends of batches."""
    found = []
    for learner in LEARNERS:
        own = [int(row["examples"]) for row in rows if row["learner"] == learner]
        exponent, error = rate(rows, learner)
        middle = np.sqrt(min(own) * max(own))
        found.append(
            Claim.with_verdict(
                f"{learner}: at the ends of batches the excess falls as one over the examples",
                "examples^-1",
                f"examples^({exponent:.2f} ± {error:.2f})",
                exponent - 2 * error <= -1.0,
                f"From a line through the points of each run from {middle:,.0f} to {max(own):,} examples; an exponent"
                " counts as slower if it is above by more than two standard errors.",
                other_lines(rows, learner),
                about=THE_PAPER if learner.endswith(AS_PRINTED) else OTHER_FORM,
            )
        )
    return found


def table(rows: Rows) -> Rows:
    """The exponent of each learner, and the excess at its last end of a batch."""
    lines: Rows = []
    for learner in LEARNERS:
        own = [row for row in rows if row["learner"] == learner]
        exponent, error = rate(rows, learner)
        last = [run[-1] for run in grouped(own, "excess", "seed").values()]
        ends = [run[-1] for run in grouped(own, "examples", "seed").values()]
        lines.append(
            {
                "learner": learner,
                "exponent": exponent,
                "standard error": error,
                "runs": len(last),
                "last end of a batch, mean": float(np.mean(ends)),
                "excess there, mean": float(np.mean(last)),
            }
        )
    return lines


def draw(rows: Rows, figure: Figure) -> None:
    """A thin line for each run; grey lines fall as one over the examples."""
    panels = figure.subplots(1, 2, sharex=True, sharey=True)
    for axes, suffix, title in zip(panels, ("", AS_PRINTED), ("the library's schedule", "as printed"), strict=True):
        for kind in ("Exploration", "Hybrid"):
            style = learner_style(kind)
            own = [row for row in rows if row["learner"] == kind + suffix]
            for at, seed in enumerate(dict.fromkeys(row["seed"] for row in own)):
                run = [(float(r["examples"]), float(r["excess"])) for r in own if r["seed"] == seed]
                x, y = zip(*run, strict=True)
                axes.plot(x, y, color=style["color"], linewidth=0.8, alpha=0.7, label=kind if at == 0 else None)
        for height in (3.0, 30.0, 300.0):
            ends = np.array([FIRST_COUNTED, max(float(row["examples"]) for row in rows)])
            axes.plot(ends, height / ends, color="0.7", linewidth=0.8, linestyle="--", zorder=0)
        axes.set_xscale("log")
        axes.set_yscale("log")
        tidy(axes, "examples", "excess at the end of a batch" if axes is panels[0] else "", title)
    legend_below(figure, panels[0])


BATCH_ENDS = Experiment(
    name="sparse-batch-ends",
    title="Exploration and Hybrid: the rate at the ends of batches",
    tasks=tasks,
    table=table,
    claims=claims,
    draw=draw,
    caption="Excess risk at the ends of batches against examples, a line for each run. Dashed"
    " lines fall as one over the examples.",
    about=(
        f"The data of the experiment before ({D} attributes, {SPARSITY} that matter, noise 1, budget {BUDGET}), up to"
        " 1,000,000 examples (128,000 in a quick run), 20 runs (5). Each run is measured where a batch of Exploration"
        " or a cycle of Hybrid ends. As printed: a constant step of half of 1 / L, contiguous blocks, given batches"
        " that grow by a quarter at each update (Exploration) or cycle (Hybrid), three exploring updates and the"
        " theorem's number of exploiting ones. Dashed lines fall as one over the examples."
    ),
    figure_size=(9.0, 5.0),
)
