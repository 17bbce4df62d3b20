"""Where values come from. A source is only ever read through ``reveal``.

Arrays, memmaps, CSR matrices, pandas and polars frames become sources by ``as_source``; anything else (an
instrument, a web service, a person) is a ``CallableSource`` or an object of one's own with the three members
of ``Source``. Nothing here reads a value that was not asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Protocol, runtime_checkable

import numpy as np
from scipy import sparse

from ..common.parameters import is_whole
from .attributes import Attribute, PlainAttributes


@runtime_checkable
class Source(Protocol):
    """A table that is read a few cells at a time: any object with these three members.

    Attributes
    ----------
    n_examples : int
        The number of examples.
    attributes : sequence of Attribute
        The attributes.

    Examples
    --------
    >>> isinstance(ArraySource(np.ones((3, 2))), Source)
    True
    """

    n_examples: int
    attributes: Sequence[Attribute]

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
        sequence of shape (n_attributes,)
            A value for each column number; None where a value could not be had.
        """


class CSR(NamedTuple):
    """The three arrays of a CSR matrix with sorted indices, as compiled code takes them."""

    data: np.ndarray
    indices: np.ndarray
    indptr: np.ndarray


class ArraySource:
    """A two-dimensional array, in memory or memory-mapped, of any numeric type (or objects).

    Parameters
    ----------
    X : ndarray of shape (n_examples, n_attributes)
        The table.
    attributes : sequence of Attribute, default=None
        The attributes. None: they cost 1 each, and are called x0, x1 and so on.

    Examples
    --------
    >>> source = ArraySource(np.arange(6.0).reshape(2, 3))
    >>> source.read(1, np.array([0, 2]))
    array([3., 5.])
    """

    def __init__(self, X: np.ndarray, attributes: Sequence[Attribute] | None = None) -> None:
        if X.ndim != 2:
            raise ValueError(
                f"Expected 2D array, got {X.ndim}D array instead: a table has a row per example and a column"
                " per attribute. Reshape your data either using array.reshape(-1, 1) if it has a single"
                " attribute or array.reshape(1, -1) if it is a single example."
            )
        if X.dtype.kind == "c":
            raise ValueError(f"Complex data not supported: the table has dtype {X.dtype}")
        self.n_examples, n_attributes = X.shape
        self.attributes = _described(attributes, n_attributes)
        self.X = X
        # What compiled loops can read directly; None where a value needs Python to become a number.
        self.table = X if X.dtype.kind in "fiub" and X.dtype.itemsize <= 8 and X.dtype != np.float16 else None

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
        sequence of shape (n_attributes,)
            A value for each column number; None where a value could not be had.
        """
        return self.X[example, attributes]


class CSRSource:
    """A sparse matrix by rows; a cell that is not stored is zero, and costs as much to look at."""

    def __init__(self, X: Any, attributes: Sequence[Attribute] | None = None) -> None:
        X = sparse.csr_array(X)
        if not X.has_canonical_format:
            X = X.copy()
            X.sum_duplicates()
        self.n_examples, n_attributes = X.shape
        self.attributes = _described(attributes, n_attributes)
        self.table = CSR(X.data, X.indices, X.indptr)

    def read(self, example: int, attributes: np.ndarray) -> Any:
        start, stop = self.table.indptr[example], self.table.indptr[example + 1]
        row = self.table.indices[start:stop]
        at = np.searchsorted(row, attributes)
        values = np.zeros(len(attributes))
        stored = np.flatnonzero(at < len(row))
        stored = stored[row[at[stored]] == attributes[stored]]
        values[stored] = self.table.data[start + at[stored]]
        return values


class FrameSource:
    """A table held by columns: a pandas or polars frame. An absent cell (None, NA) could not be had."""

    table = None

    def __init__(self, frame: Any, attributes: Sequence[Attribute] | None = None) -> None:
        self.n_examples, n_attributes = frame.shape
        names = [str(name) for name in frame.columns]
        self.attributes = _described(attributes, n_attributes, names)
        if hasattr(frame, "iloc"):
            self._columns = [_plain_or_extension(frame.iloc[:, j]) for j in range(n_attributes)]
        else:
            self._columns = [_view_or_series(frame[:, j]) for j in range(n_attributes)]

    def read(self, example: int, attributes: np.ndarray) -> Any:
        return [_absent_is_none(self._columns[j][example]) for j in attributes]


class CallableSource:
    """Values from a function: an instrument, a web service, a person.

    Parameters
    ----------
    read : callable
        Takes the number of an example and an array of column numbers, and returns their values, with None for a value
        that could not be had.
    n_examples : int
        The number of examples.
    attributes : int or sequence of Attribute or str
        The attributes, their names, or their number.

    Examples
    --------
    >>> squares = CallableSource(lambda example, attributes: example + attributes**2, 10, 3)
    >>> squares.read(1, np.array([0, 2]))
    array([1, 5])
    """

    table = None

    def __init__(
        self,
        read: Callable[[int, np.ndarray], Any],
        n_examples: int,
        attributes: int | Sequence[Attribute | str],
    ) -> None:
        self.n_examples = n_examples
        if is_whole(attributes):
            attributes = PlainAttributes(int(attributes))  # type: ignore[arg-type]
        if isinstance(attributes, str):
            raise ValueError(f"attributes={attributes!r}: a number of attributes, or a list of names, is needed")
        if isinstance(attributes, PlainAttributes):
            self.attributes: Sequence[Attribute] = attributes
        else:
            self.attributes = [a if isinstance(a, Attribute) else Attribute(str(a)) for a in attributes]  # type: ignore[union-attr]
        self._read = read

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
        sequence of shape (n_attributes,)
            A value for each column number; None where a value could not be had.
        """
        return self._read(example, attributes)


def as_source(X: Any) -> Any:
    """The source of anything a learner takes as X."""
    if isinstance(X, Source):
        return X
    if sparse.issparse(X):
        return CSRSource(X)
    if callable(X):
        raise ValueError("a function is no table: give keyhole.CallableSource(function, n_examples, attributes)")
    if hasattr(X, "columns") and hasattr(X, "shape"):
        single = _single_block(X)
        return FrameSource(X) if single is None else ArraySource(single, PlainAttributes(X.shape[1], list(X.columns)))
    return ArraySource(X if isinstance(X, np.ndarray) else np.asarray(X))


def _described(given: Sequence[Attribute] | None, n: int, names: list[str] | None = None) -> Sequence[Attribute]:
    if given is None:
        return PlainAttributes(n, names)
    if len(given) != n:
        raise ValueError(f"{len(given)} attributes are described, but the table has {n} columns")
    return given


def _single_block(frame: Any) -> np.ndarray | None:
    """The values of a pandas frame of one numeric type, when they are one array that need not be copied."""
    if not hasattr(frame, "iloc") or frame.shape[1] == 0 or frame.shape[0] == 0:
        return None
    types = set(frame.dtypes)
    if len(types) > 1 or not isinstance(next(iter(types)), np.dtype) or next(iter(types)).kind not in "fiu":
        return None
    values = frame.to_numpy(copy=False)
    return values if np.shares_memory(values[:1, :1], frame.iloc[:, 0].to_numpy()) else None


def _plain_or_extension(column: Any) -> Any:
    return column.to_numpy() if isinstance(column.dtype, np.dtype) else column.array


def _view_or_series(column: Any) -> Any:
    try:
        return column.to_numpy(allow_copy=False)
    except (RuntimeError, ValueError):  # nulls, text, categories: one cell at a time
        return column


def _absent_is_none(value: Any) -> Any:
    """None for what a frame calls absent: None and pandas' NA. A NaN in a float column stays a NaN."""
    return None if value is None or type(value).__name__ in ("NAType", "NaTType") else value
