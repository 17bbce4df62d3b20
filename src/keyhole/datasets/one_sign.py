"""Examples that are 0 but for one attribute, which is a sign."""

from __future__ import annotations

import numpy as np
from numba import njit

from .random_cells import uniform_cell
from .streams import Stream


class OneSign(Stream):
    """A stream of examples with one attribute that is not 0, and the label 1.

    Each example is drawn uniformly from the vectors sign_i e_i of some places i.

    Parameters
    ----------
    n_examples : int
        The length of the stream.
    coef : ndarray of shape (n_attributes,)
        The weights that ``excess`` compares with.
    signs : ndarray of shape (n_attributes,)
        -1 or 1 at the places of the signs, and 0 elsewhere.
    seed : int
        The seed of all examples.

    Attributes
    ----------
    places : ndarray of int64
        The attributes that can differ from 0.
    source : Source
        What a learner reads from.

    Examples
    --------
    >>> stream = OneSign(1000, np.array([0.5, 0.0, -0.5]), np.array([1.0, 0.0, -1.0]), seed=0)
    >>> stream.table(0, 2).tolist(), stream.labels(0, 2)
    ([[0.0, 0.0, -1.0], [1.0, 0.0, 0.0]], array([1., 1.]))
    >>> stream.excess(np.zeros(3))
    0.75
    """

    def __init__(self, n_examples: int, coef: np.ndarray, signs: np.ndarray, seed: int) -> None:
        super().__init__(n_examples, coef, seed)
        self.signs, self.places = signs, np.flatnonzero(signs)

    @property
    def moments(self) -> np.ndarray:
        """Second moments of the attributes."""
        return self.signs**2 / len(self.places)

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
            The excess. It can be below 0 for coefficients of a larger norm.
        """
        return self._error(coef, intercept) - self._error(self.coef, 0.0)

    def _error(self, coef: np.ndarray, intercept: float) -> float:
        return float(np.mean((1.0 - intercept - (coef * self.signs)[self.places]) ** 2))

    def _read(self, example: int, attributes: np.ndarray) -> np.ndarray:
        place = place_of(self.seed, example, self.places)
        return np.where(attributes == place, self.signs[attributes], 0.0)

    def _fill_rows(self, X: np.ndarray, start: int) -> None:
        fill_rows(X, self.signs, self.places, self.seed, start)

    def _fill_labels(self, y: np.ndarray, start: int) -> None:
        y[:] = 1.0


@njit(cache=True, nogil=True)
def place_of(seed, example, places):
    """The attribute of an example that is not 0."""
    return places[np.int64(uniform_cell(seed, example, 0) * len(places))]


@njit(cache=True, nogil=True)
def fill_rows(X, signs, places, seed, start):
    """Whole rows."""
    X[:] = 0.0
    for t in range(X.shape[0]):
        i = place_of(seed, start + t, places)
        X[t, i] = signs[i]
