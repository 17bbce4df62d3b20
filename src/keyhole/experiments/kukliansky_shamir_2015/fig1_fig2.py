"""Figures 1 and 2 of Kukliansky and Shamir 2015: ridge and Lasso on simulated data with four decays of the moments."""

from __future__ import annotations

import itertools
from functools import partial

import numpy as np

from ...datasets import kukliansky_shamir
from ..runner.paper import Claim, Experiment, Rows, Size, Task
from ..shared.rows import repeats_in_words
from .comparison import DEPENDENT, FULL_INFORMATION, PLAIN, Problem
from .drawing import draw_panels, summary
from .evidence import (
    SIMILAR,
    Difference,
    around,
    at_most_attributes,
    difference,
    exceptions,
    few_rows,
    is_between,
    rough_moments,
    uncertain,
)
from .setting import ALPHAS, BARS, TUNED, D, batches, compared, effort, grids, problem_rows

SIMULATED = (
    "500 independent attributes that are 0 or 1; from left to right their second moments decay faster. The error is"
    " exact, relative to that of zero weights. "
)
CONSTANT = " With alpha 0 every attribute is always 1 here, the label is constant, and there is nothing to choose."


def tasks(norm: str, size: Size, seed: int) -> list[Task]:
    """Three sizes and four repeats in a quick run, five sizes and the paper's hundred repeats in a full one."""
    quick = size == Size.quick
    sizes = [1000, 3000, 10_000] if quick else [600, 1500, 4000, 10_000, 25_000]
    shared = effort("simulated", quick)
    return [
        Task(
            simulated,
            {"norm": norm, "alpha": alpha, "examples": examples, "repeats": repeats, **shared},
            cost=1 + examples / 1000,
        )
        for alpha in ALPHAS
        for examples in sizes
        for repeats in batches(1000 * seed, quick)
    ]


def simulated(
    norm: str, alpha: float, examples: int, repeats: list[int], n_folds: int, n_reference: int, up_to: dict
) -> Rows:
    """Task: simulated data of one decay; errors are exact, and relative to zero weights."""
    comparison = compared("simulated", norm, n_folds)
    rows: Rows = []
    for at, repeat in enumerate(repeats):
        stream = kukliansky_shamir(examples, D, alpha, norm, random_state=repeat)
        nothing = stream.excess(np.zeros(D))
        error = lambda w, b, stream=stream, nothing=nothing: stream.excess(w, b) / nothing  # noqa: E731
        problem = Problem(stream.X, stream.y, stream.moments, error)
        settings = comparison.tune(problem, repeat)
        rows += problem_rows(comparison, problem, settings, repeat, up_to if at < n_reference else {}, {"alpha": alpha})
    return rows


def claims(norm: str, rows: Rows) -> list[Claim]:
    """What the paper says of Figures 1 and 2, at the largest number of attributes."""
    plain, dependent, full = PLAIN[norm].__name__, DEPENDENT[norm].__name__, FULL_INFORMATION[norm]
    alphas = sorted({float(row["alpha"]) for row in rows}, reverse=True)
    last = {alpha: at_most_attributes([row for row in rows if row["alpha"] == alpha]) for alpha in alphas}
    gaps = {alpha: difference(last[alpha], dependent, plain) for alpha in alphas}
    steeper = [
        Difference(gaps[b].mean - gaps[a].mean, np.hypot(gaps[a].error, gaps[b].error))
        for a, b in itertools.pairwise(alphas)
    ]
    between = {alpha: is_between(last[alpha], dependent, plain) for alpha in alphas[1:]}
    sides = {
        f"alpha {alpha:g}, {names}": gap
        for alpha in alphas[1:]
        for names, gap in around(last[alpha], dependent, plain).items()
    }
    best = {
        f"alpha {alpha:g}, {full} minus {name}": difference(last[alpha], full, name)
        for alpha in alphas[1:]
        for name in (plain, dependent, f"online {full}")
    }
    return [
        Claim.with_verdict(
            f"With equal moments (alpha 0) {dependent} and {plain} are equivalent",
            "the same but for the step",
            f"{dependent} minus {plain}: {gaps[0.0]}",
            abs(gaps[0.0].mean) <= SIMILAR,
            otherwise="They have the same draws, but choose among steps by errors that differ at random.",
        ),
        Claim.with_verdict(
            f"The faster the moments decay, the more {dependent} improves on {plain}",
            "a significant improvement as the ratio decreases",
            f"{dependent} minus {plain}: " + ", ".join(f"alpha {alpha:g}: {gap}" for alpha, gap in gaps.items()),
            all(gap.mean <= SIMILAR or not gap.clear for gap in steeper) and gaps[alphas[-1]].mean < 0,
            uncertain(steeper),
            exceptions(
                {f"from alpha {a:g} to {b:g}": g for (a, b), g in zip(itertools.pairwise(alphas), steeper, strict=True)}
            ),
        ),
        Claim.with_verdict(
            f"Two-Phased {dependent} lies between {plain} and {dependent}",
            "between",
            "; ".join(f"alpha {alpha:g}: {means}" for alpha, (_, means) in between.items()),
            all(holds for holds, _ in between.values()),
            uncertain(list(sides.values())),
            f"{exceptions(sides, SIMILAR)} {rough_moments(rows)}",
        ),
        Claim.with_verdict(
            f"Offline {full}, which sees whole rows and uses them more than once, is best",
            "best of the five",
            f"{full} minus the others, alpha 0 left out: from {min(best.values())} to {max(best.values())}",
            all(gap.mean <= 0 for gap in best.values()),
            uncertain(list(best.values())),
            f"{exceptions(best)} {few_rows(rows, full)}",
        ),
    ]


def figure(name: str, title: str, norm: str) -> Experiment:
    """Figure 1 (``norm="ridge"``) or 2 ("lasso")."""
    return Experiment(
        name=name,
        title=title,
        tasks=partial(tasks, norm),
        table=partial(summary, panel="alpha"),
        claims=partial(claims, norm),
        draw=partial(draw_panels, norm, ALPHAS),
        caption="Error, relative to that of zero weights, against revealed attributes; from left to right second"
        " moments decay faster. Bars are standard errors over repetitions.",
        about=SIMULATED + TUNED + grids("simulated", norm) + BARS + (CONSTANT if norm == "lasso" else ""),
        part=repeats_in_words,
        figure_size=(13.0, 7.5),
    )


FIG1 = figure("fig1", "Figure 1: ridge on simulated data, budget 5 of 500", "ridge")
FIG2 = figure("fig2", "Figure 2: Lasso on simulated data, budget 5 of 500", "lasso")
