"""What a pilot tells about the label: weights and noise, drawn from their posterior.

The standardised label is y = Z w + noise, with Z the standardised columns of the attributes: their normal scores or
their values as they are. The weights have the prior N(0, t C^p), where C is the covariance of the attributes and p
a power (``SPECTRA``); t is such that attributes explain a share h of the label's variance. The likelihood of the labels
is known in closed form for every choice of columns, p and h, so a choice is drawn from its posterior, then the noise,
then the weights. A world made of such a draw is one that the pilot may have come from: of a small pilot, worlds
differ much.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .settings import LOG_ODDS, SPECTRA


class LabelModel(NamedTuple):
    """Weights of the standardised columns of a kind, and the variance of the noise, in units of the label's variance."""

    kind: str
    weights: np.ndarray
    noise: float


class _Prior(NamedTuple):
    """One kind of columns Z, and the covariance of the prior of weights, C^p times a scale; the eigenvectors and
    eigenvalues of its Z C^p Z'."""

    kind: str
    table: np.ndarray
    root: np.ndarray
    vectors: np.ndarray
    eigenvalues: np.ndarray


class Posterior:
    """The posterior over columns, powers, shares of signal, noise and weights.

    Parameters
    ----------
    columns : dict of str to ndarray of shape (n_examples, n_attributes)
        Standardised columns by kind.
    labels : ndarray of shape (n_examples,)
        Standardised labels.
    covariance : ndarray of shape (n_attributes, n_attributes)
        The covariance of the columns in the population, as a model estimates it.
    """

    def __init__(self, columns: dict[str, np.ndarray], labels: np.ndarray, covariance: np.ndarray) -> None:
        self.labels = labels - labels.mean()
        self.choices, logs = list[tuple[_Prior, float]](), list[float]()
        n = len(labels)
        eigenvalues, vectors = np.linalg.eigh(covariance)
        eigenvalues = np.maximum(eigenvalues, 1e-6)
        for spectrum in SPECTRA:
            parts = [share * eigenvalues**power / np.sum(eigenvalues ** (1 + power)) for power, share in spectrum.items()]
            root = vectors * np.sqrt(np.sum(parts, axis=0))
            for kind, Z in columns.items():
                prior = _prior(kind, Z, root)
                along = (prior.vectors.T @ self.labels) ** 2
                for ratio in np.exp(np.linspace(*LOG_ODDS)):
                    variances = 1.0 + ratio * prior.eigenvalues
                    log = -0.5 * np.sum(np.log(variances)) - 0.5 * (n - 1) * np.log(np.sum(along / variances))
                    self.choices.append((prior, float(ratio)))
                    logs.append(float(log - 0.5 * np.log(2.0 + ratio + 1.0 / ratio)))  # of a Beta(1/2, 1/2) prior
        weights = np.exp(np.array(logs) - max(logs))
        self.probabilities = weights / weights.sum()

    def draw(self, rng: np.random.Generator) -> LabelModel:
        """One model of the label."""
        prior, ratio = self.choices[int(rng.choice(len(self.choices), p=self.probabilities))]
        y, n = self.labels, len(self.labels)
        variances = 1.0 + ratio * prior.eigenvalues
        noise = np.sum((prior.vectors.T @ y) ** 2 / variances) / rng.chisquare(n - 1)
        # Matheron's rule: a draw from the prior, corrected by what the pilot says of its labels.
        root = np.sqrt(noise * ratio) * prior.root
        first = root @ rng.standard_normal(root.shape[1])
        left_over = y - prior.table @ first - np.sqrt(noise) * rng.standard_normal(n)
        left_over -= left_over.mean()
        solved = prior.vectors @ ((prior.vectors.T @ left_over) / (noise * variances))
        return LabelModel(prior.kind, first + root @ (root.T @ (prior.table.T @ solved)), float(noise))


def _prior(kind: str, Z: np.ndarray, root: np.ndarray) -> _Prior:
    eigenvalues, vectors = np.linalg.eigh((Z @ root) @ (Z @ root).T)
    return _Prior(kind, Z, root, vectors, np.maximum(eigenvalues, 0.0))
