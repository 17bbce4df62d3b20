import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from keyhole.sampling import (
    design_subset,
    inclusion_targets,
    joint_inclusion,
    new_design,
    new_generator,
)
from sampling.enumeration import assert_drawn_as, inclusion_matrix, subset_probabilities

TARGETS = [
    [0.9, 0.5, 0.4, 0.2],
    [1.0, 0.25, 0.25, 0.5],
    [0.5, 0.5],
    [1.0, 1.0, 1.0],
    [1.0],
    [0.999, 0.0005, 0.0005],
    [1 - 1e-6, 1 - 1e-6, 5e-7, 5e-7, 5e-7, 5e-7],
    [0.3, 0.3 + 1e-9, 0.3 - 1e-9, 0.6, 0.5],
    [0.99, 0.98, 0.97, 0.96, 0.95, 0.15],
]


@pytest.mark.parametrize("target", TARGETS)
def test_meets_the_targets_with_exact_joint_probabilities(target):
    design, d = new_design(np.array(target)), len(target)
    assert design.inclusion == pytest.approx(np.array(target), abs=1e-12)
    expected = inclusion_matrix(subset_probabilities(design.working, round(sum(target))), d)
    assert joint_inclusion(design, np.arange(d)) == pytest.approx(expected, rel=1e-10, abs=0.0)


@settings(deadline=None, max_examples=60)
@given(st.lists(st.floats(1e-3, 1e3), min_size=2, max_size=7), st.data())
def test_meets_the_targets_of_any_weights(weights, data):
    d, k = len(weights), data.draw(st.integers(1, len(weights)))
    target = inclusion_targets(np.array(weights), k, data.draw(st.sampled_from([0.0, 0.2])))
    design = new_design(target)
    joint = joint_inclusion(design, np.arange(d))
    assert design.inclusion == pytest.approx(target, abs=1e-12)
    assert joint == pytest.approx(inclusion_matrix(subset_probabilities(design.working, k), d), rel=1e-9)
    assert joint.sum(axis=1) == pytest.approx(k * target, abs=1e-10)
    # Two that are not certain come together unless certain ones leave a single place.
    assert (joint.min() > 0) == (k - np.count_nonzero(target == 1.0) != 1)


@pytest.mark.parametrize(("d", "k"), [(2, 1), (6, 2), (784, 4), (784, 57), (50, 49)])
def test_equal_targets_are_the_uniform_subsets(d, k):
    design = new_design(np.full(d, k / d))
    joint = joint_inclusion(design, np.arange(d))
    expected = np.full((d, d), k * (k - 1) / (d * (d - 1)))
    np.fill_diagonal(expected, k / d)
    np.testing.assert_allclose(joint, expected, rtol=1e-11)


@pytest.mark.parametrize("target", [TARGETS[0], TARGETS[1], [0.6, 0.5, 0.7, 0.5, 0.7]])
def test_draws_follow_the_probabilities_of_the_subsets(target):
    design, rng = new_design(np.array(target)), new_generator(0)
    probabilities = subset_probabilities(design.working, round(sum(target)))
    draws = [design_subset(rng, design) for _ in range(20_000)]
    assert_drawn_as(draws, {subset: p for subset, p in probabilities.items() if p > 0})


@pytest.mark.parametrize(("d", "k"), [(784, 4), (784, 57), (100_000, 200)])
def test_long_examples(d, k):
    target = inclusion_targets(np.random.default_rng(k).lognormal(sigma=2, size=d), k, floor=0.2)
    design, rng = new_design(target), new_generator(0)
    np.testing.assert_allclose(design.inclusion, target, rtol=1e-10)
    subset = design_subset(rng, design)
    assert len(subset) == len(set(subset)) == k
    joint = joint_inclusion(design, subset)
    assert np.all(joint > 0)
    off_diagonal = ~np.eye(k, dtype=bool)
    product = np.outer(target[subset], target[subset])
    assert np.all(joint[off_diagonal] <= product[off_diagonal] * (1 + 1e-10)), "the members of a subset repel"


def test_weighting_by_inclusion_is_unbiased():
    """Horvitz-Thompson: the estimate of a sum, and of its square, averaged over all subsets, is right."""
    design = new_design(np.array([0.9, 0.5, 0.4, 0.2, 1.0]))
    x, joint = np.array([3.0, -1.0, 0.5, 7.0, 2.0]), joint_inclusion(design, np.arange(5))
    mean = square = 0.0
    for subset, probability in subset_probabilities(design.working, 3).items():
        seen = np.array(subset)
        mean += probability * np.sum(x[seen] / design.inclusion[seen])
        square += probability * np.sum(np.outer(x[seen], x[seen]) / joint[np.ix_(seen, seen)])
    assert mean == pytest.approx(x.sum(), rel=1e-10)
    assert square == pytest.approx(x.sum() ** 2, rel=1e-10)


def test_a_design_rebuilt_from_its_arrays_draws_the_same():
    design = new_design(np.array(TARGETS[0]))
    again = type(design)(*(array.copy() for array in design))
    one, two = new_generator(9), new_generator(9)
    assert all(np.array_equal(design_subset(one, design), design_subset(two, again)) for _ in range(50))


@pytest.mark.parametrize(
    ("target", "message"),
    [
        ([0.5, 0.0, 0.5], "number 1 is 0.0"),
        ([0.5, 1.5], "number 1 is 1.5"),
        ([0.5, np.nan], "number 1 is nan"),
        ([0.5, 0.6], "they sum to 1.1"),
        ([1e-12, 1e-12], "they sum to 2e-12"),
        ([1.0, 1e-20], "the largest is 1e-20"),
        ([[0.5, 0.5]], r"shape \(1, 2\)"),
        ([], r"shape \(0,\)"),
    ],
)
def test_bad_targets_are_named(target, message):
    with pytest.raises(ValueError, match=message):
        new_design(np.array(target))


@pytest.mark.parametrize("left", [(0, 1, 2, 4, 5), (1, 2, 3, 4, 5), (0, 2, 3, 5), (2, 3, 4, 5)])
def test_among_some_attributes_it_is_the_conditional_design(left):
    design, left = new_design(np.array([0.6, 0.4, 0.3, 0.1, 0.4, 0.2])), np.array(left)
    every = subset_probabilities(design.working, design.size)
    allowed = {subset: p for subset, p in every.items() if set(subset) <= set(left.tolist())}
    total = sum(allowed.values())
    rest = design.among(left)
    expected = inclusion_matrix({subset: p / total for subset, p in allowed.items()}, 6)[np.ix_(left, left)]
    assert rest.size == design.size == 2
    np.testing.assert_allclose(rest.inclusion, np.diag(expected), atol=1e-14)
    np.testing.assert_allclose(rest.joint(np.arange(len(left))), expected, atol=1e-14)


def test_among_as_many_as_it_draws_or_fewer_all_are_certain():
    design = new_design(np.array([1.0, 0.9, 0.6, 0.3, 0.2]))
    for left in ([0, 3, 4], [1, 3], [2]):
        rest = design.among(np.array(left))
        assert rest.size == len(left)
        np.testing.assert_array_equal(rest.draw(new_generator(0)), np.arange(len(left)))
        np.testing.assert_allclose(rest.inclusion, 1.0)
    assert design.among(np.array([1, 2, 3, 4])).size == 3  # without the certain one, three of the others
    assert design.among(np.empty(0, dtype=np.int64)).size == 0
