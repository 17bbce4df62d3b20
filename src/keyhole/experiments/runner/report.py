"""What a run writes for its readers: a self-contained page per paper, figures as PNG and SVG, rows as CSV."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import asdict, replace

from ...common.atomic import write_whole
from .figures import write_figure
from .footer import origin
from .kinds import THE_PAPER
from .page import Section, paper_page
from .paper import NOT_RUN, Claim, Paper, Rows
from .provenance import code
from .running import Outcome
from .store import Store


def write_report(paper: Paper, store: Store, outcomes: list[Outcome]) -> dict[str, list[Claim]]:
    """Write the page, the figures, the rows and the verdicts into the folder of a paper.

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
        experiment, drawing = outcome.experiment, None
        if not outcome.why_not:
            write_whole(store.folder / f"{experiment.name}.csv", as_csv(outcome.rows))
            write_whole(store.folder / f"{experiment.name}_summary.csv", as_csv(experiment.table(outcome.rows)))
            drawing = write_figure(experiment, outcome.rows, store.folder, origin(store, outcome))
        sections.append(Section(outcome, claims_of(outcome), drawing))
    write_whole(store.folder / "report.html", paper_page(paper, store, sections))
    claims = {section.name: section.claims for section in sections}
    parts = {section.name: section.outcome.part for section in sections if section.outcome.part}
    write_whole(store.folder / "verdicts.json", _verdicts(paper, store, claims, parts))
    return claims


def claims_of(outcome: Outcome) -> list[Claim]:
    """The claims of an experiment with their verdicts; one claim that says why where it was not run."""
    experiment = outcome.experiment
    if outcome.why_not:
        return [Claim(experiment.title, "", "", NOT_RUN, outcome.why_not, experiment.claims_about)]
    claims = experiment.claims(outcome.rows)
    return [replace(claim, about=experiment.claims_about) if claim.about == THE_PAPER else claim for claim in claims]


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


def _verdicts(paper: Paper, store: Store, claims_of: dict[str, list[Claim]], parts: dict[str, str]) -> str:
    """All claims with the settings of the run, as JSON, from which a page over several papers is made."""
    claims = [asdict(claim) | {"experiment": name} for name, claims in claims_of.items() for claim in claims]
    about = {"title": paper.title, "citation": paper.citation, "settings": store.settings, "written by": code()}
    return json.dumps(about | {"parts": parts, "claims": claims}, indent=1, ensure_ascii=False)
