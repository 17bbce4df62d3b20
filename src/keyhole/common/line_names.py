"""Names of lines beside the lines, where a panel has too many for a legend.

Nothing here imports matplotlib before something is drawn, so that any module can import it at no cost.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D

MOST_IN_LEGEND = 6  # lines; with more of them a reader cannot match a legend
NAME_SIZE = 8.0  # of the letters, in points
NEAR_EDGE = 0.85  # a line that ends further left, as a fraction of the panel, is joined to its name by dots


def label_directly(figure: Figure, most: int = MOST_IN_LEGEND) -> None:
    """Write the name of each line at its right end, in every panel with more than ``most`` lines.

    A legend is removed if all that it names is named like this and no panel still needs it: the legend of a figure, or
    one that stands in a panel with names, may be the only key to another panel that has few lines and no legend of its
    own. The figure has a constrained layout.
    """
    figure.draw_without_rendering()  # so that axes have their size, and lines their places
    drawn = [axes for axes in figure.axes if lines_of(axes)]
    crowded = [axes for axes in drawn if len(lines_of(axes)) > most]
    without_key = [axes for axes in drawn if axes not in crowded and axes.get_legend() is None]
    named = {name for axes in crowded for name in lines_of(axes)}
    for axes in crowded:
        _name_lines(axes)
    legends = [*figure.legends, *(legend for axes in crowded if (legend := axes.get_legend()) is not None)]
    for legend in legends:
        names = {text.get_text() for text in legend.get_texts()}
        needed = any(names & lines_of(axes).keys() for axes in without_key)
        if names <= named and not needed:
            legend.remove()


def lines_of(axes: Axes) -> dict[str, Line2D]:
    """The lines of a panel that have a name and a point, by name; dots that no line joins are none."""
    from matplotlib.lines import Line2D

    found = {}
    for handle, name in zip(*axes.get_legend_handles_labels(), strict=True):
        line = handle[0] if isinstance(handle, tuple) and len(handle) else handle
        if isinstance(line, Line2D) and np.size(line.get_xydata()) > 0 and line.get_linestyle() != "None":
            found[name] = line
    return found


def _name_lines(axes: Axes) -> None:
    """Names in the colours of their lines, right of the axes, moved apart where they would overlap."""
    lines, names, ends = lines_of(axes), list[str](), list[tuple[float, float]]()
    for name, line in lines.items():
        points = np.asarray(line.get_xydata(), dtype=float)
        points = points[np.isfinite(points).all(axis=1)]
        if len(points):
            end = points[::-1][np.argmax(points[::-1, 0])]  # whatever the order in which points were drawn
            x, y = axes.transAxes.inverted().transform(axes.transData.transform(end))
            names.append(name)
            ends.append((float(np.clip(x, 0, 1)), float(np.clip(y, 0, 1))))
    height = axes.get_window_extent().height * 72 / axes.figure.dpi  # in points
    places = spread_apart([y for _, y in ends], 1.2 * NAME_SIZE / height)
    for name, (x, y), place in zip(names, ends, places, strict=True):
        colour = lines[name].get_color()
        axes.annotate(
            name,
            (x, y),
            (1.03, place),
            xycoords="axes fraction",
            textcoords="axes fraction",
            color=colour,
            fontsize=NAME_SIZE,
            va="center",
            arrowprops={
                "arrowstyle": "-",
                "color": colour,
                "linewidth": 0.6,
                "linestyle": "-" if x > NEAR_EDGE else (0, (1, 6)),  # a long one must not look like a measured line
                "alpha": 0.6,
                "shrinkB": 4,
                "relpos": (0.0, 0.5),  # from the left end of the name, so that no leader runs through another name
            },
        )


def spread_apart(heights: Sequence[float], least: float) -> list[float]:
    """Heights moved as little as needed so that neighbours are at least so far apart, their order unchanged.

    >>> [round(height, 2) for height in spread_apart([0.5, 0.5, 0.9], 0.1)]
    [0.45, 0.55, 0.9]
    """
    order = sorted(range(len(heights)), key=lambda at: heights[at])
    groups: list[list[float]] = []  # each with the mean of its members less their places, and the number of members
    for rank, at in enumerate(order):
        groups.append([heights[at] - least * rank, 1.0])
        while len(groups) > 1 and groups[-1][0] < groups[-2][0]:
            (one, n), (two, m) = groups[-2:]
            groups[-2:] = [[(one * n + two * m) / (n + m), n + m]]
    bases = [base for base, number in groups for _ in range(int(number))]
    placed = [0.0] * len(heights)
    for rank, at in enumerate(order):
        placed[at] = bases[rank] + least * rank
    return placed
