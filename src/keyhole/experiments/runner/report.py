"""What a run writes for its readers: a self-contained page per paper, figures as PNG and SVG, rows as CSV."""

from __future__ import annotations

import csv
import io
from pathlib import Path

from matplotlib import rc_context
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from ...common.atomic import write_whole
from .page import Section, paper_page
from .paper import NOT_RUN, Claim, Paper, Rows
from .running import Outcome
from .store import Store


def write_report(paper: Paper, store: Store, outcomes: list[Outcome]) -> dict[str, list[Claim]]:
    """Write the page, the figures and the rows into the folder of a paper.

    Parameters
    ----------
    paper : Paper
        The paper.
    store : Store
        Its folder of results.
    outcomes : list of Outcome
        What was run, from `run_paper`.

    Returns
    -------
    dict of list of Claim
        The claims of each experiment with their verdicts, by the name of the experiment.
    """
    sections = []
    for outcome in outcomes:
        drawing = "" if outcome.why_not else _write_results(store.folder, outcome)
        sections.append(Section(outcome, claims_of(outcome), drawing))
    write_whole(store.folder / "report.html", paper_page(paper, store, sections))
    return {section.outcome.experiment.name: section.claims for section in sections}


def claims_of(outcome: Outcome) -> list[Claim]:
    """What the paper says of an experiment, with verdicts; one claim that says why where it was not run."""
    if outcome.why_not:
        return [Claim(outcome.experiment.title, "", "", NOT_RUN, outcome.why_not)]
    return outcome.experiment.claims(outcome.rows)


def as_csv(rows: Rows) -> str:
    """Rows as CSV, with a column for each name that any row has.

    >>> as_csv([{"learner": "AER", "error": 0.5}, {"learner": "ridge", "splits": 3}]).splitlines()
    ['learner,error,splits', 'AER,0.5,', 'ridge,,3']
    """
    columns = list(dict.fromkeys(name for row in rows for name in row))
    text = io.StringIO()
    writer = csv.DictWriter(text, columns, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def _write_results(folder: Path, outcome: Outcome) -> str:
    """Write all rows and the summary as CSV, and the figure; returns the figure as SVG text."""
    experiment = outcome.experiment
    write_whole(folder / f"{experiment.name}.csv", as_csv(outcome.rows))
    write_whole(folder / f"{experiment.name}_summary.csv", as_csv(experiment.table(outcome.rows)))
    if experiment.draw is None:
        return ""
    figure = Figure(figsize=experiment.figure_size, layout="constrained")
    FigureCanvasAgg(figure)
    experiment.draw(outcome.rows, figure)
    figure.savefig(folder / f"{experiment.name}.png", dpi=150)
    # Text as text, and names of shapes that do not change: equal results give equal files.
    with rc_context({"svg.fonttype": "none", "svg.hashsalt": f"{folder.name} {experiment.name}"}):
        drawn = io.StringIO()
        figure.savefig(drawn, format="svg", metadata={"Date": None})
    text = drawn.getvalue()
    write_whole(folder / f"{experiment.name}.svg", text)
    return text[text.index("<svg") :]
