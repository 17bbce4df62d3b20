"""The page of a paper: verdicts, the headline figure, all claims, a section per table or figure, and how it was run."""

from __future__ import annotations

import re
from html import escape
from typing import NamedTuple

from ...common.html_page import html_page
from .claim_tables import claim_tables, counts, overview
from .figures import Drawing
from .footer import footer, origin
from .kinds import published
from .paper import Claim, Experiment, Paper, Row, Rows, Size
from .running import Outcome
from .store import Store

LONG_TABLE = 20  # rows; a longer table is folded
QUICK = "This was a quick run, with fewer splits and smaller grids than the paper's."

# What the page of a paper has beyond the style of every page.
STYLE = """
.citation { color: #555; }
.counts { list-style: none; display: flex; flex-wrap: wrap; gap: .8rem; padding: 0; margin: 1.2rem 0; }
.counts li { border: 1px solid currentColor; border-radius: .4rem; padding: .3rem .9rem; }
.counts b { font-size: 1.5rem; margin-right: .3rem; }
.verdict { font-weight: 600; }
.claims { table-layout: fixed; width: 100%; overflow-wrap: anywhere; }
.claims th:nth-child(1) { width: 8.5rem; } .claims th:nth-child(2) { width: 36%; }
.claims th:nth-child(3) { width: 20%; }
@media print { .claims th:nth-child(1) { width: 7.5rem; } .claims th:nth-child(2) { width: 32%; } }
.overview th:nth-child(2) { width: auto; } .overview th:nth-child(3) { width: 9rem; }
h3 { font-size: 1.05rem; margin: 1.6rem 0 0; }
.claims details { margin: .2rem 0 0; font-size: .95em; }
.holds { color: #00664b; } .fails { color: #a84300; } .notrun { color: #666; }
.hash { font-family: ui-monospace, monospace; font-size: .85em; overflow-wrap: anywhere; }
@media (max-width: 45rem) {
  .claims thead { display: none; }
  .claims tr { display: block; border-bottom: 1px solid #bbb; padding: .5rem 0; }
  .claims td { display: block; border: 0; padding: .1rem 0; }
  .claims td[data-name]:not(:empty)::before { content: attr(data-name) ": "; color: #555; }
}
"""


class Section(NamedTuple):
    """What the page shows of an experiment: its outcome, its claims, and its figure (or None)."""

    outcome: Outcome
    claims: list[Claim]
    drawing: Drawing | None

    @property
    def name(self) -> str:
        """The name of the experiment."""
        return self.outcome.experiment.name


def paper_page(paper: Paper, store: Store, sections: list[Section]) -> str:
    """The whole page as HTML."""
    first = headline(paper, sections)
    others = [section for section in sections if section is not first and not section.outcome.why_not]
    absent = [section for section in sections if section.outcome.why_not]
    links = " ".join(
        f'<a href="#{escape(section.name)}">{escape(section.name)}</a>'
        for section in [*([first] if first else []), *others, *absent]
    )
    claims = [(section.name, claim) for section in sections for claim in section.claims]
    quick = f'<p class="warning">{QUICK}</p>' if store.size == Size.quick else ""
    body = "\n".join(
        [
            f'<p class="citation">{escape(paper.citation)}</p>',
            counts(claims),
            quick,
            f"<nav>{links}</nav>",
            _section(first, store) if first else "",
            overview(claims),
            *(_section(section, store) for section in others),
            _not_run(absent),
            footer(store, [section.outcome for section in sections]),
        ]
    )
    return html_page(paper.title, body, STYLE)


def headline(paper: Paper, sections: list[Section]) -> Section | None:
    """The section that the page begins with: the paper's headline, or the figure with most of its claims, or None."""
    drawn = [section for section in sections if section.drawing]
    named = [section for section in drawn if section.name == paper.headline]
    return named[0] if named else max(drawn, key=lambda section: len(published(section.claims)), default=None)


def _section(section: Section, store: Store) -> str:
    """The figure with its caption, its claims beside it, then the table and how it was measured."""
    outcome, claims, drawing = section
    experiment, name = outcome.experiment, section.name
    parts = [f'<h2 id="{escape(name)}">{escape(experiment.title)}</h2>']
    caption = f"<b>{escape(experiment.title)}.</b> {escape(_caption(experiment))} {origin(store, outcome)}"
    if outcome.part:
        parts.append(f'<p class="warning">A part of this experiment was run. {escape(outcome.part)}</p>')
    if drawing:
        svg = drawing.svg.replace("<svg ", f'<svg role="img" aria-label="{escape(drawing.words)}" ', 1)
        parts.append(f'<figure><div class="scroll">{svg}</div><figcaption>{caption}</figcaption></figure>')
    parts += claim_tables(claims)
    if experiment.about:
        about = f'<p class="about">{escape(experiment.about)}</p>'
        parts.append(f"<details><summary>How it was measured</summary>{about}</details>")
    rows = experiment.table(outcome.rows)
    table = _table(rows, "" if drawing else caption)
    folded = drawing or len(rows) > LONG_TABLE
    parts.append(f"<details><summary>Table, {len(rows)} rows</summary>{table}</details>" if folded else table)
    pictures = f' Figure: <a href="{name}.png">PNG</a>, <a href="{name}.svg">SVG</a>.' if drawing else ""
    parts.append(
        f'<p class="about files">All rows: <a href="{name}.csv">{name}.csv</a>; this table:'
        f' <a href="{name}_summary.csv">{name}_summary.csv</a>.{pictures}</p>'
    )
    return "\n".join(parts)


def _not_run(sections: list[Section]) -> str:
    """The tables and figures for which nothing was measured, and why."""
    items = "".join(
        f'<li id="{escape(section.name)}"><b>{escape(section.outcome.experiment.title)}</b>:'
        f" {escape(section.outcome.why_not)}</li>"
        for section in sections
    )
    return f"<h2>Not run, and why</h2>\n<ul>{items}</ul>" if items else ""


def _caption(experiment: Experiment) -> str:
    """What the figure shows: the caption, or the first sentence of how it was measured."""
    return experiment.caption or re.split(r"(?<=\.)\s+(?=[A-Z'])", experiment.about, maxsplit=1)[0]


def _table(rows: Rows, caption: str) -> str:
    columns = list(dict.fromkeys(name for row in rows for name in row))
    numeric = {name for name in columns if not any(isinstance(row.get(name), str) and row[name] for row in rows)}
    head = "".join(f"<th{' class=number' if name in numeric else ''}>{escape(name)}</th>" for name in columns)
    body = "".join(f"<tr>{''.join(_cell(row, name) for name in columns)}</tr>" for row in rows)
    words = f"<p class='about'>{caption}</p>" if caption else ""
    return f'{words}<div class="scroll"><table><thead><tr>{head}</tr></thead>{body}</table></div>'


def _cell(row: Row, name: str) -> str:
    value = row.get(name, "")
    if isinstance(value, str):
        return f"<td>{escape(value)}</td>"
    return f'<td class="number">{value:,}</td>' if isinstance(value, int) else f'<td class="number">{value:.4g}</td>'
