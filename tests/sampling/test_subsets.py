from fractions import Fraction
from itertools import combinations, product
from math import comb

import numpy as np
import pytest

from keyhole.sampling import below, new_generator, uniform_subset
from sampling.enumeration import assert_drawn_as


def floyd(choices, n, k):
    """What the algorithm makes of given choices of its k integers."""
    chosen = []
    for r, candidate in enumerate(choices):
        chosen.append(n - k + r if candidate in chosen else candidate)
    return chosen


@pytest.mark.parametrize(("n", "k"), [(5, 2), (6, 3), (5, 4), (4, 4), (7, 1)])
def test_enumerating_the_choices_gives_every_subset_alike(n, k):
    probability = dict.fromkeys(combinations(range(n), k), Fraction(0))
    ranges = [range(n - k + r + 1) for r in range(k)]
    whole = np.prod([len(each) for each in ranges])
    for choices in product(*ranges):
        probability[tuple(sorted(floyd(choices, n, k)))] += Fraction(1, int(whole))
    assert set(probability.values()) == {Fraction(1, comb(n, k))}


def test_compiled_draws_are_the_plain_ones():
    n, k = 12, 6
    rng, copy = new_generator(5), new_generator(5)
    for _ in range(200):
        choices = [below(copy, n - k + r + 1) for r in range(k)]
        assert uniform_subset(rng, n, k, np.full(n, -1)).tolist() == floyd(choices, n, k)


@pytest.mark.parametrize(("n", "k"), [(5, 2), (6, 4)])
def test_draws_are_alike_and_leave_the_marks(n, k):
    rng, marks = new_generator(1), np.full(n, -1)
    draws = [np.sort(uniform_subset(rng, n, k, marks)) for _ in range(10_000)]
    assert_drawn_as(draws, dict.fromkeys(combinations(range(n), k), 1 / comb(n, k)))
    assert np.all(marks == -1)


def test_all_and_none():
    rng, marks = new_generator(1), np.full(7, -1)
    assert sorted(uniform_subset(rng, 7, 7, marks)) == list(range(7))
    assert len(uniform_subset(rng, 7, 0, marks)) == 0
