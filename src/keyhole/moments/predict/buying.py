"""Which attribute to buy next, for a prediction: the one that reduces the label's variance most per cost.

Given the known attributes S, the factors keep the covariance P = (I + W_S' N_S^-1 W_S)^-1, an unknown attribute i the
variance W_i P W_i' + noise_i, and its covariance g_i with the label follows alike. Buying i reduces the variance of the
label by g_i^2 / variance_i: all of them in O(d r^2) for d attributes and r factors. It depends on which attributes are
known and not on their values, so examples with the same known attributes are served together.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ...observe.attributes import Attribute, Prices, has_unit_prices
from .subsets import Subsets, predictor_from


class Conditional(NamedTuple):
    """Of all attributes given the known ones: loadings on what is left of the factors, noise, and covariances with the
    label."""

    loadings: np.ndarray
    noise: np.ndarray
    cross: np.ndarray

    def reductions(self) -> np.ndarray:
        """By how much each attribute by itself reduces the variance of the label, as a share of it."""
        return self.cross**2 / (np.sum(self.loadings**2, axis=1) + self.noise)

    def reduction_by(self, some: np.ndarray) -> float:
        """By how much some attributes reduce it together."""
        W = self.loadings[some]
        covariance = W @ W.T + np.diag(self.noise[some])
        return float(self.cross[some] @ np.linalg.solve(covariance, self.cross[some]))


def conditional_on(subsets: Subsets, known: np.ndarray) -> Conditional:
    """Given the attributes ``known``, which have a weight."""
    joint = subsets.main.joint
    W, S = joint.loadings, known
    weights = predictor_from(subsets.main, S[None, :])[0][0]
    left = W @ joint.label_loadings[0] + joint.residual_cross[:, 0] - W @ (W[S].T @ weights)
    precision = np.eye(W.shape[1]) + (W[S] / joint.noise[S, None]).T @ W[S]
    # P = L^-T L^-1 of the precision L L', so W P W' = (W L^-T) (W L^-T)'.
    return Conditional(np.linalg.solve(np.linalg.cholesky(precision), W.T).T, joint.noise, left)


class Purchases:
    """What can be bought: attributes one by one, and the members of a bundle together, which is paid for once."""

    def __init__(self, attributes: Sequence[Attribute]) -> None:
        self.prices = None if has_unit_prices(attributes) else Prices(attributes)

    def best(
        self, subsets: Subsets, known: np.ndarray, missing: np.ndarray, limit: float
    ) -> tuple[np.ndarray, float] | None:
        """What reduces the variance most per cost, with its cost; what is free comes first. None if nothing does.

        ``known`` and ``missing`` mark the attributes that are known, and those that could not be had; ``limit`` is the
        most that the purchase may cost.
        """
        attribute_of = subsets.scales.values.attribute_of(len(known))[subsets.used]
        weighty = np.bincount(attribute_of, minlength=len(known)) > 0
        conditional = conditional_on(subsets, subsets.used[known[attribute_of]])
        wanted = weighty & ~known & ~missing
        if subsets.needed is not None:
            # Others only take the place of what the predictor uses; where all of that is known they change nothing.
            needed = np.bincount(attribute_of, subsets.needed[subsets.used], minlength=len(known)) > 0
            if (wanted & needed).any() or not (needed & ~known).any():
                wanted &= needed

        def columns(some: np.ndarray) -> np.ndarray:
            return subsets.used[np.isin(attribute_of, some)]

        single = np.flatnonzero(wanted if self.prices is None else wanted & (self.prices.bundle < 0))
        by_column = np.zeros(len(known))
        by_column[attribute_of] = conditional.reductions()[subsets.used]
        many = np.bincount(attribute_of, minlength=len(known)) > 1  # columns of a choice
        reductions = [
            conditional.reduction_by(columns(np.array([i]))) if many[i] else float(by_column[i]) for i in single
        ]
        costs = [1.0] * len(single) if self.prices is None else self.prices.cost[single].tolist()
        bundles = []
        if self.prices is not None:
            for b in np.unique(self.prices.bundle[wanted & (self.prices.bundle >= 0)]):
                inside = self.prices.bundle == b
                bundles.append(np.flatnonzero(inside & wanted))
                reductions.append(conditional.reduction_by(columns(bundles[-1])))
                costs.append(0.0 if (inside & known).any() else float(self.prices.cost[bundles[-1]].max()))
        reduction, cost = np.array(reductions), np.array(costs)
        helps = (reduction > 0) & (cost <= limit * (1 + 1e-12))
        if not helps.any():
            return None
        if (helps & (cost == 0)).any():
            helps &= cost == 0
        at = int(np.argmax(np.where(helps, reduction / np.where(cost > 0, cost, 1.0), -1.0)))
        return (single[at : at + 1] if at < len(single) else bundles[at - len(single)]), costs[at]
