"""The picture of the league: one row for each table, one dot for each method; published learners a little lower."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from keyhole.common.style import learner_style, legend_below, plain_log, tidy
from league.methods import EVERY_CELL, OWN, PUBLISHED, RIVALS
from league.protocol import DEVELOPMENT
from league.summary import Standings
from league.tables import shown

LOW, HIGH = 0.05, 2.0  # a dot beyond is drawn at the edge


def draw(standings: Standings, path: Path, budget: str = "4") -> None:
    """Errors relative to the mean's with one budget, tables in the order of the reference's error."""
    from matplotlib import pyplot as plt

    references = {table: standings.reference(table, budget) for table in standings.tables}
    tables = sorted((t for t, found in references.items() if found), key=lambda table: -references[table].mean)
    figure, axes = plt.subplots(figsize=(8.5, 1.6 + 0.34 * len(tables)), layout="constrained")
    for name in (OWN, *RIVALS, EVERY_CELL, *PUBLISHED):
        x, y, bars = [], [], []
        for row, table in enumerate(tables):
            errors = standings.errors(table, budget, name)
            if errors is not None and not np.isfinite(errors.mean):
                if name == OWN:
                    axes.annotate("crash", (HIGH, row), ha="right", va="center", color=learner_style(name)["color"])
            elif errors is not None:
                x.append(min(max(errors.mean, LOW), HIGH))
                y.append(row - (0.25 if name in PUBLISHED else 0.0))
                bars.append(errors.standard_error if LOW < errors.mean < HIGH else 0.0)
        style = learner_style("ridge" if name == EVERY_CELL else name) | {"linestyle": "none", "label": shown(name)}
        if name == OWN:
            axes.errorbar(x, y, xerr=bars, fmt="none", ecolor=style["color"], elinewidth=1.4, zorder=5)
            axes.plot(x, y, markersize=13, zorder=6, markeredgecolor="white", **style)
        elif name in PUBLISHED:
            axes.plot(x, y, markersize=4.5, alpha=0.8, **style)
        else:
            above = 4 if name in RIVALS else 3
            axes.plot(x, y, markersize=6.5, zorder=above, markeredgecolor="white", **style)
    axes.axvline(1.0, color="0.4", linewidth=1)
    axes.set_xscale("log")
    axes.set_xlim(LOW * 0.93, HIGH * 1.07)
    plain_log(axes.xaxis)
    tidy(axes, f"squared error relative to that of the mean label (dots at {LOW:g} and {HIGH:g}: there or beyond)", "")
    axes.set_yticks(range(len(tables)), [table + (" *" if table in DEVELOPMENT else "") for table in tables])
    axes.set_ylim(-0.6, len(tables) - 0.4)
    legend_below(figure, axes, columns=5)
    figure.savefig(path, dpi=150)
    plt.close(figure)
