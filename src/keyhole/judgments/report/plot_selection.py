"""Pictures of a selection: attributes by usefulness and reliability, losses against budget, repeats."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from ..assess.validation import OTHER_OBJECTS
from ..data.columns import Columns
from ..selector import MultiSelector
from .point_names import name_points

CHOSEN, LEFT, BAND = "#1f5a94", "#9a9a9a", "#bcd0e5"


def plot_attributes(selector: MultiSelector, most_names: int = 20) -> Figure:
    """Attributes on correlation with the label against unreliability (the paper's Figures 1 and 2).

    Both axes are free of units: correlation of the attribute's own value with the label, b / (sigma s_y), and
    the variance of judgments over that of the objects, v / sigma^2 (the paper prints v / sigma, which changes
    with the unit). Values are estimates, so a correlation may pass 1. Attributes whose external variance was
    rounded up to 0 have neither coordinate and are counted below the picture.
    """
    sigma2, v, b = selector.external_variance_, selector.internal_variance_, selector.correlation_
    shown = np.flatnonzero(sigma2 > 1e-9 * (sigma2 + v).max())
    correlation = b[shown] / np.sqrt(sigma2[shown] * selector.label_variance_)
    noise = v[shown] / sigma2[shown]
    figure, axes = _figure(7.5, 5.5)
    names = [str(name) for name in selector.feature_names_in_[shown]]
    scatter_attributes(axes, names, correlation, noise, selector.repeats_[shown], most_names)
    hidden = len(v) - len(shown)
    note = f"  ({hidden} attributes without external variance not shown)" if hidden else ""
    axes.set_xlabel(axes.get_xlabel() + note)
    return figure


def scatter_attributes(
    axes: Axes,
    names: Sequence[str],
    correlation: np.ndarray,
    noise: np.ndarray,
    repeats: np.ndarray,
    most_names: int = 20,
) -> None:
    """Attributes on correlation against noise, larger the more judgments they get; the most important are named."""
    chosen = repeats > 0
    for which, colour, label in ((~chosen, LEFT, "not chosen"), (chosen, CHOSEN, "chosen")):
        size = 25 + 12 * repeats[which]
        axes.scatter(correlation[which], noise[which], s=size, c=colour, label=label, alpha=0.85, edgecolor="white")
    order = np.argsort(-(repeats * 10 + np.abs(correlation)), kind="stable")[:most_names]
    axes.axvline(0, color="#cccccc", lw=0.8, zorder=0)
    if len(noise) and noise.min() > 0 and noise.max() > 20 * noise.min():
        axes.set_yscale("log")
    name_points(axes, names, correlation, noise, order.tolist())
    axes.set_xlabel("correlation of the attribute with the label")
    axes.set_ylabel("noise of one judgment: internal / external variance")
    axes.set_title("Useful to the right and left, reliable below; size: repeats")
    axes.legend(frameon=False)


def plot_repeats(selector: MultiSelector, intervals: Columns | None = None) -> Figure:
    """Repeats as bars, largest first, with bootstrap intervals where given (``Stability.table()``)."""
    top = selector.repeats_ if intervals is None else np.maximum(selector.repeats_, intervals["high"])
    order = [a for a in np.lexsort((top, selector.repeats_)) if top[a] > 0]
    figure, axes = _figure(7.5, max(2.5, 0.27 * len(order) + 1.2))
    axes.barh(np.arange(len(order)), selector.repeats_[order], color=CHOSEN, height=0.65)
    if intervals is not None:
        low, high = np.array(intervals["low"])[order], np.array(intervals["high"])[order]
        axes.hlines(np.arange(len(order)), low, high, color="black", lw=1.2, label="interval over resamples")
        axes.plot(low, np.arange(len(order)), "|", color="black")
        axes.plot(high, np.arange(len(order)), "|", color="black")
        axes.legend(frameon=False, loc="lower right")
    axes.set_yticks(np.arange(len(order)), [str(selector.feature_names_in_[a]) for a in order], fontsize=8)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set_xlabel("judgments of each object")
    axes.set_title(f"Repeats; {selector.spent_:g} of a budget of {selector.budget:g} spent")
    axes.margins(y=0.02)
    return figure


def plot_losses(losses: Columns, label_variance: float) -> Figure:
    """Projected loss and that on other objects against budget (``validated_losses``), over the label's variance.

    A negative loss is drawn where it lies, below a line at 0.
    """
    figure, axes = _figure(7.5, 4.5)
    budget = losses["budget"]
    projected, validated, error = (
        np.array(losses[name]) / label_variance for name in ("projected_loss", OTHER_OBJECTS, "standard_error")
    )
    axes.plot(budget, projected, "o-", color=LEFT, ms=4, label="projected on the objects that chose")
    axes.fill_between(budget, validated - error, validated + error, color=BAND, label="standard error")
    axes.plot(
        budget,
        validated,
        "o-",
        color=CHOSEN,
        ms=4,
        label="estimated on other objects, predictor from the judgments there are",
    )
    lowest = min(float((validated - error).min()), float(projected.min()))
    if lowest < 0:  # it cannot be, and must be seen
        axes.axhline(0, color="black", lw=0.8)
    else:
        axes.set_ylim(bottom=0)
    axes.set_xlabel("budget for one object")
    axes.set_ylabel("loss / variance of the label")
    axes.set_title("What more judgments would bring")
    axes.legend(frameon=False)
    return figure


def plot_comparison(losses: Mapping[str, Sequence[float]], budgets: Sequence[float], title: str) -> Figure:
    """Measured losses of several methods against budget."""
    figure, axes = _figure(7.5, 4.8)
    for name, line in losses.items():
        axes.plot(budgets, line, "o-", ms=4, lw=2.2 if name == "full" else 1.2, label=name)
    axes.set_xscale("log", base=2)
    axes.set_xticks(list(budgets), [f"{b:g}" for b in budgets])
    axes.set_xlabel("judgments of one object")
    axes.set_ylabel("test loss / variance of the label")
    axes.set_title(title)
    axes.legend(frameon=False)
    return figure


def plot_tradeoff(found: Columns) -> Figure:
    """Loss against the judgments of each cell, one line per total (``tradeoff``)."""
    figure, axes = _figure(7.5, 4.5)
    rows = list(found.rows())
    for total in sorted(set(found["total"])):
        k, loss, error = zip(*((r[1], r[3], r[4]) for r in rows if r[0] == total), strict=True)
        axes.errorbar(k, loss, yerr=error, marker="o", ms=4, capsize=3, label=f"{total} judgments in all")
    axes.set_xticks(sorted(set(found["k"])))
    axes.set_xlabel("judgments of each attribute of an object; more of them, fewer objects")
    axes.set_ylabel("test loss / variance of the label")
    axes.set_title("More objects, or more judgments of each?")
    axes.legend(frameon=False)
    return figure


def _figure(width: float, height: float) -> tuple[Figure, Axes]:
    """A figure without pyplot's global state, so that drawing works in servers and threads."""
    figure = Figure(figsize=(width, height), layout="constrained", dpi=120)
    axes = figure.subplots()
    axes.spines[["top", "right"]].set_visible(False)
    return figure, axes
