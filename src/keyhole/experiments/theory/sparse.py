"""The rates of Murata and Suzuki 2018: the excess of sparse learners falls as one over the number of examples."""

from __future__ import annotations

from functools import partial

from ...datasets import murata_suzuki
from ...planning import bound_formulas as bounds
from ...sparse import Exploration, Hybrid
from ..runner.kinds import OTHER_FORM
from ..runner.paper import Claim, Experiment, Rows, Size, Task
from .rates import draw_bounds, falls, summary

D, SPARSITY, BUDGET, NOISE = 100, 5, 15, 1.0
FIRST = 4000


def excess_of(learner: str, doublings: int, seed: int) -> Rows:
    """Task: the exact excess at each doubling of the number of examples, in one run."""
    last = FIRST * 2**doublings
    stream = murata_suzuki(last, D, SPARSITY, NOISE, random_state=seed)
    kind = {"Exploration": Exploration, "Hybrid": Hybrid}[learner]
    model = kind(BUDGET, SPARSITY, scaling="none", random_state=seed)
    rows: Rows = []
    seen = 0
    for n in (FIRST * 2**step for step in range(doublings + 1)):
        model.partial_fit(stream.table(seen, n), stream.labels(seen, n))
        seen = n
        if learner == "Exploration":
            bound = bounds.exploration(D, n, SPARSITY, BUDGET, NOISE)
        else:
            bound = bounds.hybrid(n, SPARSITY, NOISE, smallest=1.0)
        excess = stream.excess(model.coef_, model.intercept_)
        rows.append({"learner": learner, "examples": n, "seed": seed, "excess": excess, "bound": bound})
    return rows


def tasks(size: Size, seed: int) -> list[Task]:
    """Both learners, a task for each seed."""
    doublings, seeds = (6, 10) if size == Size.quick else (8, 20)
    return [
        Task(excess_of, {"learner": learner, "doublings": doublings, "seed": seed + s})
        for learner in ("Exploration", "Hybrid")
        for s in range(seeds)
    ]


IN_STEPS = "Weights change only where one of the growing batches ends, so the excess falls in uneven steps."


def claims(rows: Rows) -> list[Claim]:
    """How fast the excess falls, and the advantage of Hybrid."""
    found = [
        falls(rows, name, f"{name}: the excess falls as one over the examples", -1.0, IN_STEPS)
        for name in ("Exploration", "Hybrid")
    ]
    last = {str(row["learner"]): row for row in summary(rows)}  # the last row of each is the largest stream's
    explored, hybrid = last["Exploration"], last["Hybrid"]
    gain = float(explored["excess"]) / float(hybrid["excess"])
    text = "Hybrid needs fewer examples than Exploration once the support is found"
    promised = float(explored["bound"]) / float(hybrid["bound"])
    published = f"up to d / (budget - s) = {promised:g} times lower excess, up to logarithms"
    measured = f"{gain:.2g} times lower at {hybrid['examples']:,} examples"
    return [*found, Claim.with_verdict(text, published, measured, gain > 1)]


SPARSE = Experiment(
    name="sparse",
    title="Exploration and Hybrid: rates against measured excess",
    tasks=tasks,
    table=summary,
    claims=claims,
    draw=partial(
        draw_bounds,
        ylabel="excess risk (squared error)",
        title="Sparse regression: rates (dashed) and measured excess",
        constant=", constant taken as 1",
    ),
    caption="Excess risk of each learner against examples, mean over runs, and the rate of its corollary as a"
    " dashed line. Bars are standard errors.",
    about=(
        "Murata and Suzuki's own synthetic data, made smaller: 100 independent normal attributes of which 5 matter,"
        " noise 1, budget 15. The excess is exact. Corollaries 4.2 and 4.5, solved for the excess, up to constants and"
        " logarithms: with constants taken as 1 the dashed rates ('bound' in the table) bound nothing, and only slopes"
        " can be compared. Bars are standard errors over runs."
    ),
    claims_about=OTHER_FORM,  # the library's schedule of batches and steps; batch_ends has the printed one
)
