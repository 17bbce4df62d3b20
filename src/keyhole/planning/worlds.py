"""Worlds: populations that a pilot may have come from, and from which studies of any size can be drawn.

A world takes the distribution of each attribute from the pilot. How the normal scores of attributes go together is
``attribute_model``, and the label follows a draw of ``label_model``: worlds differ as much as the pilot leaves open.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..moments.factors import FactorModel
from .attribute_model import best_factor_model, drawn_completion
from .label_model import Posterior
from .pilot import Pilot
from .scores import Marginals, normal_scores
from .settings import CANDIDATES, MOST_PILOT


class Study(NamedTuple):
    """Examples drawn from a world: values, labels, and the expected label of each example."""

    values: np.ndarray
    labels: np.ndarray
    expected: np.ndarray


class World(NamedTuple):
    """A population: loadings (d, r) of the scores on factors, and their own noise; the distributions of the
    attributes; and the weights and the noise of the label."""

    loadings: np.ndarray
    own: np.ndarray
    marginals: Marginals
    kind: str
    centre: np.ndarray
    spread: np.ndarray
    weights: np.ndarray
    noise: float
    label_mean: float
    label_scale: float

    def draw(self, n_examples: int, rng: np.random.Generator) -> Study:
        """So many new examples."""
        d, r = self.loadings.shape
        scores = rng.standard_normal((n_examples, r)) @ self.loadings.T
        scores += np.sqrt(self.own) * rng.standard_normal((n_examples, d))
        values = self.marginals.values_of(scores)
        columns = scores if self.kind == "ranks" else (values - self.centre) / self.spread
        expected = columns @ self.weights
        labels = expected + np.sqrt(self.noise) * rng.standard_normal(n_examples)
        unit = self.label_scale
        return Study(values, self.label_mean + unit * labels, self.label_mean + unit * expected)

    @property
    def noise_share(self) -> float:
        """About the share of the label's variance that no attribute explains."""
        signal = np.sum((self.weights @ self.loadings) ** 2) + np.sum(self.own * self.weights**2)
        return float(self.noise / (self.noise + signal))


def draw_worlds(pilot: Pilot, n_worlds: int, rng: np.random.Generator) -> list[World]:
    """Worlds whose shares of noise are spread evenly over their posterior, in random order."""
    pilot = _at_most(pilot, MOST_PILOT, rng)
    label_mean, label_scale = pilot.labels.mean(), pilot.labels.std()
    labels = (pilot.labels - label_mean) / label_scale
    scores, marginals = normal_scores(pilot.values)
    model = best_factor_model(scores, labels, int(rng.integers(2**31)))
    candidates: list[World] = []
    completions = 1 if pilot.complete else n_worlds
    for _ in range(completions):
        filled = scores if pilot.complete else drawn_completion(scores, labels, model, rng)
        values = pilot.values if pilot.complete else _filled(pilot.values, filled, marginals)
        ways = _Ways(filled, values, labels, model, rng)
        for _ in range(n_worlds * CANDIDATES // completions):
            candidates.append(ways.world(marginals, float(label_mean), float(label_scale), rng))
    candidates.sort(key=lambda world: world.noise_share)
    chosen = [candidates[CANDIDATES * i + int(rng.integers(CANDIDATES))] for i in range(n_worlds)]
    return [chosen[i] for i in rng.permutation(n_worlds)]


class _Ways:
    """A complete pilot as normal scores and as standardised values, and the posterior of the label's model."""

    def __init__(
        self,
        scores: np.ndarray,
        values: np.ndarray,
        labels: np.ndarray,
        model: FactorModel,
        rng: np.random.Generator,
    ) -> None:
        self.centre, spread = values.mean(axis=0), values.std(axis=0)
        self.spread = np.where(spread > 0, spread, 1.0)
        W, noise = model.loadings[:-1], model.noise[:-1]
        deviation = np.sqrt(np.sum(W**2, axis=1) + noise)
        self.loadings, self.own = W / deviation[:, None], np.where(spread > 0, noise / deviation**2, 0.0)
        columns = {"ranks": scores - scores.mean(axis=0), "values": (values - self.centre) / self.spread}
        self.posterior = Posterior(columns, labels, self.loadings @ self.loadings.T + np.diag(self.own), rng)

    def world(self, marginals: Marginals, label_mean: float, label_scale: float, rng: np.random.Generator) -> World:
        label = self.posterior.draw(rng)
        return World(
            loadings=self.loadings,
            own=self.own,
            marginals=marginals,
            kind=label.kind,
            centre=self.centre,
            spread=self.spread,
            weights=label.weights,
            noise=label.noise,
            label_mean=label_mean,
            label_scale=label_scale,
        )


def _filled(values: np.ndarray, scores: np.ndarray, marginals: Marginals) -> np.ndarray:
    return np.where(np.isnan(values), marginals.values_of(scores), values)


def _at_most(pilot: Pilot, n: int, rng: np.random.Generator) -> Pilot:
    if pilot.n_examples <= n:
        return pilot
    some = np.sort(rng.permutation(pilot.n_examples)[:n])
    return pilot._replace(values=pilot.values[some], labels=pilot.labels[some])
