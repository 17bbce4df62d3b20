"""The data dictionary of a study: a row per attribute. ``keyhole study create`` reads the same file.

Only the column ``attribute`` is needed. ``choices`` and ``requires`` have ``|`` between them, or are a list of JSON
where one of them has that sign. ``free`` and ``charged_when_missing`` are yes or no, true or false, 1 or 0.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from ...errors import StudyError
from ...observe.attributes import Attribute
from ...observe.formats import csv_records
from ...observe.values import YES_OR_NO
from .columns import MISSING, Column, names_for_r, write_table

COLUMNS = (
    Column("attribute", "text"),
    Column("column", "text"),  # the name in a wide table
    Column("kind", "text"),
    Column("unit", "text"),
    Column("low", "number"),
    Column("high", "number"),
    Column("choices", "text"),
    Column("cost", "number"),
    Column("free", "text"),
    Column("bundle", "text"),
    Column("requires", "text"),
    Column("charged_when_missing", "text"),
)
BETWEEN = "|"
# What the names of an attribute's columns in a wide table end with, and the columns that are of no attribute.
ENDINGS = ("", ".mask", ".probability")
OTHERS = ("example", "number", "state", "ask", "design", "label", "label.state")


def write_dictionary(path: str | os.PathLike[str], attributes: Sequence[Attribute], overwrite: bool = False) -> Path:
    """Write a data dictionary as CSV."""
    rows = []
    for a, column in zip(attributes, columns_of(attributes), strict=True):
        limits = [None if abs(limit) == float("inf") else float(limit) for limit in (a.low, a.high)]
        yes_no = ["yes" if flag else "no" for flag in (a.free, a.charged_when_missing)]
        lists = [_joined(names) for names in (a.choices, a.requires)]
        rows.append(
            [a.name, column, a.kind, a.unit, *limits, lists[0], float(a.cost), yes_no[0], a.bundle, lists[1], yes_no[1]]
        )
    return write_table(path, COLUMNS, rows, overwrite)


def columns_of(attributes: Sequence[Attribute]) -> list[str]:
    """The names of the attributes' columns in a wide table."""
    return names_for_r([a.name for a in attributes], OTHERS, ENDINGS)


def read_attributes(path: str | os.PathLike[str]) -> list[Attribute]:
    """The attributes that a file describes.

    Parameters
    ----------
    path : str or path
        A CSV file with the columns of a data dictionary; only ``attribute`` is needed.

    Returns
    -------
    list of Attribute
        The attributes, in the order of the file.
    """
    records = csv_records(Path(path))
    _, header = next(records)
    names, known = [name.strip() for name in header], [column.name for column in COLUMNS]
    for name in names:
        if name not in known:
            near = get_close_matches(name, known, n=1)
            guess = f" (did you mean {near[0]!r}?)" if near else ""
            raise StudyError(f"{path}, line 1: there is no column {name!r}{guess}; there are {', '.join(known)}")
    if "attribute" not in names or len(set(names)) < len(names):
        raise StudyError(f"{path}, line 1: a column 'attribute' is needed, and every column once; got {names}")
    found = []
    for line, record in records:
        place = f"{path}, line {line}"
        if len(record) != len(names):
            raise StudyError(f"{place}: it has {len(record)} cells, but the header names {len(names)} columns")
        row = {name: cell.strip() for name, cell in zip(names, record, strict=True)}
        found.append(_attribute(place, row))
    if not found:
        raise StudyError(f"{path}: it describes no attribute; every attribute is a line")
    return found


def _attribute(place: str, row: dict[str, str]) -> Attribute:
    name = row.pop("attribute")
    if not name:
        raise StudyError(f"{place}: the attribute has no name")
    row.pop("column", None)
    given: dict[str, Any] = {}
    for field, cell in row.items():
        if cell in ("", MISSING):
            continue
        try:
            if field in ("low", "high", "cost"):
                given[field] = float(cell)
            elif field in ("free", "charged_when_missing"):
                given[field] = bool(YES_OR_NO[cell.lower()])
            elif field in ("choices", "requires"):
                given[field] = _split(cell)
            else:
                given[field] = cell
        except (KeyError, ValueError):
            wanted = "yes or no" if field in ("free", "charged_when_missing") else "a number"
            wanted = "names with | between them, or a list of JSON" if field in ("choices", "requires") else wanted
            raise StudyError(f"{place}, attribute {name!r}: {field} is {cell!r}, and must be {wanted}") from None
    try:
        return Attribute(name, **given)
    except ValueError as error:
        raise StudyError(f"{place}: {error}") from None


def _joined(names: Sequence[str]) -> str | None:
    plain = all(BETWEEN not in name and name == name.strip() and name for name in names)
    if names and plain and not names[0].startswith("[") and list(names) != [MISSING]:
        return BETWEEN.join(names)
    return json.dumps(list(names)) if names else None


def _split(text: str) -> tuple[str, ...]:
    if not text.startswith("["):
        return tuple(part.strip() for part in text.split(BETWEEN))
    names = json.loads(text)
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise ValueError(text)
    return tuple(names)
