"""Plots of a fitted model: its coefficients, what it revealed, and its learning curve.

Each takes axes to draw on, or makes a figure of its own, and returns the axes: ``plot_weights(...).figure`` is the
figure. Where attributes are pixels, ``shape`` draws them as an image.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...common.style import BLUE, ORANGE, curve, learner_style, tidy
from ...observe.meter import Meter
from ..solution import Solution
from .learning_curve import LearningCurve
from .settings import MAX_BARS, MAX_NAMED_BARS


def plot_weights(
    solution: Solution,
    deviations: np.ndarray,
    names: Sequence[str],
    ax: Any = None,
    shape: tuple[int, int] | None = None,
) -> Any:
    """The change of the prediction for one standard deviation of each column: the largest as bars, or all as an
    image."""
    weights = solution.coef[0] * deviations
    title = f"Weights of the family {solution.family.name!r}"
    meaning = "change of the prediction per standard deviation"
    if shape is not None:
        limit = np.abs(weights).max() or 1.0
        return _image(weights, shape, ax, title, ("PuOr", -limit, limit), meaning)
    ax = _axes(ax, min(len(weights), MAX_BARS))
    largest = np.argsort(-np.abs(weights), kind="stable")[:MAX_BARS][::-1]
    ax.barh(range(len(largest)), weights[largest], color=np.where(weights[largest] < 0, ORANGE, BLUE), height=0.7)
    ax.set_yticks(range(len(largest)), [names[int(i)] for i in largest], fontsize=8)
    ax.axvline(0, color="black", lw=0.8)
    whole = len(largest) == len(weights)
    tidy(ax, meaning, "", title if whole else f"{title}: the largest {MAX_BARS} of {len(weights)}")
    return ax


def plot_reveals(meter: Meter, attributes: Sequence[Any], ax: Any = None, shape: tuple[int, int] | None = None) -> Any:
    """How often each attribute was revealed: by name, as an image, or, of many, in order of frequency."""
    counts = meter.per_attribute
    title = f"{meter.distinct:,} cells of {meter.n_examples:,} examples"
    meaning = "times revealed"
    if shape is not None:
        return _image(counts, shape, ax, title, ("viridis", 0, max(counts.max(), 1)), meaning)
    named = len(counts) <= MAX_NAMED_BARS
    ax = _axes(ax, len(counts) if named else MAX_BARS)
    order = np.argsort(-counts, kind="stable")
    uniform, look = meter.distinct / len(counts), {"color": "0.5", "ls": "--", "label": "uniform reveals"}
    if named:
        ax.barh(range(len(counts)), counts[order[::-1]], color=BLUE, height=0.7)
        ax.set_yticks(range(len(counts)), [attributes[int(i)].name for i in order[::-1]], fontsize=8)
        ax.axvline(uniform, **look)
        tidy(ax, meaning, "", title)
    else:
        ax.fill_between(np.arange(1, len(counts) + 1), counts[order], step="mid", color=BLUE, lw=0)
        ax.axhline(uniform, **look)
        ax.set(xlim=(1, len(counts)), ylim=(0, None))
        tidy(ax, "rank of the attribute, the most often revealed first", meaning, title)
    ax.legend(frameon=False)
    return ax


def plot_learning_curve(found: LearningCurve, seen: str, error: str, simplest: str, name: str, ax: Any = None) -> Any:
    """The error against the number of revealed cells, and that of the simplest prediction, both named in words;
    ``seen`` is what predictions were made from."""
    ax = _axes(ax)
    curve(ax, found.n_cells, found.error, found.standard_error, name)
    ticks = found.n_cells
    if found.extrapolated is not None:
        further = found.extrapolated
        cells, height = np.append(ticks[-1:], further.n_cells), np.append(found.error[-1:], further.error)
        spread = np.append(0.0, further.standard_error)
        style = learner_style(name) | {"linestyle": ":", "marker": "", "label": "extrapolated"}
        ax.plot(cells, height, **style)
        ax.fill_between(cells, height - spread, height + spread, color=style["color"], alpha=0.15, linewidth=0)
        ticks = np.append(ticks, further.n_cells)
    ax.axhline(found.error_of_mean, **learner_style("mean label") | {"marker": "", "label": simplest})
    ax.set_xscale("log")
    ax.set_xticks(ticks, [f"{int(cells):,}" for cells in ticks], rotation=30)
    ax.minorticks_off()
    ax.set_ylim(bottom=0)
    tidy(ax, "cells revealed for training", f"{error} ± standard error", f"Predictions from {seen}")
    ax.legend(frameon=False)
    return ax


def _image(
    pixels: np.ndarray, shape: tuple[int, int], ax: Any, title: str, colours: tuple[str, float, float], meaning: str
) -> Any:
    if np.prod(shape) != len(pixels):
        raise ValueError(f"shape={shape}: that is {int(np.prod(shape))} pixels, and there are {len(pixels)} attributes")
    ax = _axes(ax)
    colour_map, low, high = colours
    drawn = ax.imshow(pixels.reshape(shape), cmap=colour_map, vmin=low, vmax=high)
    ax.figure.colorbar(drawn, ax=ax, label=meaning)
    ax.set(xticks=[], yticks=[], title=title)
    return ax


def _axes(ax: Any, n_bars: int = 12) -> Any:
    """The axes given, or those of a figure outside pyplot's global state, so that drawing works in servers."""
    if ax is None:
        from matplotlib.figure import Figure

        ax = Figure(figsize=(7.0, max(4.0, 0.24 * n_bars + 1.2)), layout="constrained", dpi=120).subplots()
    ax.spines[["top", "right"]].set_visible(False)
    return ax
