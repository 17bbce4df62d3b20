"""What a run leaves for people: a page per paper that stands alone, figures as PNG and SVG, rows as CSV."""

from __future__ import annotations

import csv
import io
import platform
from html import escape
from importlib.metadata import version
from pathlib import Path

from matplotlib import rc_context
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from .paper import FAILS, HOLDS, NOT_RUN, Claim, Paper, Row, Rows, Size
from .running import Outcome
from .store import Store, write_whole

MARKS = {HOLDS: ("holds", "✓"), FAILS: ("fails", "✗"), NOT_RUN: ("notrun", "–")}
PACKAGES = ("keyhole", "numpy", "scipy", "scikit-learn", "numba")

STYLE = """
body { font: 16px/1.5 system-ui, "Segoe UI", Helvetica, Arial, sans-serif; color: #1b1b1b; background: #fff;
       max-width: 62rem; margin: 2.5rem auto; padding: 0 1.25rem; }
h1 { font-size: 1.7rem; line-height: 1.25; margin: 0 0 .3rem; }
h2 { font-size: 1.25rem; margin: 2.8rem 0 .6rem; border-top: 1px solid #ddd; padding-top: 1.4rem; }
.citation, .about, footer { color: #555; }
.about { max-width: 46rem; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-size: .9rem; margin: 1rem 0; }
th, td { text-align: left; vertical-align: top; padding: .4rem .9rem .4rem 0; border-bottom: 1px solid #e6e6e6; }
th { font-weight: 600; border-bottom: 2px solid #1b1b1b; }
.number { text-align: right; }
td.number { font-variant-numeric: tabular-nums; white-space: nowrap; }
.verdict { font-weight: 600; }
.claims { table-layout: fixed; width: 100%; overflow-wrap: anywhere; }
.claims th:nth-child(1) { width: 12%; } .claims th:nth-child(2) { width: 36%; } .claims th:nth-child(5) { width: 11%; }
.holds { color: #00664b; } .fails { color: #a84300; } .notrun { color: #666; }
figure { margin: 1.2rem 0; } figure svg { width: 100%; height: auto; }
details { margin: .8rem 0; } summary { cursor: pointer; color: #0072b2; }
nav a { margin-right: 1rem; color: #0072b2; }
@media (max-width: 45rem) {
  .claims th { display: none; } .claims tr { display: block; border-bottom: 1px solid #bbb; padding: .5rem 0; }
  .claims td { display: block; border: 0; padding: .1rem 0; }
  .claims td[data-name]:not(:empty)::before { content: attr(data-name) ": "; color: #555; }
  figure svg { width: 48rem; }
}
"""


def write_report(paper: Paper, store: Store, outcomes: list[Outcome]) -> dict[str, list[Claim]]:
    """Write everything into the paper's folder; returns the claims of each experiment, as judged."""
    judged, sections = {}, []
    for outcome in outcomes:
        claims = judged[outcome.experiment.name] = claims_of(outcome)
        drawing = _write_results(store.folder, outcome) if not outcome.why_not else ""
        sections.append(_section(outcome, claims, drawing))
    write_whole(store.folder / "report.html", _page(paper, store, outcomes, judged, sections))
    return judged


def claims_of(outcome: Outcome) -> list[Claim]:
    """What the paper says of an experiment, judged; a single line where it was not run."""
    if outcome.why_not:
        return [Claim(outcome.experiment.title, "", "", NOT_RUN, outcome.why_not)]
    return outcome.experiment.claims(outcome.rows)


def _write_results(folder: Path, outcome: Outcome) -> str:
    """CSV of all rows and of the summary, and the figure; returns the figure as SVG text."""
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


def as_csv(rows: Rows) -> str:
    """Rows as CSV, with a column for each name that any row has."""
    columns = list(dict.fromkeys(name for row in rows for name in row))
    text = io.StringIO()
    writer = csv.DictWriter(text, columns, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def _page(
    paper: Paper, store: Store, outcomes: list[Outcome], judged: dict[str, list[Claim]], sections: list[str]
) -> str:
    links = " ".join(f'<a href="#{o.experiment.name}">{escape(o.experiment.name)}</a>' for o in outcomes)
    claims = [(name, claim) for name, found in judged.items() for claim in found]
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(paper.title)}: reproduced</title><style>{STYLE}</style></head><body>\n"
        f'<h1>{escape(paper.title)}</h1>\n<p class="citation">{escape(paper.citation)}</p>\n'
        f"<nav>{links}</nav>\n<p>{escape(_in_words(claims, store.size))}</p>\n{_claim_table(claims)}\n"
        f"{''.join(sections)}\n{_how(store, outcomes)}\n</body></html>\n"
    )


def _in_words(claims: list[tuple[str, Claim]], size: Size) -> str:
    counts = {verdict: sum(claim.verdict == verdict for _, claim in claims) for verdict in MARKS}
    plural = {HOLDS: "hold", FAILS: "do not hold"}
    said = ", ".join(f"{n} {v if n == 1 else plural.get(v, v)}" for v, n in counts.items() if n)
    quick = " This was a quick run, with fewer splits and smaller grids than the paper's." if size == Size.quick else ""
    return f"What the paper says beside what was measured, {len(claims)} claims: {said}.{quick}"


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


def _section(outcome: Outcome, claims: list[Claim], drawing: str) -> str:
    experiment = outcome.experiment
    parts = [f'<h2 id="{experiment.name}">{escape(experiment.title)}</h2>']
    if experiment.about:
        parts.append(f'<p class="about">{escape(experiment.about)}</p>')
    if outcome.why_not:
        parts.append(f'<p class="notrun">{escape(claims[0].why)}</p>')
    else:
        if drawing:
            parts.append(f'<figure class="scroll">{drawing}</figure>')
        table = experiment.table(outcome.rows)
        shown = _table(table)
        parts.append(shown if len(table) <= 20 else f"<details><summary>Table</summary>{shown}</details>")
        name = experiment.name
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


def _how(store: Store, outcomes: list[Outcome]) -> str:
    kept = {name: piece for outcome in outcomes for name, piece in outcome.kept.items()}
    minutes = sum(piece.seconds for piece in kept.values()) / 60
    packages = ", ".join(f"{name} {version(name)}" for name in PACKAGES)
    command = (
        f"keyhole reproduce {store.folder.name}{' --quick' if store.size == Size.quick else ''} --seed {store.seed}"
    )
    return (
        f"<h2>How it was run</h2>\n<footer><p><code>{escape(command)}</code></p><p>{len(kept):,} units of work,"
        f" {minutes:.1f} minutes of one core in all. Python {platform.python_version()}, {packages}."
        " Verdicts are computed from the rows in the CSV files beside this page.</p></footer>"
    )
