"""A picture of a study: the error of its models against the money spent, and where more money leads."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...common.style import curve, learner_style, plain_log, tidy
from ...errors import StudyError
from ..money import PriceList, amount
from ..reporting import history

if TYPE_CHECKING:
    from ..answering import Answering


def plot_history(study: Answering, ax: Any = None) -> Any:
    """The models of all renewals with standard errors, and the extrapolated learning curve."""
    rows = [row for row in history(study) if row["error"] is not None]
    if not rows:
        with study.store.snapshot(study.record) as now:
            first = now.designs()[0].next_renewal
        raise StudyError(
            "there is no model with an error to draw yet"
            + (
                ""
                if first is None
                else f"; the first is made when {first:,} examples can be learned from, by a renewal"
            )
        )
    if ax is None:
        from matplotlib.figure import Figure  # outside pyplot's global state, so that drawing works in servers

        ax = Figure(figsize=(7.0, 4.0), layout="constrained", dpi=120).subplots()
        ax.spines[["top", "right"]].set_visible(False)
    name = study.record.settings["learner"]
    money = np.array([row["spent or reserved"] for row in rows])
    error, spread = np.array([[row["error"], row["standard error"]] for row in rows]).T
    curve(ax, money, error, spread, name)
    _extrapolate(study, ax, name)
    ax.set_xscale("log")
    plain_log(ax.xaxis)
    ax.set_ylim(bottom=0)
    counts_attributes = all(a.free or (a.cost == 1 and a.bundle is None) for a in study.attributes)
    unit = "spent or reserved (cost)" if not counts_attributes else "attributes asked for"
    what = "share of wrong classes" if study.is_classifier else "squared error"
    seen = f"predictions from {rows[-1]['attributes']} attributes"
    tidy(ax, unit, f"{what} ± standard error", f"{study.name}: held-out examples, {seen}")
    ax.legend(frameon=False)
    return ax


def _extrapolate(study: Answering, ax: Any, name: str) -> None:
    """The learning curve of the model now, in money; nothing where examples are too few for one."""
    try:
        model = study.model()
        found = model.learning_curve_
    except ValueError:  # too few examples
        return
    per_cell = money_per_cell(study, model)
    style = learner_style("mean label") | {"marker": "", "label": model.simplest_prediction}
    ax.axhline(found.error_of_mean, **style)
    if found.extrapolated is None:
        return
    further = found.extrapolated
    money = per_cell * np.append(found.n_cells[-1:], further.n_cells)
    error = np.append(found.error[-1:], further.error)
    spread = np.append(found.standard_error[-1:], further.standard_error)
    style = learner_style(name) | {"linestyle": ":", "marker": "", "label": "its learning curve, extrapolated"}
    ax.plot(money, error, **style)
    ax.fill_between(money, error - spread, error + spread, color=style["color"], alpha=0.15, linewidth=0)


def money_per_cell(study: Answering, model: Any) -> float:
    """What a cell that was learned from has cost on average; found and free ones are cells, too."""
    prices, cells = PriceList(study.attributes), model.cells_
    starts, total = cells.row_starts, 0
    bought = ~np.asarray(cells.given)
    for t in range(cells.n_examples):
        own = slice(starts[t], starts[t + 1])
        total += prices.price(int(i) for i in cells.attributes[own][bought[own]])
    return amount(total) / max(len(cells.values), 1)
