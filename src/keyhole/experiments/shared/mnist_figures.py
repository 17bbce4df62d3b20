"""Learning curves against examples and against attributes, the published learners beside the reference lines."""

from __future__ import annotations

from typing import Any

from ...common.style import mark_beyond, tidy
from ..runner.paper import Rows
from .comparing import allowance
from .rows import draw_curves

LABELS = {"examples": "training examples", "attributes": "attributes revealed in training, all examples together"}
TOP = 1.6  # larger errors are written at the upper edge


def draw_both_axes(rows: Rows, figure: Any, published: list[str], budget: int, title: str) -> None:
    """Draw errors against examples above and against attributes below, published lines left and other lines right.

    The first published line is on both sides. The lower axes end at the number of attributes that the budget allows.
    """
    panels = figure.subplots(2, 2, sharey=True, sharex="row")
    others = [name for name in dict.fromkeys(str(row["learner"]) for row in rows) if name not in published]
    budgeted, spent = published[0], allowance(rows, budget)
    lengths = sorted({int(row["examples"]) for row in rows if row["learner"] == budgeted})
    worst = max(float(row["error"]) for row in rows if int(row["examples"]) >= lengths[0])
    top = min(TOP, 1.05 * worst)
    for column, names in enumerate((published, [*others, budgeted])):
        mine = [row for row in rows if row["learner"] in names]
        shown = {
            "examples": [row for row in mine if int(row["examples"]) >= lengths[0]],
            "attributes": [row for row in mine if float(row["attributes"]) <= spent],
        }
        for axes, (x, chosen) in zip(panels[:, column], shown.items(), strict=True):
            axes.axhline(1, color="0.55", linewidth=1.2, zorder=1)
            draw_curves(axes, chosen, x, "error", at="examples")
            axes.set_xscale("log")
            _plain_ticks(axes, [n if x == "examples" else budget * n for n in lengths])
            axes.set_ylim(0, top)
            mark_beyond(axes)
            tidy(axes, LABELS[x], "test squared error" if column == 0 else "")
        _legend_below(panels[:, column])
    panels[0, 0].set_title(title, fontsize=11)
    panels[0, 1].set_title("the same budget spent otherwise, online, and untuned", fontsize=11)


def _plain_ticks(axes: Any, places: list[float]) -> None:
    """Ticks at the prefixes, as plain numbers of three digits."""
    axes.set_xticks(places, [f"{float(f'{place:.3g}'):,.0f}" for place in places], fontsize=9)
    axes.set_xticks([], minor=True)


def _legend_below(panels: Any) -> None:
    """One legend for both panels of a column, since some lines are in only one of them."""
    known: dict[str, Any] = {}
    for axes in panels:
        handles, labels = axes.get_legend_handles_labels()
        known |= {label: known.get(label, handle) for handle, label in zip(handles, labels, strict=True)}
    panels[-1].legend(
        known.values(),
        known.keys(),
        fontsize=9,
        ncols=2,
        loc="upper center",
        bbox_to_anchor=(0.5, -0.17),
        frameon=False,
    )
