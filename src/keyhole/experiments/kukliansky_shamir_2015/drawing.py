"""Error against revealed attributes: learners tuned as in the paper, and learners tuned on revealed cells only."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ...common.style import legend_below, mark_beyond, tidy
from ..runner.paper import Rows
from ..shared.rows import draw_curves, each_setting, error_to_show, grouped
from .comparison import DEPENDENT, FULL_INFORMATION, PLAIN, UNTUNED

X_LABEL, Y_LABEL = "attributes revealed", "error relative to zero weights"
INVISIBLE = 0.01  # smaller errors cannot be seen
AS_PUBLISHED, REVEALED = "tuned as in the paper", "tuned on revealed cells only"


def published(norm: str) -> list[str]:
    """The five algorithms of the paper's figures."""
    plain, dependent, full = PLAIN[norm].__name__, DEPENDENT[norm].__name__, FULL_INFORMATION[norm]
    return [plain, f"Two-Phased {dependent}", dependent, f"online {full}", full]


def on_revealed_cells(norm: str) -> list[str]:
    """The same budget, without tuning on cells that were not revealed."""
    plain, dependent = PLAIN[norm].__name__, DEPENDENT[norm].__name__
    rivals = ["complete rows", "screened panel", "multiple imputation"]
    return [plain + UNTUNED, f"Two-Phased {dependent}{UNTUNED}", "KeyholeRegressor", *rivals]


def summary(rows: Rows, panel: str) -> Rows:
    """Mean, standard error and standard deviation over repeats, and how often each setting was chosen."""
    found: Rows = []
    chosen: dict[tuple[Any, ...], list[str]] = {}
    for row in rows:
        chosen.setdefault((row[panel], row["learner"], row["attributes"]), []).append(str(row["settings"]))
    for (where, learner, seen), errors in grouped(rows, "error", panel, "learner", "attributes").items():
        found.append(
            {
                panel: where,
                "learner": learner,
                "attributes": int(seen),
                "error": float(np.mean(errors)),
                "standard error": error_to_show(errors),
                "standard deviation": float(np.std(errors, ddof=1)) if len(errors) > 1 else "",
                "repeats": len(errors),
                "settings chosen": each_setting(chosen[where, learner, seen]),
            }
        )
    return found


def draw_panels(norm: str, alphas: Sequence[float], rows: Rows, figure: Figure) -> None:
    """A column per decay; the paper's algorithms above, those tuned on revealed cells only below."""
    grid = figure.subplots(2, len(alphas), sharex=True, sharey=True)
    for column, alpha in enumerate(alphas):
        here = [row for row in rows if row["alpha"] == alpha]
        for axes, names, what in (
            (grid[0, column], published(norm), AS_PUBLISHED),
            (grid[1, column], on_revealed_cells(norm), REVEALED),
        ):
            _draw(axes, here, names)
            title = f"alpha = {alpha:g}" if what == AS_PUBLISHED else ""
            tidy(axes, X_LABEL if what == REVEALED else "", f"{what}\n{Y_LABEL}" if column == 0 else "", title)
    legend_below(figure, grid[0, 0], grid[1, 0])


def draw_single(norm: str, rows: Rows, figure: Figure) -> None:
    """The paper's algorithms left, those tuned on revealed cells only right."""
    left, right = figure.subplots(1, 2, sharey=True)
    for axes, names, what in ((left, published(norm), AS_PUBLISHED), (right, on_revealed_cells(norm), REVEALED)):
        _draw(axes, rows, names)
        tidy(axes, X_LABEL, Y_LABEL if axes is left else "", what)
    legend_below(figure, left, right)


def _draw(axes: Axes, rows: Rows, names: list[str]) -> None:
    ordered = [row for name in names for row in rows if row["learner"] == name]
    draw_curves(axes, ordered, "attributes", "error")
    axes.set_xscale("log")
    sizes = sorted({int(row["attributes"]) for row in rows})
    axes.set_xticks(sizes, [f"{size / 1000:g}k" for size in sizes])
    axes.minorticks_off()
    axes.set_ylim(0, 1.15)
    mark_beyond(axes)
    if max((float(row["error"]) for row in rows), default=1.0) < INVISIBLE:
        axes.text(0.5, 0.5, f"every error is\nbelow {INVISIBLE:g}", transform=axes.transAxes, ha="center", color="0.4")
