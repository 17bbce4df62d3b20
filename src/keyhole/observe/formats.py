"""CSV and Parquet files as blocks of numbers, and what the types of their columns are.

A cell that is not a finite number is NaN in its block, and its text is kept beside it; an empty one, or one that says
NaN, NA, None or null, is missing. A Parquet file states the type of a column. A column of a CSV file is of text if more
of its cells are text than numbers. Messages name the file, and the line where the format has lines.
"""

from __future__ import annotations

import csv
import math
from collections.abc import Collection, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from .describing import ColumnType
from .values import LARGEST_WHOLE, MISSING_TEXTS, is_missing, text_is_missing

CELLS_AT_ONCE = 500_000
NULLS = [spelt for text in sorted(MISSING_TEXTS) for spelt in {text, text.upper(), text.capitalize()}] + ["NaN", "NaT"]
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


def csv_blocks(path: Path, wanted: Sequence[str], texts: Collection[str] = ()) -> Iterator[Block]:
    """By pyarrow, several times faster, where it is there and every wanted cell is a number or missing.

    All cells of the columns ``texts`` are kept as text.
    """
    try:
        from pyarrow import ArrowException
        from pyarrow import csv as fast
    except ImportError:
        return _text_blocks(path, wanted, texts)
    types = {name: "string" if name in texts else "float64" for name in wanted}
    options = fast.ConvertOptions(column_types=types, include_columns=list(wanted), null_values=NULLS)
    try:
        return iter([_arrow_block(batch, texts) for batch in fast.open_csv(path, convert_options=options)])
    except ArrowException:
        return _text_blocks(path, wanted, texts)


def _text_blocks(path: Path, wanted: Sequence[str], texts: Collection[str]) -> Iterator[Block]:
    records = csv_records(path)
    _, names = next(records)
    at = [names.index(name) for name in wanted]
    while block := list(islice(records, max(CELLS_AT_ONCE // len(names), 1))):
        for line, record in block:
            if len(record) != len(names):
                raise ValueError(
                    f"{path}, line {line}: it has {len(record)} cells, but the header names {len(names)} columns"
                )
        yield _numbers([[record[j] for j in at] for _, record in block], [name in texts for name in wanted])


def _numbers(rows: list[list[Any]], is_text: Sequence[bool]) -> Block:
    try:
        numbers = np.array(rows, dtype=np.float64)
        if not np.isinf(numbers).any() and not any(is_text):
            return numbers, {}
    except (TypeError, ValueError):
        pass
    numbers, written = np.full((len(rows), len(rows[0])), np.nan), {}
    for r, row in enumerate(rows):
        for c, cell in enumerate(row):
            try:
                number = math.nan if is_text[c] else float(cell)
            except (TypeError, ValueError):
                number = math.nan
            if math.isfinite(number):
                numbers[r, c] = number
            elif not is_missing(cell) and (text := str(cell).strip()) and (is_text[c] or not text_is_missing(text)):
                written[r, c] = text
    return numbers, written


def _arrow_block(batch: Any, texts: Collection[str]) -> Block:
    columns = zip(batch.schema.names, batch.columns, strict=True)
    parts = [_arrow_numbers(column, name in texts) for name, column in columns]
    written = {(r, c): text for c, (_, texts) in enumerate(parts) for (r, _), text in texts.items()}
    return np.column_stack([numbers for numbers, _ in parts]), written


def _arrow_numbers(column: Any, is_text: bool) -> Block:
    from pyarrow import types

    if types.is_integer(column.type) or types.is_floating(column.type) or types.is_decimal(column.type):
        numbers = column.cast("float64", safe=False).to_numpy(zero_copy_only=False)
        if not np.isinf(numbers).any():
            return numbers, {}
    return _numbers([[cell] for cell in column.to_pylist()], [is_text])


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


def parquet_blocks(path: Path, wanted: Sequence[str], texts: Collection[str] = ()) -> Iterator[Block]:
    """As ``csv_blocks``."""
    rows = max(CELLS_AT_ONCE // len(wanted), 1)
    for batch in open_parquet(path).iter_batches(rows, columns=list(wanted)):
        yield _arrow_block(batch.select(list(wanted)), texts)


def parquet_types(path: Path, names: Sequence[str]) -> list[ColumnType]:
    """What a file states of some columns; the choices of a category are those of its dictionaries."""
    file = open_parquet(path)
    return [_arrow_type(file, name) for name in names]


def _arrow_type(file: Any, name: str) -> ColumnType:
    from pyarrow import types

    kind = file.schema_arrow.field(name).type
    if types.is_dictionary(kind):
        parts = file.read(columns=[name]).column(0).chunks
        choices = dict.fromkeys(str(one) for part in parts for one in part.dictionary.to_pylist())
        return ColumnType("choice", str(kind), tuple(choices)) if choices else ColumnType("number", str(kind))
    if types.is_boolean(kind):
        return ColumnType("yes/no", str(kind))
    if types.is_date(kind) or types.is_timestamp(kind):
        return ColumnType("date", str(kind))
    usable = types.is_integer(kind) or types.is_floating(kind) or types.is_decimal(kind) or types.is_null(kind)
    return ColumnType("number" if usable else None, str(kind))


def csv_types(numbers: np.ndarray, written: dict[tuple[int, int], str]) -> list[ColumnType]:
    """What the cells of a file say of each column, by the place and the text of those that are no finite numbers."""
    texts = np.zeros(numbers.shape[1], dtype=np.int64)
    first: dict[int, str] = {}
    for (_, c), text in written.items():
        if c < len(texts) and not text_is_missing(text) and not is_infinite(text):
            texts[c] += 1
            first.setdefault(c, text)
    found = np.sum(~np.isnan(numbers), axis=0)
    return [
        ColumnType(None, f"text (such as {first[c]!r})") if texts[c] > found[c] else ColumnType("number", "number")
        for c in range(len(texts))
    ]


def is_infinite(text: str) -> bool:
    """Whether a text says infinity, which is a number that is refused when it is revealed."""
    try:
        return math.isinf(float(text))
    except ValueError:
        return False


def large_whole_numbers(path: Path, names: Sequence[str], numbers: np.ndarray) -> list[str]:
    """The columns with whole numbers beyond 2**53, of which the last digits are lost."""
    with np.errstate(invalid="ignore"):
        large = np.abs(numbers) >= LARGEST_WHOLE
    found = np.flatnonzero(large.any(axis=0)).tolist()
    if not found:
        return []
    if not is_csv(path):
        from pyarrow import types

        schema = open_parquet(path).schema_arrow
        return [names[c] for c in found if types.is_integer(schema.field(names[c]).type)]
    row = {c: int(np.argmax(large[:, c])) for c in found}
    records = csv_records(path)
    header = next(records)[1]
    text: dict[int, str] = {}
    for r, (_, record) in enumerate(islice(records, max(row.values()) + 1)):
        text |= {c: record[header.index(names[c])] for c in found if row[c] == r}
    return [names[c] for c in found if text[c].strip().lstrip("+-").isdigit()]
