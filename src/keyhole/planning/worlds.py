"""Worlds: populations that a pilot may have come from, and from which studies of any size can be drawn.

How attributes go together is ``attribute_model``, and the label follows a draw of ``label_model``, in values or in
ranks: worlds differ as much as the pilot leaves open. A world's attributes are those columns that its label is linear in.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..moments.factors import FactorModel
from .attribute_model import best_factor_model, drawn_completion
from .label_model import LabelModel, Posterior
from .pilot import Pilot
from .scores import standardised_columns
from .settings import CANDIDATES, COMPLETIONS, MOST_PILOT


class Study(NamedTuple):
    """Examples drawn from a world: values, labels, and the expected label of each example."""

    values: np.ndarray
    labels: np.ndarray
    expected: np.ndarray


class World(NamedTuple):
    """A population: loadings (d, r) of standardised attributes on factors, the variance of their own noise, and the
    model of the label."""

    loadings: np.ndarray
    own: np.ndarray
    label: LabelModel

    def draw(self, n_examples: int, rng: np.random.Generator) -> Study:
        """So many new examples; the label has about the mean 0 and the variance 1."""
        d, r = self.loadings.shape
        values = rng.standard_normal((n_examples, r)) @ self.loadings.T
        values += np.sqrt(self.own) * rng.standard_normal((n_examples, d))
        expected = values @ self.label.weights
        return Study(values, expected + np.sqrt(self.label.noise) * rng.standard_normal(n_examples), expected)

    @property
    def noise_share(self) -> float:
        """The share of the label's variance that no attribute explains."""
        w, noise = self.label.weights, self.label.noise
        signal = np.sum((w @ self.loadings) ** 2) + np.sum(self.own * w**2)
        return float(noise / (noise + signal))


def draw_worlds(pilot: Pilot, n_worlds: int, rng: np.random.Generator) -> list[World]:
    """Worlds whose shares of noise are spread evenly over their posterior, in random order."""
    pilot = _at_most(pilot, MOST_PILOT, rng)
    labels = (pilot.labels - pilot.labels.mean()) / pilot.labels.std()
    partial = standardised_columns(pilot.values)
    models = {kind: best_factor_model(Z, labels, int(rng.integers(2**31))) for kind, Z in partial.items()}
    candidates: list[World] = []
    for columns in _completed(pilot, partial, labels, models, rng):
        parts = {kind: _loadings_and_own(models[kind], Z) for kind, Z in columns.items()}
        covariances = {kind: W @ W.T + np.diag(own) for kind, (W, own) in parts.items()}
        posterior = Posterior(columns, labels, covariances, rng)
        number = n_worlds * CANDIDATES // (1 if pilot.complete else COMPLETIONS)
        for label in (posterior.draw(rng) for _ in range(number)):
            candidates.append(World(*parts[label.kind], label))
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
