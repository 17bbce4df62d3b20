"""Which attribute to buy next: the one that reduces the variance most per cost, by matrices of all attributes."""

import numpy as np
import pytest

import keyhole as kh
from keyhole.moments.predict.buying import Purchases, conditional_on
from keyhole.moments.predict.subsets import Subsets, rescaled
from moments.conftest import random_joint, random_scales

UNKNOWN = np.full(12, np.nan)


def dense_gain(learner, known, more):
    """By matrices of all attributes, what ``more`` explain on top of ``known``."""
    joint = learner._checked_subsets().subsets.main.joint

    def explained(some):
        some = np.array(some, dtype=int)
        cross = joint.cross_covariance(some)[:, 0]
        return cross @ np.linalg.solve(joint.covariance(some), cross) if len(some) else 0.0

    return explained([*known, *more]) - explained(known)


def test_the_best_by_matrices_of_all_attributes(learner):
    known = []
    for offer in learner.next_attributes(UNKNOWN, n=5):
        gains = [-1.0 if i in known else dense_gain(learner, known, [i]) for i in range(12)]
        assert offer.attributes == (int(np.argmax(gains)),)
        known += offer.attributes


def test_what_is_known_is_not_offered_and_its_value_does_not_matter(learner):
    first = learner.next_attributes(UNKNOWN)[0].attributes[0]
    offers = []
    for value in (-5.0, 100.0):
        x = UNKNOWN.copy()
        x[first] = value
        offers.append(learner.next_attributes(x, n=3))
    assert offers[0] == offers[1]
    assert all(first not in offer.attributes for offer in offers[0])


def test_costs_decide_and_what_is_free_comes_first(learner):
    order = [offer.attributes[0] for offer in learner.next_attributes(UNKNOWN, n=12)]
    costs = np.ones(12)
    costs[order[0]], costs[order[5]] = 1e9, 0.0
    by_cost = [offer.attributes[0] for offer in learner.next_attributes(UNKNOWN, n=12, costs=costs)]
    assert (by_cost[0], by_cost[-1]) == (order[5], order[0])
    names = {f"x{order[0]}": 1e9, f"x{order[5]}": 0.0}
    assert [o.attributes[0] for o in learner.next_attributes(UNKNOWN, n=12, costs=names)] == by_cost
    with pytest.raises(ValueError, match="costs: no attribute is called 'y'"):
        learner.next_attributes(UNKNOWN, costs={"y": 1.0})
    with pytest.raises(ValueError, match="needs one for each of 12 attributes; got 2"):
        learner.next_attributes(UNKNOWN, costs=[1.0, 2.0])
    with pytest.raises(ValueError, match="must be a finite number"):
        learner.next_attributes(UNKNOWN, costs=-costs)


def test_bundles_are_one_offer_and_free_ones_first(bundled):
    offers = bundled.next_attributes(UNKNOWN, n=12)
    assert {o.attributes for o in offers[:2]} == {(5,), (6,)}
    assert [o.cost for o in offers[:2]] == [0.0, 0.0]
    together = next(o for o in offers if len(o.attributes) > 1)
    assert (together.attributes, together.names, together.cost) == ((0, 1, 2), ("a0", "a1", "a2"), 2.0)
    assert len(offers) == 10
    at = offers.index(together)
    known = [i for offer in offers[:at] for i in offer.attributes]
    rate = dense_gain(bundled, known, [0, 1, 2]) / 2.0
    others = [dense_gain(bundled, known, o.attributes) for o in offers[at + 1 :]]
    assert rate >= max(others)
    x = UNKNOWN.copy()
    x[1] = 0.0
    rest = next(o for o in bundled.next_attributes(x, n=12) if 0 in o.attributes)
    assert (rest.attributes, rest.cost) == ((0, 2), 0.0)  # the draw was paid for


@pytest.fixture
def subsets():
    joint, scales = random_joint(0, residual=0.2), random_scales(0)
    return Subsets(scales, rescaled(joint, scales, joint, scales), ())


@pytest.mark.parametrize("known", [[], [3], [0, 4, 8, 2]])
def test_what_is_left_given_known_attributes_is_the_schur_complement(subsets, known):
    joint, known = subsets.main.joint, np.array(known, dtype=np.int64)
    others = np.setdiff1d(np.arange(9), known)
    conditional = conditional_on(subsets, known)
    everything = joint.covariance(np.arange(9))
    slopes = np.linalg.solve(everything[np.ix_(known, known)], everything[np.ix_(known, others)])
    left = everything[np.ix_(others, others)] - everything[np.ix_(others, known)] @ slopes
    found = conditional.loadings[others] @ conditional.loadings[others].T + np.diag(conditional.noise[others])
    np.testing.assert_allclose(found, left, atol=1e-10)
    cross = joint.cross_covariance()[:, 0]
    np.testing.assert_allclose(conditional.cross[others], cross[others] - slopes.T @ cross[known], atol=1e-10)
    np.testing.assert_allclose(conditional.reductions()[others], conditional.cross[others] ** 2 / np.diag(left))
    together = conditional.cross[others] @ np.linalg.solve(left, conditional.cross[others])
    assert conditional.reduction_by(others) == pytest.approx(together)


def test_what_is_known_missing_or_costs_too_much_is_not_bought(subsets):
    nothing = np.zeros(9, dtype=bool)
    (first,), cost = Purchases(kh.observe.PlainAttributes(9)).best(subsets, nothing, nothing, np.inf)
    assert cost == 1.0
    mask = np.arange(9) == first
    purchases = Purchases([kh.Attribute(f"a{i}", cost=1.01 if i == first else 1.0) for i in range(9)])
    assert purchases.best(subsets, nothing, nothing, np.inf)[1] == 1.01
    for known, missing, limit in ((mask, nothing, np.inf), (nothing, mask, np.inf), (nothing, nothing, 1.0)):
        bought, _ = purchases.best(subsets, known, missing, limit)
        assert first not in bought
    assert purchases.best(subsets, nothing, nothing, 0.5) is None
    assert purchases.best(subsets, ~nothing, nothing, np.inf) is None


def test_attributes_without_a_weight_are_never_bought():
    joint, scales = random_joint(0), random_scales(0)
    scales.scale[:] = np.where(np.arange(9) == 4, scales.scale, 0.0)
    subsets = Subsets(scales, rescaled(joint, scales, joint, scales), ())
    purchases, known = Purchases(kh.observe.PlainAttributes(9)), np.zeros(9, dtype=bool)
    assert purchases.best(subsets, known, known, np.inf)[0].tolist() == [4]
    assert purchases.best(subsets, np.arange(9) == 4, known, np.inf) is None
