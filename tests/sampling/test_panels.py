"""Panels against the sum over all subsets of offers."""

import numpy as np
import pytest

from keyhole.sampling import Panels, new_cost_design, new_design, new_generator
from sampling.enumeration import subset_probabilities

ALWAYS = np.array([6, 2])
MEMBERS = np.array([5, 0, 1, 4, 3])  # the offers are (5, 0), (1), (4, 3)
FIRST = np.array([0, 2, 3, 5])
OFFERS = [(5, 0), (1,), (4, 3)]


@pytest.fixture(params=["size", "cost"])
def panels(request):
    if request.param == "size":
        design = new_design(np.array([0.9, 0.7, 0.4]))
    else:
        design = new_cost_design(np.array([0.5, 0.5, 0.5]), np.array([2.0, 1.0, 2.0]), 3.0)
    return Panels(ALWAYS, MEMBERS, FIRST, design)


def every_draw(panels):
    """Attributes and probability of every subset of offers that the design can draw."""
    design = panels.design
    if hasattr(design, "size"):
        return subset_probabilities(design.working, design.size)
    joint = design.joint(np.arange(3))
    pairs = {(i, j): joint[i, j] for i in range(3) for j in range(i) if joint[i, j] > 0}
    singles = {(i,): joint[i, i] - sum(p for pair, p in pairs.items() if i in pair) for i in range(3)}
    return pairs | singles


def test_joint_probabilities_are_those_of_all_draws(panels):
    expected, total = np.zeros((7, 7)), 0.0
    for offers, probability in every_draw(panels).items():
        shown = np.isin(np.arange(7), [*ALWAYS, *(i for offer in offers for i in OFFERS[offer])])
        expected += probability * np.outer(shown, shown)
        total += probability
    assert total == pytest.approx(1.0, abs=1e-10)
    some = np.array([3, 6, 0, 1, 4, 2, 5])
    np.testing.assert_allclose(panels.joint(some), expected[np.ix_(some, some)], atol=1e-12)


def test_a_draw_is_whole_offers_with_their_inclusion_probabilities(panels):
    rng = new_generator(3)
    for _ in range(200):
        attributes, probabilities = panels.draw(rng)
        drawn = set(attributes.tolist())
        assert len(drawn) == len(attributes)
        assert set(ALWAYS.tolist()) <= drawn
        assert all(len(drawn & set(offer)) in (0, len(offer)) for offer in OFFERS)
        np.testing.assert_allclose(probabilities, np.diag(panels.joint(attributes)), rtol=1e-12)


def test_an_attribute_outside_the_design_is_an_error(panels):
    with pytest.raises(ValueError, match="attribute 9 is never revealed by this design"):
        panels.joint(np.array([0, 9]))


def test_arrays_make_the_same_design(panels):
    again = Panels.from_arrays(panels.arrays())
    one, two = new_generator(1), new_generator(1)
    for _ in range(50):
        np.testing.assert_array_equal(panels.draw(one)[0], again.draw(two)[0])
    np.testing.assert_array_equal(panels.joint(MEMBERS), again.joint(MEMBERS))


@pytest.mark.parametrize("gone", [[1], [5], [5, 0], [6], [4, 3, 2], [1, 5]])
def test_without_some_attributes_it_is_the_conditional_design(panels, gone):
    left = [tuple(i for i in offer if i not in gone) for offer in OFFERS]
    allowed = {offers: p for offers, p in every_draw(panels).items() if all(left[offer] for offer in offers)}
    total, expected = sum(allowed.values()), np.zeros((7, 7))
    for offers, probability in allowed.items():
        shown = np.isin(np.arange(7), [*ALWAYS, *(i for offer in offers for i in OFFERS[offer])])
        expected += probability / total * np.outer(shown, shown)
    rest, some = panels.without(np.array(gone)), np.setdiff1d(np.arange(7), gone)
    np.testing.assert_allclose(rest.joint(some), expected[np.ix_(some, some)], atol=1e-12)
    with pytest.raises(ValueError, match=f"attribute {gone[0]} is never revealed by this design"):
        rest.joint(np.array(gone))
    attributes, _ = rest.draw(new_generator(0))
    assert not set(attributes.tolist()) & set(gone)


def test_a_share_of_the_draws_is_the_fixed_set():
    """Of five offers of one attribute, 0, 2 and 3 are shown together in 40% of the draws."""
    plain = Panels(np.array([5]), np.arange(5), np.arange(6), new_design(np.full(5, 0.6)))
    fixed = plain._replace(together=np.array([0, 2, 3]), share=0.4)
    everything = np.arange(6)
    inside = np.isin(everything, [0, 2, 3, 5])
    expected = 0.6 * plain.joint(everything) + 0.4 * np.outer(inside, inside)
    np.testing.assert_allclose(fixed.joint(everything), expected, atol=1e-12)
    np.testing.assert_allclose(fixed.inclusion, np.diag(expected)[:5])
    rng, counts = new_generator(0), np.zeros((6, 6))
    for _ in range(4000):
        attributes, probabilities = fixed.draw(rng)
        assert len(attributes) == 4
        np.testing.assert_allclose(probabilities, np.diag(expected)[attributes])
        counts[np.ix_(attributes, attributes)] += 1
    np.testing.assert_allclose(counts / 4000, expected, atol=0.04)
    again = Panels.from_arrays(fixed.arrays())
    np.testing.assert_array_equal(again.together, [0, 2, 3])
    np.testing.assert_allclose(again.joint(everything), expected)


def test_a_fixed_set_that_lacks_an_attribute_is_not_shown():
    """The number of offers stays the same: a set with a gap would leave a part of the budget unused."""
    plain = Panels(np.array([5]), np.arange(5), np.arange(6), new_design(np.full(5, 0.6)))
    fixed = plain._replace(together=np.array([0, 2, 3]), share=0.4)
    for gone, share in (([1], 0.4), ([5], 0.4), ([2], 0.0), ([1, 3], 0.0)):
        rest = fixed.without(np.array(gone))
        assert rest.share == share
        if share:
            np.testing.assert_array_equal(rest.members[rest.together], [0, 2, 3])
        left = np.setdiff1d(np.arange(6), gone)
        mixed = (1 - share) * plain.without(np.array(gone)).joint(left)
        mixed += share * np.outer(np.isin(left, [0, 2, 3, 5]), np.isin(left, [0, 2, 3, 5]))
        np.testing.assert_allclose(rest.joint(left), mixed, atol=1e-12)
        assert len(rest.draw(new_generator(1))[0]) == 3 + (5 not in gone)


def test_without_all_attributes_nothing_is_drawn(panels):
    nothing = panels.without(np.arange(7))
    for one in (nothing, Panels.from_arrays(nothing.arrays())):
        assert [len(part) for part in one.draw(new_generator(0))] == [0, 0]
        assert one.joint(np.empty(0, dtype=np.int64)).shape == (0, 0)
    with pytest.raises(ValueError, match="attribute 2 is never revealed"):
        nothing.joint(np.array([2]))
    np.testing.assert_array_equal(panels.without(MEMBERS).draw(new_generator(0))[0], ALWAYS)


@pytest.fixture(params=[(np.array([0, 1]), 0.3), (np.array([1]), 0.6), (np.array([2, 1]), 0.9)])
def mixed(request, panels):
    """The same design, of which a share of the examples shows a fixed set of offers instead."""
    together, share = request.param
    return panels._replace(together=together, share=share)


def inclusion_by_enumeration(panels):
    """Of one and of two attributes, summed over all draws: the fixed set, and every subset that the design draws."""
    draws = {offers: (1 - panels.share) * p for offers, p in every_draw(panels).items()}
    fixed = tuple(sorted(panels.together.tolist()))
    expected = np.zeros((7, 7))
    for offers, probability in [*draws.items(), (fixed, panels.share)]:
        shown = np.isin(np.arange(7), [*ALWAYS, *(i for offer in offers for i in OFFERS[offer])])
        expected += probability * np.outer(shown, shown)
    return expected


def test_with_a_fixed_set_inclusion_probabilities_are_those_of_the_mixture(mixed):
    expected = inclusion_by_enumeration(mixed)
    some = np.array([3, 6, 0, 1, 4, 2, 5])
    np.testing.assert_allclose(mixed.joint(some), expected[np.ix_(some, some)], atol=1e-12)
    of_offers = [expected[offer[0], offer[0]] for offer in OFFERS]
    np.testing.assert_allclose(mixed.inclusion, of_offers, atol=1e-12)


def test_with_a_fixed_set_draws_have_these_frequencies(mixed):
    rng, n = new_generator(5), 4000
    shown = np.zeros((n, 7))
    fixed = {i for offer in mixed.together for i in OFFERS[offer]} | set(ALWAYS.tolist())
    exactly = 0
    expected = inclusion_by_enumeration(mixed)
    for row in shown:
        attributes, probabilities = mixed.draw(rng)
        row[attributes] = 1.0
        exactly += set(attributes.tolist()) == fixed
        np.testing.assert_allclose(probabilities, np.diag(expected)[attributes], atol=1e-12)
    error = np.sqrt(np.maximum(expected * (1 - expected), 0.01) / n)
    assert (np.abs(shown.T @ shown / n - expected) < 5 * error).all()
    assert exactly >= (mixed.share - 0.05) * n


def test_arrays_keep_the_fixed_set_and_those_of_earlier_versions_have_none(mixed):
    again = Panels.from_arrays(mixed.arrays())
    assert (again.together.tolist(), again.share) == (mixed.together.tolist(), mixed.share)
    one, two = new_generator(1), new_generator(1)
    for _ in range(50):
        np.testing.assert_array_equal(mixed.draw(one)[0], again.draw(two)[0])
    earlier = {name: part for name, part in mixed.arrays().items() if name not in ("together", "share")}
    assert Panels.from_arrays(earlier).share == 0.0
