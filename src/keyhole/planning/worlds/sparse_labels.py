"""Models in which the label depends mostly on a few attributes, with their posterior weights.

All other attributes may have small weights as well: a background, whose share of the variance is small. With a
background, columns and labels are whitened first, that is, multiplied by the inverse root of its covariance.

Which attributes these are is found by a Markov chain over sets: an attribute is added, removed or exchanged, and the
change is accepted by the ratio of the posterior probabilities (Metropolis and Hastings). The likelihood of a set is
known in closed form, so the sets that the chain visits, each with its own probability, stand for all: what was not
visited has next to none.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

MOST, STEPS = 8, 1500
ODDS = np.exp(np.linspace(-2.0, 4.0, 5))


class Background(NamedTuple):
    """Columns Z, a root of the covariance of the small weights (None: there are none), and what whitens Z."""

    kind: str
    table: np.ndarray
    root: np.ndarray | None
    whitening: np.ndarray
    log_determinant: float

    def rest(self, labels: np.ndarray, noise: float, rng: np.random.Generator) -> np.ndarray:
        """Small weights, given what large ones leave of the labels."""
        if self.root is None:
            return np.zeros(self.table.shape[1])
        root = np.sqrt(noise) * self.root
        first = root @ rng.standard_normal(root.shape[1])
        left_over = labels - self.table @ first - np.sqrt(noise) * rng.standard_normal(len(labels))
        solved = self.whitening @ (self.whitening @ (left_over - left_over.mean())) / noise
        return first + root @ (root.T @ (self.table.T @ solved))


def background(kind: str, Z: np.ndarray, root: np.ndarray, odds: float) -> Background:
    """Small weights with the covariance ``odds`` root root', in units of the noise."""
    if odds == 0:
        return Background(kind, Z, None, np.eye(len(Z)), 0.0)
    root = np.sqrt(odds) * root
    eigenvalues, vectors = np.linalg.eigh((Z @ root) @ (Z @ root).T)
    variances = 1.0 + np.maximum(eigenvalues, 0.0)
    return Background(kind, Z, root, (vectors / np.sqrt(variances)) @ vectors.T, float(np.sum(np.log(variances))))


class SparseChoice(NamedTuple):
    """A set of columns before a background, the odds of signal to noise, and the log of its prior times likelihood."""

    behind: Background
    some: tuple[int, ...]
    ratio: float
    log: float

    @property
    def kind(self) -> str:
        return self.behind.kind

    def draw(self, labels: np.ndarray, rng: np.random.Generator) -> tuple[np.ndarray, float]:
        """Weights of all columns and the variance of the noise."""
        some, k = list(self.some), len(self.some)
        Z, y = self.behind.whitening @ self.behind.table[:, some], self.behind.whitening @ labels
        precision = Z.T @ Z + k / self.ratio * np.eye(k)
        mean = np.linalg.solve(precision, Z.T @ y)
        noise = max(float(y @ y - y @ Z @ mean), 1e-12) / rng.chisquare(len(labels) - 1)
        own = np.linalg.solve(np.linalg.cholesky(precision).T, rng.standard_normal(k))
        large = mean + np.sqrt(noise) * own
        weights = self.behind.rest(labels - self.behind.table[:, some] @ large, noise, rng)
        weights[some] += large
        return weights, noise


def sparse_choices(behind: Background, labels: np.ndarray, rng: np.random.Generator) -> list[SparseChoice]:
    """The sets of columns that a chain visits, with all odds, and their logarithms."""
    n, d = behind.table.shape
    Z, y = behind.whitening @ behind.table, behind.whitening @ labels
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
        prior = log_number[k] + math.log(most * len(ODDS)) + 0.5 * behind.log_determinant
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
        SparseChoice(behind, some, float(ratio), float(log))
        for some, each in visited.items()
        for ratio, log in zip(ODDS, each, strict=True)
    ]


def _log_sum(logs: np.ndarray) -> float:
    top = float(logs.max())
    return top + math.log(float(np.sum(np.exp(logs - top))))
