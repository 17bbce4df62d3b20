"""The synthetic regression of Murata and Suzuki 2018, as a stream of any length that is never held."""

from __future__ import annotations

import numbers
from typing import Any

import numpy as np
from numba import njit

from ..common.parameters import check_whole
from .random_cells import normal_cell
from .streams import Stream, new_seed


class MurataSuzuki(Stream):
    """Examples with independent normal attributes, of which the first few make the label, with normal noise.

    >>> stream = MurataSuzuki(1_000_000, n_attributes=500, n_nonzero=25, noise=1.0, seed=0)
    >>> stream.source.read(999_999, np.array([0, 499])).round(2)
    array([-0.04,  2.08])
    >>> stream.table(0, 3).shape, stream.labels(0, 3).shape
    ((3, 500), (3,))
    """

    def __init__(self, n_examples: int, n_attributes: int, n_nonzero: int, noise: float, seed: int) -> None:
        coef = np.zeros(n_attributes)
        coef[:n_nonzero] = -1.0
        coef[: (n_nonzero + 1) // 2] = 1.0
        super().__init__(n_examples, coef, seed)
        self.noise = noise

    def excess(self, coef: np.ndarray, intercept: float = 0.0) -> float:
        return float(np.sum((coef - self.coef) ** 2) + intercept**2)

    def _read(self, example: int, attributes: np.ndarray) -> np.ndarray:
        return read_cells(self.seed, example, attributes)

    def _fill_rows(self, X: np.ndarray, start: int) -> None:
        fill_rows(X, self.seed, start)

    def _fill_labels(self, y: np.ndarray, start: int) -> None:
        fill_labels(y, self.seed, start, self.coef[self.coef != 0], self.n_attributes, self.noise)


def murata_suzuki(
    n_examples: int = 100_000,
    n_attributes: int = 500,
    n_nonzero: int = 25,
    noise: float = 1.0,
    random_state: Any = None,
) -> MurataSuzuki:
    """The synthetic data of Murata and Suzuki 2018, section 6; the defaults are theirs.

    Of the weights that are not 0, the first half (rounded up) are 1 and the others -1.
    """
    check_whole("murata_suzuki", "n_examples", n_examples, 1)
    check_whole("murata_suzuki", "n_attributes", n_attributes, 1)
    check_whole("murata_suzuki", "n_nonzero", n_nonzero, 0)
    if isinstance(noise, bool) or not isinstance(noise, numbers.Real) or not 0 <= float(noise) < np.inf:
        raise ValueError(f"noise={noise!r}: murata_suzuki needs a finite number, 0 or more")
    if n_nonzero > n_attributes:
        raise ValueError(f"n_nonzero={n_nonzero} is more than n_attributes={n_attributes}")
    return MurataSuzuki(n_examples, n_attributes, n_nonzero, float(noise), new_seed(random_state))


@njit(cache=True, nogil=True)
def read_cells(seed, example, attributes):
    """Some attributes of an example."""
    values = np.empty(len(attributes))
    for r in range(len(attributes)):
        values[r] = normal_cell(seed, example, attributes[r])
    return values


@njit(cache=True, nogil=True)
def fill_rows(X, seed, start):
    """Whole rows."""
    for t in range(X.shape[0]):
        for j in range(X.shape[1]):
            X[t, j] = normal_cell(seed, start + t, j)


@njit(cache=True, nogil=True)
def fill_labels(y, seed, start, coef, d, noise):
    """Labels; their noise is the cell behind the last attribute."""
    for t in range(len(y)):
        y[t] = noise * normal_cell(seed, start + t, d)
        for j in range(len(coef)):
            y[t] += coef[j] * normal_cell(seed, start + t, j)
