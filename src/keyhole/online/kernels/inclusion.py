"""The inclusion probability of an attribute that may be drawn for x, for the inner product, or for both."""

from __future__ import annotations

import numpy as np
from numba import njit

from ...observe.ask import Ask, with_probabilities
from ...sampling import sum_tree
from .draw_distribution import DrawDistribution, draw_probability


@njit(cache=True, nogil=True)
def fill_probabilities(
    ask: Ask, distribution: DrawDistribution, tree: np.ndarray, x_draws: int, inner_draws: int, d: int
) -> Ask:
    """The same ask with its inclusion probabilities, for draws with replacement."""
    probabilities = np.empty(len(ask.attributes))
    total = sum_tree.total(tree)
    for s in range(len(ask.attributes)):
        i = ask.attributes[s]
        p = sum_tree.weight_of(tree, i) / total if inner_draws > 0 else 0.0
        probabilities[s] = 1.0 - (1.0 - draw_probability(distribution, d, i)) ** x_draws * (1.0 - p) ** inner_draws
    return with_probabilities(ask, probabilities)
