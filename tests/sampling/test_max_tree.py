import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from keyhole.sampling import max_tree, new_tree

changes = st.lists(st.tuples(st.integers(0, 12), st.sampled_from([0.0, 0.5, 1.0, 1.0, 3.0, 1e-300])), max_size=40)


@settings(deadline=None)
@given(changes, st.integers(1, 15))
def test_the_largest_are_those_of_a_sort(changes, k):
    values, tree = np.zeros(13), new_tree(13)
    for index, value in changes:
        values[index] = value
        max_tree.update(tree, index, value)
        expected = [i for i in np.argsort(-values, kind="stable")[:k] if values[i] > 0]
        before = tree.copy()
        np.testing.assert_array_equal(max_tree.largest(tree, k), expected)
        np.testing.assert_array_equal(tree, before)


def test_a_tree_of_one():
    tree = new_tree(1)
    assert len(max_tree.largest(tree, 1)) == 0
    max_tree.update(tree, 0, 2.0)
    np.testing.assert_array_equal(max_tree.largest(tree, 3), [0])
