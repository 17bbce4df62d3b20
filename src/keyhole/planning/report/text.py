"""A plan as text: a table of designs and sentences about them."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

from .sentences import left_out, verdict

if TYPE_CHECKING:
    from ..result import Plan

MARKS = {"recommended": " *", "cannot be told apart": " =", "for comparison": "  ", "": "  "}
LEAVES_OUT = "†"


def as_text(plan: Plan, width: int = 100) -> str:
    """The table and the sentences of every total."""
    from rich.console import Console

    stream = io.StringIO()
    console = Console(file=stream, width=width, highlight=False)
    print_plan(plan, console)
    return stream.getvalue().rstrip("\n")


def print_plan(plan: Plan, console: Any) -> None:
    """Print the tables and the sentences to a console of rich."""
    for total in sorted(plan.designs):
        console.print(_table(plan, total))
        for sentence in left_out(plan, total):
            console.print(f"{LEAVES_OUT} {sentence}", markup=False, highlight=False)
        for sentence in verdict(plan, total):
            console.print(sentence, markup=False, highlight=False)
    console.print(
        "Errors are squared errors as shares of the label's variance, with 90% intervals (* recommended; = cannot be"
        " told apart from the smallest).",
        style="dim",
        highlight=False,
    )


def _table(plan: Plan, total: float) -> Any:
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    unit = "tests" if plan.unit_costs else "in units of cost"
    table = Table(
        title=f"Designs for a total of {total:,.0f} {unit}",
        title_justify="left",
        box=SIMPLE_HEAD,
        collapse_padding=True,
        pad_edge=False,
    )
    each = "tests x\nexamples" if plan.unit_costs else "spend x\nexamples"
    sources = {"all": "all", "few": str(plan.few)} if plan.few < plan.n_attributes else {"all": "all"}
    table.add_column("learner", no_wrap=True)
    for heading in (each, "cost", *(f"error from {source}" for source in sources.values())):
        table.add_column(heading, justify="right", no_wrap=heading != each)
    rows = plan.table(total)
    remark = LEAVES_OUT if any(row["leaves_out"] for row in rows) else ""
    for row in rows:
        errors = [_error(row, name) for name in sources]
        layout = row["layout"] + (remark if row["leaves_out"] else " " * len(remark))
        table.add_row(row["learner"].replace(" on ", "\non "), layout, f"{row['cost']:,.0f}", *errors)
    return table


def _error(row: dict[str, Any], name: str) -> str:
    error, low, high = (row[f"{what}_{name}"] for what in ("error", "low", "high"))
    return f"{error:.3f} ({low:.2f}-{high:.2f}){MARKS[row[f'mark_{name}']]}"
