"""Models in which the label depends on a few attributes only, with their posterior weights.

Which attributes these are is found by a Markov chain over sets: an attribute is added, removed or exchanged, and the
change is accepted by the ratio of the posterior probabilities (Metropolis and Hastings). The likelihood of a set is known
in closed form, so the sets that the chain visits, each with its own probability, stand for all: what was not visited
has next to none.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

MOST, STEPS = 8, 1500
ODDS = np.exp(np.linspace(-2.0, 4.0, 5))


class SparseChoice(NamedTuple):
    """A set of columns, the odds of signal to noise, and the logarithm of its prior times its likelihood."""

    kind: str
    table: np.ndarray
    some: tuple[int, ...]
    ratio: float
    log: float

    def draw(self, labels: np.ndarray, rng: np.random.Generator) -> tuple[np.ndarray, float]:
        """Weights of all columns and the variance of the noise."""
        Z, k = self.table[:, list(self.some)], len(self.some)
        penalty = k / self.ratio
        precision = Z.T @ Z + penalty * np.eye(k)
        mean = np.linalg.solve(precision, Z.T @ labels)
        misfit = float(labels @ labels - labels @ Z @ mean)
        noise = max(misfit, 1e-12) / rng.chisquare(len(labels) - 1)
        own = np.linalg.solve(np.linalg.cholesky(precision).T, rng.standard_normal(k))
        weights = np.zeros(self.table.shape[1])
        weights[list(self.some)] = mean + np.sqrt(noise) * own
        return weights, noise


def sparse_choices(kind: str, Z: np.ndarray, y: np.ndarray, rng: np.random.Generator) -> list[SparseChoice]:
    """The sets of columns that a chain visits, with all odds, and their logarithms."""
    n, d = Z.shape
    most = min(MOST, d - 1)
    if most < 1:
        return []
    gram, cross, square = Z.T @ Z, Z.T @ y, float(y @ y)
    log_number = [math.lgamma(d + 1) - math.lgamma(k + 1) - math.lgamma(d - k + 1) for k in range(most + 1)]

    def logs(some: tuple[int, ...]) -> np.ndarray:
        k, at = len(some), list(some)
        eigenvalues, vectors = np.linalg.eigh(gram[np.ix_(at, at)])
        along = (vectors.T @ cross[at]) ** 2
        size = ODDS[:, None] / k
        misfit = square - np.sum(size * along / (1 + size * eigenvalues), axis=1)
        spread = np.sum(np.log1p(size * np.maximum(eigenvalues, 0.0)), axis=1)
        prior = log_number[k] + math.log(most * len(ODDS))
        return -0.5 * spread - 0.5 * (n - 1) * np.log(np.maximum(misfit, 1e-12)) - prior

    now: tuple[int, ...] = (int(np.argmax(np.abs(cross))),)
    visited = {now: logs(now)}
    propose = np.abs(cross) + np.abs(cross).max() / 10  # a random column, rather one that goes with the label
    propose /= propose.sum()
    drawn, uniform = rng.choice(d, size=STEPS, p=propose), rng.random((STEPS, 3))
    for column, (kind_of_step, place, accept) in zip(drawn.tolist(), uniform, strict=True):
        k = len(now)
        left = [i for at, i in enumerate(now) if at != int(place * k)]
        if kind_of_step < 0.4 and k < most and column not in now:
            new = tuple(sorted((*now, column)))
        elif kind_of_step < 0.8 and k > 1 and column not in left and kind_of_step >= 0.6:
            new = tuple(left)
        elif column not in now:
            new = tuple(sorted((*left, column)))
        else:
            continue
        if new not in visited:
            visited[new] = logs(new)
        if np.log(accept) < _log_sum(visited[new]) - _log_sum(visited[now]):
            now = new
    return [
        SparseChoice(kind, Z, some, float(ratio), float(log))
        for some, each in visited.items()
        for ratio, log in zip(ODDS, each, strict=True)
    ]


def _log_sum(logs: np.ndarray) -> float:
    top = float(logs.max())
    return top + math.log(float(np.sum(np.exp(logs - top))))
