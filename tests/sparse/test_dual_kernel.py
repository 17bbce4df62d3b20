"""The kernel of DualAveraging: its tree and its sums, and subsets beside the support."""

import numpy as np
import pytest

import keyhole as kh
from keyhole.sampling import max_tree, new_generator
from keyhole.sparse.dual_kernel import SQUARED_NORM, uniform_subset_without, weight_divisor
from sampling.enumeration import assert_drawn_as
from sparse.stream import X, Y


@pytest.mark.parametrize("variant", [1, 2, 3])
def test_tree_and_norm_are_those_of_the_sum_of_gradients(variant):
    learner = kh.DualAveraging(8, 4, variant, random_state=0).fit(X[:500], Y[:500])
    state = learner.state_
    np.testing.assert_allclose(state.tree[len(state.tree) // 2 :][:20], np.abs(state.eta))
    assert state.numbers[SQUARED_NORM] == pytest.approx(state.eta @ state.eta)
    order = np.argsort(-np.abs(state.eta), kind="stable")
    np.testing.assert_array_equal(max_tree.largest(state.tree, 4), order[:4])


def test_divisor_of_variant_1():
    learner = kh.DualAveraging(8, 4, radius=0.5, random_state=0).fit(X[:100], Y[:100])
    eta = learner.state_.eta
    expected = max(np.sqrt(8 * 20 * 101 / 4), np.linalg.norm(eta) / 0.5)
    assert weight_divisor(learner.state_, learner.rule_) == pytest.approx(expected)


@pytest.mark.parametrize("left_out", [[], [0], [4, 1], [5, 4, 3]])
def test_uniform_subsets_without_some_attributes(left_out):
    learner = kh.DualAveraging(6, 3, 2, random_state=0).start(6)
    state = learner.state_._replace(rng=new_generator(1))
    left_out = np.array(left_out, dtype=np.int64)
    others = [i for i in range(6) if i not in left_out]
    pairs = [(i, j) for i in others for j in others if i < j]
    draws = [np.sort(uniform_subset_without(state, 2, left_out)) for _ in range(4000)]
    assert_drawn_as(draws, dict.fromkeys(pairs, 1 / len(pairs)))
    assert (state.marks == -1).all()
