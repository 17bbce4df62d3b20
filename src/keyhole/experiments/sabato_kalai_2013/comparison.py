"""Losses against budget for the methods of Sabato and Kalai and for other learners: tasks, table and figure."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ...common.style import mark_beyond, tidy
from ..runner.paper import Rows, Size, Task
from ..shared.protocol import draw_seed
from ..shared.reference_lines import FULL, OWN, RIVALS
from ..shared.rows import draw_curves, grouped, mean_and_error
from .splits import full_information_losses, method_losses, random_parts, reference_losses

FULL_INFORMATION = "full information"


def compared(data: str, budgets: list[int], splits: list[int], label: str = "", n_train: int = 0) -> Rows:
    """Task: the four methods on some random splits."""
    return [
        {"label": label, "split": split, **row}
        for split in splits
        for row in method_losses(random_parts(data, split, n_train, label), budgets)
    ]


def compared_reference(
    data: str, learner: str, budgets: list[int], split: int, label: str = "", n_train: int = 0, n_folds: int = 10
) -> Rows:
    """Task: a reference line, or all learners with every cell, on a random split."""
    parts = random_parts(data, split, n_train, label)
    if learner == FULL_INFORMATION:
        rows = full_information_losses(parts, budgets, split, n_folds)
    else:
        rows = reference_losses(parts, learner, budgets, split)
    return [{"label": label, "split": split, **row} for row in rows]


def comparison_tasks(
    data: str, budgets: list[int], label: str = "", n_train: int = 0
) -> Callable[[Size, int], list[Task]]:
    """The tasks of a figure: 50 splits for the methods, 10 for the reference lines, which are slow."""

    def tasks(size: Size, seed: int) -> list[Task]:
        quick = size == Size.quick
        shared = {"data": data, "label": label, "n_train": n_train}
        splits = [draw_seed(seed, split) for split in range(20 if quick else 50)]
        made = [
            Task(compared, {**shared, "budgets": budgets, "splits": splits[at : at + 10]}, cost=2.0)
            for at in range(0, len(splits), 10)
        ]
        for split in splits[: 1 if quick else 10]:
            for learner in (OWN, *RIVALS, FULL_INFORMATION):
                fewer = budgets[1::2] if quick else budgets
                settings = {**shared, "learner": learner, "budgets": fewer, "split": split}
                made.append(Task(compared_reference, settings, cost=5.0 if learner == OWN else 1.0))
        return made

    return tasks


def comparison_table(rows: Rows) -> Rows:
    """Mean loss of each learner at each budget, with its standard error."""
    found = grouped(rows, "loss", "learner", "budget")
    lines = []
    for learner in dict.fromkeys(str(row["learner"]) for row in rows):
        line: dict[str, Any] = {"learner": learner}
        for (name, budget), losses in found.items():
            if name == learner:
                mean, error = mean_and_error(losses)
                line[f"budget {budget}"] = f"{mean:.3f}" + (f" ± {error:.3f}" if len(losses) > 1 else "")
        line["splits"] = len({row["split"] for row in rows if row["learner"] == learner})
        lines.append(line)
    return lines


def draw_comparison(rows: Rows, figure: Figure) -> None:
    """The paper's methods left, Full and the reference lines right."""
    left, right = figure.subplots(1, 2, sharey=True)
    methods = [row for row in rows if "attributes" in row]
    others = [row for row in rows if row["learner"] in ("Full", OWN, *RIVALS, *FULL)]
    draw_curves(left, methods, "budget", "loss")
    draw_curves(right, others, "budget", "loss")
    budgets = sorted({int(row["budget"]) for row in rows})
    tidy(left, "judgments of one object", "test loss / variance of the label", "the paper's methods")
    tidy(right, "judgments of one training object", "", "other learners")
    top = max(float(np.mean(losses)) for losses in grouped(methods, "loss", "learner", "budget").values())
    left.set_ylim(0, 1.1 * max(top, 1.0))  # 1 is the loss of the mean label; larger losses are in the table
    for axes in (left, right):
        budget_axis(axes, budgets)
        mark_beyond(axes)
        axes.axhline(1, color="0.6", linewidth=0.9, zorder=0)
        axes.legend(frameon=False, fontsize=8, ncols=2, loc="upper center", bbox_to_anchor=(0.5, -0.14))


def budget_axis(axes: Axes, budgets: list[int]) -> None:
    """A logarithmic axis with a tick at each budget."""
    axes.set_xscale("log")
    axes.set_xticks(budgets, [str(budget) for budget in budgets])
    axes.minorticks_off()
