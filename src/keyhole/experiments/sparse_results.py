"""What the curves of sparse learners say: the table, the picture and the claims of Murata and Suzuki's figures."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ..common.style import mark_beyond, tidy
from .comparing import paired
from .further import FULL, OWN, RIVALS
from .paper import Claim, Rows
from .rows import draw_curves, grouped, mean_and_error
from .sparse_curves import DEFAULTS, RDA, RDA_2018

HONEST = ", untuned"
PROPOSED, EARLIER = ("Hybrid", "Exploration"), (RDA, RDA_2018, "Dantzig")


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
            mark_beyond(axes)
    for axes in (left, right):
        axes.legend(frameon=False, fontsize=7.5, ncols=2, loc="upper center", bbox_to_anchor=(0.5, -0.13))


def _keep_in_sight(axes: Axes, rows: Rows) -> None:
    """On long-tailed data some learners leave all bounds; the others must still be told apart (tables hold all)."""
    errors = [float(row["error"]) for row in rows]
    axes.set_ylim(0.9 * min(errors), 1.6 * float(np.median(errors)))


class Curves:
    """Errors by learner, stop and split, to judge claims by; ``suffix`` says under which tuning."""

    def __init__(self, rows: Rows, suffix: str = "") -> None:
        self.measure = "excess" if "excess" in rows[0] else "error"
        self.rows, self.suffix = shown_rows(rows), suffix
        self.end = max(int(row["examples"]) for row in rows)
        self.learners = {str(row["learner"]) for row in self.rows}

    def at(self, learner: str, stop: int | None = None) -> dict[int, float]:
        """By split; a learner whose defaults were the best has one curve for both tunings."""
        name = learner + self.suffix if learner + self.suffix in self.learners else learner
        return {
            int(row["split"]): float(row[self.measure])
            for row in self.rows
            if row["learner"] == name and row["examples"] == (stop or self.end)
        }

    def mean(self, learner: str, stop: int | None = None) -> float:
        return float(np.mean(list(self.at(learner, stop).values())))

    def best(self, *learners: str, stop: int | None = None) -> str:
        return min(learners, key=lambda name: self.mean(name, stop))

    def words(self, *learners: str) -> str:
        """Means and standard errors at the end."""
        found = {name: mean_and_error(list(self.at(name).values())) for name in learners}
        return ", ".join(f"{name} {mean:.3g} ± {error:.1g}" for name, (mean, error) in found.items())


def order_claims(rows: Rows, where: str, kind: str = "") -> list[Claim]:
    """Which learner ends below which, as the paper has it and untuned."""
    claims = []
    for suffix, tuning in (("", "tuned as in the paper"), (HONEST, "untuned")):
        curves = Curves(rows, suffix)
        worst = max(PROPOSED, key=curves.mean)
        difference, doubt = paired(curves.at(worst), curves.at(curves.best(*EARLIER)))
        claims.append(
            Claim.judged(
                f"{where}, {tuning}: Hybrid and Exploration end below RDA and Dantzig",
                "both below both",
                curves.words(*PROPOSED, *EARLIER),
                difference < 0,
                f"{kind} {doubt}".strip(),
            )
        )
        difference, doubt = paired(curves.at("Hybrid"), curves.at("Exploration"))
        claims.append(
            Claim.judged(
                f"{where}, {tuning}: Hybrid ends below Exploration",
                "below",
                curves.words(*PROPOSED),
                difference < 0,
                f"{kind} {doubt}".strip(),
            )
        )
    return claims


def figure_1_claims(rows: Rows) -> list[Claim]:
    """The order at the end, and that RDA is fast at first."""
    curves = Curves(rows)
    early = [
        stop
        for stop in sorted({int(row["examples"]) for row in curves.rows if row["learner"] == "Hybrid"})
        if curves.best(*PROPOSED, RDA, RDA_2018, stop=stop) in (RDA, RDA_2018)
    ]
    ahead = f"ahead of both up to {max(early):,} examples" if early else "never ahead of both"
    return [
        *order_claims(rows, "Synthetic"),
        Claim.judged(
            "Synthetic: RDA is good at first, then slows down",
            "ahead early, behind at the end",
            f"{ahead}; at the end {curves.words(RDA, RDA_2018, *PROPOSED)}",
            bool(early) and curves.best(*PROPOSED, RDA, RDA_2018) in PROPOSED,
            "The better of the two forms of RDA counts.",
        ),
        Claim.judged(
            "Synthetic: Dantzig is the worst of all",
            "worst",
            curves.words("Dantzig", RDA, RDA_2018),
            curves.mean("Dantzig") > max(curves.mean(name) for name in (*PROPOSED, RDA, RDA_2018)),
            "It learns from products of two attributes, and few examples show both.",
        ),
    ]


def figure_2_claims(rows: Rows, where: str, kind: str = "") -> list[Claim]:
    """The order, the stability of Hybrid, and where RDA and Dantzig stand."""
    curves = Curves(rows)
    spread = {name: float(np.std(list(curves.at(name).values()), ddof=1)) for name in (*PROPOSED, *EARLIER)}
    dantzig, compared = curves.at("Dantzig"), curves.at(RDA)
    mean, error = mean_and_error([dantzig[split] - compared[split] for split in dantzig])
    difference, doubt = paired(dantzig, curves.at(curves.best(RDA, RDA_2018)))
    return [
        *order_claims(rows, where, kind),
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
            difference < 0,
            f"{kind} The better of the two forms of RDA counts. {doubt}".strip(),
            f"RDA 2018 is later than the paper; against {RDA}, its rival, Dantzig is at {mean:+.3f} ± {error:.3f}.",
        ),
    ]
