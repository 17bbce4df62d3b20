"""The page of a paper: its claims with their verdicts, then a section per table or figure, and how it was run."""

from __future__ import annotations

import platform
from html import escape
from importlib.metadata import version
from typing import NamedTuple

from ...common.html_page import html_page
from .paper import FAILS, HOLDS, NOT_RUN, Claim, Paper, Row, Rows, Size
from .running import Outcome
from .store import Store

MARKS = {HOLDS: ("holds", "✓"), FAILS: ("fails", "✗"), NOT_RUN: ("notrun", "–")}
PACKAGES = ("keyhole", "numpy", "scipy", "scikit-learn", "numba")
LONG_TABLE = 20  # rows; a longer table is folded

# What the page of a paper has beyond the style of every page.
STYLE = """
.citation { color: #555; }
.verdict { font-weight: 600; }
.claims { table-layout: fixed; width: 100%; overflow-wrap: anywhere; }
.claims th:nth-child(1) { width: 12%; } .claims th:nth-child(2) { width: 36%; } .claims th:nth-child(5) { width: 11%; }
.holds { color: #00664b; } .fails { color: #a84300; } .notrun { color: #666; }
@media (max-width: 45rem) {
  .claims th { display: none; } .claims tr { display: block; border-bottom: 1px solid #bbb; padding: .5rem 0; }
  .claims td { display: block; border: 0; padding: .1rem 0; }
  .claims td[data-name]:not(:empty)::before { content: attr(data-name) ": "; color: #555; }
}
"""


class Section(NamedTuple):
    """What the page shows of an experiment: its outcome, its claims, and its figure as SVG text (or none)."""

    outcome: Outcome
    claims: list[Claim]
    drawing: str


def paper_page(paper: Paper, store: Store, sections: list[Section]) -> str:
    """The whole page as HTML."""
    names = [section.outcome.experiment.name for section in sections]
    links = " ".join(f'<a href="#{name}">{escape(name)}</a>' for name in names)
    claims = [(name, claim) for name, section in zip(names, sections, strict=True) for claim in section.claims]
    body = (
        f'<p class="citation">{escape(paper.citation)}</p>\n'
        f"<nav>{links}</nav>\n<p>{escape(_counts(claims, store.size))}</p>\n{_claim_table(claims)}\n"
        f"{''.join(_section(section) for section in sections)}\n{_how(store, sections)}"
    )
    return html_page(paper.title, body, STYLE)


def _counts(claims: list[tuple[str, Claim]], size: Size) -> str:
    """How many claims have which verdict, in a sentence."""
    counts = {verdict: sum(claim.verdict == verdict for _, claim in claims) for verdict in MARKS}
    plural = {HOLDS: "hold", FAILS: "do not hold"}
    verdicts = ", ".join(f"{n} {v if n == 1 else plural.get(v, v)}" for v, n in counts.items() if n)
    quick = " This was a quick run, with fewer splits and smaller grids than the paper's." if size == Size.quick else ""
    return f"What the paper says beside what was measured, {len(claims)} claims: {verdicts}.{quick}"


def _claim_table(claims: list[tuple[str, Claim]]) -> str:
    lines = []
    for name, claim in claims:
        kind, mark = MARKS[claim.verdict]
        why = f"<br><span class='about'>{escape(claim.why)}</span>" if claim.why else ""
        lines.append(
            f'<tr><td><a href="#{escape(name)}">{escape(name)}</a></td><td>{escape(claim.text)}{why}</td>'
            f'<td data-name="published">{escape(claim.published)}</td>'
            f'<td data-name="measured">{escape(claim.measured)}</td>'
            f'<td class="verdict {kind}">{mark} {claim.verdict}</td></tr>'
        )
    head = "<tr><th></th><th>claim</th><th>published</th><th>measured</th><th>verdict</th></tr>"
    return f'<table class="claims">{head}{"".join(lines)}</table>'


def _section(section: Section) -> str:
    outcome, claims, drawing = section
    experiment, name = outcome.experiment, outcome.experiment.name
    parts = [f'<h2 id="{name}">{escape(experiment.title)}</h2>']
    if experiment.about:
        parts.append(f'<p class="about">{escape(experiment.about)}</p>')
    if outcome.why_not:
        return "\n".join([*parts, f'<p class="notrun">{escape(claims[0].why)}</p>'])
    if drawing:
        parts.append(f'<figure class="scroll">{drawing}</figure>')
    rows = experiment.table(outcome.rows)
    table = _table(rows)
    parts.append(table if len(rows) <= LONG_TABLE else f"<details><summary>Table</summary>{table}</details>")
    pictures = f' Figure: <a href="{name}.png">PNG</a>, <a href="{name}.svg">SVG</a>.' if drawing else ""
    parts.append(
        f'<p class="about">All rows: <a href="{name}.csv">{name}.csv</a>; this table:'
        f' <a href="{name}_summary.csv">{name}_summary.csv</a>.{pictures}</p>'
    )
    return "\n".join(parts)


def _table(rows: Rows) -> str:
    columns = list(dict.fromkeys(name for row in rows for name in row))
    numeric = {name for name in columns if not any(isinstance(row.get(name), str) and row[name] for row in rows)}
    head = "".join(f"<th{' class=number' if name in numeric else ''}>{escape(name)}</th>" for name in columns)
    body = "".join(f"<tr>{''.join(_cell(row, name) for name in columns)}</tr>" for row in rows)
    return f'<div class="scroll"><table><tr>{head}</tr>{body}</table></div>'


def _cell(row: Row, name: str) -> str:
    value = row.get(name, "")
    if isinstance(value, str):
        return f"<td>{escape(value)}</td>"
    return f'<td class="number">{value:,}</td>' if isinstance(value, int) else f'<td class="number">{value:.4g}</td>'


def _how(store: Store, sections: list[Section]) -> str:
    """The command, the number of tasks, their time, and the versions of packages."""
    finished = {name: task for section in sections for name, task in section.outcome.finished.items()}
    minutes = sum(task.seconds for task in finished.values()) / 60
    packages = ", ".join(f"{name} {version(name)}" for name in PACKAGES)
    quick = " --quick" if store.size == Size.quick else ""
    command = f"keyhole reproduce {store.folder.name}{quick} --seed {store.seed}"
    return (
        f"<h2>How it was run</h2>\n<footer><p><code>{escape(command)}</code></p><p>{len(finished):,} tasks,"
        f" {minutes:.1f} minutes of one core in all. Python {platform.python_version()}, {packages}."
        " Verdicts are computed from the rows in the CSV files beside this page.</p></footer>"
    )
