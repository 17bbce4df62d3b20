"""Commands that keep a study: export, import, backup, upgrade, renew."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ...common.parameters import ParameterError
from .options import Json, Name, Overwrite, Person, Place, opened, show

if TYPE_CHECKING:
    from ..files.importing import WrongLines

WHOLE = ".jsonl"


def export(
    place: Place,
    to: Annotated[
        Path,
        typer.Argument(help="A folder for tables and their description, a .csv or .parquet table, or .jsonl for all."),
    ],
    shape: Annotated[
        str, typer.Option(help="Of one table: long (a row per cell) or wide (a row per example).")
    ] = "long",
    format: Annotated[str, typer.Option(help="Of the tables in a folder: csv or parquet.")] = "csv",
    overwrite: Overwrite = False,
    study: Name = None,
    as_json: Json = False,
) -> None:
    """Write the study as tables that R and others read, or as a whole that can be imported again."""
    with opened(place, study) as found:
        files = found.export(to, shape=shape, format=format, overwrite=overwrite)
    show(as_json, {"files": files}, "\n".join(map(str, files)))


def import_(
    place: Place,
    file: Annotated[
        Path, typer.Argument(help="A .csv or .parquet table of results, or a .jsonl file of a whole study.")
    ],
    found: Annotated[
        bool, typer.Option("--found", help="Leave the numbers of asks aside: values of another study.")
    ] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Try it, and change nothing.")] = False,
    study: Name = None,
    person: Person = None,
    as_json: Json = False,
) -> None:
    """Record a table of results, all of it or nothing; or make the study of a .jsonl file, under --study NAME.

    A table has the columns ask or example, attribute and value, and may have unit, not_obtainable (the reason), label
    and person. Every wrong line is listed. The same file again changes nothing.
    """
    if file.suffix.lower() == WHOLE:
        _restore(place, file, study, found or dry_run, as_json)
        return
    from ..files.importing import WrongLines

    with opened(place, study, person) as one:
        try:
            done = one.import_results(file, found=found, dry_run=dry_run)
        except WrongLines as error:
            _show_wrong(error, as_json)
            raise typer.Exit(2) from None
    text = (
        f"{'It would be r' if dry_run else 'R'}ecorded: {done.recorded:,}; told before: {done.repeated:,}; in conflict:"
    )
    text += f" {len(done.conflicts):,}; lines without a result: {done.awaited:,}"
    show(as_json, done, "\n".join([text, *done.conflicts]))


def _restore(place: str, file: Path, name: str | None, unfit: bool, as_json: bool) -> None:
    from .. import Study

    if unfit:
        raise ParameterError(
            "dry_run", "a whole study is imported whole; --dry-run and --found are for tables of results"
        )
    made = Study.restore(place, file, name)
    counts = made.status()
    text = f"Study {made.name!r}: {counts['examples']:,} examples, {counts['events']:,} events. {place}"
    show(as_json, counts, text)
    made.close()


def _show_wrong(error: WrongLines, as_json: bool) -> None:
    """The wrong lines, each on a line of its own: one line could hold two of them, not two hundred."""
    n = len(error.lines)
    typer.echo(f"keyhole: {error.path}: {n} wrong {'line' if n == 1 else 'lines'}; nothing was recorded", err=True)
    if as_json:
        show(True, {"wrong": [{"line": line, "what": what} for line, what in error.lines]}, "")
    else:
        for line, what in error.lines:
            typer.echo(f"keyhole: line {line}: {' '.join(what.split())}", err=True)


def backup(
    place: Place,
    to: Annotated[Path, typer.Argument(help="The file of the backup; from PostgreSQL it is a .jsonl file.")],
    overwrite: Overwrite = False,
    study: Name = None,
    as_json: Json = False,
) -> None:
    """Copy the study to a file, while it is in use."""
    with opened(place, study) as found:
        path = found.backup(to, overwrite=overwrite)
    show(as_json, {"backup": path}, f"Backup: {path}")


def upgrade(
    place: Place,
    backup: Annotated[
        Path | None,
        typer.Option(help="The file of the backup, beside the database without it; PostgreSQL: of pg_dump."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Bring the tables of the database to the version of this Keyhole, after a backup."""
    from .. import Study

    done = Study.upgrade(place, backup)
    text = f"Its tables are of version {done.now} already; nothing was changed."
    if done.backup is not None:
        text = f"Upgraded from version {done.before} to {done.now}. Backup: {done.backup}"
    show(as_json, done, text)


def renew(place: Place, study: Name = None, person: Person = None, as_json: Json = False) -> None:
    """Make the designs that are due, here and now."""
    with opened(place, study, person) as found:
        made = found.renew()
        status = found.status()
    due = status["next design at"]
    text = f"Made {made} {'design' if made == 1 else 'designs'}."
    if due is not None:
        text += f" The next is due at {due:,} examples; {status['learned from']:,} can be learned from."
    show(as_json, {"made": made, "design": status["design"], "next design at": due}, text)
