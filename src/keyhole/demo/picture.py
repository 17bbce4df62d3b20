"""The picture of the demo: test errors of all models, and what the best learner reveals and learns of digits."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from ..common.style import GREY, NOT_REVEALED, learner_colour
from .models import BUDGET, FULL, LAID_OUT, LEARNER, MEAN, REFERENCE, RIVAL, ROWS, DataSet, Row, best, named

# A colour for each model, as in every figure; the marker says which kind of model it is.
KINDS = {
    LEARNER: (f"learner: at most {BUDGET} attributes of any example", "o"),
    LAID_OUT: ("learner: as many cells, laid out by itself", "*"),
    RIVAL: ("rival: as many cells, chosen otherwise", "s"),
    REFERENCE: ("reference: all cells, or none", "D"),
}


def draw(data_sets: list[DataSet], results: dict[str, list[Row]], out: Path) -> None:
    """Draw the results on both data sets, and some digits, and write the picture."""
    figure: Any = Figure(figsize=(12, 8), layout="constrained")
    figure.get_layout_engine().set(w_pad=0.08, h_pad=0.08)
    FigureCanvasAgg(figure)
    above, below = figure.subfigures(2, 1, height_ratios=[1.45, 1])
    above.suptitle(f"The value of {BUDGET} attributes of each example", fontsize=15, weight="bold")
    for data, axes in zip(data_sets, above.subplots(1, len(data_sets)), strict=True):
        _draw_errors(data, results[data.name], axes)
    above.legend(*axes.get_legend_handles_labels(), loc="outside lower center", ncols=2, frameon=False)
    _draw_digits(data_sets[0], results[data_sets[0].name], below)
    figure.savefig(out, dpi=130)


def _draw_errors(data: DataSet, rows: list[Row], axes: Any) -> None:
    """A point with its standard error for each model, the best at the top."""
    for place, row in enumerate(rows):
        colour, marker = learner_colour(row.name), KINDS[row.kind][1]
        axes.errorbar(row.error, place, xerr=row.standard_error, fmt=marker, color=colour, capsize=3, ms=7)
    for name, style in ((FULL, ":"), (ROWS, "--"), (MEAN, "-")):
        axes.axvline(named(rows, name).error, color="0.6", linestyle=style, linewidth=1, zorder=0)
    for meaning, marker in KINDS.values():
        axes.plot([], [], marker, color=GREY, ms=7, label=meaning)
    axes.set_yticks(range(len(rows)), [row.name for row in rows])
    for label, row in zip(axes.get_yticklabels(), rows, strict=True):
        label.set_color("black" if row.name == MEAN else learner_colour(row.name))  # the colour of the mean is pale
    axes.invert_yaxis()
    axes.set_xlim(0, 1.25 * named(rows, MEAN).error)
    axes.set_xlabel("test squared error (mean and standard error over splits)")
    axes.set_title(f"{data.name}: {data.question}\n{data.X.shape[1]} attributes", fontsize=11)
    axes.spines[["top", "right"]].set_visible(False)


def _draw_digits(data: DataSet, rows: list[Row], figure: Any) -> None:
    """Some digits as the best learner asks to see them, and its weights beside those of full information."""
    learner, grid, shown = best(rows, LEARNER), figure.add_gridspec(2, 10), range(6)
    for at in shown:
        image, revealed = data.X[at], np.full(data.X.shape[1], np.nan)
        asked = learner.model.ask().attributes
        revealed[asked] = image[asked]
        for line, pixels in enumerate((image, revealed)):
            axes = figure.add_subplot(grid[line, at], facecolor=NOT_REVEALED)
            axes.imshow(pixels.reshape(8, 8), cmap="gray_r", vmin=0, vmax=16)
            axes.set(xticks=[], yticks=[])
            if at == 0:
                axes.set_ylabel(("the digit", f"revealed to\n{learner.name}")[line], fontsize=9)
            if (line, at) == (1, 2):
                axes.set_xlabel("light blue: not revealed", loc="left")
    weights = {
        f"weights that {learner.name}\nlearned ({learner.share:.0%} of all cells)": learner.model.coef_
        * data.X.std(axis=0),
        "weights by full\ninformation (all cells)": named(rows, FULL).model[-1].coef_,
    }
    for at, (title, pixels) in enumerate(weights.items()):
        axes = figure.add_subplot(grid[:, 6 + 2 * at : 8 + 2 * at])
        limit = np.abs(pixels).max()
        axes.imshow(pixels.reshape(8, 8), cmap="PuOr", vmin=-limit, vmax=limit)
        axes.set(xticks=[], yticks=[], xlabel="orange: even, purple: odd")
        axes.set_title(title, fontsize=10)
