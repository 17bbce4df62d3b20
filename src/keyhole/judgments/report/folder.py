"""A selection written into a folder: tables, figures, and a report that contains them."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from ...common.atomic import write_whole
from ..assess.agreement import agreement
from ..data.columns import Columns
from ..data.table import Judgments
from ..workers.variance_components import variance_components
from ..workers.worker_table import Gold, worker_table
from .figure import png_bytes
from .page import Report
from .plot_losses import plot_losses
from .plot_selection import plot_attributes, plot_repeats
from .selection import Selection

# What the columns of the table of the selection mean.
MEANING = {
    "repeats": "judgments to take of each object",
    "low, high": "bootstrap interval of the repeats",
    "chosen_share": "share of resamples in which the attribute has any repeats",
    "cost": "of one judgment, or of one judgment of each attribute of a bundle",
    "bundle": "the screen on which the attribute is asked, paid for once",
    "covariance_with_label": "b, in the attribute's unit times the label's unit",
    "internal_variance": "v, between judgments of one object",
    "external_variance_used": "between the objects' own values as the projection has it, all objects having equal"
    " weight and negative estimates being 0 (external_variance in the table of agreement is that of the analysis of"
    " variance)",
}


def write_selection(selection: Selection, used: Judgments, given: Judgments, gold: Gold | None, out: Path) -> None:
    """Write everything into the folder ``out``; workers are described by all judgments that were given."""
    out.mkdir(parents=True, exist_ok=True)
    tables = {
        "selection": selection.table(),
        "path": selection.selector.path_,
        "agreement": agreement(used),
    }
    if used.worker is not None:
        tables["variance_components"] = variance_components(used)
        tables["workers"] = worker_table(given, gold)
    pictures = _pictures(selection)
    for name, png in pictures.items():
        write_whole(out / f"{name}.png", png)
    for name, table in tables.items():
        table.to_csv(out / f"{name}.csv")
    selection.missing_judgments.to_csv(out / "missing_judgments.csv")
    if isinstance(selection.losses, Columns):
        selection.losses.to_csv(out / "loss_against_budget.csv")
    write_whole(out / "report.html", _report(selection, used, tables, pictures))


def _pictures(selection: Selection) -> dict[str, bytes]:
    """The PNG files of the figures, by name."""
    intervals = None if selection.stability is None else selection.stability.table()
    figures = {"repeats": plot_repeats(selection.selector, intervals)}
    if isinstance(selection.losses, Columns):
        figures["loss_against_budget"] = plot_losses(selection.losses, selection.selector.label_variance_)
    figures["attributes"] = plot_attributes(selection.selector)
    return {name: png_bytes(figure) for name, figure in figures.items()}


def _report(selection: Selection, used: Judgments, tables: dict[str, Columns], pictures: dict[str, bytes]) -> str:
    report = Report("Which attributes, and how many judgments of each")
    _introduce(report, selection, used)
    for name, png in pictures.items():
        report.heading(_title(name))
        report.picture(png, _title(name))
    _list_missing(report, selection.missing_judgments)
    for name, table in tables.items():
        report.heading(_title(name))
        if name == "selection":
            report.text(f"The judgments of one object cost {selection.selector.spent_:g}. {_meanings(table)}")
        report.table(table)
    return report.page()


def _introduce(report: Report, selection: Selection, used: Judgments) -> None:
    selector = selection.selector
    report.text(
        f"There are {int(used.counts.sum())} judgments of {len(used.attributes)} attributes of"
        f" {len(used.objects)} labelled objects. With a budget of {selector.budget:g} for one object, the"
        f" method {selector.method!r} chooses {int(selector.repeats_.sum())} judgments of"
        f" {int((selector.repeats_ > 0).sum())} attributes, which cost {selector.spent_:g}."
    )
    report.text(selection.loss_sentences())
    for message in selection.warnings:
        report.warning(message[0].upper() + message[1:] + ".")
    if selection.excluded:
        report.text(f"Excluded workers: {', '.join(selection.excluded)}.")


def _list_missing(report: Report, missing: Columns) -> None:
    report.heading("Judgments to collect")
    report.text(
        f"{sum(missing['collect'])} judgments in {missing.n_rows} cells of the labelled objects are missing for each "
        "cell to have its repeats; missing_judgments.csv lists them."
    )
    per_attribute: Counter[str] = Counter()
    for name, collect in zip(missing["attribute"], missing["collect"], strict=True):
        per_attribute[name] += collect
    if per_attribute:
        names, counts = zip(*per_attribute.most_common(), strict=True)
        report.table(Columns(attribute=list(names), collect=list(counts)))


def _meanings(table: Columns) -> str:
    shown = [f"{names}: {meaning}" for names, meaning in MEANING.items() if names.split(", ")[0] in table]
    return f"Columns: {'; '.join(shown)}."


def _title(name: str) -> str:
    return "Purchases in order" if name == "path" else name.replace("_", " ").capitalize()
