"""What cannot be learned quickly: the distribution of Theorem 3 of Cesa-Bianchi et al. 2010.

One of d fair signs is correlated with the label. A learner with k attributes of each example reveals this one in k / d
of the examples at best, until it is known; so it needs examples in the order of d / k, while whole rows need log d.
"""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ...common.style import curve, learner_style, legend_below, tidy
from ...datasets import TwoValued, one_good_attribute
from ...moments import KeyholeRegressor
from ...online import AELR, AER
from ...planning import bound_formulas as bounds
from ..runner.paper import Claim, Experiment, Row, Rows, Size, Task
from ..shared.rows import grouped, mean_and_error

BUDGET, ACCURACY = 4, 0.04
NORM = 2 * np.sqrt(ACCURACY)  # of the best weights; given to the streaming learners as their radius
FIRST, LAST, LAST_REFITTED = 2**4, 2**18, 2**15
BESIDE = 0.92  # from one mark of a number of attributes to the next, as a factor
UNIFORM, WHOLE_ROWS, OURS = "uniform reveals", "Lasso", "KeyholeRegressor"


def uniform_reveals(stream: TwoValued, n: int, seed: int) -> np.ndarray:
    """The plain strategy: reveal all attributes equally often, and keep the one that agrees most with the label."""
    X, y = stream.table(0, n), stream.labels(0, n)
    blocks = np.random.default_rng(seed).permutation(stream.n_attributes).reshape(-1, BUDGET)
    w = np.zeros(stream.n_attributes)
    for turn, block in enumerate(blocks[:n]):
        w[block] = np.mean(X[turn :: len(blocks), block] * y[turn :: len(blocks), None], axis=0)
    return np.where(np.abs(w) == np.abs(w).max(), w, 0.0)


def lasso(stream: TwoValued, n: int, seed: int) -> np.ndarray:
    """Lasso with every cell of every row; the penalty by cross-validation."""
    from sklearn.linear_model import LassoCV

    learner = LassoCV(cv=4, alphas=20, fit_intercept=False, tol=0.01, max_iter=5000, random_state=seed)
    return learner.fit(stream.table(0, n), stream.labels(0, n)).coef_


def keyhole(stream: TwoValued, n: int, seed: int) -> np.ndarray:
    """Keyhole's own learner."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of few examples, which the first doublings are
        return KeyholeRegressor(BUDGET, random_state=seed).fit(stream.table(0, n), stream.labels(0, n)).coef_


REFITTED: dict[str, Callable[[TwoValued, int, int], np.ndarray]] = {
    UNIFORM: uniform_reveals,
    WHOLE_ROWS: lasso,
    OURS: keyhole,
}


def examples_needed(learner: str, attributes: int, seed: int) -> Rows:
    """Task: the first of 16, 32, 64, ... examples after which the excess is below the accuracy, if there is one."""
    last = LAST if learner not in (OURS, WHOLE_ROWS) else LAST_REFITTED
    stream = one_good_attribute(last, attributes, ACCURACY, random_state=seed)
    streaming: dict[str, type[AELR] | type[AER]] = {"AELR": AELR, "AER": AER}
    model = streaming[learner](BUDGET, NORM, random_state=seed) if learner not in REFITTED else None
    seen, n, excess = 0, FIRST, np.inf
    while n <= last:
        if model is None:
            coef = REFITTED[learner](stream, n, seed)
        else:
            coef = model.partial_fit(stream.table(seen, n), stream.labels(seen, n)).coef_
        excess, seen = stream.excess(coef), n
        if excess < ACCURACY:
            break
        n *= 2
    found = int(excess < ACCURACY)
    return [{"learner": learner, "attributes": attributes, "seed": seed, "examples": seen, "found": found}]


def tasks(size: Size, seed: int) -> list[Task]:
    """Each learner for each number of attributes, a task for each seed."""
    quick = size == Size.quick
    widths, seeds, widest = ([16, 32, 64, 256], 5, 32) if quick else ([16, 32, 64, 128, 256, 512, 1024], 20, 64)
    return [
        Task(examples_needed, {"learner": learner, "attributes": d, "seed": seed + s}, cost=d / 100)
        for learner in (UNIFORM, "AELR", "AER", OURS, WHOLE_ROWS)
        for d in widths
        for s in range(seeds)
        if learner != OURS or d <= widest  # fitted anew at each doubling: half a minute for a run on wider tables
    ]


def table(rows: Rows) -> Rows:
    """The mean of log2(examples), as a number of examples.

    A run without success counts with its last number, so that the mean is a lower limit where there is one.
    """
    successes = grouped(rows, "found", "learner", "attributes")
    found: Rows = []
    for (learner, d), needed in grouped(rows, "examples", "learner", "attributes").items():
        mean, error = mean_and_error([float(np.log2(n)) for n in needed])
        found.append(
            {
                "learner": learner,
                "attributes": int(d),
                "examples needed": float(2**mean),
                "times or divided by": float(2**error),
                "successful runs": int(sum(successes[learner, d])),
                "runs": len(needed),
                "fewest that are possible": bounds.examples_needed(int(d), BUDGET, ACCURACY),
            }
        )
    return found


def growth(rows: Rows, learner: str) -> float:
    """The exponent a of examples ~ attributes^a."""
    own = [r for r in table(rows) if r["learner"] == learner and r["successful runs"] == r["runs"]]
    widths, needed = (np.array([float(r[name]) for r in own]) for name in ("attributes", "examples needed"))
    return float(np.polyfit(np.log(widths), np.log(needed), 1)[0])


def claims(rows: Rows) -> list[Claim]:
    """That no learner needs fewer examples than the theorem says, and how the number grows."""
    budgeted = [row for row in rows if row["learner"] != WHOLE_ROWS]
    ratios = [
        float(row["examples"]) / max(bounds.examples_needed(int(row["attributes"]), BUDGET, ACCURACY), 1.0)
        for row in budgeted
    ]
    exponents = {name: growth(rows, name) for name in (UNIFORM, "AELR")}
    slowest, whole = min(exponents.values()), growth(rows, WHOLE_ROWS)
    return [
        Claim.with_verdict(
            "With 4 attributes of each example no learner is accurate after fewer examples than the theorem says",
            "at least floor(d / (96 k accuracy)) / 2 examples in expectation",
            f"the shortest of {len(budgeted)} runs needed {min(ratios):.0f} times as many",
            min(ratios) >= 1,
        ),
        Claim.with_verdict(
            "The examples needed grow in proportion to the number of attributes",
            "at least d^1",
            ", ".join(f"{name} d^{exponent:.2f}" for name, exponent in exponents.items())
            + f"; whole rows d^{whole:.2f}",
            slowest >= 0.9 and whole < 0.5,
            "The theorem is about orders of magnitude: finding the best among more attributes adds a logarithm.",
        ),
    ]


def _mark_unfinished(axes: Axes, row: Row, tried: int, above: int) -> None:
    """Say that more examples are needed than were tried, and how many runs succeeded with these.

    ``above`` learners of the same number of attributes have such a mark already: theirs is to the right of this one,
    and its words are above these.
    """
    style = learner_style(str(row["learner"]))
    width = float(row["attributes"]) * BESIDE**above
    axes.plot([width], [tried], marker=style["marker"], color=style["color"], markerfacecolor="white", linestyle="")
    arrow = {"arrowstyle": "->", "color": style["color"]}
    axes.annotate("", (width, 4 * tried), (width, 1.2 * tried), arrowprops=arrow)
    text = f"over {tried:,}\n({row['successful runs']} of {row['runs']} runs)"
    at = (float(row["attributes"]), 1.5 * tried)
    axes.annotate(text, at, (5, 22 * above), textcoords="offset points", fontsize=7.5, color=style["color"])


def _mark_not_run(axes: Axes, own: Rows) -> None:
    """Say, where the points of a learner end, that it was not run with more attributes."""
    last = own[-1]
    axes.annotate(
        f"not run beyond {last['attributes']} attributes",
        (float(last["attributes"]), float(last["examples needed"])),
        (-40, 12),
        textcoords="offset points",
        fontsize=7.5,
        color=learner_style(str(last["learner"]))["color"],
    )


def draw(rows: Rows, figure: Figure) -> None:
    """Examples needed against attributes, above the region that the theorem excludes.

    Lines are drawn through measured numbers only. Where runs ended without success, an open marker with an arrow is at
    the largest number of examples that was tried; where a learner was not run, words say so.
    """
    axes = figure.subplots()
    points = table(rows)
    all_widths = sorted({int(row["attributes"]) for row in points})
    marked: Counter[Any] = Counter()
    for learner in dict.fromkeys(str(row["learner"]) for row in points):
        own = [row for row in points if row["learner"] == learner]
        measured = [row for row in own if row["successful runs"] == row["runs"]]
        needed = np.array([float(row["examples needed"]) for row in measured])
        factor = np.array([float(row["times or divided by"]) for row in measured])
        spread = np.array([needed - needed / factor, needed * factor - needed])
        name = f"{learner}, every cell" if learner == WHOLE_ROWS else learner
        curve(axes, [float(row["attributes"]) for row in measured], needed, spread, name)
        tried = max(int(row["examples"]) for row in rows if row["learner"] == learner)
        for row in own:
            if row not in measured:
                _mark_unfinished(axes, row, tried, marked[row["attributes"]])
                marked[row["attributes"]] += 1
        if float(own[-1]["attributes"]) < all_widths[-1]:
            _mark_not_run(axes, own)
    limit = [bounds.examples_needed(d, BUDGET, ACCURACY) for d in all_widths]
    axes.fill_between(all_widths, 0.3, limit, color="0.85", label="impossible with 4 cells (Theorem 3)")
    axes.set_xscale("log", base=2)
    axes.set_xticks(all_widths, [str(width) for width in all_widths])
    axes.set_yscale("log")
    axes.set_ylim(0.3, 16 * max(float(row["examples"]) for row in rows))
    axes.set_xlim(0.85 * all_widths[0], 1.6 * all_widths[-1])
    axes.minorticks_off()
    tidy(
        axes,
        "attributes",
        f"examples until the excess is below {ACCURACY:g}",
        "One good attribute among many, 4 cells of each example",
    )
    legend_below(figure, axes, columns=3)


LEARNING = Experiment(
    name="learning",
    title="Learning: one good attribute among many (Cesa-Bianchi et al. 2010, Theorem 3)",
    tasks=tasks,
    table=table,
    claims=claims,
    draw=draw,
    caption="Examples that are needed to find the one good attribute against the number of attributes. The"
    " theorem rules out the grey region. Bars are standard errors of the mean doubling; an open marker with an arrow is"
    " the most that was tried where some runs did not succeed. KeyholeRegressor was not run beyond 64 attributes (32 in"
    " a quick run): it is fitted anew at each doubling, which takes too long.",
    about=(
        "All attributes are fair signs; the label agrees with one of them in 7 of 10 examples. Examples are doubled"
        " until the exact excess risk is below 0.04, which requires that the good attribute is known. AER and AELR are"
        " given the norm of the best weights. Uniform reveals is the plain strategy: all attributes equally often, then"
        " the one that agrees most. Bars are standard errors of the mean doubling. Lines go through numbers that all"
        " runs reached; an open marker with an arrow is the most that was tried where some did not. KeyholeRegressor is"
        " fitted again at each doubling, which takes too long with more than 64 attributes (32 in a quick run)."
    ),
)
