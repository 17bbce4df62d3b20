"""Pandas and polars frames as sources: tables that are held by columns, each of which has a type."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .attributes import Attribute
from .describing import ColumnType, described, matched_by_name
from .values import is_missing

# Of NumPy's types, and of pandas' own that state a kind.
KINDS = {"f": "number", "i": "number", "u": "number", "b": "yes/no", "M": "date"}


class FrameSource:
    """A pandas or polars frame.

    Truth values are attributes of the kind "yes/no", and categories of the kind "choice". Columns of text, of dates and
    of other types are refused by name unless they are declared. A cell that is None, NaN, NA, NaT or null is missing.

    Parameters
    ----------
    frame : pandas.DataFrame or polars.DataFrame
        The table.
    attributes : sequence of Attribute, default=None
        Descriptions of some columns, or of all, by name: their kind, cost, bundle and so on.

    Attributes
    ----------
    n_examples : int
        The number of rows.
    attributes : sequence of Attribute
        The columns.

    Raises
    ------
    ValueError
        If a column has to be declared, or a description belongs to no column; the message names it.

    Examples
    --------
    >>> import pandas as pd
    >>> from keyhole import Attribute
    >>> frame = pd.DataFrame({"age": [61, 48], "smokes": [True, False], "blood": ["A", "0"]})
    >>> blood = Attribute("blood", kind="choice", choices=("A", "B", "AB", "0"))
    >>> [attribute.kind for attribute in FrameSource(frame, [blood]).attributes]
    ['number', 'yes/no', 'choice']
    """

    table = None

    def __init__(self, frame: Any, attributes: Sequence[Attribute] | None = None) -> None:
        names = [str(name) for name in frame.columns]
        self._hold(frame, names, matched_by_name(attributes, names))

    def _hold(self, frame: Any, names: list[str], declared: list[Attribute | None]) -> None:
        self.n_examples, columns = frame.shape[0], columns_of(frame)
        held = _plain_or_extension if hasattr(frame, "iloc") else _view_or_series
        types, self._columns = [type_of(column) for column in columns], [held(column) for column in columns]
        self.attributes = described(names, types, declared, "FrameSource")

    def read(self, example: int, attributes: np.ndarray) -> Any:
        """Read some cells of one example.

        Parameters
        ----------
        example : int
            The number of the example.
        attributes : ndarray of int
            The column numbers.

        Returns
        -------
        list
            A value for each column number, of whatever type the column has; None where the cell is missing.
        """
        values = [self._columns[j][example] for j in attributes]
        return [None if is_missing(value) else value for value in values]


def as_fitted(frame: Any, attributes: Sequence[Attribute]) -> FrameSource:
    """A frame whose columns are those of fitted attributes, one by one; a learner checks that names agree."""
    source = FrameSource.__new__(FrameSource)
    source._hold(frame, [attribute.name for attribute in attributes], list(attributes))
    return source


def single_block(frame: Any) -> np.ndarray | None:
    """The values of a pandas frame of one numeric type, when they are one array that need not be copied."""
    if not hasattr(frame, "iloc") or frame.shape[1] == 0 or frame.shape[0] == 0:
        return None
    types = set(frame.dtypes)
    if len(types) > 1 or not isinstance(next(iter(types)), np.dtype) or next(iter(types)).kind not in "fiu":
        return None
    values = frame.to_numpy(copy=False)
    return values if np.shares_memory(values[:1, :1], frame.iloc[:, 0].to_numpy()) else None


def columns_of(frame: Any) -> list[Any]:
    """The columns of a pandas or polars frame, by their positions."""
    return [frame.iloc[:, j] if hasattr(frame, "iloc") else frame[:, j] for j in range(frame.shape[1])]


def type_of(column: Any) -> ColumnType:
    """What the type of a column of a pandas or polars frame says."""
    return _pandas_type(column) if hasattr(column, "iloc") else _polars_type(column)


def _pandas_type(column: Any) -> ColumnType:
    dtype = column.dtype
    if hasattr(dtype, "categories"):
        return _category(dtype.categories, str(dtype))
    return ColumnType(KINDS.get(dtype.kind), str(dtype))


def _polars_type(column: Any) -> ColumnType:
    dtype, name = column.dtype, str(column.dtype)
    base = name.partition("(")[0]
    if base in ("Categorical", "Enum"):
        # The type of a Categorical knows no categories; they are the dictionary of the column, as in pandas.
        known = dtype.categories if base == "Enum" else sorted(column.unique().drop_nulls().to_list())
        return _category(known, name)
    if dtype.is_numeric() or base == "Null":
        return ColumnType("number", name)
    return ColumnType({"Boolean": "yes/no", "Date": "date", "Datetime": "date"}.get(base), name)


def _category(categories: Any, name: str) -> ColumnType:
    """A column without categories has missing cells only."""
    choices = tuple(str(one) for one in categories)
    return ColumnType("choice", name, choices) if choices else ColumnType("number", name)


def _plain_or_extension(column: Any) -> Any:
    return column.to_numpy() if isinstance(column.dtype, np.dtype) else column.array


def _view_or_series(column: Any) -> Any:
    try:
        return column.to_numpy(allow_copy=False)
    except (RuntimeError, ValueError):  # nulls, text, categories: one cell at a time
        return column
