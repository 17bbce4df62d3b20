"""The commands of a study under one name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import typer

from . import collecting, keeping, making, reports
from .options import PlaceCommand

app = typer.Typer(invoke_without_command=True, add_completion=False)
# A label or a value may be a negative number, which is then no option.
NUMBERS: dict[str, Any] = {"ignore_unknown_options": True}


@app.callback()
def study(ctx: typer.Context) -> None:
    """Ask and tell, kept in a database for months: what to find out of the next example, and what was found out.

    PLACE is a file (study.db) or a URL (postgresql://host/name). The variable KEYHOLE_STUDY may hold it; a first word
    that is a URL, or ends with .db or .sqlite, is taken in its place.
    """
    if ctx.invoked_subcommand is None:
        typer.echo(ctx.get_help())


COMMANDS: tuple[Callable[..., None], ...] = (
    making.create,
    making.add,
    making.person,
    collecting.ask,
    collecting.tell,
    collecting.label,
    collecting.correct,
    collecting.cancel,
    collecting.release,
    collecting.allocate,
    reports.status,
    reports.report,
    reports.history,
    reports.plan,
    reports.protocol,
    reports.verify,
    keeping.export,
    keeping.import_,
    keeping.backup,
    keeping.upgrade,
    keeping.renew,
)
for command in COMMANDS:
    settings = NUMBERS if command in (collecting.label, collecting.correct) else None
    app.command(command.__name__.rstrip("_"), cls=PlaceCommand, context_settings=settings)(command)
