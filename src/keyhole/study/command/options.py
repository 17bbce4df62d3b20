"""What all commands of a study share: where it is, who acts, and how results are printed."""

from __future__ import annotations

import datetime
import json
import math
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperCommand

from ...errors import StudyError

if TYPE_CHECKING:
    from ..study import Study

VARIABLE = "KEYHOLE_STUDY"
ENDINGS = (".db", ".sqlite", ".sqlite3")

Place = Annotated[
    str, typer.Argument(metavar="PLACE", help=f"The file or the URL of the study; or the variable {VARIABLE} has it.")
]
Name = Annotated[str | None, typer.Option("--study", help="The name of the study; the only one without it.")]
Person = Annotated[str | None, typer.Option("--person", help="Who acts; the owner without it.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON, for machines.")]
Overwrite = Annotated[bool, typer.Option("--overwrite", help="Replace files that are there already.")]


class PlaceCommand(TyperCommand):
    """A command whose first word is the place of a study, unless the environment has it."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        place = os.environ.get(VARIABLE)
        if place:
            given, _, _ = self.make_parser(ctx).parse_args(args=list(args))
            needed = [one.name for one in self.get_params(ctx) if one.param_type_name == "argument" and one.required]
            complete = all(given.get(name) and isinstance(given.get(name), str | list | tuple) for name in needed)
            if not complete or not looks_like_place(given["place"]):
                args = [place, *args]
        return super().parse_args(ctx, args)


def looks_like_place(word: str) -> bool:
    """Whether a word is the place of a study rather than a name or a number.

    >>> [looks_like_place(word) for word in ("study.db", "postgresql://host/clinic", "p7", "12")]
    [True, True, False, False]
    """
    return "://" in word or Path(word).suffix.lower() in ENDINGS


@contextmanager
def opened(place: str, name: str | None = None, person: str | None = None) -> Iterator[Study]:
    """A study that is closed at the end."""
    from .. import Study

    study = Study.open(place, name, person=person)
    try:
        yield study
    finally:
        study.close()


def show(as_json: bool, data: Any, text: str) -> None:
    """Print data as JSON, or a text."""
    typer.echo(json.dumps(plain(data), indent=2) if as_json else text)


def plain(data: Any) -> Any:
    """Data as JSON can hold them: times as text, unknown numbers as null."""
    if hasattr(data, "_asdict"):
        data = data._asdict()
    if isinstance(data, Mapping):
        return {str(key): plain(value) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [plain(value) for value in data]
    if isinstance(data, datetime.datetime):
        return data.isoformat()
    if isinstance(data, float) and not math.isfinite(data):
        return None
    return str(data) if isinstance(data, Path) else data


def in_lines(data: Mapping[str, Any]) -> str:
    """Names and values below each other; what is unknown is left out."""
    shown = {name: f"{value:,g}" if isinstance(value, float) else str(value) for name, value in data.items()}
    width = max(map(len, shown), default=0)
    return "\n".join(f"{name:<{width}}  {shown[name]}" for name in shown if data[name] is not None)


def in_columns(rows: Sequence[Mapping[str, Any]], names: Sequence[str]) -> str:
    """Rows below their names."""
    cells = [list(names)] + [[_cell(row.get(name)) for name in names] for row in rows]
    widths = [max(len(line[i]) for line in cells) for i in range(len(names))]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)) for line in cells]
    return "\n".join(line.rstrip() for line in lines)


def _cell(value: Any) -> str:
    if isinstance(value, datetime.datetime):
        return f"{value:%Y-%m-%d %H:%M}"
    return "-" if value is None else f"{value:.4g}" if isinstance(value, float) else str(value)


def pairs_of(
    words: Sequence[str], names: Sequence[str] = (), wanted: str = "NAME=VALUE, as in iron=14.2"
) -> dict[str, str]:
    """Names and values from words such as iron=14.2; the name may be one of some that have an equals sign."""
    found: dict[str, str] = {}
    for word in words:
        known = [name for name in names if word.startswith(f"{name}=")]
        name = max(known, key=len) if known else word.partition("=")[0]
        value = word[len(name) + 1 :]
        if len(name) == len(word) or not name.strip() or not value.strip():
            raise StudyError(f"{word!r} is not {wanted}")
        if name in found:
            raise StudyError(f"{name!r} is there twice; give it once")
        found[name] = value.strip()
    return found
