"""CSV and Parquet files as blocks of numbers.

A cell that is not a finite number is NaN in its block, and its text is kept beside it. Messages name the file, and the
line where the format has lines.
"""

from __future__ import annotations

import csv
import math
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

CELLS_AT_ONCE = 500_000
# Some rows of the wanted columns: NaN where there is no number, and the text of such a cell unless it is empty.
Block = tuple[np.ndarray, dict[tuple[int, int], str]]


def is_csv(path: Path) -> bool:
    if path.suffix.lower() not in (".csv", ".parquet"):
        raise ValueError(f"{path}: a table is a .csv or a .parquet file")
    return path.suffix.lower() == ".csv"


def csv_records(path: Path) -> Iterator[tuple[int, list[str]]]:
    """The records of a file that are not blank, the header first, each with the line on which it begins."""
    line, empty = 1, True
    try:
        with open(path, newline="", encoding="utf-8-sig") as file:
            reader = csv.reader(file, strict=True)
            for record in reader:
                if record:
                    empty = False
                    yield line, record
                line = reader.line_num + 1
    except (csv.Error, UnicodeDecodeError) as error:
        raise ValueError(f"{path}, line {line} or soon after: not CSV in UTF-8: {error}") from None
    if empty:
        raise ValueError(f"{path}: empty file: the first line must name the columns")


def csv_blocks(path: Path, wanted: Sequence[str]) -> Iterator[Block]:
    """By pyarrow, several times faster, where it is there and every wanted cell is a number or empty."""
    try:
        from pyarrow import ArrowException
        from pyarrow import csv as fast
    except ImportError:
        return _text_blocks(path, wanted)
    types = dict.fromkeys(wanted, "float64")
    options = fast.ConvertOptions(column_types=types, include_columns=list(wanted), null_values=[""])
    try:
        return iter([_arrow_block(batch) for batch in fast.open_csv(path, convert_options=options)])
    except ArrowException:
        return _text_blocks(path, wanted)


def _text_blocks(path: Path, wanted: Sequence[str]) -> Iterator[Block]:
    records = csv_records(path)
    _, names = next(records)
    at = [names.index(name) for name in wanted]
    while block := list(islice(records, max(CELLS_AT_ONCE // len(names), 1))):
        for line, record in block:
            if len(record) != len(names):
                raise ValueError(
                    f"{path}, line {line}: it has {len(record)} cells, but the header names {len(names)} columns"
                )
        yield _numbers([[record[j] for j in at] for _, record in block])


def _numbers(rows: list[list[Any]]) -> Block:
    try:
        numbers = np.array(rows, dtype=np.float64)
        if np.isfinite(numbers).all():
            return numbers, {}
    except (TypeError, ValueError):
        pass
    numbers, written = np.full((len(rows), len(rows[0])), np.nan), {}
    for r, row in enumerate(rows):
        for c, cell in enumerate(row):
            try:
                number = float(cell)
            except (TypeError, ValueError):
                number = math.nan
            if math.isfinite(number):
                numbers[r, c] = number
            elif cell is not None and (text := str(cell).strip()):
                written[r, c] = text
    return numbers, written


def _arrow_block(batch: Any) -> Block:
    parts = [_arrow_numbers(column) for column in batch.columns]
    written = {(r, c): text for c, (_, texts) in enumerate(parts) for (r, _), text in texts.items()}
    return np.column_stack([numbers for numbers, _ in parts]), written


def _arrow_numbers(column: Any) -> Block:
    try:
        numbers = column.cast("float64", safe=False).to_numpy(zero_copy_only=False)
        if np.isfinite(numbers).sum() == len(column) - column.null_count:
            return numbers, {}
    except (ValueError, NotImplementedError):  # text, or what has no conversion: cell by cell
        pass
    return _numbers([[cell] for cell in column.to_pylist()])


def import_pyarrow(path: Path) -> tuple[Any, Any]:
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError:
        raise ImportError(f'{path}: Parquet files need pyarrow: pip install "keyhole[data]"') from None
    return pyarrow, parquet


def open_parquet(path: Path) -> Any:
    arrow, parquet = import_pyarrow(path)
    try:
        return parquet.ParquetFile(path)
    except arrow.ArrowException as error:
        raise ValueError(f"{path}: not a Parquet file: {error}") from None


def parquet_blocks(path: Path, wanted: Sequence[str]) -> Iterator[Block]:
    rows = max(CELLS_AT_ONCE // len(wanted), 1)
    for batch in open_parquet(path).iter_batches(rows, columns=list(wanted)):
        yield _arrow_block(batch.select(list(wanted)))
