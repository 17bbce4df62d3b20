"""Worlds: populations that a pilot may have come from, and from which studies of any size can be drawn.

How attributes go together is ``attributes``, and the label follows a draw of ``labels``, in values or in
ranks: worlds differ as much as the pilot leaves open. A world's attributes are the columns that its label is linear in.

Where the pilot's label has two values, a world has two classes, with attributes that are normal within each and
whose means differ by r, the covariance of attributes and label. With the covariance S of all examples, w = S^-1 r and
s = r' w, the linear predictor explains the share s as before; the probability of a class is the logistic function of
(w' x - s m) d / (1 - s), with d the distance between the two values of the label and m their mean, plus the log-odds
of the classes. So predictions that are held between the two values err less than linear ones, as they do in practice.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.special import expit

from ...moments.factors import FactorModel
from ..pilot import Pilot
from ..settings import CANDIDATES, COMPLETIONS, MOST_PILOT
from .attributes import best_factor_model, drawn_completion
from .columns import standardised_columns
from .labels import LabelModel, Posterior


class Study(NamedTuple):
    """Examples drawn from a world: values, labels, and the expectation and variance of the label of each example."""

    values: np.ndarray
    labels: np.ndarray
    expected: np.ndarray
    variance: np.ndarray


class World(NamedTuple):
    """A population: loadings (d, r) of standardised attributes on factors, the variance of their own noise, the model
    of the label, and the share of the examples with the larger of two labels, if there are two."""

    loadings: np.ndarray
    own: np.ndarray
    label: LabelModel
    share: float | None = None

    def draw(self, n_examples: int, rng: np.random.Generator) -> Study:
        """So many new examples; the label has about the mean 0 and the variance 1."""
        d, r = self.loadings.shape
        values = rng.standard_normal((n_examples, r)) @ self.loadings.T
        values += np.sqrt(self.own) * rng.standard_normal((n_examples, d))
        if self.share is not None:
            return self._in_classes(values, rng)
        expected = values @ self.label.weights
        labels = expected + np.sqrt(self.label.noise) * rng.standard_normal(n_examples)
        return Study(values, labels, expected, np.full(n_examples, self.label.noise))

    def _in_classes(self, values: np.ndarray, rng: np.random.Generator) -> Study:
        p = float(self.share or 0.5)
        low, high = -np.sqrt(p / (1 - p)), np.sqrt((1 - p) / p)
        w = self.label.weights / np.sqrt(self.label.noise + self._signal())
        s = 1.0 - self.noise_share
        r = self.loadings @ (self.loadings.T @ w) + self.own * w
        labels = np.where(rng.random(len(values)) < p, high, low)
        # Without this part of its signal, the covariance of the values within classes is S - r r'.
        within = (values @ w) * (1 - np.sqrt(1 - s)) / s
        values = values + np.outer(labels - within, r)
        log_odds = np.log(p / (1 - p)) + (high - low) / (1 - s) * (values @ w - s * (high + low) / 2)
        probability = expit(log_odds)
        variance = probability * (1 - probability) * (high - low) ** 2
        return Study(values, labels, low + (high - low) * probability, variance)

    @property
    def noise_share(self) -> float:
        """The share of the label's variance that no linear predictor explains."""
        return float(self.label.noise / (self.label.noise + self._signal()))

    @property
    def label_variance(self) -> float:
        """The variance of the label, which two classes have by definition."""
        return 1.0 if self.share is not None else float(self.label.noise + self._signal())

    def _signal(self) -> float:
        w = self.label.weights
        return float(np.sum((w @ self.loadings) ** 2) + np.sum(self.own * w**2))


def draw_worlds(pilot: Pilot, n_worlds: int, rng: np.random.Generator) -> list[World]:
    """Worlds whose shares of noise are spread evenly over their posterior, in random order."""
    pilot = _at_most(pilot, MOST_PILOT, rng)
    labels = (pilot.labels - pilot.labels.mean()) / pilot.labels.std()
    partial = standardised_columns(pilot.values)
    models = {kind: best_factor_model(Z, labels, int(rng.integers(2**31))) for kind, Z in partial.items()}
    high = pilot.labels == pilot.labels.max()
    share = float(high.mean()) if len(np.unique(pilot.labels)) == 2 else None
    candidates: list[World] = []
    for columns in _completed(pilot, partial, labels, models, rng):
        parts = {kind: _loadings_and_own(models[kind], Z) for kind, Z in columns.items()}
        covariances = {kind: W @ W.T + np.diag(own) for kind, (W, own) in parts.items()}
        posterior = Posterior(columns, labels, covariances, rng)
        number = n_worlds * CANDIDATES // (1 if pilot.complete else COMPLETIONS)
        for label in (posterior.draw(rng) for _ in range(number)):
            candidates.append(World(*parts[label.kind], label, share))
    candidates.sort(key=lambda world: world.noise_share)
    edges = np.linspace(0, len(candidates), n_worlds + 1).astype(np.int64)
    chosen = [candidates[int(rng.integers(*edges[i : i + 2]))] for i in range(n_worlds)]
    return [chosen[i] for i in rng.permutation(n_worlds)]


def _completed(
    pilot: Pilot,
    partial: dict[str, np.ndarray],
    labels: np.ndarray,
    models: dict[str, FactorModel],
    rng: np.random.Generator,
) -> list[dict[str, np.ndarray]]:
    """The columns, with missing cells drawn several times, and standardised again."""
    if pilot.complete:
        return [partial]
    drawn = [
        {kind: drawn_completion(Z, labels, models[kind], rng) for kind, Z in partial.items()}
        for _ in range(COMPLETIONS)
    ]
    return [{kind: Z - Z.mean(axis=0) for kind, Z in columns.items()} for columns in drawn]


def _loadings_and_own(model: FactorModel, Z: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Of attributes with the variance 1; those that are constant in the pilot stay constant."""
    W, noise = model.loadings[:-1], model.noise[:-1]
    deviation = np.sqrt(np.sum(W**2, axis=1) + noise)
    varies = np.ptp(Z, axis=0) > 0
    return np.where(varies, (W / deviation[:, None]).T, 0.0).T, np.where(varies, noise / deviation**2, 0.0)


def _at_most(pilot: Pilot, n: int, rng: np.random.Generator) -> Pilot:
    if pilot.n_examples <= n:
        return pilot
    some = np.sort(rng.permutation(pilot.n_examples)[:n])
    return pilot._replace(values=pilot.values[some], labels=pilot.labels[some])
