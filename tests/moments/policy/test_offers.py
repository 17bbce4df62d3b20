"""Attributes with costs, free ones and bundles: the budget holds for every example, and every chance is exact."""

import warnings

import numpy as np
import pytest

import keyhole as kh
from keyhole.moments.policy import focused, new_policy, renewed
from keyhole.moments.prices import units_on_offer, with_costs

COSTS = np.array([1.0, 2.0, 0.5, 3.0, 1.0, 2.5, 1.0, 1.0])


def table(n=300, d=8, seed=0):
    rng = np.random.default_rng(seed)
    h = rng.normal(size=(n, 2))
    X = h @ rng.normal(size=(2, d)) + 0.5 * rng.normal(size=(n, d))
    return X, h @ np.array([1.0, -1.0]) + 0.2 * rng.normal(size=n)


def described(**changes):
    """A free one, a bundle of two for 2, and costs."""
    attributes = [kh.Attribute(f"a{i}", cost=COSTS[i]) for i in range(8)]
    attributes[0] = kh.Attribute("a0", free=True)
    attributes[1] = kh.Attribute("a1", cost=2, bundle="blood")
    attributes[4] = kh.Attribute("a4", cost=1, bundle="blood")
    return attributes


def prices(ledger, attributes):
    """The cost of each example, by hand: free ones nothing, the bundle 2 once."""
    found = {}
    for example, attribute in zip(ledger["example"], ledger["attribute"], strict=True):
        a = attributes[attribute]
        found.setdefault(example, {})[a.bundle or a.name] = 0.0 if a.free else 2.0 if a.bundle else a.cost
    return np.array([sum(bought.values()) for bought in found.values()])


@pytest.mark.parametrize("budget", [3.0, 4, 5.5])
def test_no_example_costs_more_than_the_budget(budget):
    X, y = table()
    attributes = described()
    source = kh.observe.ArraySource(X, attributes)
    learner = kh.KeyholeRegressor(budget, keep_ledger=True, random_state=0).fit(source, y)
    spent = prices(learner.ledger_, attributes)
    assert spent.max() <= budget
    assert learner.observed_.cost == pytest.approx(spent.sum())
    seen = learner.observed_.per_attribute
    assert seen[0] == 300
    assert seen[1] == seen[4]  # a bundle comes together
    assert len(learner.policy_.designs) > 1
    assert learner.score(X, y) > 0.5


def test_the_ledger_has_exact_chances_of_one_and_of_two():
    X, y = table(100)
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


def test_chances_agree_with_the_frequency_of_draws():
    units = units_on_offer("test", described(), 4)
    policy = renewed(new_policy(units), np.linspace(0.1, 2.0, 8), 100)
    panels, rng = policy.designs[-1], kh.sampling.new_generator(0)
    drawn = np.zeros((20_000, 8))
    for row in drawn:
        row[panels.draw(rng)[0]] = 1.0
    joint = panels.joint(np.arange(8))
    frequency = drawn.T @ drawn / len(drawn)
    assert np.abs(frequency - joint).max() < 5 * 0.5 / np.sqrt(len(drawn))


def test_dearer_attributes_are_bought_less_often():
    units = units_on_offer("test", [kh.Attribute("a", cost=c) for c in (1.0, 4.0, 1.0, 4.0, 2.0)], 5)
    chances = renewed(new_policy(units), np.ones(5), 100).designs[-1].design.inclusion
    assert chances[0] == pytest.approx(chances[2], rel=0.03)
    # A fifth is uniform, the rest goes by 1 / sqrt(cost).
    shares = 0.2 / 5 + 0.8 / np.sqrt([1, 4, 1, 4, 2]) / np.sum(1 / np.sqrt([1, 4, 1, 4, 2]))
    np.testing.assert_allclose(chances / chances[0], shares / shares[0], rtol=0.03)


def test_equal_costs_and_bundles_are_a_number_of_units():
    attributes = [kh.Attribute(f"a{i}", cost=2, bundle=f"b{i // 2}") for i in range(8)]
    X, y = table()
    learner = kh.KeyholeRegressor(4, random_state=0).fit(kh.observe.ArraySource(X, attributes), y)
    assert learner.observed_.max_per_example == 4  # two bundles of two
    assert learner.observed_.cost == 4 * 300


def test_costs_by_array_and_by_name_are_those_of_the_attributes():
    X, y = table()
    names = [f"a{i}" for i in range(8)]
    source = kh.observe.ArraySource(X, [kh.Attribute(n, cost=c) for n, c in zip(names, COSTS, strict=True)])
    told = kh.KeyholeRegressor(4, random_state=0).fit(source, y)
    by_array = kh.KeyholeRegressor(4, costs=COSTS, random_state=0).fit(X, y)
    plain = kh.observe.ArraySource(X, [kh.Attribute(n) for n in names])
    by_name = kh.KeyholeRegressor(4, costs=dict(zip(names, COSTS, strict=True)), random_state=0).fit(plain, y)
    for other in (by_array, by_name):
        np.testing.assert_array_equal(told.coef_, other.coef_)
        assert told.observed_.cost == other.observed_.cost
    free = with_costs("test", [kh.Attribute("a"), kh.Attribute("b", free=True)], {"a": 0})
    assert [a.free for a in free] == [True, True]


def test_fit_is_partial_fit_is_ask_and_tell():
    X, y = table(150)
    make = lambda: kh.KeyholeRegressor(4, costs=COSTS, random_state=0)  # noqa: E731
    whole, pieces, by_hand = make().fit(X, y), make(), make().start(8)
    pieces.partial_fit(X[:70], y[:70]).partial_fit(X[70:], y[70:])
    for t in range(len(y)):
        ask = by_hand.ask()
        by_hand.tell(ask, X[t, ask.attributes], y[t])
    np.testing.assert_array_equal(whole.coef_, pieces.coef_)
    np.testing.assert_array_equal(whole.coef_, by_hand.coef_)


def test_what_does_not_fit_the_budget_is_said():
    X, y = table(60)
    with pytest.warns(UserWarning, match="'x3' costs 9, more than the budget of 2"):
        learner = kh.KeyholeRegressor(2, costs=[1, 1, 1, 9, 1, 1, 1, 2], random_state=0).fit(X, y)
    assert learner.observed_.per_attribute[3] == 0
    assert learner.coef_[3] == 0
    with pytest.raises(ValueError, match="can afford nothing; attribute 'x0' costs 9"):
        kh.KeyholeRegressor(2, costs=np.full(8, 9.0)).fit(X, y)


@pytest.mark.parametrize(
    ("costs", "said"),
    [
        ([1, 2], "one for each of 8 attributes; got 2"),
        ({"z": 1}, "no attribute is called 'z'"),
        ([1, 1, 1, 1, 1, 1, 1, "dear"], "'dear' for attribute 'x7' is not a number"),
        ([1, 1, 1, 1, 1, 1, 1, -1], "'x7': cost=-1.0"),
    ],
)
def test_wrong_costs(costs, said):
    X, y = table(20)
    with pytest.raises(ValueError, match=said):
        kh.KeyholeRegressor(2, costs=costs).fit(X, y)


@pytest.mark.parametrize("budget", [0, -1.0, np.nan, "much"])
def test_wrong_budgets(budget):
    with pytest.raises(ValueError, match="budget"):
        kh.KeyholeRegressor(budget, costs=COSTS).start(8)


def test_a_saved_model_remembers_costs_by_name(tmp_path):
    from keyhole.saving import load_model, save_model

    X, y = table(60)
    learner = kh.KeyholeRegressor(3, costs={"x1": 2.0, "x5": 0.5}, random_state=0).fit(X, y)
    save_model(learner, tmp_path / "model.json")
    again = load_model(tmp_path / "model.json")
    np.testing.assert_allclose(again.predict(X), learner.predict(X))
    assert again.attributes_[1].cost == 2.0


def test_a_budget_for_everything_reveals_everything():
    X, y = table(60)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        learner = kh.KeyholeRegressor(100, costs=COSTS, random_state=0).fit(X, y)
    assert learner.family_ == "ridge"
    assert learner.observed_.cost == 60 * COSTS.sum()


def test_survivors_take_their_share_of_a_cost():
    units = units_on_offer("test", [kh.Attribute(f"a{i}", cost=c) for i, c in enumerate(COSTS)], 6)
    policy = focused(new_policy(units), np.ones(8), np.array([3, 6]), 0.9, 100)
    chances = policy.designs[-1].design.inclusion
    assert set(np.argsort(-chances)[:2]) == {3, 6}
    assert policy.survivors[-1].tolist() == [3, 6]


def test_survivors_are_predicted_from_once_they_were_drawn_for_a_while():
    units = units_on_offer("test", [kh.Attribute(f"a{i}") for i in range(40)], 4)
    policy = new_policy(units, sparse=True)
    early = focused(policy, np.ones(40), np.array([1, 2]), 0.9, policy.uniform_rows)
    assert early.settled(1000).tolist() == []  # no choice before twice the uniform start
    first = focused(policy, np.ones(40), np.array([1, 2]), 0.9, 400)
    second = focused(first, np.ones(40), np.array([2, 3]), 0.9, 600)
    assert first.settled(499).tolist() == []
    assert second.settled(749).tolist() == [1, 2]
    assert second.settled(750).tolist() == [2, 3]


def test_what_a_cost_buys_is_not_counted_in_attributes():
    X, y = table(300)
    costs = np.where(np.arange(X.shape[1]) == 0, 0.0, 1.0)
    learner = kh.KeyholeRegressor(2, costs=costs, random_state=0).fit(X, y)
    assert learner.observed_.distinct == 900  # the free one, and two that cost
    with pytest.raises(ValueError, match="the most that one revealed is 2"):
        learner.risk_at(3)
