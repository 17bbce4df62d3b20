"""The synthetic regression of Murata and Suzuki 2018, as a stream of any length that is never held."""

from __future__ import annotations

import numbers
from typing import Any

import numpy as np
from numba import njit, uint64
from sklearn.utils import check_random_state

from ..observe import CallableSource
from ..parameters import check_whole

_UNIT = 2.0**-53


class MurataSuzuki:
    """Examples with independent normal attributes, of which the first few make the label, with normal noise.

    A cell is computed from the seed, its example and its attribute whenever it is looked at, so a stream of any length
    and width takes O(d) memory. ``source`` reads it; ``labels()`` are the labels of all examples, and ``table``
    holds some rows as an array for those who have room.

    >>> stream = MurataSuzuki(1_000_000, n_attributes=500, n_nonzero=25, noise=1.0, seed=0)
    >>> stream.source.read(999_999, np.array([0, 499])).round(2)
    array([-0.04,  2.08])
    >>> stream.table(0, 3).shape, stream.labels(0, 3).shape
    ((3, 500), (3,))
    """

    def __init__(self, n_examples: int, n_attributes: int, n_nonzero: int, noise: float, seed: int) -> None:
        self.n_examples, self.n_attributes, self.noise, self.seed = n_examples, n_attributes, noise, seed
        self.coef = np.zeros(n_attributes)
        self.coef[:n_nonzero] = -1.0
        self.coef[: (n_nonzero + 1) // 2] = 1.0
        self.source = CallableSource(self._read, n_examples, n_attributes)

    def table(self, start: int = 0, stop: int | None = None) -> np.ndarray:
        """Rows start to stop as an array of float32."""
        stop = self.n_examples if stop is None else stop
        X = np.empty((stop - start, self.n_attributes), dtype=np.float32)
        fill_rows(X, self.seed, start)
        return X

    def labels(self, start: int = 0, stop: int | None = None) -> np.ndarray:
        """The labels of examples start to stop."""
        stop = self.n_examples if stop is None else stop
        y = np.empty(stop - start)
        fill_labels(y, self.seed, start, self.coef[self.coef != 0], self.n_attributes, self.noise)
        return y

    def excess(self, coef: np.ndarray, intercept: float = 0.0) -> float:
        """Expected squared error of a linear predictor, less that of the true one: exact, by independence."""
        return float(np.sum((coef - self.coef) ** 2) + intercept**2)

    def _read(self, example: int, attributes: np.ndarray) -> np.ndarray:
        return read_cells(self.seed, example, attributes)


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
    seed = check_random_state(random_state).randint(2**31)
    return MurataSuzuki(n_examples, n_attributes, n_nonzero, float(noise), seed)


@njit(cache=True, nogil=True)
def _mixed(word):
    """The finaliser of splitmix64."""
    word = (word ^ (word >> uint64(30))) * uint64(0xBF58476D1CE4E5B9)
    word = (word ^ (word >> uint64(27))) * uint64(0x94D049BB133111EB)
    return word ^ (word >> uint64(31))


@njit(cache=True, nogil=True)
def normal_cell(seed, example, attribute):
    """A standard normal number that depends on the three alone (Box and Muller)."""
    word = _mixed(uint64(seed) * uint64(0x9E3779B97F4A7C15) + uint64(example))
    word = _mixed(word + uint64(attribute + 1) * uint64(0xD1342543DE82EF95))
    other = _mixed(word + uint64(0x9E3779B97F4A7C15))
    radius = 1.0 - np.float64(word >> uint64(11)) * _UNIT
    angle = np.float64(other >> uint64(11)) * _UNIT
    return np.sqrt(-2.0 * np.log(radius)) * np.cos(2.0 * np.pi * angle)


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
