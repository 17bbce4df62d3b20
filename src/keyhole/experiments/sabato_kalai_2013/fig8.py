"""Figure 8 of Sabato and Kalai 2013: for a total of training judgments, more objects or more judgments of each?"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from ...common.style import learner_colour, plain_log, tidy
from ...datasets import ct_slices
from ...judgments import tradeoff
from ..runner.paper import Claim, Experiment, Rows, Size, Task
from ..shared.protocol import draw_seed
from ..shared.rows import grouped, mean_and_error
from .setting import ON_FRAGMENT
from .splits import CT, CT_FRAGMENT, ct_fragment, slice_parts, some_slices

BUDGET, DEPTH = 20, 24
K = [2, 3, 4, 6, 8]
SHADES = (0.4, 0.7, 1.0)  # of the learner's colour, a darker one for a larger total


def few_or_many(data: str, method: str, totals: list[int], n_splits: int, seed: int) -> Rows:
    """Task: loss against the judgments of each cell when their total is fixed."""
    rng = np.random.default_rng(seed)
    slices = some_slices(data, rng)
    whole = slice_parts(slices, len(slices.y), DEPTH, rng)
    found = tradeoff(whole.seen, whole.y, BUDGET, totals, K, method, n_splits, random_state=seed, as_printed=True)
    return [
        {"learner": method.capitalize(), "total": total, "k": each, "objects": objects, "loss": loss, "seed": seed}
        for total, each, objects, loss, _ in found.rows()
    ]


def tradeoff_tasks(data: str, totals: list[int]) -> Callable[..., list[Task]]:
    """The tasks of the figure: both algorithms, five splits in each task."""

    def tasks(size: Size, seed: int) -> list[Task]:
        number = 2 if size == Size.quick else 10
        shared = {"data": data, "totals": totals, "n_splits": 5}
        return [
            Task(few_or_many, {**shared, "method": method, "seed": own}, cost=5.0)
            for method in ("full", "scoring")
            for own in (draw_seed(seed, at) for at in range(number))
        ]

    return tasks


def tradeoff_table(rows: Rows) -> Rows:
    """Loss for each algorithm, total and k."""
    lines = []
    found = grouped(rows, "loss", "learner", "total", "k")
    for learner, total in dict.fromkeys((row["learner"], row["total"]) for row in rows):
        line: dict[str, Any] = {"learner": learner, "judgments in all": total}
        for (name, of, k), losses in found.items():
            if (name, of) == (learner, total):
                mean, error = mean_and_error(losses)
                line[f"k = {k}"] = f"{mean:.3f} ± {error:.3f}"
        lines.append(line)
    return lines


def tradeoff_claims(rows: Rows, remark: str = "") -> list[Claim]:
    """Few judgments of many objects are better than many judgments of few."""
    claims = []
    found = {key: float(np.mean(losses)) for key, losses in grouped(rows, "loss", "learner", "total", "k").items()}
    totals = sorted({int(row["total"]) for row in rows})
    for learner in dict.fromkeys(str(row["learner"]) for row in rows):
        best = [K[int(np.argmin([found[learner, total, k] for k in K]))] for total in totals]
        measured = [
            f"{total:,} in all: best at k = {k}, {found[learner, total, k]:.3f}; {found[learner, total, K[-1]]:.3f} at"
            f" k = {K[-1]}"
            for total, k in zip(totals, best, strict=True)
        ]
        claims.append(
            Claim.with_verdict(
                f"{learner}: for a fixed number of training judgments, few of each object are best",
                "a clear preference for small k",
                "; ".join(measured),
                max(best) <= 3,
                remark,
            )
        )
    return claims


def draw_tradeoff(rows: Rows, figure: Figure) -> None:
    """A panel for each algorithm, a line for each total."""
    panels = figure.subplots(1, 2, sharey=True)
    totals = sorted({int(row["total"]) for row in rows})
    for axes, learner in zip(panels, ("Full", "Scoring"), strict=True):
        for total, shade, marker in zip(totals, SHADES, ("o", "s", "^"), strict=True):
            own = [row for row in rows if (row["learner"], row["total"]) == (learner, total)]
            points = {k: mean_and_error(losses) for (k,), losses in grouped(own, "loss", "k").items()}
            mean, error = zip(*points.values(), strict=True)
            axes.errorbar(
                list(points),
                mean,
                yerr=error,
                color=learner_colour(learner),
                alpha=shade,
                marker=marker,
                capsize=2.5,
                label=f"{total:,} in all",
            )
        tidy(axes, "judgments of each attribute of an object, k", "", learner)
        axes.set_xticks(K)
        axes.set_yscale("log")  # with as many attributes as objects, the loss of least squares is very large
        plain_log(axes.yaxis)
        axes.legend(frameon=False)
    panels[0].set_ylabel("test loss / variance of the location")


def figure(name: str, title: str, data: str, totals: list[int], needs: Callable[[], object], remark: str) -> Experiment:
    """Figure 8, on the full set or on the fragment."""
    return Experiment(
        name=name,
        title=title,
        tasks=tradeoff_tasks(data, totals),
        table=tradeoff_table,
        claims=lambda rows: tradeoff_claims(rows, remark),
        draw=draw_tradeoff,
        caption="Squared loss on test slices against the number k of judgments of each attribute in training, where the"
        " total number of judgments is the same, mean over splits. Bars are standard errors.",
        about="With a total of judgments for training, k of each attribute leave total / (48 k) slices; a budget of 20"
        " judgments of a slice, chosen as printed. The totals of the paper are not printed. The other learners are left"
        " out: they have no k to choose.",
        needs=needs,
        figure_size=(10, 4.8),
    )


FIG8 = figure("fig8", "Figure 8: CT slices", CT, [16_000, 64_000, 256_000], ct_slices, "")
FIG8_FRAGMENT = figure(
    "fig8-fragment",
    "Figure 8 on a fragment of the CT slices",
    CT_FRAGMENT,
    [8000, 16_000, 32_000],
    ct_fragment,
    ON_FRAGMENT,
)
