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
from .describing import ColumnType, described, in_order
from .frames import FrameSource, as_fitted, single_block


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
            A value for each column number; None or NaN where the cell is missing.
        """


class CSR(NamedTuple):
    """The three arrays of a CSR matrix with sorted indices, as compiled code takes them."""

    data: np.ndarray
    indices: np.ndarray
    indptr: np.ndarray


class ArraySource:
    """A two-dimensional array, in memory or memory-mapped, of any numeric type, of truth values or of objects.

    An array of text or of dates is refused, unless its attributes are declared to be of another kind than "number". In
    an array of objects, text is refused when it is revealed.

    Parameters
    ----------
    X : ndarray of shape (n_examples, n_attributes)
        The table.
    attributes : sequence of Attribute, default=None
        The attributes, one for each column in its order. None: they cost 1 each, and are called x0, x1 and so on.

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
        self.attributes = in_order(attributes, n_attributes)
        if X.dtype.kind not in "fiubO" and n_attributes:
            kind = "date" if X.dtype.kind == "M" else None
            types = [ColumnType(kind, f"{X.dtype} of the array")] * n_attributes
            self.attributes = described(None, types, [*self.attributes], "ArraySource")
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
            A value for each column number; None or NaN where the cell is missing.
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
        self.attributes = in_order(attributes, n_attributes)
        self.table = CSR(X.data, X.indices, X.indptr)

    def read(self, example: int, attributes: np.ndarray) -> Any:
        start, stop = self.table.indptr[example], self.table.indptr[example + 1]
        row = self.table.indices[start:stop]
        at = np.searchsorted(row, attributes)
        values = np.zeros(len(attributes), dtype=self.table.data.dtype)
        stored = np.flatnonzero(at < len(row))
        stored = stored[row[at[stored]] == attributes[stored]]
        values[stored] = self.table.data[start + at[stored]]
        return values


class CallableSource:
    """Values from a function: an instrument, a web service, a person.

    Parameters
    ----------
    read : callable
        Takes the number of an example and an array of column numbers, and returns their values, with None or NaN for a
        cell that is missing.
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
            A value for each column number; None or NaN where the cell is missing.
        """
        return self._read(example, attributes)


def as_source(X: Any, fitted: Sequence[Attribute] | None = None) -> Any:
    """The source of anything a learner takes as X; ``fitted`` are the attributes it must have, where that matters."""
    if isinstance(X, Source):
        return X if fitted is None or len(fitted) != len(X.attributes) else DescribedSource(X, fitted)
    if sparse.issparse(X):
        return CSRSource(X, _of_as_many(fitted, X))
    if callable(X):
        raise ValueError("a function is no table: give keyhole.CallableSource(function, n_examples, attributes)")
    if hasattr(X, "columns") and hasattr(X, "shape"):
        known = _of_as_many(fitted, X)
        if known is not None:
            return as_fitted(X, known)
        single = single_block(X)
        return FrameSource(X) if single is None else ArraySource(single, PlainAttributes(X.shape[1], list(X.columns)))
    X = X if isinstance(X, np.ndarray) else np.asarray(X)
    return ArraySource(X, _of_as_many(fitted, X))


class DescribedSource:
    """A source with other descriptions of its attributes: those that a learner was fitted with."""

    table = None

    def __init__(self, source: Any, attributes: Sequence[Attribute]) -> None:
        self.n_examples, self.attributes, self.read = source.n_examples, attributes, source.read


def _of_as_many(attributes: Sequence[Attribute] | None, X: Any) -> Sequence[Attribute] | None:
    """The attributes, unless a table has another number of columns, which is an error elsewhere."""
    return attributes if attributes is not None and len(X.shape) == 2 and X.shape[1] == len(attributes) else None
