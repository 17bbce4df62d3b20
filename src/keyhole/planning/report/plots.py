"""The picture of a plan: error against what is spent per example, at equal total cost."""

from __future__ import annotations

import io
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ...common.atomic import write_whole
from ...common.parameters import ParameterError
from ...common.style import BLACK, curve, learner_colour, legend_below, mark_beyond, plain_log, tidy
from ..designs import EVERY_TEST

if TYPE_CHECKING:
    from ..result import Plan

FORMATS = (".png", ".svg", ".pdf")
RING = 150  # the area of a ring in square points
ASIDE = 0.025  # of the axis' range of logarithms, by which lines of learners are moved so that bars do not overlap
HIGHEST = 1.6  # errors that are drawn; the mean label has 1
# Rings around designs by their marks: how wide, and how they are called.
RINGS = {
    "recommended": (2.2, "recommended"),
    "cannot be told apart": (0.8, "cannot be told apart"),
}


def check_figure(path: Path) -> None:
    """Raise unless a figure can be written in the format that a name asks for."""
    if path.suffix.lower() not in FORMATS:
        raise ParameterError("figure", f"the name of the picture must end with one of {', '.join(FORMATS)}", path)


def draw_plan(plan: Plan, path: str | Path | None) -> Any:
    """A panel for predictions from all attributes, and one for those from few."""
    from matplotlib.figure import Figure

    if path is not None:
        check_figure(Path(path))
    both = plan.few < plan.n_attributes
    figure = Figure(figsize=(9.5 if both else 5.5, 4.2), layout="constrained")
    panels = np.atleast_1d(figure.subplots(1, 1 + both, sharey=True))
    names = ["all attributes", f"{plan.few} attributes"]
    for axes, name, few in zip(panels, names, ("all", "few"), strict=False):
        _draw(plan, axes, few)
        unit = "tests of each example" if plan.unit_costs else "spend on each example"
        tidy(axes, unit, "error, share of the label's variance" if few == "all" else "", f"predictions from {name}")
    unit = "tests" if plan.unit_costs else "in units of cost"
    cut = f", cut at {HIGHEST:g}" if panels[0].get_ylim()[1] == HIGHEST else ""
    figure.suptitle(f"Designs at a total of {plan.total:,.0f} {unit}, with 90% intervals{cut}", fontsize=12)
    legend_below(figure, *panels, columns=4 if both else 2)
    if path is not None:
        stream = io.BytesIO()
        figure.savefig(stream, format=Path(path).suffix[1:].lower(), dpi=150)
        write_whole(path, stream.getvalue())
    return figure


def _draw(plan: Plan, axes: Any, name: str) -> None:
    rows = plan.table()
    learners = [one for one in dict.fromkeys(row["learner"] for row in rows) if one != EVERY_TEST]
    spends = [row["spend"] for row in rows]
    step = max((max(spends) / min(spends)) ** ASIDE, 1 + ASIDE)
    for number, learner in enumerate(learners):
        own = [row for row in rows if row["learner"] == learner]
        x = np.array([row["spend"] for row in own]) * step ** (number - (len(learners) - 1) / 2)
        mean, low, high = (np.array([row[f"{what}_{name}"] for row in own]) for what in ("error", "low", "high"))
        # The mean of very unequal errors may lie above the interval, which is about their logarithms.
        curve(axes, x, mean, [np.maximum(mean - low, 0.0), np.maximum(high - mean, 0.0)], learner)
        for mark, (width, called) in RINGS.items():
            at = [i for i, row in enumerate(own) if row[f"mark_{name}"] == mark]
            if at:
                style = {"s": RING, "facecolors": "none", "edgecolors": BLACK, "linewidths": width, "zorder": 4}
                axes.scatter(x[at], mean[at], label=called, **style)
    every = next(row for row in rows if row["learner"] == EVERY_TEST)
    label = f"{EVERY_TEST}\nof {every['n_examples']:,} examples"
    axes.axhline(every[f"error_{name}"], color=learner_colour(EVERY_TEST), linestyle=":", linewidth=1.2, label=label)
    axes.set_xscale("log")
    plain_log(axes.xaxis)
    axes.set_xticks(sorted(set(spends)), [f"{one:g}" for one in sorted(set(spends))])
    axes.minorticks_off()
    if len(set(spends)) == 1:
        axes.set_xlim(spends[0] / 1.5, spends[0] * 1.5)
    highest = max(row[f"high_{which}"] for row in rows for which in ("all", "few"))
    axes.set_ylim(0, min(HIGHEST, 1.05 * highest))
    mark_beyond(axes)
