"""Figures 3 and 4 of Kukliansky and Shamir 2015 on MNIST, and those of the appendix on Covertype."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from ..runner.kinds import OWN_QUESTION, THE_PAPER
from ..runner.paper import Claim, Experiment, Rows, Size, Task
from ..shared.protocol import random_split
from ..shared.rows import repeats_in_words
from .comparison import DEPENDENT, FULL_INFORMATION, PLAIN, Problem
from .drawing import draw_single, summary
from .evidence import (
    SIMILAR,
    Difference,
    around,
    difference,
    estimated,
    exceptions,
    few_rows,
    is_between,
    rough_moments,
    uncertain,
)
from .setting import BARS, DATA, LARGEST, TUNED, batches, compared, effort, grids, problem_rows

MNIST = "Labels -1 and 1; a tenth of the images for testing. Known moments are those of all training images. "
COVERTYPE = (
    "Like the appendix, whose settings are not available: the commonest type against all others, attributes scaled to"
    " lie between 0 and 1, budget 5 of 54, a tenth of the rows for testing. "
)


def tasks(data: str, norm: str, size: Size, seed: int) -> list[Task]:
    """Three sizes and four splits in a quick run, five sizes and the paper's hundred splits in a full one."""
    quick, largest = size == Size.quick, LARGEST[data]
    sizes = [largest // 16, largest // 4, largest] if quick else [largest >> halvings for halvings in range(4, -1, -1)]
    shared = effort(data, quick)
    return [
        Task(
            real,
            {"data": data, "norm": norm, "examples": examples, "repeats": repeats, "seed": seed, **shared},
            cost=2 + examples / 1000,
        )
        for examples in sizes
        for repeats in batches(0, quick)
    ]


def real(
    data: str, norm: str, examples: int, repeats: list[int], n_folds: int, n_reference: int, up_to: dict, seed: int
) -> Rows:
    """Task: some splits of a real data set, a tenth of the rows for testing."""
    X, y = DATA[data]()
    comparison = compared(data, norm, n_folds)
    rows: Rows = []
    for at, repeat in enumerate(repeats):
        split = random_split(X, y, seed, repeat)
        moments = np.mean(split.X.astype(np.float64) ** 2, axis=0) + 1e-6
        test = split.X_test, split.y_test
        problem = Problem(
            split.X[:examples],
            split.y[:examples],
            moments,
            partial(_test_error, *test),
            partial(_error_of_predictions, *test),
        )
        settings = comparison.tune(problem, repeat)
        rows += problem_rows(comparison, problem, settings, repeat, up_to if at < n_reference else {}, {"data": data})
    return rows


def claims(norm: str, rows: Rows) -> list[Claim]:
    """What the paper says of Figures 3 and 4, and of the appendix."""
    plain, dependent, full = PLAIN[norm].__name__, DEPENDENT[norm].__name__, FULL_INFORMATION[norm]
    phased, streamed = f"Two-Phased {dependent}", f"online {full}"
    sizes = sorted({int(row["attributes"]) for row in rows})
    by_size = {size: [row for row in rows if row["attributes"] == size] for size in sizes}
    first, last = by_size[sizes[0]], by_size[sizes[-1]]
    gaps = {f"with {size:,} attributes revealed": difference(by_size[size], dependent, plain) for size in sizes}
    sides = around(last, dependent, plain)
    between, means = is_between(last, dependent, plain)
    early, late = difference(first, phased, dependent), difference(last, phased, dependent)
    others = {f"{full} minus {name}": difference(last, full, name) for name in (plain, dependent, phased, streamed)}
    found = [
        Claim.with_verdict(
            f"{dependent} is considerably better than {plain} at all sizes",
            "better at all sizes",
            f"{dependent} minus {plain}: {', '.join(map(str, gaps.values()))}",
            all(gap.mean < 0 for gap in gaps.values()),
            uncertain(list(gaps.values())),
            exceptions(gaps),
        ),
        Claim.with_verdict(
            f"{phased} lies between {plain} and {dependent}, and nears {dependent}",
            "between, and converging",
            f"with the most attributes {means}; {phased} minus {dependent}: {early} with the fewest, {late} with the"
            " most",
            between and late.mean <= max(early.mean, SIMILAR),
            uncertain(list(sides.values())),
            f"{halves(between, early, late, plain, dependent)} {exceptions(sides, SIMILAR)} {rough_moments(rows)}",
        ),
    ]
    for size, part in ((sizes[0], first), (sizes[-1], last)):
        if any(row["learner"] == streamed for row in part):
            gap = difference(part, dependent, streamed)
            found.append(
                Claim.with_verdict(
                    f"{dependent} does as well as {streamed} with {size:,} attributes revealed",
                    "similar; better with few attributes" if norm == "ridge" else "comparable, if not slightly better",
                    f"{dependent} minus {streamed}: {gap}",
                    gap.mean <= SIMILAR,
                    otherwise=estimated(part, plain, dependent, streamed),
                )
            )
    found.append(
        Claim.with_verdict(
            f"Offline {full} is best",
            "best of the five",
            f"{full} minus the others: from {min(others.values())} to {max(others.values())}",
            all(gap.mean <= 0 for gap in others.values()),
            uncertain(list(others.values())),
            f"{exceptions(others)} {few_rows(rows, full)}",
        )
    )
    return [*found, least_variable(last, dependent, plain)] if norm == "lasso" else found


def halves(between: bool, early: Difference, late: Difference, plain: str, dependent: str) -> str:
    """Which half of the claim on the two-phased learner does not hold, and the differences that decide it."""
    nears = late.mean <= max(early.mean, SIMILAR)
    first = f"It {'lies' if between else 'does not lie'} between {plain} and {dependent}"
    second = (
        f"it {'nears' if nears else 'does not near'} {dependent}, the difference being {early} with the fewest"
        f" attributes and {late} with the most"
    )
    return f"{first}, {'and' if between == nears else 'but'} {second}."


def least_variable(rows: Rows, dependent: str, plain: str) -> Claim:
    """The claim that the errors of the dependent learner vary least over repeats."""
    names, n = (dependent, plain, f"Two-Phased {dependent}"), sum(row["learner"] == dependent for row in rows)
    spread = {name: np.std([float(r["error"]) for r in rows if r["learner"] == name], ddof=1) for name in names}
    return Claim.with_verdict(
        f"{dependent} varies less than the other learners under the budget",
        "smaller variance",
        ", ".join(f"{name} {value:.3f}" for name, value in spread.items()) + " (standard deviations)",
        min(spread, key=spread.__getitem__) == dependent,
        f"Each from {n} repeats, and so uncertain by about {1 / np.sqrt(2 * (n - 1)):.0%}.",
    )


def _test_error(X: np.ndarray, y: np.ndarray, w: np.ndarray, b: float) -> float:
    """The squared error of weights, relative to that of zero weights."""
    return _error_of_predictions(X, y, lambda table: table @ w + b)


def _error_of_predictions(X: np.ndarray, y: np.ndarray, predict: Callable[[np.ndarray], np.ndarray]) -> float:
    return float(np.mean((predict(X) - y) ** 2) / np.mean(y**2))


def figure(name: str, title: str, data: str, norm: str) -> Experiment:
    """One data set, for ``norm="ridge"`` or "lasso"."""
    return Experiment(
        name=name,
        title=title,
        tasks=partial(tasks, data, norm),
        table=partial(summary, panel="data"),
        claims=partial(claims, norm),
        draw=partial(draw_single, norm),
        caption="Error on test examples, relative to that of zero weights, against revealed attributes; bars"
        " are standard errors over repetitions.",
        about=(MNIST if data == "mnist" else COVERTYPE) + TUNED + grids(data, norm) + BARS,
        needs=DATA[data],
        part=repeats_in_words,
        figure_size=(11.0, 5.5),
        claims_about=THE_PAPER if data == "mnist" else OWN_QUESTION,  # what the appendix says is not available
    )


FIG3 = figure("fig3", "Figure 3: ridge on MNIST, 3 against 5, budget 57 of 784", "mnist", "ridge")
FIG4 = figure("fig4", "Figure 4: Lasso on MNIST, 3 against 5, budget 5 of 784", "mnist", "lasso")
COVERTYPE_RIDGE = figure("covertype-ridge", "Appendix B: ridge on Covertype, budget 5 of 54", "covertype", "ridge")
COVERTYPE_LASSO = figure("covertype-lasso", "Appendix B: Lasso on Covertype, budget 5 of 54", "covertype", "lasso")
