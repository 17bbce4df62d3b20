"""Generated examples that are never held in memory: any length, O(d) memory."""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import cached_property
from typing import Any

import numpy as np
from sklearn.utils import check_random_state

from ..observe import CallableSource


class Stream(ABC):
    """The base class of generated examples, whose cells are computed when they are read.

    A cell depends on the seed, its example and its attribute alone.

    Parameters
    ----------
    n_examples : int
        The length of the stream.
    coef : ndarray of shape (n_attributes,)
        The weights that the labels are made from.
    seed : int
        The seed of all cells.

    Attributes
    ----------
    source : Source
        What a learner reads from.
    n_attributes : int
        The number of attributes.

    Examples
    --------
    >>> from keyhole.datasets import Stream, three_signs
    >>> stream = three_signs(1_000_000, random_state=0)
    >>> isinstance(stream, Stream), stream.table(999_998).shape
    (True, (2, 3))
    """

    def __init__(self, n_examples: int, coef: np.ndarray, seed: int) -> None:
        self.n_examples, self.n_attributes, self.coef, self.seed = n_examples, len(coef), coef, seed
        self.source = CallableSource(self._read, n_examples, len(coef))

    def table(self, start: int = 0, stop: int | None = None) -> np.ndarray:
        """Some rows as an array.

        Parameters
        ----------
        start : int, default=0
            The first row.
        stop : int, default=None
            The row behind the last one; the end of the stream by default.

        Returns
        -------
        ndarray of shape (stop - start, n_attributes)
            The rows, as float32.
        """
        X = np.empty((self._length(start, stop), self.n_attributes), dtype=np.float32)
        self._fill_rows(X, start)
        return X

    def labels(self, start: int = 0, stop: int | None = None) -> np.ndarray:
        """The labels of some examples.

        Parameters
        ----------
        start : int, default=0
            The first example.
        stop : int, default=None
            The example behind the last one; the end of the stream by default.

        Returns
        -------
        ndarray of shape (stop - start,)
            The labels.
        """
        y = np.empty(self._length(start, stop))
        self._fill_labels(y, start)
        return y

    @cached_property
    def X(self) -> np.ndarray:
        """All rows, computed at first use and then held in memory."""
        return self.table()

    @cached_property
    def y(self) -> np.ndarray:
        """All labels, computed at first use and then held in memory."""
        return self.labels()

    @abstractmethod
    def excess(self, coef: np.ndarray, intercept: float = 0.0) -> float:
        """The expected squared error of a linear predictor minus that of ``self.coef``: exact, without test rows.

        Parameters
        ----------
        coef : ndarray of shape (n_attributes,)
            The coefficients of the predictor.
        intercept : float, default=0.0
            Its intercept.

        Returns
        -------
        float
            The excess.
        """

    @abstractmethod
    def _read(self, example: int, attributes: np.ndarray) -> np.ndarray:
        """Some attributes of an example."""

    @abstractmethod
    def _fill_rows(self, X: np.ndarray, start: int) -> None: ...

    @abstractmethod
    def _fill_labels(self, y: np.ndarray, start: int) -> None: ...

    def _length(self, start: int, stop: int | None) -> int:
        stop = self.n_examples if stop is None else stop
        if not 0 <= start <= stop <= self.n_examples:
            raise ValueError(f"rows {start} to {stop}: the stream has {self.n_examples} examples, numbered from 0")
        return stop - start


def new_seed(random_state: Any) -> int:
    """The seed of a stream."""
    return int(check_random_state(random_state).randint(2**31))
