"""A whole study as lines of JSON, from which it is made again exactly, in any database.

The first line says what the file is, the last one how many rows it has, and each row between is one of
``store/parts.py``, with the name of its table. Every line ends with a checksum of itself and of the line before, so a
line that was changed, lost or moved is found by its number.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ..._version import __version__
from ...errors import StudyError
from ..store.base import Store, StudyRecord
from ..store.parts import FIELDS, rows_of
from .beside import written_beside

FORMAT = 1
FILE, END = "keyhole study", "end"  # in place of the name of a table
DIGITS = 12
DAMAGED = "Nothing was imported; take another copy of the file"


def write_dump(store: Store, study: StudyRecord, path: str | os.PathLike[str], overwrite: bool = False) -> Path:
    """Write a study as it is now, while it may be in use."""
    last = ""
    with (
        written_beside(path, overwrite) as beside,
        store.snapshot(study) as now,
        open(beside, "w", encoding="utf-8", newline="\n") as file,
    ):
        for row in _lines(study, now):
            body = json.dumps(row, allow_nan=False)
            last = _checksum(last, body)
            file.write(f'{body[:-1]}, "check": "{last}"}}\n')
    return Path(path)


def _lines(study: StudyRecord, now: Any) -> Iterator[dict[str, Any]]:
    yield {"table": FILE, "format": FORMAT, "keyhole": __version__, "study": study.name, "events": now.seq}
    n = 0
    for table, row in rows_of(study, now):
        n += 1
        if row.get("arrays") is not None:
            row = row | {"arrays": base64.b64encode(row["arrays"]).decode()}
        yield {"table": table, **row}
    yield {"table": END, "rows": n}


def read_dump(store: Store, path: str | os.PathLike[str], name: str | None = None) -> StudyRecord:
    """Make the study of a file, under its own name or another one; nothing is made where a line is wrong."""
    place = Path(path)
    original = check_dump(place)
    return store.restore(original if name is None else name, _rows(place))


def check_dump(path: Path) -> str:
    """The name of the study in a file, all lines of which are right."""
    name = ""
    for _, table, row in _rows(path):
        if table == "study":
            name = row["name"]
    return name


def _rows(path: Path) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """The rows of a file, each with its place and its table; a wrong line is refused."""
    tables, at, n, ended = list(FIELDS), 0, 0, False
    for line, row in _checked_lines(path):
        place, table = f"{path}, line {line}", row.pop("table", None)
        if ended:
            raise StudyError(f"{place}: the study ended with the line before. {DAMAGED}")
        if line == 1:
            _check_first(place, table, row)
        elif table == END:
            ended = True
            if row != {"rows": n}:
                raise StudyError(f"{place}: {n:,} rows came, and there should be {row.get('rows')!r}. {DAMAGED}")
        else:
            if table not in tables[at:]:
                raise StudyError(f"{place}: a row of {table!r} is none of {', '.join(tables[at:])}. {DAMAGED}")
            at, n = tables.index(table), n + 1
            if set(row) != set(FIELDS[table]):
                raise StudyError(f"{place}: it has {', '.join(row)}; needed are {', '.join(FIELDS[table])}. {DAMAGED}")
            if row.get("arrays") is not None:
                row["arrays"] = base64.b64decode(row["arrays"])
            yield place, table, row
    if not ended:
        raise StudyError(f"{path}: it ends after line {line:,}, and its last lines are missing. {DAMAGED}")


def _check_first(place: str, table: Any, row: dict[str, Any]) -> None:
    if table != FILE:
        raise StudyError(f"{place}: this is no file of a whole study, which keyhole study export writes")
    if row.get("format") != FORMAT:
        raise StudyError(
            f"{place}: the file is of format {row.get('format')!r}, written by Keyhole {row.get('keyhole')}, and this"
            f" Keyhole {__version__} reads format {FORMAT}; take the Keyhole that wrote it, or a newer one"
        )


def _checked_lines(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """The lines of a file as dicts without their checksums, which must be right."""
    last, line = "", 0
    try:
        with open(path, encoding="utf-8", newline="\n") as file:
            for text in file:
                line += 1
                place = f"{path}, line {line}"
                body, mark, check = text.rstrip("\n").rpartition(', "check": "')
                if line == 1 and not mark:
                    raise StudyError(f"{place}: this is no file of a whole study, which keyhole study export writes")
                last = _checksum(last, body + "}")
                if not mark or check != f'{last}"}}':
                    raise StudyError(
                        f"{place}: the line was changed or cut off, or the line before it is missing: its checksum"
                        f" does not fit. {DAMAGED}"
                    )
                row = json.loads(body + "}")
                if not isinstance(row, dict):
                    raise StudyError(f"{place}: the line is no row. {DAMAGED}")
                yield line, row
    except (UnicodeDecodeError, json.JSONDecodeError) as error:
        raise StudyError(f"{path}, line {line + isinstance(error, UnicodeDecodeError)}: {error}. {DAMAGED}") from None
    if not line:
        raise StudyError(f"{path}: the file is empty. {DAMAGED}")


def _checksum(last: str, body: str) -> str:
    return hashlib.sha256(f"{last}{body}".encode()).hexdigest()[:DIGITS]
