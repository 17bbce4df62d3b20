"""Results of the curves of sparse learners: what is shown of them, the table, the figure, and claims about order."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ...common.style import mark_beyond, tidy
from ..runner.kinds import OTHER_FORM, THE_PAPER
from ..runner.paper import Claim, Rows
from ..shared.comparing import paired
from ..shared.reference_lines import FULL, OWN, RIVALS
from ..shared.rows import draw_curves, error_to_show, grouped, mean_and_error
from .by_the_letter import AS_PRINTED
from .stream_curves import DEFAULTS, RDA, RDA_2018

WITHOUT_TUNING = ", untuned"
# The forms in which the learners take part in claims about order, by what their names end with.
FORMS = (
    (AS_PRINTED, "as printed, tuned as in the paper"),
    ("", "with running scales, tuned as in the paper"),
    (WITHOUT_TUNING, "untuned"),
)
PROPOSED, EARLIER = ("Hybrid", "Exploration"), (RDA, RDA_2018, "Dantzig")


def shown_rows(rows: Rows) -> Rows:
    """The rows that figures and claims use: of each learner the best setting, and where they differ the defaults.

    The best is that with the lowest mean test error at the end, which is how the paper tuned.
    """
    end = max(int(row["examples"]) for row in rows)
    final = grouped([row for row in rows if row["examples"] == end], "error", "learner", "settings")
    chosen = []
    for learner in dict.fromkeys(str(row["learner"]) for row in rows):
        means = {settings: float(np.mean(values)) for (name, settings), values in final.items() if name == learner}
        means = {settings: np.inf if np.isnan(mean) else mean for settings, mean in means.items()}  # it diverged
        best = min(means, key=lambda settings: means[settings]) if means else DEFAULTS
        own = [row for row in rows if row["learner"] == learner]
        chosen += [row for row in own if row["settings"] == best]
        if best != DEFAULTS:
            chosen += [{**row, "learner": learner + WITHOUT_TUNING} for row in own if row["settings"] == DEFAULTS]
    return chosen


def table(rows: Rows) -> Rows:
    """The error of each learner at the end of its curve, with its setting."""
    found, shown = [], shown_rows(rows)
    for learner in dict.fromkeys(str(row["learner"]) for row in shown):
        own = [row for row in shown if row["learner"] == learner]
        last = [row for row in own if row["examples"] == max(int(row["examples"]) for row in own)]
        errors = [float(row["error"]) for row in last]
        line: dict[str, Any] = {"learner": learner, "settings": last[0]["settings"], "examples": last[0]["examples"]}
        line |= {"test squared error": np.mean(errors), "standard error": error_to_show(errors), "splits": len(last)}
        if "excess" in last[0]:
            line["excess"] = mean_and_error([float(row["excess"]) for row in last])[0]
        line["attributes for a prediction"] = round(np.mean([int(row["for a prediction"]) for row in last]))
        found.append(line)
    return found


def draw(rows: Rows, figure: Figure) -> None:
    """The published learners under both tunings left; the best of them and the reference lines right."""
    shown = shown_rows(rows)
    measure = "excess" if "excess" in rows[0] else "error"
    label = "test squared error" + (" less that of the true weights" if measure == "excess" else "")
    left, right = figure.subplots(1, 2, sharey=True)
    ours = [row for row in shown if str(row["learner"]).split(",")[0] in (*PROPOSED, *EARLIER)]
    order = (*FULL, *RIVALS, "Hybrid", OWN)
    others = [row for name in order for row in shown if row["learner"] == name]
    for axes, part, title in ((left, ours, "the paper's learners"), (right, others, "the same budget, and every cell")):
        draw_curves(axes, part, "examples", measure)
        axes.set_xscale("log")
        tidy(axes, "examples", label if axes is left else "", title)
    if measure == "excess":
        left.set_yscale("log")
    else:
        _limit(left, ours, others)
        for axes in (left, right):
            mark_beyond(axes)
    for axes in (left, right):
        axes.legend(frameon=False, fontsize=7.5, ncols=2, loc="upper center", bbox_to_anchor=(0.5, -0.13))


def _limit(axes: Axes, rows: Rows, others: Rows) -> None:
    """Show the range of most errors: on long-tailed data some are much larger, and the table has them all."""
    errors = [float(row["error"]) for row in rows]
    least = min(float(row["error"]) for row in [*rows, *others])
    axes.set_ylim(0.9 * least, 1.6 * float(np.median(errors)))


class Curves:
    """Errors by learner, stop and split, from which claims are computed; ``suffix`` names the form of the learners."""

    def __init__(self, rows: Rows, suffix: str = "") -> None:
        self.measure = "excess" if "excess" in rows[0] else "error"
        self.rows, self.suffix = shown_rows(rows), suffix
        self.end = max(int(row["examples"]) for row in rows)
        self.learners = {str(row["learner"]) for row in self.rows}

    def at(self, learner: str, stop: int | None = None) -> dict[int, float]:
        """The errors by split; a learner whose defaults were the best has one curve for both tunings."""
        name = learner + self.suffix if learner + self.suffix in self.learners else learner
        return {
            int(row["split"]): float(row[self.measure])
            for row in self.rows
            if row["learner"] == name and row["examples"] == (stop or self.end)
        }

    def mean(self, learner: str, stop: int | None = None) -> float:
        """The mean error over splits, at a stop or at the end."""
        return float(np.mean(list(self.at(learner, stop).values())))

    def best(self, *learners: str, stop: int | None = None) -> str:
        """The learner with the smallest mean error."""
        return min(learners, key=lambda name: self.mean(name, stop))

    def words(self, *learners: str) -> str:
        """Means and standard errors at the end, in words."""
        found = {name: mean_and_error(list(self.at(name).values())) for name in learners}
        return ", ".join(f"{name} {mean:.3g} ± {error:.1g}" for name, (mean, error) in found.items())


def order_claims(rows: Rows, where: str, remark: str = "") -> list[Claim]:
    """Which learner ends below which: Hybrid and Exploration as printed, as the library has them, and untuned.

    Only the first is what the paper claims; RDA and Dantzig take part as the library has them.
    """
    claims = []
    for suffix, tuning in FORMS:
        curves, about = Curves(rows, suffix), THE_PAPER if suffix == AS_PRINTED else OTHER_FORM
        worst = max(PROPOSED, key=curves.mean)
        difference, doubt = paired(curves.at(worst), curves.at(curves.best(*EARLIER)))
        claims.append(
            Claim.with_verdict(
                f"{where}, {tuning}: Hybrid and Exploration end below RDA and Dantzig",
                "both below both",
                curves.words(*PROPOSED, *EARLIER),
                difference < 0,
                f"{remark} {doubt}".strip(),
                about=about,
            )
        )
        difference, doubt = paired(curves.at("Hybrid"), curves.at("Exploration"))
        claims.append(
            Claim.with_verdict(
                f"{where}, {tuning}: Hybrid ends below Exploration",
                "below",
                curves.words(*PROPOSED),
                difference < 0,
                f"{remark} {doubt}".strip(),
                about=about,
            )
        )
    return claims
