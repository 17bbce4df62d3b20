"""Revealed cells that are kept, row by row, and the mean and spread of each attribute from them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

EXTRA = 10.0
LIMIT = 5.0
NONE = np.empty(0, dtype=np.int64)


class Cells:
    """Revealed values row by row, in arrays that grow by doubling, with the label of every row and, where a policy
    has several designs, the number of the one that drew it.

    ``given`` marks the cells that were known beforehand, and drawn by no design. ``missing_rows`` and
    ``missing_attributes`` are the places of cells that a design drew and whose values are missing.

    >>> cells = Cells()
    >>> cells.append(np.array([2, 0]), np.array([0.5, 7.0]), 1.0)
    >>> cells.append(np.array([1]), np.array([3.0]), -1.0)
    >>> print(cells.rows, cells.attributes, cells.values, cells.labels)
    [0 0 1] [2 0 1] [0.5 7.  3. ] [ 1. -1.]
    """

    def __init__(self) -> None:
        self.n_examples = 0
        self._n_cells = 0
        self._labels = np.empty(64)
        self._designs = np.zeros(64, dtype=np.int64)
        self._values = np.empty(256)
        self._places = np.empty((2, 256), dtype=np.int64)
        self._given = np.zeros(256, dtype=bool)
        self._n_missing = 0
        self._missing = np.empty((2, 16), dtype=np.int64)

    labels = property(lambda self: self._labels[: self.n_examples])
    designs = property(lambda self: self._designs[: self.n_examples])
    values = property(lambda self: self._values[: self._n_cells])
    rows = property(lambda self: self._places[0, : self._n_cells])
    attributes = property(lambda self: self._places[1, : self._n_cells])
    given = property(lambda self: self._given[: self._n_cells])
    missing_rows = property(lambda self: self._missing[0, : self._n_missing])
    missing_attributes = property(lambda self: self._missing[1, : self._n_missing])

    @property
    def row_starts(self) -> np.ndarray:
        """The position of the first cell of each row, and the end of the last row."""
        return np.searchsorted(self.rows, np.arange(self.n_examples + 1))

    def append(
        self,
        attributes: np.ndarray,
        values: np.ndarray,
        label: float,
        design: int = 0,
        n_given: int = 0,
        missing: np.ndarray = NONE,
    ) -> None:
        """Add a row, of which the last ``n_given`` values were known beforehand and ``missing`` were drawn in vain."""
        stop = self._n_cells + len(values)
        while stop > len(self._values):
            self._values = np.concatenate([self._values, self._values])
            self._places = np.concatenate([self._places, self._places], axis=1)
            self._given = np.concatenate([self._given, self._given])
        while self._n_missing + len(missing) > self._missing.shape[1]:
            self._missing = np.concatenate([self._missing, self._missing], axis=1)
        if self.n_examples == len(self._labels):
            self._labels = np.concatenate([self._labels, self._labels])
            self._designs = np.concatenate([self._designs, self._designs])
        self._values[self._n_cells : stop] = values
        self._places[0, self._n_cells : stop] = self.n_examples
        self._places[1, self._n_cells : stop] = attributes
        self._given[self._n_cells : stop] = np.arange(len(values)) >= len(values) - n_given
        if len(missing):
            after = self._n_missing + len(missing)
            self._missing[0, self._n_missing : after] = self.n_examples
            self._missing[1, self._n_missing : after] = missing
            self._n_missing = after
        self._labels[self.n_examples], self._designs[self.n_examples] = label, design
        self._n_cells, self.n_examples = stop, self.n_examples + 1

    def copy(self) -> Cells:
        """Independent cells with the same rows."""
        other = Cells.__new__(Cells)
        other.__dict__.update({k: v.copy() if isinstance(v, np.ndarray) else v for k, v in vars(self).items()})
        return other

    def rows_of(self, keep: np.ndarray) -> Cells:
        """Some of the rows, in their order."""
        other, kept = self.copy(), keep[self.rows]
        other.n_examples, other._n_cells = int(np.sum(keep)), int(np.sum(kept))
        other.labels[:], other.designs[:] = self.labels[keep], self.designs[keep]
        other.values[:], other.attributes[:] = self.values[kept], self.attributes[kept]
        number = np.cumsum(keep) - 1
        other.rows[:], other.given[:] = number[self.rows[kept]], self.given[kept]
        kept = keep[self.missing_rows]
        other._n_missing = int(np.sum(kept))
        other.missing_rows[:] = number[self.missing_rows[kept]]
        other.missing_attributes[:] = self.missing_attributes[kept]
        return other

    def drawn(self) -> Cells:
        """The same rows without the values that were given beforehand."""
        if not self.given.any():
            return self
        other, kept = self.copy(), ~self.given
        other._n_cells = int(np.sum(kept))
        other.values[:], other.attributes[:] = self.values[kept], self.attributes[kept]
        other.rows[:], other.given[:] = self.rows[kept], False
        return other

    def expanded(self, times: np.ndarray, attributes: np.ndarray, values: np.ndarray) -> Cells:
        """Cells that take the place of these, so many for each, in the same rows."""
        other = self.copy()
        other._n_cells, other._values = len(values), values
        other._places = np.stack([np.repeat(self.rows, times), attributes])
        other._given = np.repeat(self.given, times)
        return other

    def with_values(self, values: np.ndarray) -> Cells:
        """The same cells with other values."""
        other = self.copy()
        other.values[:] = values
        return other

    def table(self, columns: np.ndarray) -> np.ndarray:
        """All rows, with the given attributes (in ascending order) as columns; NaN where nothing was revealed."""
        table = np.full((self.n_examples, len(columns)), np.nan)
        inside = np.isin(self.attributes, columns)
        table[self.rows[inside], np.searchsorted(columns, self.attributes[inside])] = self.values[inside]
        return table


class Summary(NamedTuple):
    """What revealed values say of each attribute; 0 for one that was never revealed."""

    times: np.ndarray
    mean: np.ndarray
    deviation: np.ndarray
    largest: np.ndarray

    def scale(self) -> np.ndarray:
        """The standard deviation, guarded as in the running scales: 0 only where all values are equal.

        An attribute that is almost always constant (a pixel that is lit once in a thousand images) has a tiny
        deviation, and the one value that differs would outweigh all else. So EXTRA observations are added at the
        largest distance from the mean, and no value is more than LIMIT scales away from it.
        """
        # In parts of the largest distance, whose square may be no finite number.
        share = np.divide(self.deviation, self.largest, out=np.zeros_like(self.largest), where=self.largest > 0)
        spread = (self.times * share**2 + EXTRA) / (self.times + EXTRA)
        return self.largest * np.sqrt(spread + LIMIT**-2)


def summarised(attributes: np.ndarray, values: np.ndarray, d: int) -> Summary:
    """How often each of d attributes occurs, its mean, standard deviation and largest distance from the mean.

    The deviation is exactly 0 where all values are equal, in whatever unit: values are first measured from
    one of them, and in parts of the largest distance to it.
    """
    seen, first = np.unique(attributes, return_index=True)
    start = np.zeros(d)
    start[seen] = values[first]
    distance = values - start[attributes]
    unit = _largest(attributes, distance, d)
    unit[unit == 0] = 1.0
    distance /= unit[attributes]
    times = np.bincount(attributes, minlength=d)
    divisor = np.maximum(times, 1)
    mean = np.bincount(attributes, distance, minlength=d) / divisor
    distance -= mean[attributes]
    deviation = np.sqrt(np.bincount(attributes, distance**2, minlength=d) / divisor)
    return Summary(times, start + unit * mean, unit * deviation, unit * _largest(attributes, distance, d))


def standardised(values: np.ndarray, mean: np.ndarray, scale: np.ndarray) -> np.ndarray:
    """(values - mean) / scale, and 0 where the scale is 0."""
    return np.where(scale > 0, (values - mean) / np.where(scale > 0, scale, 1.0), 0.0)


def unscaled(weights: np.ndarray, intercept: float, mean: np.ndarray, scale: np.ndarray) -> tuple[np.ndarray, float]:
    """Coefficients and intercept for raw attributes, of weights of standardised ones; 0 where the scale is 0."""
    coef = np.divide(weights, scale, out=np.zeros_like(weights), where=scale > 0)
    return coef, float(intercept - coef @ mean)


def of_columns(table: np.ndarray) -> Summary:
    """The same from a full table, for each of its columns."""
    n, d = table.shape
    return summarised(np.tile(np.arange(d), n), table.ravel(), d)


def _largest(attributes: np.ndarray, distance: np.ndarray, d: int) -> np.ndarray:
    largest = np.zeros(d)
    np.maximum.at(largest, attributes, np.abs(distance))
    return largest
