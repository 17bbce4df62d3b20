"""The picture of the league: one row for each table, one dot for each method."""

from __future__ import annotations

from pathlib import Path

from keyhole.common.style import learner_style, legend_below, plain_log, tidy
from league.methods import EVERY_CELL, OWN, PUBLISHED, RIVALS
from league.protocol import DEVELOPMENT
from league.summary import Standings

LOW, HIGH = 0.05, 2.0  # a dot beyond is drawn at the edge


def draw(standings: Standings, path: Path, budget: str = "4") -> None:
    """Errors relative to the mean's with one budget, tables in the order of the reference's error."""
    from matplotlib import pyplot as plt

    references = {table: standings.reference(table, budget) for table in standings.tables}
    tables = sorted((t for t, found in references.items() if found), key=lambda table: -references[table].mean)
    figure, axes = plt.subplots(figsize=(8.5, 1.6 + 0.34 * len(tables)), layout="constrained")
    for name in (*PUBLISHED, EVERY_CELL, *RIVALS, OWN):
        x, y, bars = [], [], []
        for row, table in enumerate(tables):
            errors = standings.errors(table, budget, name)
            if errors is not None and not errors.crashes:
                x.append(min(max(errors.mean, LOW), HIGH))
                y.append(row)
                bars.append(errors.standard_error if LOW < errors.mean < HIGH else 0.0)
        style = learner_style("ridge" if name == EVERY_CELL else name) | {"linestyle": "none"}
        style["label"] = {EVERY_CELL: "ridge, every cell"}.get(name, name)
        if name == OWN:
            axes.errorbar(x, y, xerr=bars, markersize=13, elinewidth=1.4, zorder=5, markeredgecolor="white", **style)
        elif name in PUBLISHED:
            axes.plot(x, y, markersize=4, alpha=0.6, **style)
        else:
            axes.plot(x, y, markersize=6.5, zorder=4, markeredgecolor="white", **style)
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
