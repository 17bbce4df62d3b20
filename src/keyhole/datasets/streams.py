"""Generated examples that are never held: any length, O(d) memory."""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import cached_property
from typing import Any

import numpy as np
from sklearn.utils import check_random_state

from ..observe import CallableSource


class Stream(ABC):
    """Examples with weights that made their labels; every cell is computed when it is looked at.

    A cell depends on the seed, its example and its attribute alone. ``source`` is what a learner reads;
    ``table`` and ``labels`` give some rows as arrays, and ``X`` and ``y`` all of them for those who have room.
    """

    def __init__(self, n_examples: int, coef: np.ndarray, seed: int) -> None:
        self.n_examples, self.n_attributes, self.coef, self.seed = n_examples, len(coef), coef, seed
        self.source = CallableSource(self._read, n_examples, len(coef))

    def table(self, start: int = 0, stop: int | None = None) -> np.ndarray:
        """Rows start to stop as an array of float32."""
        X = np.empty((self._length(start, stop), self.n_attributes), dtype=np.float32)
        self._fill_rows(X, start)
        return X

    def labels(self, start: int = 0, stop: int | None = None) -> np.ndarray:
        """The labels of examples start to stop."""
        y = np.empty(self._length(start, stop))
        self._fill_labels(y, start)
        return y

    @cached_property
    def X(self) -> np.ndarray:
        """All rows; kept."""
        return self.table()

    @cached_property
    def y(self) -> np.ndarray:
        """All labels; kept."""
        return self.labels()

    @abstractmethod
    def excess(self, coef: np.ndarray, intercept: float = 0.0) -> float:
        """Expected squared error of a linear predictor less that of ``coef``: exact, without test rows."""

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
