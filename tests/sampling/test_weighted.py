import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from keyhole.sampling import (
    draw_distinct,
    draw_with_replacement,
    draw_without_replacement,
    new_generator,
    new_tree,
    sum_tree,
)
from sampling.enumeration import assert_drawn_as, successive_probabilities

WEIGHTS = np.array([4.0, 0.0, 1.0, 2.0, 3.0])


def tree_of(weights):
    tree = new_tree(len(weights))
    sum_tree.rebuild(tree, np.asarray(weights))
    return tree


def test_with_replacement_follows_the_weights():
    draws = draw_with_replacement(new_generator(0), WEIGHTS, 20_000)
    assert_drawn_as(draws, {(0,): 0.4, (2,): 0.1, (3,): 0.2, (4,): 0.3})


@pytest.mark.parametrize("k", [1, 2, 4])
def test_clocks_draw_every_sequence_as_often_as_successive_draws(k):
    rng = new_generator(k)
    draws = [draw_without_replacement(rng, WEIGHTS, k) for _ in range(20_000)]
    assert_drawn_as(draws, successive_probabilities(WEIGHTS, k))


@pytest.mark.parametrize("k", [1, 2, 4])
def test_tree_draws_every_sequence_as_often_as_successive_draws(k):
    rng, tree = new_generator(k), tree_of(WEIGHTS)
    draws = [draw_distinct(rng, tree, k) for _ in range(20_000)]
    assert_drawn_as(draws, successive_probabilities(WEIGHTS, k))


@settings(deadline=None)
@given(
    st.lists(st.one_of(st.just(0.0), st.sampled_from([5e-324, 1e-300, 1.0, 1e300])), min_size=1, max_size=20),
    st.integers(0, 2**32),
)
def test_all_positive_weights_come_once_and_the_tree_stays(weights, seed):
    positive = np.flatnonzero(weights)
    tree = tree_of(weights)
    before = tree.copy()
    assert sorted(draw_distinct(new_generator(seed), tree, len(positive))) == positive.tolist()
    assert np.array_equal(tree, before)
    assert sorted(draw_without_replacement(new_generator(seed), weights, len(positive))) == positive.tolist()


def test_heavier_by_far_comes_first():
    weights = np.array([1e-300, 1e300, 1.0])
    assert draw_without_replacement(new_generator(0), weights, 3).tolist() == [1, 2, 0]
    assert draw_distinct(new_generator(0), tree_of(weights), 3).tolist() == [1, 2, 0]


def test_too_many_asked_for_says_how_many_there_are():
    with pytest.raises(ValueError, match="number of positive weights, 4; got 5"):
        draw_without_replacement(new_generator(0), WEIGHTS, 5)
    tree = tree_of(WEIGHTS)
    before = tree.copy()
    with pytest.raises(ValueError, match="number of positive weights, 4; got 5"):
        draw_distinct(new_generator(0), tree, 5)
    assert np.array_equal(tree, before)


@pytest.mark.parametrize("bad", [-1.0, np.nan, np.inf])
def test_bad_weights_are_named(bad):
    with pytest.raises(ValueError, match=f"number 1 is {bad}"):
        draw_without_replacement(new_generator(0), np.array([1.0, bad]), 1)


def test_bad_counts_are_named():
    with pytest.raises(ValueError, match="got -1"):
        draw_with_replacement(new_generator(0), WEIGHTS, -1)
    with pytest.raises(ValueError, match="got -1"):
        draw_without_replacement(new_generator(0), WEIGHTS, -1)
    with pytest.raises(ValueError, match=r"shape \(1, 5\)"):
        draw_without_replacement(new_generator(0), WEIGHTS[None], 1)
