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

from ..settings import BACKGROUNDS, LOG_ODDS, SPECTRA
from .sparse_labels import SparseChoice, background, sparse_choices


class LabelModel(NamedTuple):
    """Weights of the standardised columns of a kind, and the variance of the noise, for a label of variance 1."""

    kind: str
    weights: np.ndarray
    noise: float


class DenseChoice(NamedTuple):
    """One kind of columns Z, a root of the covariance C of the prior of weights, the eigenvectors and eigenvalues of
    Z C Z', the odds of signal to noise, and the logarithm of its prior times its likelihood."""

    kind: str
    table: np.ndarray
    root: np.ndarray
    vectors: np.ndarray
    eigenvalues: np.ndarray
    ratio: float
    log: float

    def draw(self, labels: np.ndarray, rng: np.random.Generator) -> tuple[np.ndarray, float]:
        """Weights of all columns and the variance of the noise."""
        variances, n = 1.0 + self.ratio * self.eigenvalues, len(labels)
        noise = float(np.sum((self.vectors.T @ labels) ** 2 / variances) / rng.chisquare(n - 1))
        # Matheron's rule: a draw from the prior, corrected by what the pilot says of its labels.
        root = np.sqrt(noise * self.ratio) * self.root
        first = root @ rng.standard_normal(root.shape[1])
        left_over = labels - self.table @ first - np.sqrt(noise) * rng.standard_normal(n)
        left_over -= left_over.mean()
        solved = self.vectors @ ((self.vectors.T @ left_over) / (noise * variances))
        return first + root @ (root.T @ (self.table.T @ solved)), noise


class Posterior:
    """The posterior over columns, kinds of weights, shares of signal, noise and weights.

    Parameters
    ----------
    columns : dict of str to ndarray of shape (n_examples, n_attributes)
        Standardised columns by kind.
    labels : ndarray of shape (n_examples,)
        Standardised labels.
    covariances : dict of str to ndarray of shape (n_attributes, n_attributes)
        The covariances of the columns of each kind in the population, as a model estimates them.
    rng : Generator
        For the search of small sets of attributes.
    """

    def __init__(
        self,
        columns: dict[str, np.ndarray],
        labels: np.ndarray,
        covariances: dict[str, np.ndarray],
        rng: np.random.Generator,
    ) -> None:
        self.labels = labels - labels.mean()
        self.choices: list[DenseChoice | SparseChoice] = []
        for kind, Z in columns.items():
            eigenvalues, vectors = np.linalg.eigh(covariances[kind])
            eigenvalues = np.maximum(eigenvalues, 1e-6)
            for powers in SPECTRA:
                parts = [share * eigenvalues**p / np.sum(eigenvalues ** (1 + p)) for p, share in powers.items()]
                root = vectors * np.sqrt(np.sum(parts, axis=0))
                self.choices += _dense_choices(kind, Z, self.labels, root)
            alike = vectors / np.sqrt(np.sum(eigenvalues))
            for odds in BACKGROUNDS:
                found = sparse_choices(background(kind, Z, alike, odds), self.labels, rng)
                self.choices += [one._replace(log=one.log - np.log(len(BACKGROUNDS))) for one in found]
        logs = np.array([choice.log for choice in self.choices])
        weights = np.exp(logs - logs.max())
        self.probabilities = weights / weights.sum()

    @property
    def sparse_share(self) -> float:
        """The probability that few attributes matter."""
        return float(sum(p for p, one in zip(self.probabilities, self.choices, strict=True) if hasattr(one, "some")))

    def draw(self, rng: np.random.Generator) -> LabelModel:
        """One model of the label."""
        choice = self.choices[int(rng.choice(len(self.choices), p=self.probabilities))]
        return LabelModel(choice.kind, *choice.draw(self.labels, rng))


def _dense_choices(kind: str, Z: np.ndarray, y: np.ndarray, root: np.ndarray) -> list[DenseChoice]:
    eigenvalues, vectors = np.linalg.eigh((Z @ root) @ (Z @ root).T)
    eigenvalues, along = np.maximum(eigenvalues, 0.0), (vectors.T @ y) ** 2
    ratios = np.exp(np.linspace(*LOG_ODDS))
    prior = 1.0 / np.sqrt(2.0 + ratios + 1.0 / ratios)  # of a Beta(1/2, 1/2) for the share of signal
    prior = np.log(prior / prior.sum() / len(SPECTRA))
    found = []
    for ratio, log_prior in zip(ratios, prior, strict=True):
        variances = 1.0 + ratio * eigenvalues
        log = -0.5 * np.sum(np.log(variances)) - 0.5 * (len(y) - 1) * np.log(np.sum(along / variances))
        found.append(DenseChoice(kind, Z, root, vectors, eigenvalues, float(ratio), float(log + log_prior)))
    return found
