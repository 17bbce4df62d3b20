"""The figure of an experiment: drawn, written as PNG and SVG, and described in words."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.container import Container
from matplotlib.figure import Figure

from ...common.atomic import write_whole
from ...common.line_names import label_directly
from .paper import Experiment, Rows


class Drawing(NamedTuple):
    """A figure as SVG text, and in words."""

    svg: str
    words: str


def write_figure(experiment: Experiment, rows: Rows, folder: Path, origin: str) -> Drawing | None:
    """Draw the figure of an experiment into its folder; None if it has none. ``origin`` goes into the files."""
    if experiment.draw is None:
        return None
    figure = Figure(figsize=experiment.figure_size, layout="constrained")
    FigureCanvasAgg(figure)
    experiment.draw(rows, figure)
    words = experiment.alternative_text or f"{experiment.title}. {figure_in_words(figure)}"
    label_directly(figure)
    title = {"Title": experiment.title, "Description": origin}
    figure.savefig(folder / f"{experiment.name}.png", dpi=150, metadata=title)
    # Text as text, and names of shapes that do not change: equal results give equal files.
    with rc_context({"svg.fonttype": "none", "svg.hashsalt": f"{folder.name} {experiment.name}"}):
        drawn = io.StringIO()
        figure.savefig(drawn, format="svg", metadata={"Date": None, **title})
    text = drawn.getvalue()
    write_whole(folder / f"{experiment.name}.svg", text)
    return Drawing(text[text.index("<svg") :], words)


def figure_in_words(figure: Figure) -> str:
    """Each panel of a figure: its title, its axes, and where each of its lines begins and ends.

    >>> figure = Figure()
    >>> axes = figure.subplots()
    >>> lines = axes.plot([1, 4], [0.5, 0.25], label="AER")
    >>> names = axes.set_xlabel("examples"), axes.set_ylabel("error")
    >>> figure_in_words(figure)
    'error against examples. AER: 0.5 at 1, 0.25 at 4.'
    """
    panels = [axes for axes in figure.axes if axes.axison]
    several = len(panels) > 1
    return " ".join(
        (f"Panel {number}: " if several else "") + _panel_in_words(axes) for number, axes in enumerate(panels, 1)
    ).strip()


def _panel_in_words(axes: Axes) -> str:
    title, x, y = axes.get_title(), axes.get_xlabel(), axes.get_ylabel()
    against = f"{y} against {x}" if x and y else x or y
    parts = [part for part in (title, against) if part]
    lines = [_line_in_words(handle, label) for handle, label in zip(*axes.get_legend_handles_labels(), strict=True)]
    return " ".join([f"{', '.join(parts)}." if parts else "", *(line for line in lines if line)]).strip()


def _line_in_words(handle: Any, label: str) -> str:
    """The ends of a line, or the name of what is no line."""
    line = handle[0] if isinstance(handle, Container) and len(handle) else handle
    if not hasattr(line, "get_xydata"):
        return f"{label}."
    points = np.asarray(line.get_xydata(), dtype=float)
    points = points[np.isfinite(points).all(axis=1)] if points.size else points
    if not len(points):
        return f"{label}."
    ends = points if len(points) == 1 else points[[0, -1]]
    return f"{label}: {', '.join(f'{y:.3g} at {x:,.6g}' for x, y in ends)}."
