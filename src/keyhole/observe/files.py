"""Tables in CSV and Parquet files as sources.

A cell that is not a finite number is kept as text and refused only when it is revealed, so text in cells that no
learner asks for does no harm; an empty cell is a value that could not be had. Every message names the file, the line
or row, and the column.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from ..common.wording import listed
from ..errors import BadValue
from .attributes import PlainAttributes
from .formats import Block, csv_blocks, csv_records, is_csv, open_parquet, parquet_blocks
from .sources import ArraySource

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
    blocks : iterator of tuple
        The rows of the file in parts: an array with a column for each name and a last one for the label, NaN where
        there is no number, and a dictionary with the text of such cells.

    Attributes
    ----------
    labels : ndarray of shape (n_examples,) or None
        The labels, if a label's column was named.
    n_examples : int
        The number of rows.
    attributes : sequence of Attribute
        The columns.
    """

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
        """Read some cells of one example.

        Parameters
        ----------
        example : int
            The row, from 0.
        attributes : ndarray of int
            The columns, from 0.

        Returns
        -------
        sequence of float or None
            A value for each column; None where the cell is empty.

        Raises
        ------
        BadValue
            If one of the cells is not a finite number.
        """
        if self.table is not None:
            return self.X[example, attributes]
        return [self._cell(example, int(j)) for j in attributes]

    def check_complete(self) -> None:
        """Check that every cell is a finite number, as predictions from whole rows need.

        Raises
        ------
        ValueError
            If a cell is empty or not a finite number.
        """
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
        if is_csv(self._path):
            row = f"line {next(islice(csv_records(self._path), example + 1, None))[0]}"
        return f"{self._path}, {row}, column {column!r}"


def read_table(
    path: str | Path,
    *,
    label: str | None = None,
    columns: Sequence[str] | None = None,
    drop: Sequence[str] = (),
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

    Returns
    -------
    TableSource
        The table, with its ``labels`` where ``label`` is given.

    Raises
    ------
    ValueError
        If the file is not a table, or lacks one of the columns.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "patients.csv"
    >>> _ = path.write_text("iron,pulse,risk\\n14.5,66,0.2\\n11.0,,0.4\\n")
    >>> table = read_table(path, label="risk")
    >>> table.labels
    array([0.2, 0.4])
    >>> table.read(1, np.array([0, 1]))
    [11.0, None]
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
    wanted = [*names, *([] if label is None else [label])]
    blocks = csv_blocks(path, wanted) if is_csv(path) else parquet_blocks(path, wanted)
    return TableSource(path, names, label, blocks)
