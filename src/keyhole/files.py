"""Tables in files: CSV and Parquet in, predictions out.

A cell that is not a finite number is kept as it is written and refused only when it is revealed, so text that
nobody asks for harms nothing; an empty cell is a value that could not be had. Every complaint names the file,
the line or row, and the column.
"""

from __future__ import annotations

import csv
import math
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, TextIO

import numpy as np

from .errors import BadValue
from .observe import ArraySource, PlainAttributes

CELLS_AT_ONCE = 500_000
# Some rows of the wanted columns: NaN where there is no number, and what is written there if not nothing.
Block = tuple[np.ndarray, dict[tuple[int, int], str]]


class TableSource(ArraySource):
    """A table read from a file, by named columns; ``labels`` where a label column was named."""

    def __init__(self, path: Path, names: Sequence[str], label: str | None, blocks: Iterator[Block]) -> None:
        attributes, labels, start = [], [], 0
        self._path, self._written = path, {}
        for numbers, written in blocks:
            attributes.append(np.ascontiguousarray(numbers[:, : len(names)]))
            labels.append(numbers[:, len(names) :].copy())
            self._written.update({(start + r, c): text for (r, c), text in written.items()})
            start += len(numbers)
        if start == 0:
            raise ValueError(f"{path}: empty table: it has column names but no examples")
        super().__init__(np.concatenate(attributes), PlainAttributes(len(names), names))
        if np.isnan(self.X).any():
            self.table = None  # a compiled loop cannot tell an absent value from a wrong one
        self.labels = None if label is None else np.concatenate(labels)[:, 0]
        if self.labels is not None and np.isnan(self.labels).any():
            example = int(np.argmax(np.isnan(self.labels)))
            text = self._written.get((example, len(names)))
            what = "there is no label" if text is None else f"the label {text!r} is not a finite number"
            raise ValueError(f"{self._place(example, str(label))}: {what}; every example needs a number here")

    def read(self, example: int, attributes: np.ndarray) -> Sequence[Any]:
        if self.table is not None:
            return self.X[example, attributes]
        return [self._cell(example, int(j)) for j in attributes]

    def check_complete(self) -> None:
        """Raise unless every cell is a finite number: a prediction needs the whole row."""
        if self.table is None:
            example, j = map(int, np.argwhere(np.isnan(self.X))[0])
            self._cell(example, j)
            place = self._place(example, self.attributes[j].name)
            raise ValueError(f"{place}: there is no value, and a prediction needs the whole row")

    def _cell(self, example: int, attribute: int) -> float | None:
        number, text = float(self.X[example, attribute]), self._written.get((example, attribute))
        if text is not None:
            place = self._place(example, self.attributes[attribute].name)
            raise BadValue(f"{place}: {text!r} was revealed; it must be a finite number")
        return None if math.isnan(number) else number

    def _place(self, example: int, column: str) -> str:
        """As someone who opens the file counts: the header of a CSV file is line 1."""
        row = f"row {example + 1}"
        if _is_csv(self._path):
            row = f"line {next(islice(_csv_records(self._path), example + 1, None))[0]}"
        return f"{self._path}, {row}, column {column!r}"


def read_table(
    path: str | Path,
    *,
    label: str | None = None,
    columns: Sequence[str] | None = None,
    drop: Sequence[str] = (),
) -> TableSource:
    """The source of a ``.csv`` or ``.parquet`` file.

    Its attributes are ``columns``, in that order whatever the file's, or else all columns but the label and
    those to drop.
    """
    path = Path(path)
    there = next(_csv_records(path))[1] if _is_csv(path) else _parquet(path).schema_arrow.names
    if len(set(there)) < len(there):
        twice = sorted({name for name in there if there.count(name) > 1})
        raise ValueError(f"{path}: more than one column is named {_listed(twice)}; each needs its own name")
    asked = [*(columns or ()), *([] if label is None else [label]), *drop]
    unknown = [name for name in asked if name not in set(there)]
    if unknown:
        raise ValueError(f"{path}: there is no column {_listed(unknown)}; there are {_listed(there)}")
    names = columns if columns is not None else [name for name in there if name not in {label, *drop}]
    if not names:
        raise ValueError(f"{path}: no attributes are left beside the label and what is dropped")
    wanted = [*names, *([] if label is None else [label])]
    blocks = _csv_blocks(path, wanted) if _is_csv(path) else _parquet_blocks(path, wanted)
    return TableSource(path, names, label, blocks)


def _is_csv(path: Path) -> bool:
    if path.suffix.lower() not in (".csv", ".parquet"):
        raise ValueError(f"{path}: a table is a .csv or a .parquet file")
    return path.suffix.lower() == ".csv"


def _csv_records(path: Path) -> Iterator[tuple[int, list[str]]]:
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


def _csv_blocks(path: Path, wanted: Sequence[str]) -> Iterator[Block]:
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
    records = _csv_records(path)
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


def _pyarrow(path: Path) -> tuple[Any, Any]:
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError:
        raise ImportError(f'{path}: Parquet files need pyarrow: pip install "keyhole[data]"') from None
    return pyarrow, parquet


def _parquet(path: Path) -> Any:
    arrow, parquet = _pyarrow(path)
    try:
        return parquet.ParquetFile(path)
    except arrow.ArrowException as error:
        raise ValueError(f"{path}: not a Parquet file: {error}") from None


def _parquet_blocks(path: Path, wanted: Sequence[str]) -> Iterator[Block]:
    rows = max(CELLS_AT_ONCE // len(wanted), 1)
    for batch in _parquet(path).iter_batches(rows, columns=list(wanted)):
        yield _arrow_block(batch.select(list(wanted)))


def _listed(names: Sequence[str]) -> str:
    shown = ", ".join(repr(name) for name in names[:10])
    return shown + (f" and {len(names) - 10} more" if len(names) > 10 else "")


def write_predictions(predictions: np.ndarray, to: Path | TextIO) -> None:
    """One column, ``prediction``, to a ``.csv`` or ``.parquet`` file or, as CSV, to an open stream."""
    if not isinstance(to, Path):
        to.write("prediction\n")
        to.writelines(f"{float(value)!r}\n" for value in predictions)
    elif _is_csv(to):
        with open(to, "w", encoding="utf-8") as file:
            write_predictions(predictions, file)
    else:
        arrow, parquet = _pyarrow(to)
        parquet.write_table(arrow.table({"prediction": predictions}), to)
