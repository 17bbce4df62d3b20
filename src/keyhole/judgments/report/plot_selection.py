"""Figures of a selection: attributes by correlation and noise, and their repeats."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ...common.style import BLUE, GREY, PALE, tidy
from ..selector import MultiSelector
from .figure import new_figure
from .point_names import name_points

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

CHOSEN, NOT_CHOSEN = BLUE, GREY
LOG_RANGE = 20  # the noise axis is logarithmic where the largest noise is more than so many times the smallest


def plot_attributes(selector: MultiSelector, most_names: int = 20) -> Figure:
    """Draw attributes by their correlation with the label and the noise of their judgments (Figures 1 and 2 of [1]_).

    Both axes are free of units: the correlation of the attribute's own value with the label, b / (sigma s_y), and
    the variance of judgments over that of the objects, v / sigma^2. (The paper prints v / sigma, which depends on the
    unit.) Values are estimates, so a correlation may exceed 1.

    Parameters
    ----------
    selector : MultiSelector
        A fitted selector.
    most_names : int, default=20
        How many attributes are named, those with most repeats and then with the largest correlations first.

    Returns
    -------
    matplotlib.figure.Figure
        One point per attribute, its area growing with the repeats. Attributes whose external variance was rounded up
        to 0 have neither coordinate; the label of the axis reports their number.

    References
    ----------
    .. [1] S. Sabato and A. Kalai, "Feature Multi-Selection among Subjective Features", Proceedings of the 30th
       International Conference on Machine Learning (ICML), 2013.

    Examples
    --------
    >>> import numpy as np
    >>> from keyhole.judgments import MultiSelector, plot_attributes
    >>> rng = np.random.default_rng(0)
    >>> truth = rng.normal(size=(100, 3))
    >>> selector = MultiSelector(4).fit(truth[:, :, None] + rng.normal(size=(100, 3, 2)), truth[:, 0])
    >>> len(plot_attributes(selector).axes[0].texts)
    3
    """
    sigma2, v, b = selector.external_variance_, selector.internal_variance_, selector.covariance_with_label_
    shown = np.flatnonzero(sigma2 > 1e-9 * (sigma2 + v).max())
    correlation = b[shown] / np.sqrt(sigma2[shown] * selector.label_variance_)
    noise = v[shown] / sigma2[shown]
    figure, axes = new_figure(7.5, 5.5)
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
    """Attributes by correlation and noise, larger with more repeats; the first ``most_names`` of them are named."""
    chosen, area = repeats > 0, 25 + 12 * np.maximum(repeats, 0)
    for which, colour, label in ((~chosen, NOT_CHOSEN, "not chosen"), (chosen, CHOSEN, "chosen")):
        if which.any():
            axes.scatter(
                correlation[which], noise[which], s=area[which], c=colour, label=label, alpha=0.85, edgecolor="white"
            )
    order = np.argsort(-(repeats * 10 + np.abs(correlation)), kind="stable")[:most_names]
    axes.axvline(0, color=PALE, lw=0.8, zorder=0)
    if len(noise) and noise.min() > 0 and noise.max() > LOG_RANGE * noise.min():
        axes.set_yscale("log")
    name_points(axes, names, correlation, noise, order.tolist(), np.sqrt(area) / 2)
    tidy(
        axes,
        "correlation of the attribute with the label",
        "noise of one judgment: internal / external variance",
        "Correlation and noise of the attributes; the area of a point grows with the repeats",
    )
    if names:
        axes.legend(frameon=False)


def plot_repeats(selector: MultiSelector, intervals: Mapping[str, Sequence[Any]] | None = None) -> Figure:
    """Draw the repeats as bars.

    Parameters
    ----------
    selector : MultiSelector
        A fitted selector.
    intervals : Columns, optional
        Intervals of the repeats, as ``bootstrap(...).table()`` returns them; they are drawn over the bars.

    Returns
    -------
    matplotlib.figure.Figure
        One bar per attribute with repeats, or with repeats in its interval; the largest at the top.

    Examples
    --------
    >>> import numpy as np
    >>> from keyhole.judgments import MultiSelector, plot_repeats
    >>> rng = np.random.default_rng(0)
    >>> truth = rng.normal(size=(100, 3))
    >>> selector = MultiSelector(4).fit(truth[:, :, None] + rng.normal(size=(100, 3, 2)), truth[:, 0])
    >>> [int(bar.get_width()) for bar in plot_repeats(selector).axes[0].patches]
    [4]
    """
    from matplotlib.ticker import MaxNLocator

    top = selector.repeats_ if intervals is None else np.maximum(selector.repeats_, intervals["high"])
    order = [a for a in np.lexsort((top, selector.repeats_)) if top[a] > 0]
    figure, axes = new_figure(7.5, max(2.5, 0.27 * len(order) + 1.2))
    heights = np.arange(len(order))
    axes.barh(heights, selector.repeats_[order], color=CHOSEN, height=0.65)
    if intervals is not None:
        low, high = np.array(intervals["low"])[order], np.array(intervals["high"])[order]
        axes.hlines(heights, low, high, color="black", lw=1.2, label="bootstrap interval")
        axes.plot(low, heights, "|", color="black")
        axes.plot(high, heights, "|", color="black")
        axes.legend(frameon=False, loc="lower right")
    tidy(
        axes,
        "judgments of each object",
        "",
        f"Repeats; the judgments of one object cost {selector.spent_:g} of a budget of {selector.budget:g}",
    )
    axes.set_yticks(heights, [str(selector.feature_names_in_[a]) for a in order], fontsize=8)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.margins(y=0.02)
    return figure
