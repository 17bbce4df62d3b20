"""The command ``keyhole reproduce``: run a paper's tables and figures, write its report, print the verdicts."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..common.parameters import ParameterError

if TYPE_CHECKING:
    from rich.table import Table

    from .runner.paper import Claim

MOST_SEED = 1_000_000  # seeds of splits are made from it, and must stay below 2**32


def reproduce(
    paper: Annotated[str, typer.Argument(help="A paper (a wrong name lists them), theory, or all.")],
    quick: Annotated[
        bool, typer.Option("--quick", help="Smaller grids and fewer splits, for a first impression.")
    ] = False,
    jobs: Annotated[int, typer.Option(help="Processes at a time; -1 for all cores.")] = -1,
    out: Annotated[Path | None, typer.Option(help="Folder for results, a folder in it per paper.")] = None,
    seed: Annotated[int, typer.Option(help="The same seed gives the same results.")] = 0,
    only: Annotated[list[str] | None, typer.Option(help="A table or figure, such as fig2; may be repeated.")] = None,
    redraw: Annotated[
        bool, typer.Option("--redraw", help="Write the report again from finished tasks of any code; run nothing.")
    ] = False,
    partial: Annotated[
        bool,
        typer.Option("--partial", help="Report also what only a part of the tasks has measured so far; run nothing."),
    ] = False,
) -> None:
    """Run every published table and figure of a paper, and put the published numbers beside the measured ones.

    Each finished task is written to disk: an interrupted run continues where it stopped, and a second run is instant.
    """
    from rich.console import Console

    from . import PAPERS, load_paper
    from .runner.paper import Size
    from .runner.report import write_report
    from .runner.running import run_paper
    from .runner.store import Store

    if jobs < -1 or jobs == 0:
        raise ParameterError("jobs", "1 or more processes, or -1 for as many as there are cores", jobs)
    if not 0 <= seed <= MOST_SEED:
        raise ParameterError("seed", f"a whole number from 0 to {MOST_SEED:,}", seed)
    if paper == "all" and only:
        raise ParameterError("only", "it names a table or figure of one paper, and all is every paper")
    size, console = Size.quick if quick else Size.full, Console()
    folder = out or Path("reproduced-quick" if quick else "reproduced")
    papers = [load_paper(name) for name in (PAPERS if paper == "all" else [paper])]
    for each in papers:
        each.chosen(only or [])
    for each in papers:
        store = Store(folder / each.name, size, seed, redraw)
        try:
            outcomes = run_paper(each, store, jobs, only or [], console, partial)
        except KeyboardInterrupt:
            console.print(
                f"Interrupted. Finished tasks are in {store.folder}, and the same command continues from there."
            )
            raise typer.Exit(130) from None
        claims = write_report(each, store, outcomes)
        console.print(*_verdicts(each.title, claims), sep="\n")
        console.print(f"Report: {store.folder / 'report.html'}")


def _verdicts(title: str, claims_of: dict[str, list[Claim]]) -> list[Table]:
    """A table of the claims about the paper, with the number of each verdict, and one of those that are not counted."""
    from .runner.claim_tables import counts_in_words
    from .runner.kinds import not_counted

    every = [claim for claims in claims_of.values() for claim in claims]
    tables = [_table(f"{title}. Published claims: {counts_in_words(every)}.", claims_of, counted=True)]
    others = not_counted(claim.about for claim in every)
    return [*tables, _table(f"Not counted: {others}.", claims_of, counted=False)] if others else tables


def _table(title: str, claims_of: dict[str, list[Claim]], counted: bool) -> Table:
    """A table of claims with their verdicts: those about the paper, or the others, which say what they are about."""
    from rich.table import Table

    from .runner.kinds import THE_PAPER

    table = Table(title=title, title_justify="left")
    for heading in ("", "claim", "published", "measured", "verdict", *([] if counted else ["about"])):
        table.add_column(heading, overflow="fold")
    for name, claims in claims_of.items():
        for claim in claims:
            if (claim.about == THE_PAPER) == counted:
                why = f" ({claim.why})" if claim.why and not claim.measured else ""
                cells = name, claim.text + why, claim.published, claim.measured, claim.verdict
                table.add_row(*cells, *([] if counted else [claim.about]))
    return table
