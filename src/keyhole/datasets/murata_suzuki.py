"""The synthetic regression of Murata and Suzuki 2018, as a stream of any length that is never held in memory."""

from __future__ import annotations

import numbers
from typing import Any

import numpy as np
from numba import njit

from ..common.parameters import check_whole
from .random_cells import normal_cell
from .streams import Stream, new_seed


class MurataSuzuki(Stream):
    """A stream of examples with independent normal attributes, whose label depends on the first few, with normal noise.

    Parameters
    ----------
    n_examples : int
        The length of the stream.
    n_attributes : int
        The number of attributes.
    n_nonzero : int
        How many of the first attributes have a weight: the first half (rounded up) 1, and the others -1.
    noise : float
        The standard deviation of the labels' noise.
    seed : int
        The seed of all cells.

    Attributes
    ----------
    coef : ndarray of shape (n_attributes,)
        The weights of the labels.
    source : Source
        What a learner reads from.

    Examples
    --------
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
        """The expected squared error of a linear predictor minus that of ``coef``: exact, without test rows.

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
    """Generate the synthetic data of Murata and Suzuki 2018, section 6; the defaults are theirs.

    Of the weights that are not 0, the first half (rounded up) are 1 and the others -1.

    Parameters
    ----------
    n_examples : int, default=100_000
        The length of the stream.
    n_attributes : int, default=500
        The number of attributes.
    n_nonzero : int, default=25
        The number of weights that are not 0.
    noise : float, default=1.0
        The standard deviation of the labels' noise.
    random_state : int, RandomState instance or None, default=None
        The seed of the stream.

    Returns
    -------
    MurataSuzuki
        The stream.

    Raises
    ------
    ValueError
        If a parameter is out of range.

    References
    ----------
    T. Murata, T. Suzuki. Sample efficient stochastic gradient iterative hard thresholding method for stochastic sparse
    linear regression with limited attribute observation. NeurIPS 2018.

    Examples
    --------
    >>> stream = murata_suzuki(1000, random_state=0)
    >>> stream.excess(np.zeros(500))
    25.0
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
