"""Independent attributes of two values each: zeros and ones, or signs."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from .random_cells import uniform_cell
from .streams import Stream


class Values(NamedTuple):
    """Attribute i is ``high[i]`` with probability ``probability[i]`` and else ``low[i]``."""

    low: np.ndarray
    high: np.ndarray
    probability: np.ndarray


class TwoValued(Stream):
    """A stream of examples with independent attributes of two values each.

    Parameters
    ----------
    n_examples : int
        The length of the stream.
    values : Values
        The two values of each attribute, and the probability of the second.
    coef : ndarray of shape (n_attributes,)
        The weights of the labels.
    seed : int
        The seed of all cells.
    label_bound : float, default=None
        Without it, labels are <coef, x>. With it, they are -label_bound or label_bound, with <coef, x> as their mean.

    Attributes
    ----------
    means : ndarray of shape (n_attributes,)
        The means of the attributes.
    source : Source
        What a learner reads from.

    Raises
    ------
    ValueError
        If the mean of a label could exceed its bound.

    Examples
    --------
    >>> d = 4
    >>> stream = TwoValued(1_000_000, Values(np.zeros(d), np.ones(d), np.full(d, 0.5)), np.ones(d), seed=0)
    >>> stream.source.read(999_999, np.array([0, 3]))
    array([1., 0.])
    >>> stream.moments, stream.excess(np.zeros(d))
    (array([0.5, 0.5, 0.5, 0.5]), 5.0)
    """

    def __init__(
        self, n_examples: int, values: Values, coef: np.ndarray, seed: int, label_bound: float | None = None
    ) -> None:
        super().__init__(n_examples, coef, seed)
        self.values, self.label_bound = values, label_bound
        self.means = values.low + (values.high - values.low) * values.probability
        largest = float(np.maximum(values.low * coef, values.high * coef).sum())
        least = float(np.minimum(values.low * coef, values.high * coef).sum())
        if label_bound is not None and max(largest, -least) > label_bound * (1 + 1e-9):
            raise ValueError(
                f"label_bound={label_bound}: the label's mean goes from {least:g} to {largest:g};"
                f" the bound must be at least {max(largest, -least):g}"
            )

    @property
    def moments(self) -> np.ndarray:
        """Second moments of the attributes."""
        low, high, probability = self.values
        return low**2 * (1 - probability) + high**2 * probability

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
        difference = coef - self.coef
        variance = (self.values.high - self.values.low) ** 2 * self.values.probability * (1 - self.values.probability)
        return float(np.sum(difference**2 * variance) + (difference @ self.means + intercept) ** 2)

    def _read(self, example: int, attributes: np.ndarray) -> np.ndarray:
        return read_cells(self.values, self.seed, example, attributes)

    def _fill_rows(self, X: np.ndarray, start: int) -> None:
        fill_rows(X, self.values, self.seed, start)

    def _fill_labels(self, y: np.ndarray, start: int) -> None:
        fill_labels(y, self.values, self.seed, start, self.coef, self.label_bound or 0.0)


@njit(cache=True, nogil=True)
def cell(values, seed, example, attribute):
    """One cell."""
    drawn = uniform_cell(seed, example, attribute) < values.probability[attribute]
    return values.high[attribute] if drawn else values.low[attribute]


@njit(cache=True, nogil=True)
def read_cells(values, seed, example, attributes):
    """Some attributes of an example."""
    found = np.empty(len(attributes))
    for r in range(len(attributes)):
        found[r] = cell(values, seed, example, attributes[r])
    return found


@njit(cache=True, nogil=True)
def fill_rows(X, values, seed, start):
    """Whole rows."""
    for t in range(X.shape[0]):
        for j in range(X.shape[1]):
            X[t, j] = cell(values, seed, start + t, j)


@njit(cache=True, nogil=True)
def fill_labels(y, values, seed, start, coef, bound):
    """Labels; the draw of one that is -bound or bound is the cell behind the last attribute."""
    for t in range(len(y)):
        mean = 0.0
        for j in range(len(coef)):
            if coef[j] != 0.0:
                mean += coef[j] * cell(values, seed, start + t, j)
        if bound > 0.0:
            drawn = 2.0 * uniform_cell(seed, start + t, len(coef)) - 1.0 < mean / bound
            y[t] = bound if drawn else -bound
        else:
            y[t] = mean
