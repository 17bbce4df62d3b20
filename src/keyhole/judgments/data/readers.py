"""Files: the long table as CSV or Parquet, labels, costs and gold items; platforms' exports."""

from __future__ import annotations

import csv
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from ...errors import BadValue
from .label_studio import read_label_studio, read_mturk, utf8_text, wanted_names
from .parsing import as_numbers, listed, named, plain_id
from .table import Judgments, from_long

FilePath = str | os.PathLike[str]


def read_judgments(
    path: FilePath,
    columns: Mapping[str, str] | None = None,
    object_column: str | None = None,
    object_key: str | None = None,
    attributes: Iterable[str] | None = None,
    choices: Mapping[str, float] | None = None,
) -> Judgments:
    """Judgments from a file: Parquet, Label Studio JSON, an MTurk batch, or a long table in CSV.

    A long table has the columns object, attribute, value and, where known, worker; ``columns`` says which
    of the file's columns these are, when they have other names. ``attributes`` reads only some, and
    ``choices`` gives the numbers of answers in words. ``object_column`` is for MTurk batches, ``object_key`` for
    Label Studio, as in ``read_mturk`` and ``read_label_studio``.
    """
    wanted = wanted_names(attributes)
    unknown = sorted(set(columns or {}) - {"object", "attribute", "value", "worker"})
    if unknown:
        raise ValueError(f"columns has {listed(unknown)}; it may name object, attribute, value and worker")
    file = existing(path)
    if file.suffix == ".json":
        return read_label_studio(file, object_key, wanted, choices)
    table: dict[str, list[Any]]
    if file.suffix == ".parquet":
        table = read_parquet(file)
    else:
        table = read_csv(file)
        if {"HITId", "WorkerId"} <= set(table):
            return read_mturk(file, object_column, wanted, choices)
    names = {name: (columns or {}).get(name, name) for name in ("object", "attribute", "value", "worker")}
    lacking = [names[n] for n in ("object", "attribute", "value") if names[n] not in table]
    if lacking or (columns and "worker" in columns and columns["worker"] not in table):
        raise ValueError(
            f"{file}: a table of judgments needs the columns {list(names.values())[:3]}, and "
            f"{names['worker']!r} where known; this one has {list(table)}"
        )
    attribute = [plain_id(name) for name in table[names["attribute"]]]
    if wanted is not None and (never := sorted(wanted - set(attribute))):
        raise ValueError(f"{file} has no judgment of {named('attribute', never)}")
    kept = [row for row, name in enumerate(attribute) if wanted is None or name in wanted]
    values = [table[names["value"]][row] for row in kept]
    return from_long(
        [table[names["object"]][row] for row in kept],
        [table[names["attribute"]][row] for row in kept],
        [(choices or {}).get(str(value).strip(), value) for value in values],
        [table[names["worker"]][row] for row in kept] if names["worker"] in table else None,
        place=lambda row: place_in(file, table, kept[row]),
    )


def read_labels(path: FilePath) -> dict[str, float]:
    """Labels from a CSV or Parquet file with the columns object and label."""
    return {key[0]: value for key, value in _read_keyed(path, ("object",), "label").items()}


def read_gold(path: FilePath) -> dict[tuple[str, str], float]:
    """Known answers from a file with the columns object, attribute and value."""
    return {(key[0], key[1]): value for key, value in _read_keyed(path, ("object", "attribute"), "value").items()}


def read_costs(path: FilePath) -> tuple[dict[str, float], dict[str, list[str]]]:
    """Costs and bundles from a file with the columns attribute, cost and, if any are sold together, bundle.

    A bundle is paid for once: its cost stands on each of its rows, or on one of them.
    """
    file = existing(path)
    table = _read_table(file, ("attribute", "cost"))
    bundle_of = table.get("bundle", [""] * len(table["attribute"]))
    costs: dict[str, float] = {}
    bundles: dict[str, list[str]] = {}
    numbers = as_numbers(
        np.asarray(table["cost"], dtype=object), lambda row: f"{place_in(file, table, row)}, column 'cost'"
    )
    for row, (attribute, bundle, cost) in enumerate(zip(table["attribute"], bundle_of, numbers, strict=True)):
        name = plain_id(attribute)
        if bundle and str(bundle).strip():
            name = plain_id(bundle)
            bundles.setdefault(name, []).append(plain_id(attribute))
        elif name in costs:
            raise BadValue(f"{place_in(file, table, row)}: the cost of {name!r} was given before")
        if cost == cost:
            if costs.get(name, cost) != cost:
                raise BadValue(
                    f"{place_in(file, table, row)}: bundle {name!r} costs {cost:g} here and {costs[name]:g} above; "
                    "it is paid for once"
                )
            costs[name] = float(cost)
        elif name not in bundles:
            raise BadValue(f"{place_in(file, table, row)}: attribute {name!r} has no cost")
    free = [name for name in bundles if name not in costs]
    if free:
        raise BadValue(f"{file}: {named('bundle', free)} without a cost")
    return costs, bundles


class CsvTable(dict[str, list[Any]]):
    """The columns of a CSV file, and the line on which each row begins."""

    lines: list[int]


def read_csv(path: FilePath) -> CsvTable:
    """The columns of a CSV file as text, by the names in its first line."""
    file = existing(path)
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
                    f"{file}, line {lines[-1]}: {len(row)} cells, but the header names {len(header)} columns"
                )
            rows.append(row or [""] * len(header))
    table = CsvTable({name: [row[i] for row in rows] for i, name in enumerate(header)})
    table.lines = lines
    return table


def place_in(file: Path, table: Mapping[str, Any], row: int) -> str:
    """Where a row stands in its file."""
    return f"{file}, line {table.lines[row]}" if isinstance(table, CsvTable) else f"{file}, row {row}"


def read_parquet(path: FilePath) -> dict[str, list[Any]]:
    """The columns of a Parquet file."""
    try:
        from pyarrow import parquet
    except ImportError as error:
        raise ImportError("reading Parquet needs pyarrow: pip install keyhole[data]") from error
    table = parquet.read_table(existing(path))
    return {name: table[name].to_pylist() for name in table.column_names}


def existing(path: FilePath) -> Path:
    """The path, if a file is there."""
    file = Path(path)
    if not file.is_file():
        raise FileNotFoundError(f"there is no file {file}")
    return file


def _read_table(file: Path, needed: tuple[str, ...]) -> dict[str, Any]:
    table: dict[str, Any] = read_parquet(file) if file.suffix == ".parquet" else read_csv(file)
    lacking = [name for name in needed if name not in table]
    if lacking:
        raise ValueError(f"{file} needs the columns {list(needed)}; it has {list(table)}")
    return table


def _read_keyed(path: FilePath, keys: tuple[str, ...], column: str) -> dict[tuple[str, ...], float]:
    """A number for each key; a key that comes twice is refused."""
    file = existing(path)
    table = _read_table(file, (*keys, column))
    raw = np.asarray(table[column], dtype=object)
    numbers = as_numbers(raw, lambda row: f"{place_in(file, table, row)}, column {column!r}")
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
