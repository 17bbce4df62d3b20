import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from keyhole.sampling import new_tree, sum_tree

weight = st.one_of(st.just(0.0), st.floats(0.0, 1.0), st.sampled_from([5e-324, 1e-300, 1e-30, 1.0, 1e30, 1e300]))
fraction = st.one_of(st.floats(0.0, 1.0, exclude_max=True), st.sampled_from([0.0, 0.5, 1.0 - 2.0**-53]))
weights_lists = st.lists(weight, min_size=1, max_size=20).filter(lambda weights: sum(weights) > 0)


def tree_of(weights):
    tree = new_tree(len(weights))
    sum_tree.rebuild(tree, np.array(weights))
    return tree


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5, 8, 9, 784])
def test_draw_is_the_inverse_of_the_cumulative_sums(n):
    weights = np.random.default_rng(n).integers(0, 4, size=n).astype(float)  # whole numbers: sums are exact
    weights[n // 2] = 3.0
    tree, cumulative = tree_of(weights), np.cumsum(weights)
    assert sum_tree.total(tree) == cumulative[-1]
    for position in np.arange(cumulative[-1]) + 0.5:
        expected = np.searchsorted(cumulative, position, side="right")
        assert sum_tree.draw(tree, position / cumulative[-1]) == expected


@settings(deadline=None)
@given(weights_lists, fraction)
def test_draw_never_returns_weight_zero(weights, u):
    index = sum_tree.draw(tree_of(weights), u)
    assert 0 <= index < len(weights)
    assert weights[index] > 0.0


@settings(deadline=None)
@given(weights_lists, fraction)
def test_draw_is_near_its_place_in_the_cumulative_sums(weights, u):
    index = sum_tree.draw(tree_of(weights), u)
    cumulative = np.concatenate(([0.0], np.cumsum(weights)))
    slack = 1e-14 * cumulative[-1]
    assert cumulative[index] - slack <= u * cumulative[-1] <= cumulative[index + 1] + slack


@settings(deadline=None)
@given(st.lists(weight, min_size=1, max_size=20), st.lists(st.tuples(st.integers(0, 19), weight), max_size=30))
def test_updates_leave_the_tree_that_a_rebuild_gives(weights, changes):
    tree = tree_of(weights)
    for index, changed in changes:
        weights[index % len(weights)] = changed
        sum_tree.update(tree, index % len(weights), changed)
    assert np.array_equal(tree, tree_of(weights))
    assert [sum_tree.weight_of(tree, i) for i in range(len(weights))] == weights


def test_rebuild_forgets_what_was_there():
    tree = tree_of([1.0, 2.0, 3.0, 4.0])
    sum_tree.rebuild(tree, np.array([5.0, 6.0]))
    assert np.array_equal(tree, tree_of([5.0, 6.0, 0.0, 0.0]))
