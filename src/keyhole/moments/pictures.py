"""Pictures of a fitted learner: its weights, what it revealed, and its error against what was spent.

Each takes axes to draw on, or makes a figure of its own, and returns the axes: ``plot_weights(learner).figure`` is the
figure. Where attributes are pixels, ``shape`` draws them as an image.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .base import MomentLearner
from .path import risk_path

# Okabe and Ito's blue and orange, which the colour-blind can tell apart.
BLUE, ORANGE, PALE = "#0072B2", "#D55E00", "#9a9a9a"
BARS = 20
LABELLED = 40


def plot_weights(learner: MomentLearner, ax: Any = None, shape: tuple[int, int] | None = None) -> Any:
    """What one standard deviation of each attribute adds to the prediction: the largest as bars, or all as an image."""
    solution = learner._solution()
    weights = solution.coef[0] * solution.units.scale
    title = f"Weights ({solution.family})"
    if shape is not None:
        limit = np.abs(weights).max() or 1.0
        return _image(weights, shape, ax, title, "PuOr", -limit, limit, "added by one standard deviation")
    ax = _axes(ax, min(len(weights), BARS))
    largest = np.argsort(-np.abs(weights), kind="stable")[:BARS][::-1]
    ax.barh(range(len(largest)), weights[largest], color=np.where(weights[largest] < 0, ORANGE, BLUE), height=0.7)
    ax.set_yticks(range(len(largest)), [learner.attributes_[int(i)].name for i in largest], fontsize=8)
    ax.axvline(0, color="black", lw=0.8)
    ax.set_xlabel("added to the prediction by one standard deviation")
    ax.set_title(title if len(largest) == len(weights) else f"{title}: the largest {BARS} of {len(weights)}")
    return ax


def plot_reveals(learner: MomentLearner, ax: Any = None, shape: tuple[int, int] | None = None) -> Any:
    """How often each attribute was revealed: by name, as an image, or, of many, in order of how often."""
    observed = learner.observed_
    counts = observed.per_attribute
    title = f"{observed.distinct:,} cells of {observed.n_examples:,} examples"
    if shape is not None:
        return _image(counts, shape, ax, title, "viridis", 0, max(counts.max(), 1), "times revealed")
    named = len(counts) <= LABELLED
    ax = _axes(ax, len(counts) if named else BARS)
    order = np.argsort(-counts, kind="stable")
    uniform = observed.distinct / len(counts)
    if named:
        ax.barh(range(len(counts)), counts[order[::-1]], color=BLUE, height=0.7)
        ax.set_yticks(range(len(counts)), [learner.attributes_[int(i)].name for i in order[::-1]], fontsize=8)
        ax.axvline(uniform, color=PALE, ls="--", label="if all were alike")
        ax.set_xlabel("times revealed")
    else:
        ax.fill_between(np.arange(1, len(counts) + 1), counts[order], step="mid", color=BLUE, lw=0)
        ax.axhline(uniform, color=PALE, ls="--", label="if all were alike")
        ax.set(
            xlabel="attributes, the most revealed first", ylabel="times revealed", xlim=(1, len(counts)), ylim=(0, None)
        )
    ax.legend(frameon=False)
    ax.set_title(title)
    return ax


def plot_risk(learner: MomentLearner, X: Any = None, y: Any = None, ax: Any = None, points: int = 5) -> Any:
    """Squared error against cells spent, by refits to the first rows, twice as many each time; see ``path``.

    By a test table from whole rows, or else by every fifth example from the cells that it revealed.
    """
    path = risk_path(learner, X, y, points)
    ax = _axes(ax)
    seen = "all attributes" if X is not None else "the revealed cells of held-out examples"
    ax.errorbar(path.n_cells, path.error, yerr=path.standard_error, fmt="o-", color=BLUE, capsize=3, label="the model")
    ax.axhline(path.error_of_mean, color=PALE, ls="--", label="the mean label")
    ax.set_xscale("log")
    ax.set_xticks(path.n_cells, [f"{int(cells):,}" for cells in path.n_cells])
    ax.minorticks_off()
    ax.set_ylim(bottom=0)
    ax.set(xlabel="cells revealed for training", ylabel="squared error ± standard error", title=f"Error from {seen}")
    ax.legend(frameon=False)
    return ax


def _image(
    pixels: np.ndarray, shape: tuple[int, int], ax: Any, title: str, colours: str, low: float, high: float, meaning: str
) -> Any:
    if np.prod(shape) != len(pixels):
        raise ValueError(f"shape={shape}: that is {int(np.prod(shape))} pixels, and there are {len(pixels)} attributes")
    ax = _axes(ax)
    drawn = ax.imshow(pixels.reshape(shape), cmap=colours, vmin=low, vmax=high)
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
