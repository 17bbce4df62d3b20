"""Murata and Suzuki 2018: sparse regression from few attributes, also at prediction time.

Figure 1 (synthetic data), Figure 2 (CT slices where the file is there, and the same on BlogFeedback), and the sample
complexities of Table 1 as slopes. The paper tunes every learner by its error on the test examples; beside that stand
the defaults, with nothing tuned, since a learner that may look at few attributes cannot be tuned on all of them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ..datasets import blogfeedback, ct_slices
from . import sample_complexity
from .further import FULL, IMPUTATION, OWN, RIVALS
from .paper import Claim, Experiment, Paper, Rows, Size, Unit
from .sparse_curves import (
    BLOG,
    CT,
    DEFAULTS,
    FULL_INFORMATION,
    RDA,
    RDA_2018,
    SYNTHETIC,
    further_curve,
    published_curve,
)
from .style import draw_curves, grouped, mean_and_error, tidy

HONEST = ", defaults"
PROPOSED, EARLIER = ("Hybrid", "Exploration"), (RDA, RDA_2018, "Dantzig")
BATCHES = [{"batch": 0.5}, {"batch": 2.0}]
GRIDS: dict[str, list[dict[str, Any]]] = {
    "Hybrid": [{}, *BATCHES, {"growth": 1.25}, {"growth": 2.0}, {"explore_updates": 3}],
    "Exploration": [{}, *BATCHES, {"growth": 1.1}, {"growth": 1.5}],
    RDA: [{}, *({"radius": radius} for radius in (0.25, 0.5, 1.4, 2.0, 2.8))],
    RDA_2018: [{}, *({"radius": radius} for radius in (0.25, 0.5, 1.4, 2.0, 2.8))],
    "Dantzig": [{}, {"constant": 0.02}, {"constant": 0.1}, {"constant": 0.2}],
}
QUICK_GRIDS = {
    "Hybrid": [{}, {"batch": 0.5}],
    "Exploration": [{}, {"batch": 0.5}],
    RDA: [{}, {"radius": 0.5}],
    RDA_2018: [{}, {"radius": 2.0}],
    "Dantzig": [{}, {"constant": 0.1}],
}
STOPS = [1000, 2000, 5000, 10_000, 15_000, 20_000, 30_000, 40_000, 50_000, 60_000, 70_000, 80_000]
QUICK_STOPS = [1000, 2000, 5000, 10_000, 20_000, 30_000]
# Where curves end: Keyhole's own learner and imputation work on all cells that were revealed, which is slow here.
FURTHER_STOPS = {
    OWN: [1000, 5000, 20_000],
    IMPUTATION: [1000, 5000],
    "complete rows": [1000, 5000, 20_000, 90_000],
    "screened panel": [1000, 5000, 20_000, 90_000],
    FULL_INFORMATION: [1000, 5000, 20_000, 90_000],
}
QUICK_FURTHER_STOPS = {
    OWN: [1000],
    IMPUTATION: [500],
    "complete rows": [1000, 20_000],
    "screened panel": [1000, 20_000],
    FULL_INFORMATION: [1000, 5000],
}
# Seconds for a thousand examples, about.
SLOWNESS = {OWN: 20.0, IMPUTATION: 5.0, "complete rows": 0.1, "screened panel": 0.1, FULL_INFORMATION: 1.0}


def curve_units(data: str, budget: int, sparsity: int) -> Callable[[Size, int], list[Unit]]:
    """The units of a figure: each learner on each split. In a quick run, KeyholeRegressor, the slowest, has one."""

    def units(size: Size, seed: int) -> list[Unit]:
        quick, made = size == Size.quick, []
        grids, stops = (QUICK_GRIDS, QUICK_STOPS) if quick else (GRIDS, STOPS)
        for split in range(seed, seed + (2 if quick else 5)):
            shared = {"data": data, "budget": budget, "seed": split, "n": 50_000 if quick else 100_000}
            for learner, grid in grids.items():
                settings = {**shared, "learner": learner, "grid": grid, "sparsity": sparsity, "stops": stops}
                made.append(Unit(published_curve, settings, cost=2.0 * len(grid)))
            for learner, at in (QUICK_FURTHER_STOPS if quick else FURTHER_STOPS).items():
                for stop in at if split == seed or not (quick and learner == OWN) else []:
                    settings = {**shared, "learner": learner, "stop": stop, "n_folds": 3 if quick else 10}
                    made.append(Unit(further_curve, settings, cost=1.0 + SLOWNESS[learner] * stop / 1000))
        return made

    return units


def shown_rows(rows: Rows) -> Rows:
    """The rows that figures and claims use: of each learner the best setting, and where they differ the defaults.

    The best is that with the lowest mean test error at the end, which is how the paper tuned.
    """
    end = max(int(row["examples"]) for row in rows)
    final = grouped([row for row in rows if row["examples"] == end], "error", "learner", "settings")
    chosen = []
    for learner in dict.fromkeys(str(row["learner"]) for row in rows):
        means = {settings: np.mean(values) for (name, settings), values in final.items() if name == learner}
        best = min(means, key=lambda settings: means[settings]) if means else DEFAULTS
        own = [row for row in rows if row["learner"] == learner]
        chosen += [row for row in own if row["settings"] == best]
        if best != DEFAULTS:
            chosen += [{**row, "learner": learner + HONEST} for row in own if row["settings"] == DEFAULTS]
    return chosen


def table(rows: Rows) -> Rows:
    """Error of each learner where its curve ends, with its setting."""
    found, shown = [], shown_rows(rows)
    for learner in dict.fromkeys(str(row["learner"]) for row in shown):
        own = [row for row in shown if row["learner"] == learner]
        last = [row for row in own if row["examples"] == max(int(row["examples"]) for row in own)]
        mean, error = mean_and_error([float(row["error"]) for row in last])
        line: dict[str, Any] = {"learner": learner, "settings": last[0]["settings"], "examples": last[0]["examples"]}
        line |= {"test squared error": mean, "standard error": error, "splits": len(last)}
        if "excess" in last[0]:
            line["excess"] = mean_and_error([float(row["excess"]) for row in last])[0]
        line["attributes for a prediction"] = round(np.mean([int(row["for a prediction"]) for row in last]))
        found.append(line)
    return found


def draw(rows: Rows, figure: Figure) -> None:
    """Left the published learners, both tunings; right the best of them beside the rivals and full information."""
    shown = shown_rows(rows)
    measure = "excess" if "excess" in rows[0] else "error"
    label = "test squared error" + (" less that of the true weights" if measure == "excess" else "")
    left, right = figure.subplots(1, 2, sharey=True)
    ours = [row for row in shown if str(row["learner"]).split(",")[0] in (*PROPOSED, *EARLIER)]
    order = (*FULL, *RIVALS, "Hybrid", OWN)
    others = [row for name in order for row in shown if row["learner"] == name]
    for axes, part, title in ((left, ours, "the paper's learners"), (right, others, "the same budget, and all cells")):
        draw_curves(axes, part, "examples", measure)
        axes.set_xscale("log")
        tidy(axes, "examples seen", label if axes is left else "", title)
    if measure == "excess":
        left.set_yscale("log")
    else:
        _keep_in_sight(left, ours)
    for axes in (left, right):
        axes.legend(frameon=False, fontsize=7.5, ncols=2, loc="upper center", bbox_to_anchor=(0.5, -0.13))


def _keep_in_sight(axes: Axes, rows: Rows) -> None:
    """On long-tailed data some learners leave all bounds; the others must still be told apart (tables hold all)."""
    errors = [float(row["error"]) for row in rows]
    axes.set_ylim(0.9 * min(errors), 1.6 * float(np.median(errors)))


class Curves:
    """Errors by learner, stop and split, to judge claims by."""

    def __init__(self, rows: Rows, suffix: str = "") -> None:
        self.measure = "excess" if "excess" in rows[0] else "error"
        shown = shown_rows(rows)
        self.end = max(int(row["examples"]) for row in rows)
        self.values = grouped(shown, self.measure, "learner", "examples")
        self.suffix = suffix

    def at(self, learner: str, stop: int | None = None) -> np.ndarray:
        here = self.values[learner, stop or self.end]  # of the defaults too, when these are the best
        return np.array(self.values.get((learner + self.suffix, stop or self.end), here))

    def words(self, *learners: str, stop: int | None = None) -> str:
        parts = []
        for learner in learners:
            mean, error = mean_and_error(self.at(learner, stop).tolist())
            parts.append(f"{learner} {mean:.3g} ± {error:.1g}")
        return ", ".join(parts)

    def stops(self, learner: str) -> list[int]:
        return sorted(stop for name, stop in self.values if name == learner)


def order_claims(rows: Rows, where: str, stand_in: bool) -> list[Claim]:
    """Which learner ends below which, as the paper has it and with nothing tuned."""
    claims = []
    kind = "in kind; the paper has CT slices" if stand_in else ""
    for suffix, tuning in (("", "tuned as in the paper"), (HONEST, "defaults, nothing tuned")):
        curves = Curves(rows, suffix)
        mean = {name: float(curves.at(name).mean()) for name in (*PROPOSED, *EARLIER)}
        claims.append(
            Claim.judged(
                f"{where}, {tuning}: Hybrid and Exploration end below RDA and Dantzig",
                "both below both",
                curves.words(*PROPOSED, *EARLIER),
                max(mean[name] for name in PROPOSED) < min(mean[name] for name in EARLIER),
                kind,
            )
        )
        better = int(np.sum(curves.at("Hybrid") < curves.at("Exploration")))
        claims.append(
            Claim.judged(
                f"{where}, {tuning}: Hybrid ends below Exploration",
                "below",
                f"{curves.words(*PROPOSED)}; in {better} of {len(curves.at('Hybrid'))} splits",
                mean["Hybrid"] < mean["Exploration"],
                kind,
            )
        )
    return claims


def figure_1_claims(rows: Rows) -> list[Claim]:
    """The order at the end, and that RDA is fast at first."""
    curves = Curves(rows)
    mean = {name: float(curves.at(name).mean()) for name in (*PROPOSED, *EARLIER)}
    early = [
        stop
        for stop in curves.stops("Hybrid")
        if min(curves.at(RDA, stop).mean(), curves.at(RDA_2018, stop).mean())
        < min(curves.at(name, stop).mean() for name in PROPOSED)
    ]
    ahead = f"ahead of both up to {max(early):,} examples" if early else "never ahead of both"
    return [
        *order_claims(rows, "Synthetic", stand_in=False),
        Claim.judged(
            "Synthetic: RDA is good at first, then slows down",
            "ahead early, behind at the end",
            f"{ahead}; at the end {curves.words(RDA, RDA_2018, *PROPOSED)}",
            bool(early) and min(mean[RDA], mean[RDA_2018]) > max(mean[name] for name in PROPOSED),
            "RDA is two algorithms here: a reconstruction of the one compared with, and a later one as printed;"
            " the better of the two counts",
        ),
        Claim.judged(
            "Synthetic: Dantzig is the worst of all",
            "worst",
            curves.words("Dantzig", RDA, RDA_2018),
            mean["Dantzig"] > max(value for name, value in mean.items() if name != "Dantzig"),
            "It learns from products of two attributes, and few examples show both",
        ),
    ]


def figure_2_claims(rows: Rows, where: str, stand_in: bool) -> list[Claim]:
    """The order, the stability of Hybrid, and where RDA and Dantzig stand."""
    curves = Curves(rows)
    mean = {name: float(curves.at(name).mean()) for name in (*PROPOSED, *EARLIER)}
    spread = {name: float(curves.at(name).std(ddof=1)) for name in mean}
    kind = "in kind; the paper has CT slices" if stand_in else ""
    return [
        *order_claims(rows, where, stand_in),
        Claim.judged(
            f"{where}: Hybrid is stable",
            "error bars shorter than those of RDA",
            ", ".join(f"{name} {value:.2g}" for name, value in spread.items()) + " (standard deviation over splits)",
            spread["Hybrid"] < min(spread[RDA], spread[RDA_2018]),
            kind,
        ),
        Claim.judged(
            f"{where}: RDA converges slowly, and Dantzig better than RDA",
            "Dantzig near Exploration, RDA behind",
            curves.words("Dantzig", "Exploration", RDA, RDA_2018),
            mean["Dantzig"] < min(mean[RDA], mean[RDA_2018]),
            kind,
        ),
    ]


FURTHER = (
    " The rivals spend the same budget: complete rows and multiple imputation predict from all attributes, the"
    " screened panel from as many as the budget. Ridge and Lasso see every cell. A quick run has fewer examples and"
    " splits. Bars are standard errors over splits."
)
PAPER = Paper(
    "murata-suzuki-2018",
    "Sample efficient stochastic gradient iterative hard thresholding for sparse regression with limited attribute"
    " observation",
    "T. Murata and T. Suzuki, NeurIPS 2018",
    [
        Experiment(
            "fig1",
            "Figure 1: synthetic data",
            curve_units(SYNTHETIC, budget=50, sparsity=25),
            table,
            figure_1_claims,
            draw,
            "500 independent normal attributes, 25 of weight 1 or -1, noise 1, 100,000 examples of which a tenth is"
            " for testing, 50 attributes of an example at most. The excess is exact, from the weights." + FURTHER,
            figure_size=(11, 6.5),
        ),
        Experiment(
            "fig2",
            "Figure 2: CT slices",
            curve_units(CT, budget=20, sparsity=10),
            table,
            lambda rows: figure_2_claims(rows, "CT slices", stand_in=False),
            draw,
            "53,500 slices, a random tenth for testing, 20 attributes of an example at most, 10 for a prediction (the"
            " paper does not say how many)." + FURTHER,
            needs=ct_slices,
            figure_size=(11, 6.5),
        ),
        Experiment(
            "fig2-blogfeedback",
            "Figure 2 in kind: BlogFeedback, which is not the paper's data",
            curve_units(BLOG, budget=20, sparsity=10),
            table,
            lambda rows: figure_2_claims(rows, "BlogFeedback", stand_in=True),
            draw,
            "A real regression of the same size as the CT slices: 280 attributes of 52,397 blog posts in random order,"
            " labels log(1 + comments), tested on 4,121 later posts; 20 attributes of an example at most, 10 for a"
            " prediction. Attributes have very long tails, and learners that square them can fail badly." + FURTHER,
            needs=blogfeedback,
            figure_size=(11, 6.5),
        ),
        sample_complexity.TABLE_1,
    ],
)
