import numpy as np
import pytest

from keyhole.sampling import new_generator
from keyhole.sampling.count_tree import draw_members, new_count_tree
from sampling.enumeration import assert_drawn_as, subset_probabilities

WORKING = np.array([0.9, 0.2, 0.4, 0.6, 0.5, 0.3])


@pytest.mark.parametrize("k", [1, 2, 3, 6])
def test_root_holds_the_probabilities_of_each_size(k):
    counts, offsets = new_count_tree(WORKING, k)
    expected = np.ones(1)
    for p in WORKING:
        expected = np.convolve(expected, [1 - p, p])
    assert counts[offsets[-2] : offsets[-1]] == pytest.approx(expected[: k + 1], rel=1e-14)


@pytest.mark.parametrize("k", [1, 2, 3, 5])
def test_draws_every_subset_by_its_probability(k):
    rng, tree = new_generator(k), new_count_tree(WORKING, k)
    draws = [draw_members(rng, *tree) for _ in range(40_000)]
    assert_drawn_as(draws, subset_probabilities(WORKING, k))


def test_certain_and_impossible_attributes():
    rng, tree = new_generator(0), new_count_tree(np.array([0.0, 1.0, 0.5, 1.0, 0.5]), 3)
    draws = [draw_members(rng, *tree) for _ in range(2_000)]
    assert_drawn_as(draws, {(1, 2, 3): 0.5, (1, 3, 4): 0.5})


@pytest.mark.parametrize("d", [1, 2, 3, 8, 9])
def test_all_attributes(d):
    assert draw_members(new_generator(0), *new_count_tree(np.full(d, 0.5), d)).tolist() == list(range(d))


def test_long_examples_neither_underflow_nor_repeat():
    d, k = 100_000, 200
    working = np.random.default_rng(0).lognormal(sigma=2, size=d)
    working *= k / working.sum()
    counts, offsets = new_count_tree(np.minimum(working, 1.0), k)
    rng = new_generator(0)
    for _ in range(20):
        members = draw_members(rng, counts, offsets)
        assert len(members) == k
        assert np.all(np.diff(members) > 0)
        assert members[-1] < d
