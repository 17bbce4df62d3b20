"""How figures look: a learner has the same colour, marker and line in all of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes

from .paper import Rows

# Okabe and Ito's colours, which the colour-blind can tell apart; marker and line say the same again.
BLACK, ORANGE, SKY, GREEN, YELLOW, BLUE, RED, PURPLE, GREY = (
    "#000000",
    "#E69F00",
    "#56B4E9",
    "#009E73",
    "#C9B800",  # darker than theirs, which is hard to see on white
    "#0072B2",
    "#D55E00",
    "#CC79A7",
    "#7F7F7F",
)

# Published learners are drawn through, rivals dashed, full information dotted.
LOOKS: dict[str, tuple[str, str, str]] = {
    "AER": (ORANGE, "o", "-"),
    "Baseline": (PURPLE, "s", "-"),
    "Baseline, raw matrix": (PURPLE, "x", "-."),
    "AERR": (GREEN, "D", "-"),
    "AELR": (BLUE, "^", "-"),
    "AESVR": (YELLOW, "v", "-"),
    "DDAERR": (SKY, "P", "-"),
    "DDAELR": (SKY, "X", "-"),
    "Two-Phased DDAERR": (PURPLE, "h", "-"),
    "Two-Phased DDAELR": (PURPLE, "H", "-"),
    "Exploration": (ORANGE, "<", "-"),
    "Hybrid": (BLUE, ">", "-"),
    "Dantzig": (GREEN, "p", "-"),
    "RDA": (PURPLE, "d", "-"),
    "KeyholeRegressor": (RED, "*", "-"),
    "complete rows": (GREY, "s", "--"),
    "screened panel": (SKY, "D", "--"),
    "multiple imputation": (YELLOW, "^", "--"),
    "even looks": (PURPLE, "o", "--"),
    "full": (BLUE, "o", "-"),
    "scoring": (ORANGE, "s", "-"),
    "ridge": (BLACK, "o", ":"),
    "Lasso": (GREY, "^", ":"),
    "online ridge": (BLACK, "+", ":"),
    "online Lasso": (GREY, "x", ":"),
}


def look(name: str) -> dict[str, Any]:
    """Colour, marker and line of a learner, by the name that the legend shows; what follows a comma may vary.

    ``"AER, honest"`` looks like AER with an open marker, so that two tunings stand beside each other.
    """
    known = name if name in LOOKS else name.split(",")[0]
    colour, marker, line = LOOKS.get(known, (BLACK, ".", "-"))
    hollow = known != name
    return {
        "color": colour,
        "marker": marker,
        "linestyle": (0, (1, 1.5)) if hollow and line == "-" else line,
        "markerfacecolor": "white" if hollow else colour,
        "label": name,
    }


def curve(axes: Axes, x: Any, mean: Any, error: Any, name: str) -> None:
    """A line with error bars; ``error`` is what matplotlib takes as such."""
    axes.errorbar(x, mean, yerr=error, markersize=5, linewidth=1.4, capsize=2.5, elinewidth=0.9, **look(name))


def tidy(axes: Axes, xlabel: str, ylabel: str, title: str = "") -> None:
    """Named axes, a light grid, no box."""
    axes.set_xlabel(xlabel)
    axes.set_ylabel(ylabel)
    if title:
        axes.set_title(title, fontsize=11)
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(color="0.92", linewidth=0.8)
    axes.set_axisbelow(True)


def legend_below(figure: Any, axes: Axes, columns: int = 4) -> None:
    """One legend for the whole figure, outside the axes; the figure has a constrained layout."""
    figure.legend(*axes.get_legend_handles_labels(), loc="outside lower center", ncols=columns, frameon=False)


def mean_and_error(values: Sequence[float]) -> tuple[float, float]:
    """The mean and its standard error (0 for a single value, of which nothing is known)."""
    array = np.asarray(values, dtype=np.float64)
    return float(array.mean()), float(array.std(ddof=1) / np.sqrt(len(array))) if len(array) > 1 else 0.0


def grouped(rows: Rows, value: str, *keys: str) -> dict[tuple[Any, ...], list[float]]:
    """The values of rows with the same keys, groups in the order of their first row."""
    groups: dict[tuple[Any, ...], list[float]] = {}
    for row in rows:
        groups.setdefault(tuple(row[key] for key in keys), []).append(float(row[value]))
    return groups


def draw_curves(axes: Axes, rows: Rows, x: str, y: str, name: str = "learner") -> None:
    """A curve per learner: mean and standard error of ``y`` at each ``x``."""
    groups = grouped(rows, y, name, x)
    for learner in dict.fromkeys(row[name] for row in rows):
        points = sorted((at, *mean_and_error(values)) for (who, at), values in groups.items() if who == learner)
        at, means, errors = zip(*points, strict=True)
        curve(axes, at, means, errors, str(learner))
