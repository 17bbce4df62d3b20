"""The picture of the demo: test errors of all models, and what the best learner sees and learns of digits."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from .models import BUDGET, FULL, LEARNER, MEAN, REFERENCE, RIVAL, ROWS, Row, Task, best, named

# Okabe and Ito's colours, which the colour-blind can tell apart; the shapes say the same.
LOOKS = {
    LEARNER: (f"learner: at most {BUDGET} attributes of any example", "#0072B2", "o"),
    RIVAL: ("rival: as many cells, chosen otherwise", "#D55E00", "s"),
    REFERENCE: ("reference: all cells, or none", "#000000", "D"),
}


def draw(tasks: list[Task], results: dict[str, list[Row]], out: Path) -> None:
    figure: Any = Figure(figsize=(12, 8), layout="constrained")
    figure.get_layout_engine().set(w_pad=0.08, h_pad=0.08)
    FigureCanvasAgg(figure)
    above, below = figure.subfigures(2, 1, height_ratios=[1.45, 1])
    above.suptitle(f"What {BUDGET} attributes of each example are worth", fontsize=15, weight="bold")
    for task, axes in zip(tasks, above.subplots(1, len(tasks)), strict=True):
        _draw_errors(task, results[task.name], axes)
    above.legend(*axes.get_legend_handles_labels(), loc="outside lower center", ncols=3, frameon=False)
    _draw_digits(tasks[0], results[tasks[0].name], below)
    figure.savefig(out, dpi=130)


def _draw_errors(task: Task, rows: list[Row], axes: Any) -> None:
    for kind, (meaning, colour, marker) in LOOKS.items():
        at = [r for r, row in enumerate(rows) if row.kind == kind]
        errors, spreads = [rows[r].error for r in at], [rows[r].spread for r in at]
        axes.errorbar(errors, at, xerr=spreads, fmt=marker, color=colour, capsize=3, ms=7, label=meaning)
    for name, style in ((FULL, ":"), (ROWS, "--"), (MEAN, "-")):
        axes.axvline(named(rows, name).error, color="0.6", linestyle=style, linewidth=1, zorder=0)
    axes.set_yticks(range(len(rows)), [row.name for row in rows])
    for label, row in zip(axes.get_yticklabels(), rows, strict=True):
        label.set_color(LOOKS[row.kind][1])
    axes.invert_yaxis()
    axes.set_xlim(0, 1.25 * named(rows, MEAN).error)
    axes.set_xlabel("test squared error (mean and standard deviation over splits)")
    axes.set_title(f"{task.name}: {task.question}\n{task.X.shape[1]} attributes", fontsize=11)
    axes.spines[["top", "right"]].set_visible(False)


def _draw_digits(task: Task, rows: list[Row], figure: Any) -> None:
    """Some digits as the best learner asks to see them, and its weights beside those of full information."""
    learner, grid, shown = best(rows, LEARNER), figure.add_gridspec(2, 10), range(6)
    for at in shown:
        image, seen = task.X[at], np.full(task.X.shape[1], np.nan)
        asked = learner.model.ask().attributes
        seen[asked] = image[asked]
        for line, pixels in enumerate((image, seen)):
            axes = figure.add_subplot(grid[line, at], facecolor="#cfe3f1")
            axes.imshow(pixels.reshape(8, 8), cmap="gray_r", vmin=0, vmax=16)
            axes.set(xticks=[], yticks=[])
            if at == 0:
                axes.set_ylabel(("the digit", f"asked for by\n{learner.name}")[line], fontsize=9)
            if (line, at) == (1, 2):
                axes.set_xlabel("light blue: not looked at", loc="left")
    weights = {
        f"weights that {learner.name}\nlearned ({learner.share:.0%} of all cells)": learner.model.coef_
        * task.X.std(axis=0),
        "weights by full\ninformation (all cells)": named(rows, FULL).model[-1].coef_,
    }
    for at, (title, pixels) in enumerate(weights.items()):
        axes = figure.add_subplot(grid[:, 6 + 2 * at : 8 + 2 * at])
        limit = np.abs(pixels).max()
        axes.imshow(pixels.reshape(8, 8), cmap="PuOr", vmin=-limit, vmax=limit)
        axes.set(xticks=[], yticks=[], xlabel="orange: even, purple: odd")
        axes.set_title(title, fontsize=10)
