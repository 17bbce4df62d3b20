"""Results of the curves of sparse learners: what is shown of them, the table, and errors from which claims follow."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ..runner.kinds import OTHER_FORM, THE_PAPER
from ..runner.paper import Rows
from ..shared.protocol import chosen_in_words
from ..shared.rows import error_to_show, grouped, mean_and_error
from .by_the_letter import AS_PRINTED
from .printed_rivals import DANTZIG, RDA, RDA_RAW
from .stream_curves import DEFAULTS

WITHOUT_TUNING = ", untuned"
PROPOSED, EARLIER = ("Hybrid", "Exploration"), (RDA, DANTZIG)


class Form(NamedTuple):
    """A form in which all learners take part in a claim: how their lines' names end, and what a claim is about then."""

    suffix: str
    words: str
    about: str


PRINTED_FORM = Form(AS_PRINTED, "as printed, tuned as in the paper", THE_PAPER)
SCALED_FORM = Form("", "with running scales, tuned as in the paper", OTHER_FORM)
UNTUNED_FORM = Form(WITHOUT_TUNING, "untuned", OTHER_FORM)
FORMS = (PRINTED_FORM, SCALED_FORM, UNTUNED_FORM)


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


def with_ends(chosen: str, tried: set[str]) -> str:
    """The chosen settings as a row has them, and which of them is the smallest or the largest that was tried.

    >>> with_ends("radius 2.8", {"defaults", "radius 0.5", "radius 1.4", "radius 2.8"})
    'radius 2.8 (the largest that was tried)'
    """
    if chosen == DEFAULTS:
        return chosen
    points = [_numbers(words) for words in tried]
    names = {name for point in points for name in point}
    return chosen_in_words(_numbers(chosen), [{name: point.get(name) for name in names} for point in points])


def _numbers(words: str) -> dict[str, float]:
    parts = [] if words == DEFAULTS else [part.rsplit(" ", 1) for part in words.split(", ")]
    return {name: float(value) for name, value in parts}


def table(rows: Rows) -> Rows:
    """The error of each learner at the end of its curve, with its setting."""
    found, shown = [], shown_rows(rows)
    for learner in dict.fromkeys(str(row["learner"]) for row in shown):
        own = [row for row in shown if row["learner"] == learner]
        last = [row for row in own if row["examples"] == max(int(row["examples"]) for row in own)]
        errors = [float(row["error"]) for row in last]
        tried = {str(row["settings"]) for row in rows if row["learner"] == learner}
        settings = with_ends(str(last[0]["settings"]), tried)
        line: dict[str, Any] = {"learner": learner, "settings": settings, "examples": last[0]["examples"]}
        line |= {"test squared error": np.mean(errors), "standard error": error_to_show(errors), "splits": len(last)}
        if "excess" in last[0]:
            line["excess"] = mean_and_error([float(row["excess"]) for row in last])[0]
        line["attributes for a prediction"] = round(np.mean([int(row["for a prediction"]) for row in last]))
        found.append(line)
    return found


class Curves:
    """Errors by learner, stop and split, from which claims are computed, of the learners in one form.

    RDA as printed is its reconstruction on raw values.
    """

    def __init__(self, rows: Rows, form: Form) -> None:
        self.measure = "excess" if "excess" in rows[0] else "error"
        self.rows, self.form = shown_rows(rows), form
        self.end = max(int(row["examples"]) for row in rows)
        self.learners = {str(row["learner"]) for row in self.rows}

    def line(self, learner: str) -> str:
        """The name of a learner's line; one whose defaults were the best has one line for both tunings."""
        name = RDA_RAW if (learner, self.form) == (RDA, PRINTED_FORM) else learner + self.form.suffix
        return learner if self.form == UNTUNED_FORM and name not in self.learners else name

    def at(self, learner: str, stop: int | None = None) -> dict[int, float]:
        """The errors by split."""
        name = self.line(learner)
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
