"""Which attributes are revealed: the budget holds for every example, and every inclusion probability is exact."""

import numpy as np
import pytest

import keyhole as kh
from keyhole.moments.policy.offers import offers_within
from keyhole.moments.policy.policy import (
    ask_of,
    draw,
    given_with,
    new_policy,
    renewed,
    renewed_for_few,
    restricted,
)
from keyhole.moments.policy.settings import LEAST_UNIFORM_ROWS, UNIFORM_REVEALS
from keyhole.observe import PlainAttributes
from keyhole.observe.ask import X_ESTIMATE
from moments.conftest import COSTS, correlated, costly_table, described


def costs_of_examples(ledger, attributes):
    """The cost of each example, by hand: free ones nothing, the bundle 2 once."""
    found = {}
    for example, attribute in zip(ledger["example"], ledger["attribute"], strict=True):
        a = attributes[attribute]
        found.setdefault(example, {})[a.bundle or a.name] = 0.0 if a.free else 2.0 if a.bundle else a.cost
    return np.array([sum(bought.values()) for bought in found.values()])


@pytest.mark.parametrize("budget", [3.0, 4, 5.5])
def test_no_example_costs_more_than_the_budget(budget):
    X, y = costly_table()
    attributes = described()
    source = kh.observe.ArraySource(X, attributes)
    learner = kh.KeyholeRegressor(budget, keep_ledger=True, random_state=0).fit(source, y)
    spent = costs_of_examples(learner.ledger_, attributes)
    assert spent.max() <= budget
    assert learner.observed_.cost == pytest.approx(spent.sum())
    seen = learner.observed_.per_attribute
    assert seen[0] == 300
    assert seen[1] == seen[4]  # a bundle comes together
    assert len(learner.policy_.designs) > 1
    assert learner.score(X, y) > 0.5


def test_the_ledger_has_exact_inclusion_probabilities_of_one_and_of_two():
    X, y = costly_table(100)
    learner = kh.KeyholeRegressor(4, keep_ledger=True, random_state=0).fit(kh.observe.ArraySource(X, described()), y)
    ledger = learner.ledger_
    assert len(ledger.designs) == len(learner.policy_.designs)
    for example in (0, 50, 99):
        mine = ledger["example"] == example
        joint = ledger.joint(example)
        np.testing.assert_allclose(np.diag(joint), ledger["probability"][mine], rtol=1e-12)
        attributes = ledger["attribute"][mine]
        free = np.flatnonzero(attributes == 0)[0]
        np.testing.assert_allclose(joint[free], np.diag(joint))  # what is always seen comes with everything
        assert (joint > 0).all()


def test_inclusion_probabilities_agree_with_the_frequency_of_draws():
    offers = offers_within("test", described(), 4)
    policy = renewed(new_policy(offers), np.linspace(0.1, 2.0, 8), 100)
    panels, rng = policy.designs[-1], kh.sampling.new_generator(0)
    drawn = np.zeros((20_000, 8))
    for row in drawn:
        row[panels.draw(rng)[0]] = 1.0
    joint = panels.joint(np.arange(8))
    frequency = drawn.T @ drawn / len(drawn)
    assert np.abs(frequency - joint).max() < 5 * 0.5 / np.sqrt(len(drawn))


def test_attributes_that_cost_more_are_bought_less_often():
    costs = np.array([1.0, 4.0, 1.0, 4.0, 2.0] * 4)
    offers = offers_within("test", [kh.Attribute(f"a{i}", cost=c) for i, c in enumerate(costs)], 12)
    inclusion = renewed(new_policy(offers), np.ones(20), 100).designs[-1].design.inclusion
    # A fifth is uniform, the rest goes by 1 / sqrt(cost).
    shares = 0.2 / 20 + 0.8 / np.sqrt(costs) / np.sum(1 / np.sqrt(costs))
    np.testing.assert_allclose(inclusion / inclusion[0], shares / shares[0], rtol=0.1)
    assert inclusion @ costs > 0.97 * 12


def test_a_bundle_is_worth_what_its_attributes_are_worth_together():
    bundle = [kh.Attribute(f"b{i}", cost=2, bundle="b") for i in range(6)]
    offers = offers_within("test", [*bundle, *(kh.Attribute(f"t{i}") for i in range(30))], 4)
    policy = new_policy(offers)
    # As if all attributes were worth the same: six of them for 2, against one for 1.
    assert 0.65 < policy.designs[0].inclusion[-1] < 0.9
    # Attributes that are five times as useful as the others are asked for most of the time.
    after = renewed(policy, np.r_[np.full(6, 0.5), np.full(30, 0.1)], 100).designs[-1]
    assert after.inclusion[-1] > 0.85
    assert np.diff(np.sort(after.inclusion[:-1])[[0, -1]]) < 1e-3


def test_a_bundle_for_the_price_of_its_attributes_is_not_preferred_for_its_price():
    def first(price, budget):
        bundle = [kh.Attribute(f"b{i}", cost=price, bundle="b") for i in range(6)]
        offers = offers_within("test", [*bundle, *(kh.Attribute(f"t{i}") for i in range(30))], budget)
        return new_policy(offers).designs[0].inclusion

    equal, expensive = first(6, 12), first(10, 12)
    # The sum of six weights, divided by the root of the price; a fifth is uniform.
    shares = 0.2 / 31 + 0.8 * np.array([1.0, np.sqrt(6)]) / (30 + np.sqrt(6))
    assert equal[-1] / equal[0] == pytest.approx(shares[1] / shares[0], rel=0.15)
    assert expensive[-1] < equal[-1]


def test_a_bundle_of_informative_tests_is_asked_of_most_patients():
    rng = np.random.default_rng(100)
    X = 0.8 * rng.normal(size=(400, 36)) + 0.6 * rng.normal(size=(400, 1))
    y = X @ np.concatenate([np.full(6, 0.5), 0.12 * rng.normal(size=30)]) + rng.normal(size=400)
    bundle = [kh.Attribute(f"b{i}", cost=2, bundle="b") for i in range(6)]
    source = kh.observe.ArraySource(X, [*bundle, *(kh.Attribute(f"t{i}") for i in range(30))])
    learner = kh.KeyholeRegressor(4, keep_ledger=True, random_state=0).fit(source, y)
    asked = learner.ledger_["example"][learner.ledger_["attribute"] == 0]
    assert len(asked) > 0.75 * 400
    assert learner.observed_.cost > 0.97 * 4 * 400


def test_a_new_policy_is_uniform_until_every_attribute_was_revealed_some_times():
    policy = new_policy(offers_within("test", PlainAttributes(40), 4))
    np.testing.assert_allclose(policy.designs[0].design.inclusion, 0.1)
    assert policy.next_renewal == policy.uniform_rows == UNIFORM_REVEALS * 10
    assert new_policy(offers_within("test", PlainAttributes(5), 4)).uniform_rows == LEAST_UNIFORM_ROWS
    after = renewed(policy, np.ones(40), 120)
    assert (after.starts, after.next_renewal) == ((0, 120), 240)
    assert [len(selected) for selected in after.selected] == [0, 0]
    sparse = renewed(new_policy(policy.offers, sparse=True), np.ones(40), 120)
    assert sparse.next_renewal == 180


def test_an_ask_has_the_attributes_and_probabilities_of_its_design_and_notes_its_number():
    offers = offers_within("test", described(), 4)
    policy = renewed(new_policy(offers), np.linspace(0.1, 2.0, 8), 100)
    ask = draw(policy, kh.sampling.new_generator(3))
    assert ask.notes.tolist() == [1.0]
    assert 0 in ask.attributes
    np.testing.assert_allclose(ask.probabilities, np.diag(policy.designs[1].joint(ask.attributes)))
    plain = ask_of(np.array([3, 1]), np.array([0.5, 1.0]))
    assert plain.slots.tolist() == [0, 1]
    assert (set(plain.roles.tolist()), plain.weights.tolist()) == ({X_ESTIMATE}, [1.0, 1.0])
    assert (plain.notes.tolist(), plain.number) == ([0.0], -1)


def test_fit_is_partial_fit_is_ask_and_tell():
    X, y = costly_table(150)
    make = lambda: kh.KeyholeRegressor(4, costs=COSTS, random_state=0)  # noqa: E731
    whole, pieces, by_hand = make().fit(X, y), make(), make().start(8)
    pieces.partial_fit(X[:70], y[:70]).partial_fit(X[70:], y[70:])
    for t in range(len(y)):
        ask = by_hand.ask()
        by_hand.tell(ask, X[t, ask.attributes], y[t])
    np.testing.assert_array_equal(whole.coef_, pieces.coef_)
    np.testing.assert_array_equal(whole.coef_, by_hand.coef_)


def test_the_policy_goes_where_the_weight_is_and_keeps_its_floor():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(2000, 20))
    y = X[:, 3] - X[:, 7]
    learner = kh.KeyholeRegressor(3, keep_ledger=True, random_state=0).fit(X, y)
    policy = learner.policy_
    assert policy.starts == (0, 80, 160, 320, 640, 1280)
    inclusion = policy.designs[-1].design.inclusion
    assert set(np.argsort(-inclusion)[:2]) == {3, 7}
    assert inclusion.min() >= 0.2 * 3 / 20 - 1e-9
    ledger = learner.ledger_
    row = ledger["example"] == 1999
    np.testing.assert_allclose(ledger["probability"][row], inclusion[ledger["attribute"][row]])
    joint = policy.designs[-1].joint(np.arange(20))
    np.testing.assert_allclose(ledger.joint(1999), joint[np.ix_(ledger["attribute"][row], ledger["attribute"][row])])
    np.testing.assert_allclose(joint.sum(axis=1), 3 * inclusion, rtol=1e-9)  # a subset has 3 attributes
    assert joint.min() > 0


def test_an_ask_remembers_its_design():
    X, y = correlated(100)
    learner = kh.KeyholeRegressor(4, random_state=0).start(12)
    early = learner.ask()
    for t in range(50):
        ask = learner.ask()
        learner.tell(ask, X[t, ask.attributes], y[t])
    assert (early.notes[0], learner.ask().notes[0]) == (0, 1)


def test_selected_attributes_take_their_share_of_a_cost():
    offers = offers_within("test", [kh.Attribute(f"a{i}", cost=c) for i, c in enumerate(COSTS)], 6)
    policy = renewed_for_few(new_policy(offers), np.ones(8), np.array([3, 6]), 0.9, 100)
    inclusion = policy.designs[-1].design.inclusion
    assert set(np.argsort(-inclusion)[:2]) == {3, 6}
    assert policy.selected[-1].tolist() == [3, 6]


def test_selected_attributes_are_predicted_from_once_they_were_drawn_for_a_while():
    offers = offers_within("test", [kh.Attribute(f"a{i}") for i in range(40)], 4)
    policy = new_policy(offers, sparse=True)
    early = renewed_for_few(policy, np.ones(40), np.array([1, 2]), 0.9, policy.uniform_rows)
    assert early.settled(1000).tolist() == []  # no selection before twice the uniform start
    first = renewed_for_few(policy, np.ones(40), np.array([1, 2]), 0.9, 400)
    second = renewed_for_few(first, np.ones(40), np.array([2, 3]), 0.9, 600)
    assert first.settled(499).tolist() == []
    assert second.settled(749).tolist() == [1, 2]
    assert second.settled(750).tolist() == [2, 3]


def test_a_restricted_design_is_made_once_and_has_a_number_of_its_own():
    policy = new_policy(offers_within("test", described(), 4))
    longer, number = restricted(policy, np.array([3, 0]))
    assert (number, longer.latest, len(longer.designs), longer.starts) == (1, 0, 2, (0,))
    assert restricted(longer, np.array([0, 3]))[1] == 1
    assert restricted(longer, np.empty(0, dtype=np.int64))[1] == 0
    later = renewed(longer, np.arange(1.0, 9.0), 50)
    assert (later.latest, later.starts) == (2, (0, 50))
    last, number = restricted(later, np.array([0, 3]))  # of the new design, and not of the one before
    assert (number, last.latest) == (3, 2)
    np.testing.assert_allclose(
        last.designs[3].joint(np.array([1, 2])), last.designs[2].without(np.array([0, 3])).joint(np.array([1, 2]))
    )
    np.testing.assert_array_equal(draw(last, kh.sampling.new_generator(0)).notes, [2.0])


def test_an_ask_remembers_what_was_given():
    given = np.array([4, 1]), np.array([0.5, -2.0])
    ask = ask_of(np.array([0, 2]), np.array([0.5, 0.5]), 3, given)
    assert ask.notes[0] == 3
    for wanted, found in zip(given, given_with(ask), strict=True):
        np.testing.assert_array_equal(found, wanted)
    assert [len(part) for part in given_with(ask_of(np.array([0]), np.ones(1)))] == [0, 0]
