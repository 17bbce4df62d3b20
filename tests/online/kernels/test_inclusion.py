"""Inclusion probabilities against the enumeration of all draws."""

from itertools import product

import numpy as np

from keyhole.observe.ask import ask_for
from keyhole.online.kernels.draw_distribution import moment_distribution
from keyhole.online.kernels.inclusion import fill_probabilities
from keyhole.sampling import new_tree, sum_tree


def test_probability_of_being_drawn_for_x_or_for_the_inner_product():
    q, p, x_draws, inner_draws = np.array([0.5, 0.3, 0.2]), np.array([0.1, 0.0, 0.9]), 2, 2
    tree = new_tree(3)
    sum_tree.rebuild(tree, 4 * p)
    expected = np.zeros(3)
    for drawn in product(range(3), repeat=x_draws + inner_draws):
        probability = np.prod(q[list(drawn[:x_draws])]) * np.prod(p[list(drawn[x_draws:])])
        expected[list(set(drawn))] += probability
    distribution = moment_distribution(3, q, 1.0, improved=True)
    drawn = np.array([2, 0, 1])
    ask = ask_for(drawn, np.zeros(3, dtype=np.int64), np.ones(3), np.full(3, -1))
    filled = fill_probabilities(ask, distribution, tree, x_draws, inner_draws, 3)
    np.testing.assert_allclose(filled.probabilities, expected[drawn])
    without = fill_probabilities(ask, distribution, tree, x_draws, 0, 3)
    np.testing.assert_allclose(without.probabilities, (1 - (1 - q) ** 2)[drawn])
