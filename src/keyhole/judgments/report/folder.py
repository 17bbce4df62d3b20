"""A selection written into a folder: tables, pictures, and a report that holds them all."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ..assess.agreement import agreement
from ..assess.bootstrap import Stability
from ..assess.validation import OTHER_OBJECTS
from ..data.columns import Columns
from ..data.table import Judgments
from ..selector import MultiSelector
from ..workers.variance_components import variance_components
from ..workers.worker_table import Gold, worker_table
from .page import Report
from .plot_selection import plot_attributes, plot_losses, plot_repeats


@dataclass(frozen=True)
class Selection:
    """A fitted selector, how firm its choice is, what to collect, and what must be said of the judgments."""

    selector: MultiSelector
    stability: Stability | None  # None where nothing was resampled
    shopping_list: Columns
    losses: Columns | str  # or why the loss on other objects could not be estimated
    warnings: list[str]
    excluded: list[str]

    def table(self) -> Columns:
        """One row per attribute, the chosen ones first."""
        if self.stability is None:
            names, repeats = self.selector.feature_names_in_, self.selector.repeats_
            columns = Columns(attribute=[str(name) for name in names], repeats=[int(r) for r in repeats])
        else:
            columns = self.stability.table()
        bought_as = {int(a): offer for offer in self.selector.offers_ for a in offer.columns}
        together = [bought_as[a] if len(bought_as[a].columns) > 1 else None for a in range(len(bought_as))]
        columns["cost"] = [bought_as[a].cost for a in range(len(bought_as))]
        if any(together):
            columns["bundle"] = ["" if offer is None else offer.name for offer in together]
        columns["covariance_with_label"] = [float(b) for b in self.selector.correlation_]
        columns["internal_variance"] = [float(v) for v in self.selector.internal_variance_]
        columns["variance_in_projection"] = [float(s) for s in self.selector.external_variance_]
        order = np.argsort(-self.selector.repeats_, kind="stable")
        return Columns({name: [column[a] for a in order] for name, column in columns.items()})

    def loss_in_words(self) -> str:
        """The projected loss with its interval, and the estimate on other objects."""
        loss, variance = self.selector.projected_loss_, self.selector.label_variance_
        projected = (
            f"Projected squared loss {loss:.4g}, {loss / variance:.0%} of the label's variance "
            f"{variance:.4g}{'' if self.stability is None else interval_in_words(self.stability)}. "
        )
        if isinstance(self.losses, str):
            return projected + f"On other objects it could not be estimated: {self.losses}."
        return projected + (
            "Estimated on objects that took no part in the choice, with a predictor from the judgments there are: "
            f"{self.losses[OTHER_OBJECTS][-1]:.4g} (standard error {self.losses['standard_error'][-1]:.2g}). "
            "Least squares on the judgments once collected does better, the more so the larger the budget."
        )


def write_selection(selection: Selection, used: Judgments, given: Judgments, gold: Gold | None, out: Path) -> None:
    """Write everything into the folder ``out``; workers are described by all judgments that were given."""
    out.mkdir(parents=True, exist_ok=True)
    intervals = None if selection.stability is None else selection.stability.table()
    figures = {"repeats": plot_repeats(selection.selector, intervals)}
    in_report = {
        "selection": selection.table(),
        "path": selection.selector.path_,
        "agreement": agreement(used),
    }
    if used.worker is not None:
        in_report["variance_components"] = variance_components(used)
        in_report["workers"] = worker_table(given, gold)
    tables = {**in_report, "shopping_list": selection.shopping_list}
    if not isinstance(selection.losses, str):
        figures["loss_against_budget"] = plot_losses(selection.losses, selection.selector.label_variance_)
        tables["loss_against_budget"] = selection.losses
    figures["attributes"] = plot_attributes(selection.selector)
    for name, table in tables.items():
        table.to_csv(out / f"{name}.csv")
    report = Report("Which attributes, and how many judgments of each")
    _introduce(report, selection, used)
    for name, figure in figures.items():
        figure.savefig(out / f"{name}.png")
        report.heading(_title(name))
        report.picture(figure, _title(name))
    _list_what_to_collect(report, selection.shopping_list)
    for name, table in in_report.items():
        report.heading(_title(name))
        if name == "selection":
            report.text(f"The judgments of one object cost {selection.selector.spent_:g} in all. {_explained(table)}")
        report.table(table.to_html())
    (out / "report.html").write_text(report.page(), encoding="utf-8")


def interval_in_words(stability: Stability) -> str:
    """The interval, as what it is, and whether it leaves out the loss it is about."""
    low, high = stability.loss_interval
    words = f"; {stability.level:.0%} interval {low:.4g} to {high:.4g}, at least so wide is the uncertainty"
    if not low <= stability.selector.projected_loss_ <= high:
        words += "; the loss itself lies outside, as resamples show that it is too low by more than it varies"
    return words


MEANING = {
    "repeats": "judgments to take of each object",
    "low": "and",
    "high": "their interval over resamples",
    "chosen_share": "share of resamples that chose the attribute at all",
    "cost": "of one judgment, or of one screen for all of a bundle",
    "bundle": "the screen on which the attribute is asked, paid for once",
    "covariance_with_label": "b, in the attribute's unit times the label's",
    "internal_variance": "v, between judgments of one object",
    "variance_in_projection": "between objects' own values as the projection has it, all objects counting alike "
    "and rounded up to 0 (external_variance in the table of agreement is the analysis of variance's)",
}


def _explained(table: Columns) -> str:
    return "Columns: " + "; ".join(f"{name}: {MEANING[name]}" for name in table if name in MEANING) + "."


def _title(name: str) -> str:
    return name.replace("_", " ").capitalize()


def _introduce(report: Report, selection: Selection, used: Judgments) -> None:
    selector = selection.selector
    report.text(
        f"{len(used.objects)} labelled objects, {len(used.attributes)} attributes, "
        f"{int(used.counts.sum())} judgments. With a budget of {selector.budget:g} for one object, the "
        f"method {selector.method!r} buys {int(selector.repeats_.sum())} judgments of "
        f"{int((selector.repeats_ > 0).sum())} attributes for {selector.spent_:g}."
    )
    report.text(selection.loss_in_words())
    for message in selection.warnings:
        report.warning(message[0].upper() + message[1:] + ".")
    if selection.excluded:
        report.text(f"Excluded workers: {', '.join(selection.excluded)}.")


def _list_what_to_collect(report: Report, missing: Columns) -> None:
    report.heading("Still to collect")
    report.text(
        f"{sum(missing['collect'])} judgments in {missing.n_rows} cells of the labelled objects, so that "
        "each has its repeats; shopping_list.csv names them."
    )
    per_attribute: Counter[str] = Counter()
    for _, name, _, _, collect in missing.rows():
        per_attribute[name] += collect
    if per_attribute:
        names, counts = zip(*per_attribute.most_common(), strict=True)
        report.table(Columns(attribute=list(names), collect=list(counts)).to_html())
