"""Tables as files that R and others read: named columns, CSV with NA for what is missing, or Parquet."""

from __future__ import annotations

import csv
import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from ...errors import StudyError
from ...observe.formats import import_pyarrow
from .beside import written_beside

MISSING = "NA"
FORMATS = ("csv", "parquet")
# Words that R does not take as names.
RESERVED = frozenset(
    ["if", "else", "repeat", "while", "function", "for", "in", "next", "break", "TRUE", "FALSE", "NULL"]
)
RESERVED |= {"Inf", "NaN", "NA", "NA_integer_", "NA_real_", "NA_character_", "NA_complex_"}


class Column(NamedTuple):
    """The name of a column and the type of its values: "text", "number" or "whole"."""

    name: str
    type: str


def names_for_r(names: Sequence[str], taken: Iterable[str] = (), endings: Sequence[str] = ("",)) -> list[str]:
    """Names of columns that R takes as they are, one for each name, all different with each of some endings.

    Letters outside ASCII become dots: which of them R takes depends on the machine.

    >>> names_for_r(["iron", "pulse rate", "pulse.rate", "2nd", "Größe", "if"], taken=["iron"])
    ['iron.2', 'pulse.rate', 'pulse.rate.2', 'X2nd', 'Gr..e', 'if.']
    """
    used, found = {one.lower() for one in taken}, []  # names that differ by case alone confuse other programs
    for name in names:
        plain = "".join(c if c.isascii() and (c.isalnum() or c in "._") else "." for c in name)
        if not plain[:1].isalpha():
            plain = f"X{plain}"
        if plain in RESERVED:
            plain = f"{plain}."
        unique, n = plain, 1
        while not used.isdisjoint(f"{unique}{ending}".lower() for ending in endings):
            n += 1
            unique = f"{plain}.{n}"
        used.update(f"{unique}{ending}".lower() for ending in endings)
        found.append(unique)
    return found


def as_text(number: float) -> str:
    """A number in the shortest form from which it is read again exactly.

    >>> as_text(61.0), as_text(0.1)
    ('61', '0.1')
    """
    return str(int(number)) if float(number).is_integer() and abs(number) < 2**53 else repr(float(number))


def format_of(path: str | os.PathLike[str]) -> str:
    """The format of a table by the name of its file."""
    suffix = Path(path).suffix.lower().lstrip(".")
    if suffix not in FORMATS:
        raise StudyError(f"{path}: a table is a .csv or a .parquet file")
    return suffix


def write_table(
    path: str | os.PathLike[str], columns: Sequence[Column], rows: Iterable[Sequence[Any]], overwrite: bool = False
) -> Path:
    """Write rows with None for what is missing, as CSV or Parquet by the name of the file."""
    with written_beside(path, overwrite) as beside:
        if format_of(path) == "csv":
            with open(beside, "w", encoding="utf-8", newline="") as file:
                writer = csv.writer(file, lineterminator="\n")
                writer.writerow(column.name for column in columns)
                writer.writerows([_cell(value) for value in row] for row in rows)
        else:
            arrow, parquet = import_pyarrow(Path(path))
            types = {"text": arrow.string(), "number": arrow.float64(), "whole": arrow.int64()}
            schema = arrow.schema([(column.name, types[column.type]) for column in columns])
            by_column = list(zip(*rows, strict=True)) or [()] * len(columns)
            arrays = [arrow.array(values, field.type) for values, field in zip(by_column, schema, strict=True)]
            parquet.write_table(arrow.table(arrays, schema=schema), beside)
    return Path(path)


def _cell(value: Any) -> str:
    if value is None:
        return MISSING
    return as_text(value) if isinstance(value, float) else str(value)
