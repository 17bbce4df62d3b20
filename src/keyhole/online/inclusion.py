"""The chance that an attribute was revealed at all: by one of the x draws or one of the inner draws."""

from __future__ import annotations

import numpy as np
from numba import njit

from ..observe.ask import with_probabilities
from ..sampling import sum_tree
from .emphasis import chance


@njit(cache=True, nogil=True)
def fill_probabilities(ask, emphasis, tree, x_draws, inner_draws, d):
    """The same ask with its inclusion probabilities, for draws with replacement."""
    probabilities = np.empty(len(ask.attributes))
    total = sum_tree.total(tree)
    for s in range(len(ask.attributes)):
        i = ask.attributes[s]
        p = sum_tree.weight_of(tree, i) / total if inner_draws > 0 else 0.0
        probabilities[s] = 1.0 - (1.0 - chance(emphasis, d, i)) ** x_draws * (1.0 - p) ** inner_draws
    return with_probabilities(ask, probabilities)
