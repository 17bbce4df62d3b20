"""How figures look: a learner has the same colour, marker and line in all of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.ticker import LogLocator, NullFormatter, StrMethodFormatter

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
    "AERR": (GREEN, "D", "-"),
    "AELR": (BLUE, "^", "-"),
    "AESVR": (PURPLE, "v", "-"),
    "DDAERR": (SKY, "P", "-"),
    "DDAELR": (SKY, "X", "-"),
    "Two-Phased DDAERR": (PURPLE, "h", "-"),
    "Two-Phased DDAELR": (PURPLE, "H", "-"),
    "Exploration": (ORANGE, "<", "-"),
    "Hybrid": (BLUE, ">", "-"),
    "Dantzig": (GREEN, "p", "-"),
    "RDA": (PURPLE, "d", "-"),
    "RDA 2018": (PURPLE, "s", "-."),
    "Full": (BLUE, "o", "-"),
    "Scoring": (ORANGE, "s", "-"),
    "Averages": (GREEN, "^", "-"),
    "Copies": (PURPLE, "D", "-"),
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


# What may follow a comma in a learner's name: another line, and an open marker.
VARIANTS: dict[str, Any] = {"as printed": "-.", "untuned": (0, (1, 1.5))}


def look(name: str) -> dict[str, Any]:
    """Colour, marker and line of a learner, by the name that the legend shows.

    ``"AER, untuned"`` has the colour and the marker of AER, open, and another line.
    """
    kind, _, variant = name.partition(", ")
    colour, marker, line = LOOKS.get(kind, (BLACK, ".", "-"))
    return {
        "color": colour,
        "marker": marker,
        "linestyle": VARIANTS.get(variant, line),
        "markerfacecolor": "white" if variant else colour,
        "label": name,
    }


def curve(axes: Axes, x: Any, mean: Any, error: Any, name: str) -> None:
    """A line with error bars; ``error`` is what matplotlib takes as such."""
    shown = look(name)
    size = 10 if shown["marker"] == "*" else 5  # a star is mostly air
    axes.errorbar(x, mean, yerr=error, markersize=size, linewidth=1.4, capsize=2.5, elinewidth=0.9, **shown)


def tidy(axes: Axes, xlabel: str, ylabel: str, title: str = "") -> None:
    """Named axes, a light grid, no box."""
    axes.set_xlabel(xlabel)
    axes.set_ylabel(ylabel)
    if title:
        axes.set_title(title, fontsize=11)
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(color="0.92", linewidth=0.8)
    axes.set_axisbelow(True)


def mark_beyond(axes: Axes) -> None:
    """Points above the picture: an arrow and the value at its upper edge, in the learner's colour."""
    top, written = axes.get_ylim()[1], dict[float, int]()
    for drawn in axes.containers:
        line = drawn[0]
        for x, y in zip(*line.get_data(), strict=True):
            if y > top:
                place = round(float(np.log(x)), 1) if axes.get_xscale() == "log" else x
                written[place] = row = written.get(place, 0) + 1
                shown = {"color": line.get_color(), "fontsize": 7.5}
                axes.annotate(f"↑{y:.3g}", (x, top), (3, -9 * row), textcoords="offset points", **shown)


def plain_log(axis: Axis) -> None:
    """Plain numbers at 1, 2 and 5 on a logarithmic axis that spans little."""
    axis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axis.set_major_formatter(StrMethodFormatter("{x:,g}"))
    axis.set_minor_formatter(NullFormatter())


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


def draw_curves(axes: Axes, rows: Rows, x: str, y: str, at: str | None = None) -> None:
    """A curve per learner: mean and standard error of ``y`` over the rows with the same ``at`` (else the same ``x``).

    Splits differ a little in the attributes that a learner saw of as many examples: with ``at="examples"`` they are
    one point, at the mean of ``x``.
    """
    heights, places = grouped(rows, y, "learner", at or x), grouped(rows, x, "learner", at or x)
    for learner in dict.fromkeys(row["learner"] for row in rows):
        mine = [key for key in heights if key[0] == learner]
        points = sorted((float(np.mean(places[key])), *mean_and_error(heights[key])) for key in mine)
        where, means, errors = zip(*points, strict=True)
        curve(axes, where, means, errors, str(learner))
