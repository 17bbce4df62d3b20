"""Writes docs/verdicts.md from the results of ``keyhole reproduce``, and copies the reports to docs/reports.

    keyhole reproduce all --out results
    python benchmarks/verdicts.py results

Every paper's folder in ``results`` that has a verdicts.json is taken; a quick run is named as one.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from pathlib import Path
from typing import Any

from keyhole.common.atomic import write_whole
from keyhole.experiments import PAPERS
from keyhole.experiments.runner.paper import FAILS, HOLDS, NOT_RUN
from keyhole.experiments.runner.provenance import SHORT, run_in_words
from pages import DOCS

ORDER = (FAILS, HOLDS, NOT_RUN)
MOST_BYTES = 1_500_000  # of a report in docs/
HEAD = """# Verdicts

What the papers say beside what was measured, one line for each claim. This page is generated: `keyhole reproduce all
--out results`, then `python benchmarks/verdicts.py results`. How verdicts are reached is written in
[Published tables and figures](reproduce.md); the reports have the figures, the tables, and the checksums of all data.
"""


def found_papers(folder: Path) -> dict[str, dict[str, Any]]:
    """What each paper's verdicts.json holds, in the order of the command line."""
    return {
        name: json.loads((folder / name / "verdicts.json").read_text())
        for name in PAPERS
        if (folder / name / "verdicts.json").is_file()
    }


def page(papers: dict[str, dict[str, Any]]) -> str:
    """The whole page: a table over papers, then a table of claims for each paper, failures first."""
    lines = [HEAD]
    codes = {paper["settings"]["code"] for paper in papers.values()}
    if len(codes) > 1:
        lines.append("The papers were measured by different versions of the code, named in the table.\n")
    lines += [f"| paper | run | {' | '.join(ORDER)} | code |", "|---|---|" + "---:|" * len(ORDER) + "---|"]
    for name, paper in papers.items():
        settings, counts = paper["settings"], _counts(paper)
        numbers = " | ".join(str(counts[verdict]) for verdict in ORDER)
        lines.append(f"| [{name}](#{name}) | {_size(settings)} | {numbers} | `{settings['code'][:SHORT]}` |")
    for name, paper in papers.items():
        lines += ["", *_section(name, paper)]
    return "\n".join(lines) + "\n"


def _section(name: str, paper: dict[str, Any]) -> list[str]:
    settings = paper["settings"]
    runs = " ".join(run_in_words(run) for run in settings["runs"])
    files = {file: checksum for of in settings["data"].values() for file, checksum in of.items()}
    data = ", ".join(f"{file} `{checksum[:SHORT]}`" for file, checksum in sorted(files.items()))
    drawn = paper["written by"]["code"]
    other = "" if drawn == settings["code"] else f" The verdicts were computed by the code `{drawn[:SHORT]}`."
    lines = [
        f"## {name}",
        "",
        f"{_text(paper['title'])}. {_text(paper['citation'])} [The whole report](reports/{name}.html).",
        "",
        f"A {_size(settings)} run, seed {settings['seed']}, Keyhole {settings['keyhole']}, code"
        f" `{settings['code'][:SHORT]}`{f', data {data}' if data else ''}. {runs}{other}",
        "",
        "| table or figure | claim | published | measured | verdict | reason or remark |",
        "|---|---|---|---|---|---|",
    ]
    for claim in sorted(paper["claims"], key=lambda claim: ORDER.index(claim["verdict"])):
        cells = {name: _text(claim[name]) for name in ("experiment", "text", "published", "measured", "verdict", "why")}
        if claim["verdict"] == FAILS:
            cells["verdict"] = f"**{FAILS}**"
        lines.append(f"| {' | '.join(cells.values())} |")
    return lines


def _size(settings: dict[str, Any]) -> str:
    """``full``, or ``quick`` with what that means."""
    return "quick (fewer splits, smaller grids)" if settings["size"] == "quick" else settings["size"]


def _counts(paper: dict[str, Any]) -> dict[str, int]:
    return {verdict: sum(claim["verdict"] == verdict for claim in paper["claims"]) for verdict in ORDER}


def _text(words: str) -> str:
    """Words that Markdown takes as they are, in a table too."""
    return re.sub(r"([\\`*_|<$~])", r"\\\1", " ".join(words.split()))


def alone(report: str) -> str:
    """A report without links to the files that lie beside it in the folder of results."""
    return re.sub(r'<p class="about files">.*?</p>', "", report, flags=re.DOTALL)


def main(arguments: list[str] | None = None) -> None:
    """Write the page and copy the reports."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("results", type=Path, help="the folder that was --out of keyhole reproduce")
    parser.add_argument("--docs", type=Path, default=DOCS, help="the folder of the documentation")
    given = parser.parse_args(arguments)
    papers = found_papers(given.results)
    if not papers:
        parser.error(f"{given.results} has no folder of a paper with verdicts.json; run keyhole reproduce --out first")
    (given.docs / "reports").mkdir(exist_ok=True)
    for name in papers:
        text = alone((given.results / name / "report.html").read_text())
        if len(text.encode()) > MOST_BYTES:
            print(f"{name}: its report has {len(text.encode()):,} bytes, above {MOST_BYTES:,}", file=sys.stderr)
        write_whole(given.docs / "reports" / f"{name}.html", text)
    write_whole(given.docs / "verdicts.md", page(papers))
    print(f"{given.docs / 'verdicts.md'}: {', '.join(papers)}")


if __name__ == "__main__":
    main()
