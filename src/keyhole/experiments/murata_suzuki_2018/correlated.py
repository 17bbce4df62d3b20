"""The synthetic data with correlated attributes in the true support, so that the condition number is a given one."""

from __future__ import annotations

import numpy as np

from ...datasets import MurataSuzuki, murata_suzuki


class Correlated:
    """Murata and Suzuki's synthetic examples, the attributes of the true support having one correlation.

    The attributes have variance 1. Those of the support, s of them, have the same correlation r with each other, and
    the others have none, so that the eigenvalues of E[x x'] are 1 - r, 1 and 1 + (s - 1) r. The condition number is the
    last over the first; with r = 0 this is ``murata_suzuki``.

    Parameters
    ----------
    n_examples, n_attributes, n_nonzero, noise : number
        As for ``murata_suzuki``.
    condition : float
        The condition number, 1 or more.
    seed : int
        The seed of the examples.

    Attributes
    ----------
    coef : ndarray of shape (n_attributes,)
        The weights of the labels.
    largest : float
        The largest eigenvalue of E[x x'].
    """

    def __init__(
        self, n_examples: int, n_attributes: int, n_nonzero: int, noise: float, condition: float, seed: int
    ) -> None:
        self.stream: MurataSuzuki = murata_suzuki(n_examples, n_attributes, n_nonzero, noise, random_state=seed)
        self.coef, s = self.stream.coef, n_nonzero
        r = (condition - 1.0) / (condition + s - 1.0)
        self.largest = 1.0 + (s - 1.0) * r
        self.covariance = np.full((s, s), r) + (1.0 - r) * np.eye(s)
        self.root = np.sqrt(1.0 - r) * np.eye(s) + (np.sqrt(self.largest) - np.sqrt(1.0 - r)) / s

    def examples(self, start: int, stop: int) -> tuple[np.ndarray, np.ndarray]:
        """Rows and labels."""
        X, y, s = self.stream.table(start, stop), self.stream.labels(start, stop), len(self.root)
        changed = X[:, :s] @ self.root
        y += (changed - X[:, :s]) @ self.coef[:s]
        X[:, :s] = changed
        return X, y

    def excess(self, coef: np.ndarray) -> float:
        """The expected squared error of weights minus that of the true ones, exactly."""
        error, s = coef - self.coef, len(self.root)
        return float(error[:s] @ self.covariance @ error[:s] + error[s:] @ error[s:])
