"""Figures of losses: against the budget, of several methods, and against the judgments of each cell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ...common.style import BLACK, BLUE, GREEN, GREY, ORANGE, PURPLE, SKY, curve, tidy
from .figure import new_figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure

COLOURS = (BLUE, ORANGE, GREEN, PURPLE, SKY, BLACK)
BARS: dict[str, Any] = {"marker": "o", "markersize": 5, "linewidth": 1.4, "capsize": 2.5, "elinewidth": 0.9}


def plot_losses(losses: Mapping[str, Sequence[float]], label_variance: float) -> Figure:
    """Draw the projected loss and the loss on held-out objects against the budget.

    Parameters
    ----------
    losses : Columns
        The table that ``validated_losses`` returns.
    label_variance : float
        The variance of the labels, by which losses are divided (``MultiSelector.label_variance_``).

    Returns
    -------
    matplotlib.figure.Figure
        Two lines; error bars are standard errors. A negative loss is drawn where it lies, below a line at 0.

    Examples
    --------
    >>> from keyhole.judgments import plot_losses
    >>> losses = {"budget": [2, 8], "projected_loss": [0.9, 0.4], "held_out_loss": [1.0, 0.5],
    ...           "standard_error": [0.1, 0.1]}
    >>> plot_losses(losses, label_variance=2.0).axes[0].lines[1].get_ydata().tolist()
    [0.5, 0.25]
    """
    figure, axes = new_figure(7.5, 4.5)
    budget = losses["budget"]
    projected, held_out, error = (
        np.array(losses[name]) / label_variance for name in ("projected_loss", "held_out_loss", "standard_error")
    )
    axes.plot(budget, projected, "o-", color=GREY, markersize=5, label="projected, on the objects of the choice")
    label = "held-out objects, predictor from the judgments that there are"
    axes.errorbar(budget, held_out, yerr=error, color=BLUE, label=label, **BARS)
    lowest = min(float((held_out - error).min()), float(projected.min()))
    if lowest < 0:  # a loss cannot be negative, so the estimate is wrong and must be visible
        axes.axhline(0, color=BLACK, lw=0.8)
    else:
        axes.set_ylim(bottom=0)
    tidy(axes, "budget for one object", "loss / variance of the label", "Loss against budget (± standard error)")
    axes.legend(frameon=False)
    return figure


def plot_comparison(
    losses: Mapping[str, Sequence[float]],
    budgets: Sequence[float],
    title: str,
    errors: Mapping[str, Sequence[float]] | None = None,
) -> Figure:
    """Draw measured losses of several methods against the budget.

    Parameters
    ----------
    losses : dict of str to sequence of float
        For each method, its losses over the variance of the label, one per budget.
    budgets : sequence of float
        The budgets.
    title : str
        The title of the figure.
    errors : dict of str to sequence of float, optional
        Standard errors of the losses, drawn as error bars.

    Returns
    -------
    matplotlib.figure.Figure
        One line per method, on a logarithmic axis of budgets.

    Examples
    --------
    >>> from keyhole.judgments import plot_comparison
    >>> figure = plot_comparison({"full": [0.5, 0.3], "copies": [0.6, 0.4]}, [5, 10], "Faces")
    >>> len(figure.axes[0].containers)
    2
    """
    figure, axes = new_figure(7.5, 4.8)
    for name, line in losses.items():
        curve(axes, budgets, line, None if errors is None else errors[name], name)
    axes.set_xscale("log", base=2)
    axes.set_xticks(list(budgets), [f"{b:g}" for b in budgets])
    tidy(axes, "judgments of one object", "test loss / variance of the label", title)
    axes.legend(frameon=False)
    return figure


def plot_tradeoff(losses: Mapping[str, Sequence[Any]]) -> Figure:
    """Draw the loss against the judgments of each cell, at fixed totals of judgments.

    Parameters
    ----------
    losses : Columns
        The table that ``tradeoff`` returns.

    Returns
    -------
    matplotlib.figure.Figure
        One line per total; error bars are standard errors.

    Examples
    --------
    >>> from keyhole.judgments import plot_tradeoff
    >>> losses = {"total": [240, 240], "k": [2, 4], "objects": [30, 15], "loss": [0.4, 0.5],
    ...           "standard_error": [0.02, 0.03]}
    >>> len(plot_tradeoff(losses).axes[0].containers)
    1
    """
    figure, axes = new_figure(7.5, 4.5)
    columns = (losses[name] for name in ("total", "k", "loss", "standard_error"))
    rows = list(zip(*columns, strict=True))
    for at, total in enumerate(sorted(set(losses["total"]))):
        k, loss, error = zip(*(row[1:] for row in rows if row[0] == total), strict=True)
        colour = COLOURS[at % len(COLOURS)]
        axes.errorbar(k, loss, yerr=error, color=colour, label=f"{total} judgments in total", **BARS)
    axes.set_xticks(sorted(set(losses["k"])))
    tidy(
        axes,
        "judgments of each attribute of an object (with more of them, there are fewer objects)",
        "test loss / variance of the label",
        "Loss at a fixed total of training judgments (± standard error)",
    )
    axes.legend(frameon=False)
    return figure
