"""Tables in CSV and Parquet files, with the place of each row for messages."""

from __future__ import annotations

import csv
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO

import numpy as np

from ...errors import BadValue
from .parsing import as_numbers, plain_id

FilePath = str | os.PathLike[str]


class CsvTable(dict[str, list[Any]]):
    """The columns of a CSV file, and the line on which each row begins."""

    lines: list[int]


def existing_file(path: FilePath) -> Path:
    """The path, if there is a file."""
    file = Path(path)
    if not file.is_file():
        raise FileNotFoundError(f"there is no file {file}")
    return file


@contextmanager
def utf8_text(path: FilePath) -> Iterator[TextIO]:
    """A text file to read; bytes that are not UTF-8 are refused with its name."""
    with open(path, newline="", encoding="utf-8-sig") as file:
        try:
            yield file
        except UnicodeDecodeError as error:
            raise BadValue(f"{path} is not UTF-8 text ({error.reason}); save or export it as UTF-8") from None


def read_csv(path: FilePath) -> CsvTable:
    """The columns of a CSV file as text, by the names in its first line."""
    file = existing_file(path)
    with utf8_text(file) as stream:
        reader = csv.reader(stream)
        header = [name.strip() for name in next(reader, [])]
        if not header:
            raise BadValue(f"{file} is empty; its first line must name the columns")
        rows, lines = [], []
        begins = reader.line_num + 1
        for row in reader:
            lines.append(begins)
            begins = reader.line_num + 1
            if row and len(row) != len(header):
                raise BadValue(
                    f"{file}, line {lines[-1]}: the row has {len(row)} cells, but the header names"
                    f" {len(header)} columns"
                )
            rows.append(row or [""] * len(header))
    table = CsvTable({name: [row[i] for row in rows] for i, name in enumerate(header)})
    table.lines = lines
    return table


def read_parquet(path: FilePath) -> dict[str, list[Any]]:
    """The columns of a Parquet file."""
    try:
        from pyarrow import parquet
    except ImportError as error:
        raise ImportError("reading Parquet needs pyarrow: pip install keyhole[data]") from error
    table = parquet.read_table(existing_file(path))
    return {name: table[name].to_pylist() for name in table.column_names}


def read_columns(file: Path, needed: tuple[str, ...]) -> dict[str, Any]:
    """The columns of a CSV or Parquet file, if those that are needed are among them."""
    table: dict[str, Any] = read_parquet(file) if file.suffix == ".parquet" else read_csv(file)
    lacking = [name for name in needed if name not in table]
    if lacking:
        raise BadValue(f"{file} has the columns {list(table)}; it needs {list(needed)}")
    return table


def place_in(file: Path, table: Mapping[str, Any], row: int) -> str:
    """Where a row stands in its file."""
    return f"{file}, line {table.lines[row]}" if isinstance(table, CsvTable) else f"{file}, row {row}"


def numbers_of(file: Path, table: Mapping[str, Any], column: str) -> np.ndarray:
    """A column as numbers; what is not a number is refused with its place."""
    raw = np.asarray(table[column], dtype=object)
    return as_numbers(raw, lambda row: f"{place_in(file, table, row)}, column {column!r}")


def read_keyed(path: FilePath, keys: tuple[str, ...], column: str) -> dict[tuple[str, ...], float]:
    """A number for each key; a key that comes twice is refused."""
    file = existing_file(path)
    table = read_columns(file, (*keys, column))
    numbers = numbers_of(file, table, column)
    out: dict[tuple[str, ...], float] = {}
    for row, parts in enumerate(zip(*(table[key] for key in keys), strict=True)):
        key = tuple(plain_id(part) for part in parts)
        if not any(key):
            continue
        if key in out:
            name = f"{' '.join(keys)} {', '.join(map(repr, key))}"
            raise BadValue(f"{place_in(file, table, row)}: {name} was given before")
        out[key] = float(numbers[row])
    return out
