"""Settings chosen by revealed cells alone: each candidate has its own share of the rows, and is validated as it learns.

The rows are divided among the candidates, so that no row shows more than the budget. A candidate learns from the first
half of its share, and continues on the second half, where its loss is estimated before each step: the draws for the
inner product are split in two, and (estimate one - y)(estimate two - y) has the squared loss of the present weights as
its mean. This needs no further cell, but the estimate is noisy; this experiment measures how noisy.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import online
from ...common.style import learner_colour, tidy
from ...observe.ask import INNER_PRODUCT, Ask
from ...observe.scales import scaled_label, scaled_values
from ..runner.kinds import OWN_QUESTION
from ..runner.paper import Experiment, Rows, Size, Task
from ..shared.mnist_curves import split_of
from ..shared.protocol import draw_seed, grid, squared_error
from ..shared.rows import mean_and_error
from .setting import LITTLE, MUCH, PAIR, needs_mnist

CANDIDATES = {
    "AER": grid(radius=(1.0, 2.0, 4.0, 8.0), reg=(None, 50.0)),
    "AELR": grid(radius=(1.0, 2.0, 4.0, 8.0), step_size=(None, 5e-4)),
    "AERR": grid(radius=(0.2, 0.4, 0.8, 1.6), step_size=(None, 5e-5)),
}


def tasks(size: Size, seed: int) -> list[Task]:
    """Each learner on each split."""
    kinds = [("AER", LITTLE), ("AELR", LITTLE), ("AERR", MUCH)]
    return [
        Task(candidates, {"kind": kind, "budget": budget, "pair": PAIR, "split": split, "seed": seed})
        for split in range(10 if size == Size.full else 4)
        for kind, budget in kinds
    ]


def candidates(kind: str, budget: int, pair: list[int], split: int, seed: int) -> Rows:
    """Task: a row per candidate with its loss as estimated from revealed cells, and on whole test rows."""
    data = split_of(pair, split, seed)
    rows: Rows = []
    points = CANDIDATES[kind]
    for at, point in enumerate(points):
        X, y = data.X[at :: len(points)], data.y[at :: len(points)]
        half = len(y) // 2
        learner = getattr(online, kind)(budget, random_state=draw_seed(seed, split), **point).fit(X[:half], y[:half])
        losses = [_progressive(learner, X[t], y[t]) for t in range(half, len(y))]
        estimate, error = mean_and_error(losses)
        rows.append(
            {
                "learner": f"{kind}, {budget} pixels",
                "settings": ", ".join(f"{name} {value:g}" for name, value in point.items() if value is not None),
                "split": split,
                "estimate": estimate,
                "standard error": error,
                "error": squared_error(learner.predict(data.X_test), data.y_test),
                "rows": len(y),
            }
        )
    return rows


def _progressive(learner: Any, row: np.ndarray, label: float) -> float:
    """The estimated loss of the present weights on one example, as a multiple of the label's variance; then a step."""
    ask = learner.ask()
    values = row[ask.attributes].astype(np.float64)
    z = scaled_values(learner.state_.scales, ask.attributes, values)
    y = scaled_label(learner.state_.scales, label)
    learner.tell(ask, values, label)
    one, two = (part - y for part in _halves(ask, z))
    return one * two


def _halves(ask: Ask, z: np.ndarray) -> tuple[float, float]:
    """Two independent estimates of w'x, each from half of the draws; 0 where there was nothing to draw from."""
    parts = ask.weights * z[ask.slots]
    inner = parts[ask.roles == INNER_PRODUCT]
    return tuple(len(inner) / max(len(mine), 1) * float(mine.sum()) for mine in (inner[0::2], inner[1::2]))  # type: ignore[return-value]


def table(rows: Rows) -> Rows:
    """For each learner, the error of the candidate with the least estimate, of the best and of the median candidate."""
    lines: Rows = []
    for learner in dict.fromkeys(str(row["learner"]) for row in rows):
        splits = [
            [row for row in rows if row["learner"] == learner and row["split"] == split]
            for split in sorted({int(row["split"]) for row in rows})
        ]
        by_cells = [float(min(mine, key=lambda row: float(row["estimate"]))["error"]) for mine in splits]
        noise = [float(row["standard error"]) for mine in splits for row in mine]
        errors = [sorted(float(row["error"]) for row in mine) for mine in splits]
        lines.append(
            {
                "learner": learner,
                "candidates": len(splits[0]),
                "rows for each": int(splits[0][0]["rows"]),
                "standard error of a loss (median)": float(np.median(noise)),
                "error, chosen by revealed cells": float(np.mean(by_cells)),
                "error, best candidate": float(np.mean([found[0] for found in errors])),
                "error, median candidate": float(np.mean([np.median(found) for found in errors])),
            }
        )
    return lines


def draw(rows: Rows, figure: Any) -> None:
    """Estimates with their standard errors beside errors on test rows, for the first split."""
    learners = list(dict.fromkeys(str(row["learner"]) for row in rows))
    panels = figure.subplots(1, len(learners), sharey=True)
    for axes, learner in zip(panels, learners, strict=True):
        mine = [row for row in rows if row["learner"] == learner and row["split"] == rows[0]["split"]]
        places, colour = np.arange(len(mine)), learner_colour(learner)
        estimates, errors = ([float(row[name]) for row in mine] for name in ("estimate", "standard error"))
        axes.errorbar(
            places - 0.12, estimates, yerr=errors, fmt="o", color=colour, capsize=3, label="from revealed cells"
        )
        truth = [float(row["error"]) for row in mine]
        axes.plot(places + 0.12, truth, "D", color=colour, markerfacecolor="white", label="on whole test rows")
        axes.set_xticks(places, [str(row["settings"]).replace(", ", "\n") for row in mine], fontsize=8, rotation=60)
        tidy(axes, "settings", "squared error" if axes is panels[0] else "", learner)
    panels[0].legend(frameon=False)


TUNING = Experiment(
    name="tuning",
    title="Two tunings: what revealed cells can say about the settings",
    tasks=tasks,
    table=table,
    claims=lambda rows: [],  # the paper says nothing about it
    draw=draw,
    caption="Squared error of eight settings of each learner, estimated from revealed cells, beside the error on whole"
    " test rows; one split. Bars are standard errors.",
    about="The paper tunes by cross-validation on whole rows. Here each of eight settings learns from an eighth of the"
    " rows and is validated on the second half of it, by an unbiased estimate of the loss of its present weights from"
    " the same cells that it learns from. Where the setting so chosen is no better than the median candidate, settings"
    " that are fixed in advance are the better choice: the lines 'untuned' of the other figures. The figure shows one"
    " split; bars are standard errors.",
    needs=needs_mnist,
    figure_size=(11.0, 4.8),
    claims_about=OWN_QUESTION,
)
