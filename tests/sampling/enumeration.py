"""Plain references: every subset and its probability, and whether draws agree with it."""

from itertools import combinations, permutations

import numpy as np
from scipy.stats import chi2


def subset_probabilities(working, k):
    """The probability of each subset of size k, from the definition: independent draws, k of them successful."""
    products = {}
    for subset in combinations(range(len(working)), k):
        drawn = np.isin(np.arange(len(working)), subset)
        products[subset] = np.prod(np.where(drawn, working, 1 - np.asarray(working)))
    whole = sum(products.values())
    return {subset: product / whole for subset, product in products.items()}


def inclusion_matrix(probabilities, d):
    """pi_ij, with pi_i on the diagonal, summed over all subsets."""
    joint = np.zeros((d, d))
    for subset, probability in probabilities.items():
        joint[np.ix_(subset, subset)] += probability
    return joint


def successive_probabilities(weights, k):
    """The probability of each sequence of k draws, each in proportion to the weights of what is left."""
    probabilities = {}
    for sequence in permutations(range(len(weights)), k):
        left, probability = sum(weights), 1.0
        for index in sequence:
            probability *= weights[index] / left if left > 0 else 0.0
            left -= weights[index]
        probabilities[sequence] = probability
    return {sequence: p for sequence, p in probabilities.items() if p > 0}


def assert_drawn_as(draws, probabilities):
    """Chi-square at one in 100,000, on fixed seeds; nothing outside the given outcomes may come up."""
    counts = dict.fromkeys(probabilities, 0)
    for outcome in draws:
        counts[tuple(int(i) for i in np.atleast_1d(outcome))] += 1
    n = sum(counts.values())
    expected = n * np.array(list(probabilities.values()))
    assert expected.min() > 5, "too few draws for a chi-square"
    statistic = np.sum((np.array(list(counts.values())) - expected) ** 2 / expected)
    assert statistic < chi2.ppf(1 - 1e-5, len(expected) - 1)
