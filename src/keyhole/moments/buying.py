"""Which attribute to look at next, for a prediction: the one that takes most variance off the label per cost.

Given what is known, S, the factors keep the covariance P = (I + W_S' N_S^-1 W_S)^-1, an unknown attribute i the
variance W_i P W_i' + noise_i, and its covariance g_i with the label follows alike. Buying i takes g_i^2 / variance_i
off the variance of the label: all of them in O(d r^2) for d attributes and r factors. It depends on which attributes
are known and not on their values, so examples of which the same is known are served together.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..observe.attributes import Attribute, Prices, has_unit_prices
from .subsets import Subsets, predictor_from


class Unknown(NamedTuple):
    """Of all attributes given some: loadings on what is left of the factors, variances, covariances with the label."""

    loadings: np.ndarray
    noise: np.ndarray
    cross: np.ndarray

    def gains(self) -> np.ndarray:
        """What each alone takes off the variance of the label, in parts of it."""
        return self.cross**2 / (np.sum(self.loadings**2, axis=1) + self.noise)

    def gain_of(self, some: np.ndarray) -> float:
        """What some take off together."""
        W = self.loadings[some]
        covariance = W @ W.T + np.diag(self.noise[some])
        return float(self.cross[some] @ np.linalg.solve(covariance, self.cross[some]))


def unknown_given(subsets: Subsets, known: np.ndarray) -> Unknown:
    """After the attributes ``known``, which have a weight."""
    joint = subsets.main.joint
    W, S = joint.loadings, known
    weights = predictor_from(subsets.main, S[None, :])[0][0]
    left = W @ joint.label_loadings[0] + joint.rest[:, 0] - W @ (W[S].T @ weights)
    precision = np.eye(W.shape[1]) + (W[S] / joint.noise[S, None]).T @ W[S]
    # P = L^-T L^-1 of the precision L L', so W P W' = (W L^-T) (W L^-T)'.
    return Unknown(np.linalg.solve(np.linalg.cholesky(precision), W.T).T, joint.noise, left)


class Shop:
    """What can be bought: attributes one by one, and the members of a bundle together, which is paid for once."""

    def __init__(self, attributes: Sequence[Attribute]) -> None:
        self.prices = None if has_unit_prices(attributes) else Prices(attributes)

    def best(
        self, subsets: Subsets, known: np.ndarray, gone: np.ndarray, money: float
    ) -> tuple[np.ndarray, float] | None:
        """What takes most variance off per cost, with its cost; what costs nothing comes first. None if nothing does.

        ``known`` and ``gone`` mark the attributes that are known, and those that could not be had.
        """
        weighty = np.zeros(len(known), dtype=bool)
        weighty[subsets.used] = True
        unknown = unknown_given(subsets, np.flatnonzero(known & weighty))
        wanted = weighty & ~known & ~gone
        alone = np.flatnonzero(wanted if self.prices is None else wanted & (self.prices.bundle < 0))
        gains = unknown.gains()[alone].tolist()
        costs = [1.0] * len(alone) if self.prices is None else self.prices.cost[alone].tolist()
        bundles = []
        if self.prices is not None:
            for b in np.unique(self.prices.bundle[wanted & (self.prices.bundle >= 0)]):
                inside = self.prices.bundle == b
                bundles.append(np.flatnonzero(inside & wanted))
                gains.append(unknown.gain_of(bundles[-1]))
                costs.append(0.0 if (inside & known).any() else float(self.prices.cost[bundles[-1]].max()))
        gain, cost = np.array(gains), np.array(costs)
        helps = (gain > 0) & (cost <= money * (1 + 1e-12))
        if not helps.any():
            return None
        if (helps & (cost == 0)).any():
            helps &= cost == 0
        at = int(np.argmax(np.where(helps, gain / np.where(cost > 0, cost, 1.0), -1.0)))
        return (alone[at : at + 1] if at < len(alone) else bundles[at - len(alone)]), costs[at]
