"""Inclusion probabilities of revealed cells, and of each two of them."""

import numpy as np
import pytest

import keyhole as kh
from keyhole.moments.honest.inclusion import (
    AVAILABLE_AT_RANDOM,
    ColumnInclusion,
    DesignInclusion,
    ObservedRates,
    availability_remark,
    n_pairs,
    pair_inclusion,
    pairs_of,
    presence,
    put_by_design,
    single_inclusion,
)
from keyhole.moments.honest.losses import loss_model, row_losses
from keyhole.moments.honest.row_weights import row_weights
from keyhole.moments.policy.offers import offers_within
from keyhole.moments.policy.policy import new_policy, renewed, restricted
from keyhole.observe.cells import Cells
from keyhole.sampling import joint_inclusion, new_generator
from moments.conftest import COSTS, TARGETS, correlated, every_draw, some_model, two_designs


def test_every_row_has_the_probabilities_of_its_own_design():
    policy = two_designs()
    pairs, rng = DesignInclusion(policy), np.random.default_rng(0)
    designs = np.array([0, 1, 1, 0, 1])
    rows = [np.concatenate([[4, 0], rng.permutation([1, 2, 3, 5, 6])[:3]]) for _ in designs]
    start = np.arange(6) * 5
    together = pairs.of_pairs(start, np.concatenate(rows), designs).reshape(5, 15)
    for row, design, probabilities in zip(rows, designs, together, strict=True):
        np.testing.assert_allclose(probabilities, policy.designs[design].joint(row)[np.tril_indices(5)])
    single = single_inclusion(Cells(), policy, 8)
    np.testing.assert_allclose(single[:, [1, 2, 3, 5, 6]], TARGETS, rtol=1e-6)
    np.testing.assert_array_equal(single[:, [0, 4, 7]], [[1.0, 1.0, 0.0]] * 2)


@pytest.mark.parametrize("design", [0, 1])
def test_probabilities_of_pairs_are_those_of_all_draws(design):
    policy = two_designs()
    together = np.zeros((7, 7))
    for seen, probability in every_draw(policy, design):
        together[np.ix_(seen, seen)] += probability
    for seen, _ in every_draw(policy, design):
        found = DesignInclusion(policy).of_pairs(np.array([0, 5]), seen, np.array([design]))
        np.testing.assert_allclose(found, together[np.ix_(seen, seen)][np.tril_indices(5)], rtol=1e-10)


def test_designs_of_different_costs_are_looked_up_row_by_row():
    attributes = [kh.Attribute(f"a{i}", cost=c) for i, c in enumerate(COSTS)]
    policy = renewed(new_policy(offers_within("test", attributes, 5)), np.arange(1.0, 9.0), 50)
    rows, designs = [np.array([4, 0, 2]), np.array([7]), np.array([6, 1])], np.array([1, 0, 1])
    start = np.array([0, 3, 4, 6])
    found = DesignInclusion(policy).of_pairs(start, np.concatenate(rows), designs)
    wanted = [policy.designs[k].joint(row)[np.tril_indices(len(row))] for row, k in zip(rows, designs, strict=True)]
    np.testing.assert_allclose(found, np.concatenate(wanted))
    assert n_pairs(start) == len(found) == 6 + 1 + 3


def test_attributes_that_come_together_have_the_probability_of_one():
    design = two_designs().designs[1].design
    probabilities = np.zeros(10)
    put_by_design(design, np.array([True]), np.array([0, 4]), np.array([3, -1, 0, 3]), probabilities)
    (one, both), (_, other) = joint_inclusion(design, np.array([3, 0]))
    np.testing.assert_allclose(probabilities, [one, one, 1.0, both, other, other, one, one, both, one])


def test_rates_are_shares_of_the_rows_with_both():
    cells = Cells()
    for attributes in ([0, 1], [0, 1, 2], [1], [0]):
        cells.append(np.array(attributes), np.ones(len(attributes)), 0.0)
    pairs = pair_inclusion(cells, None, 3)
    assert isinstance(pairs, ObservedRates)
    np.testing.assert_array_equal(pairs.rates, np.array([[3, 2, 1], [2, 3, 1], [1, 1, 1]]) / 4)
    rates = pairs.of_pairs(np.array([0, 2]), np.array([1, 0]), np.zeros(1, dtype=np.int64))
    np.testing.assert_array_equal(rates, np.array([3, 2, 3]) / 4)
    np.testing.assert_array_equal(single_inclusion(cells, None, 4), [[0.75, 0.75, 0.25, 0.0]])
    cells.append(np.array([3]), np.ones(1), 0.0)
    pairs = pair_inclusion(cells, None, 5)
    columns = ColumnInclusion(pairs, np.arange(5))
    assert columns.unseen_pairs(np.array([True, True, True, False, False])) == (0, 0.0)
    assert columns.unseen_pairs(np.array([True, True, True, True, False])) == (3, 0.5)


def test_pairs_that_cost_more_than_the_budget_are_impossible():
    attributes = [kh.Attribute(f"a{i}", cost=c) for i, c in enumerate([1.0, 3.0, 3.0, 2.0])]
    pairs = pair_inclusion(Cells(), new_policy(offers_within("test", attributes, 4)), 4)
    assert isinstance(pairs, DesignInclusion)
    wanted = np.zeros((4, 4), dtype=bool)
    wanted[[1, 1, 2, 2, 3, 3], [2, 3, 1, 3, 1, 2]] = True  # 3 + 3, and 3 + 2 twice
    np.testing.assert_array_equal(pairs.never_together(np.arange(4)), wanted)
    # Attribute 1 has two columns, which come together.
    columns = ColumnInclusion(pairs, np.array([0, 1, 1, 2, 3]))
    assert columns.unseen_pairs(np.ones(5, dtype=bool)) == (3, 0.5)
    assert columns.unseen_pairs(np.array([True, True, True, False, False])) == (0, 0.0)
    np.testing.assert_array_equal(
        columns.never_together(np.array([1, 2, 3])), np.array([[0, 0, 1], [0, 0, 1], [1, 1, 0]])
    )


def test_attributes_of_a_bundle_and_free_ones_are_never_too_expensive_together():
    bundle = [kh.Attribute(f"b{i}", cost=3, bundle="b") for i in range(2)]
    attributes = [*bundle, kh.Attribute("c", cost=2), kh.Attribute("free", free=True)]
    pairs = DesignInclusion(new_policy(offers_within("test", attributes, 4)))
    wanted = np.zeros((4, 4), dtype=bool)
    wanted[:2, 2] = wanted[2, :2] = True
    np.testing.assert_array_equal(pairs.never_together(np.arange(4)), wanted)


def test_many_rows_of_a_design_within_a_cost_have_the_probabilities_of_single_rows():
    policy = new_policy(offers_within("test", [kh.Attribute(f"a{i}", cost=c) for i, c in enumerate(COSTS)], 5))
    rng = new_generator(0)
    rows = [policy.designs[0].draw(rng)[0] for _ in range(20)]
    start = np.concatenate([[0], np.cumsum([len(row) for row in rows])])
    found = DesignInclusion(policy).of_pairs(start, np.concatenate(rows), np.zeros(20, dtype=np.int64))
    wanted = [policy.designs[0].joint(row)[np.tril_indices(len(row))] for row in rows]
    np.testing.assert_allclose(found, np.concatenate(wanted), rtol=1e-10)


def test_too_many_attributes_to_count_pairs_of_are_refused():
    with pytest.raises(ValueError, match=r"10001 attributes: .* at most 10,000 attributes"):
        pair_inclusion(Cells(), None, 10_001)


def test_a_row_has_the_design_of_its_ask_and_not_of_its_answer():
    X, y = correlated(100)
    learner = kh.KeyholeRegressor(4, random_state=0).start(12)
    early = learner.ask()
    for t in range(40):
        ask = learner.ask()
        learner.tell(ask, X[t, ask.attributes], y[t])
    learner.tell(early, X[99, early.attributes], y[99])
    starts = learner.policy_.starts
    wanted = [*(np.searchsorted(starts, np.arange(40), side="right") - 1), 0]
    np.testing.assert_array_equal(learner.cells_.designs, wanted)


def with_restriction(gone):
    """The second of two designs without some attributes: its number is 2."""
    return restricted(two_designs(), np.array(gone))[0]


def test_the_estimated_loss_is_unbiased_over_the_draws_of_a_restricted_design():
    """Exactly, by enumeration: attributes 2 and 4 are not drawn, and the predictor does not use them."""
    policy, rng = with_restriction([2, 4]), np.random.default_rng(0)
    coef, intercept, joint, scales = some_model(0)
    coef[[2, 4]] = 0.0
    model, x, label = loss_model(coef, intercept, joint, scales), rng.normal(size=7), 0.8
    whole = (label - coef @ x - intercept) ** 2
    mean = 0.0
    for seen, probability in every_draw(policy, 2):
        pairs = DesignInclusion(policy).of_pairs(np.array([0, len(seen)]), seen, np.array([2]))
        mean += probability * row_losses(model, np.array([0, len(seen)]), seen, x[seen], np.array([label]), pairs)[0]
    assert mean == pytest.approx(whole, rel=1e-10)


@pytest.mark.parametrize("costs", [False, True])
def test_a_given_value_adds_nothing_to_honest_losses(costs):
    if costs:
        attributes = [kh.Attribute(f"a{i}", cost=c) for i, c in enumerate(COSTS)]
        policy, number = restricted(new_policy(offers_within("test", attributes, 5)), np.array([3]))
    else:
        policy, number = restricted(two_designs(), np.array([3]))
    drawn, start = np.array([1, 6, 5]), np.array([0, 3])
    alone = DesignInclusion(policy).of_pairs(start, drawn, np.array([number]))
    beside = DesignInclusion(policy).of_pairs(np.array([0, 4]), np.append(drawn, 3), np.array([number]))
    np.testing.assert_allclose(beside[:6], alone)
    assert np.isinf(beside[6:]).all()
    cells = Cells()
    cells.append(np.append(drawn, 3), np.ones(4), 0.0, number, n_given=1)
    assert single_inclusion(cells, policy, 8)[number, 3] == 0.0


def test_rows_that_cannot_show_what_the_predictor_uses_have_no_weight():
    policy = with_restriction([2])
    coef, intercept, joint, scales = some_model(0)
    inclusion, designs, labels = single_inclusion(Cells(), policy, 7), np.array([1, 2, 1, 2]), np.zeros(4)
    weights = row_weights(loss_model(coef, intercept, joint, scales), inclusion, labels, designs)
    np.testing.assert_allclose(weights, [0.5, 0.0, 0.5, 0.0])
    coef[2] = 0.0
    assert (row_weights(loss_model(coef, intercept, joint, scales), inclusion, labels, designs) > 0.1).all()


def test_missing_cells_lower_the_inclusion_probabilities_by_how_often_cells_were_present():
    policy, cells, rng, generator = two_designs(), Cells(), np.random.default_rng(0), new_generator(0)
    for _ in range(4000):
        row = policy.designs[0].draw(generator)[0]
        present = ~((row == 2) & (rng.random() < 0.5)) & ~(np.isin(row, [5, 6]) & (rng.random() < 0.3))
        cells.append(row[present], np.ones(present.sum()), 0.0, 0, 0, row[~present])
    found = presence(cells, 7)
    np.testing.assert_allclose(found.single, [1, 1, 0.5, 1, 1, 0.7, 0.7], atol=0.03)
    rates = found.of_pairs(np.array([0, 2, 2, 5, 5]), np.array([1, 2, 3, 6, 2]))
    np.testing.assert_allclose(rates, [1.0, 0.5, 0.5, 0.7, 0.35], atol=0.05)  # 5 and 6 are missing together
    start, attributes = np.array([0, 2]), np.array([2, 5])
    lower = pair_inclusion(cells, policy, 7).of_pairs(start, attributes, np.array([0]))
    plain = DesignInclusion(policy).of_pairs(start, attributes, np.array([0]))
    np.testing.assert_allclose(lower, plain * found.of_pairs(*pairs_of(start, attributes)))
    single = single_inclusion(Cells(), policy, 7)
    np.testing.assert_allclose(single_inclusion(cells, policy, 7), single * found.single)
    assert availability_remark(cells, policy) == AVAILABLE_AT_RANDOM


def test_nothing_is_assumed_of_availability_where_every_drawn_cell_was_there():
    policy, cells = two_designs(), Cells()
    cells.append(np.array([0, 4, 1]), np.ones(3), 0.0)
    assert presence(cells, 7) is None
    assert availability_remark(cells, policy) == availability_remark(cells, None) == ""
    cells.append(np.array([0, 4, 1]), np.ones(3), 0.0, 2)
    assert availability_remark(cells, with_restriction([2])) == AVAILABLE_AT_RANDOM
