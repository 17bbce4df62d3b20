"""Tables in CSV and Parquet files as sources.

A column of text or of dates is refused by name when the file is read, unless it is declared or left out. In a column
of numbers, text is kept and refused when it is revealed, so that it does no harm in cells that no learner asks for. A
cell that is empty, or says NaN, NA, None or null, is missing. Every message names the file, the line or row, and the
column.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from ..common.wording import listed
from ..errors import BadValue
from .attributes import Attribute, has_kind_number
from .describing import ColumnType, described, matched_by_name
from .formats import (
    csv_blocks,
    csv_records,
    csv_types,
    is_csv,
    large_whole_numbers,
    open_parquet,
    parquet_blocks,
    parquet_types,
)
from .sources import ArraySource
from .values import text_is_missing, warn_of_large

NAMES_SHOWN = 10


class TableSource(ArraySource):
    """A table that was read from a file; made by ``read_table``.

    Parameters
    ----------
    path : pathlib.Path
        The file, for messages.
    names : sequence of str
        The names of the attributes.
    label : str or None
        The name of the label's column, or None if there is none.
    attributes : sequence of Attribute or None
        Descriptions of some columns, or of all, by name.

    Attributes
    ----------
    labels : ndarray of shape (n_examples,) or None
        The labels, if a label's column was named.
    n_examples : int
        The number of rows.
    attributes : sequence of Attribute
        The columns.
    """

    def __init__(
        self,
        path: Path,
        names: Sequence[str],
        label: str | None,
        attributes: Sequence[Attribute] | None,
    ) -> None:
        parts, labels, start = [], [], 0
        self._path, self._written = path, {}
        declared = matched_by_name(attributes, names)
        wanted, blocks = [*names, *([] if label is None else [label])], csv_blocks
        if not is_csv(path):
            self._describe(names, parquet_types(path, names), declared)
            blocks = parquet_blocks
            if not has_kind_number(self.attributes):
                declared = list(self.attributes)
        texts = {one.name for one in declared if one is not None and one.kind == "choice"}
        for numbers, written in blocks(path, wanted, texts):
            parts.append(np.ascontiguousarray(numbers[:, : len(names)]))
            labels.append(numbers[:, len(names) :].copy())
            self._written.update({(start + r, c): text for (r, c), text in written.items()})
            start += len(numbers)
        if start == 0:
            raise ValueError(f"{path}: empty table: it has column names but no examples")
        table = np.concatenate(parts)
        if is_csv(path):
            self._describe(names, csv_types(table, self._written), declared)
        super().__init__(table, self.attributes)
        for name in large_whole_numbers(path, names, table):
            warn_of_large(name)
        if any(c < len(names) for _, c in self._written):
            self.table = None  # a compiled loop cannot tell a missing value from a wrong one
        self.labels = None if label is None else np.concatenate(labels)[:, 0]
        if self.labels is not None and np.isnan(self.labels).any():
            example = int(np.argmax(np.isnan(self.labels)))
            text = self._written.get((example, len(names)))
            what = "there is no label" if text is None else f"the label {text!r} is not a finite number"
            classes = "" if text is None else "; of two classes, make 0 and 1"
            raise ValueError(f"{self._place(example, str(label))}: {what}; every example needs a number here{classes}")

    def _describe(self, names: Sequence[str], types: list[ColumnType], declared: list[Attribute | None]) -> None:
        try:
            self.attributes = described(names, types, declared, "read_table")
        except ValueError as error:
            raise ValueError(f"{self._path}: {error}") from None

    def read(self, example: int, attributes: np.ndarray) -> Sequence[Any]:
        """Read some cells of one example.

        Parameters
        ----------
        example : int
            The row, from 0.
        attributes : ndarray of int
            The columns, from 0.

        Returns
        -------
        sequence of float, str or None
            A value for each column; text in a column of another kind than "number", and None or NaN where the cell is
            missing.

        Raises
        ------
        BadValue
            If one of the cells of a column of numbers is not a finite number.
        """
        if self.table is not None:
            return self.X[example, attributes]
        return [self._cell(example, int(j)) for j in attributes]

    def check_complete(self) -> None:
        """Check that no cell is missing, and none of numbers is text, as predictions from whole rows need.

        Raises
        ------
        ValueError
            If a cell is missing, or not a finite number.
        """
        for example, j in np.argwhere(np.isnan(self.X)).tolist():
            place = self._place(example, self.attributes[j].name)
            if self._cell(example, j) is None:
                raise ValueError(f"{place}: there is no value, and a prediction needs the whole row")

    def _cell(self, example: int, attribute: int) -> float | str | None:
        """A number, the text of a cell of another kind, or None if the cell is missing."""
        number, text = float(self.X[example, attribute]), self._written.get((example, attribute))
        if text is None:
            return None if math.isnan(number) else number
        kind = self.attributes[attribute]
        if text_is_missing(text) and text not in kind.choices:
            return None
        if kind.kind == "number":
            place = self._place(example, kind.name)
            raise BadValue(f"{place}: {text!r} was revealed; it must be a finite number")
        return text

    def _place(self, example: int, column: str) -> str:
        """As someone who opens the file counts: the header of a CSV file is line 1."""
        row = f"row {example + 1}"
        if is_csv(self._path):
            row = f"line {next(islice(csv_records(self._path), example + 1, None))[0]}"
        return f"{self._path}, {row}, column {column!r}"


def read_table(
    path: str | Path,
    *,
    label: str | None = None,
    columns: Sequence[str] | None = None,
    drop: Sequence[str] = (),
    attributes: Sequence[Attribute] | None = None,
) -> TableSource:
    """Read a ``.csv`` or ``.parquet`` file into a source.

    Parameters
    ----------
    path : str or pathlib.Path
        The file. The first line of a CSV file names the columns.
    label : str, optional
        The column of the labels.
    columns : sequence of str, optional
        The columns of the attributes, in this order. By default, all columns except the label and those to drop, in
        the order of the file.
    drop : sequence of str, optional
        Columns to leave out.
    attributes : sequence of Attribute, optional
        Descriptions of some columns, or of all, by name: their kind, cost, bundle and so on. A column of text or of
        dates needs one, of the kind "choice", "yes/no" or "date".

    Returns
    -------
    TableSource
        The table, with its ``labels`` where ``label`` is given.

    Raises
    ------
    ValueError
        If the file is not a table, lacks one of the columns, or has a column that must be declared or left out.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "patients.csv"
    >>> _ = path.write_text("iron,pulse,risk\\n14.5,66,0.2\\n11.0,,0.4\\n")
    >>> table = read_table(path, label="risk")
    >>> table.labels
    array([0.2, 0.4])
    >>> table.read(1, np.array([0, 1]))
    array([11., nan])
    """
    path = Path(path)
    present = next(csv_records(path))[1] if is_csv(path) else open_parquet(path).schema_arrow.names
    if len(set(present)) < len(present):
        repeated = sorted({name for name in present if present.count(name) > 1})
        raise ValueError(
            f"{path}: more than one column is named {listed(repeated, NAMES_SHOWN)}; each needs its own name"
        )
    asked = [*(columns or ()), *([] if label is None else [label]), *drop]
    unknown = [name for name in asked if name not in set(present)]
    if unknown:
        raise ValueError(
            f"{path}: there is no column {listed(unknown, NAMES_SHOWN)}; there are {listed(present, NAMES_SHOWN)}"
        )
    names = columns if columns is not None else [name for name in present if name not in {label, *drop}]
    if not names:
        raise ValueError(f"{path}: no attributes are left beside the label and what is dropped")
    return TableSource(path, names, label, attributes)
