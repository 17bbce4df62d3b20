"""The figure of the curves: as printed, with running scales, untuned, and what else the same budget buys."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ...common.style import mark_beyond, tidy
from ..runner.paper import Rows
from ..shared.reference_lines import FULL, OWN, RIVALS
from ..shared.rows import draw_curves
from .printed_rivals import ON_RAW_VALUES, RDA_2018
from .results import EARLIER, PROPOSED, WITHOUT_TUNING, shown_rows
from .stream_curves import DEFAULTS

WITH_SCALES = (*PROPOSED, *EARLIER, RDA_2018)


def draw(rows: Rows, figure: Figure) -> None:
    """The paper's learners in three forms, a panel each, and the tuned Hybrid beside the reference lines."""
    shown = shown_rows(rows)
    measure = "excess" if "excess" in rows[0] else "error"
    label = "test squared error" + (" less that of the true weights" if measure == "excess" else "")
    panels = {
        "as printed, or on raw values": _of(shown, ON_RAW_VALUES),
        "running scales, tuned as in the paper": _of(shown, WITH_SCALES),
        "running scales, untuned": _untuned(rows),
        "the same budget, and every cell": _of(shown, (*FULL, *RIVALS, "Hybrid", OWN)),
    }
    grid = figure.subplots(2, 2, sharex=True, sharey=True)
    for axes, (title, part) in zip(grid.ravel(), panels.items(), strict=True):
        draw_curves(axes, part, "examples", measure)
        axes.set_xscale("log")
        tidy(axes, "examples" if axes in grid[1] else "", label if axes in grid[:, 0] else "", title)
        below = -0.13 if axes in grid[1] else -0.03  # of the axes, or of their numbers and name
        axes.legend(frameon=False, fontsize=7.5, ncols=3, loc="upper center", bbox_to_anchor=(0.5, below))
    if measure == "excess":
        grid[0, 0].set_yscale("log")
        return
    _limit(grid[0, 0], [row for part in list(panels.values())[:3] for row in part], shown)
    for axes in grid.ravel():
        mark_beyond(axes)


def _of(rows: Rows, learners: tuple[str, ...]) -> Rows:
    return [row for name in learners for row in rows if row["learner"] == name]


def _untuned(rows: Rows) -> Rows:
    """The learners with their defaults, also those of which these are the best settings."""
    own = [row for row in _of(rows, WITH_SCALES) if row["settings"] == DEFAULTS]
    return [{**row, "learner": f"{row['learner']}{WITHOUT_TUNING}"} for row in own]


def _limit(axes: Axes, rows: Rows, shown: Rows) -> None:
    """Show the range of most errors: on long-tailed data some are much larger, and the table has them all."""
    errors = [float(row["error"]) for row in rows]
    least = min(float(row["error"]) for row in shown)
    axes.set_ylim(0.9 * least, 1.6 * float(np.median(errors)))
