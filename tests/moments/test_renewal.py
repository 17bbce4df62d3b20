"""The renewal of a policy: the fixed set and its share, the schedule, and the attributes that are asked for."""

import warnings

import numpy as np
import pytest

import keyhole as kh
from keyhole.moments import renewal
from keyhole.moments.families.registry import FAMILIES
from keyhole.moments.policy.offers import offers_within
from keyhole.moments.policy.policy import new_policy, renewed
from keyhole.moments.policy.settings import (
    FIRST_SHARE,
    FIXED_ROWS,
    LARGEST_SHARE,
    LEAST_OFFERS,
    LEAST_ROWS_FOR_FIXED_SET,
    LEAST_SHARE,
    LEAST_UNIFORM_ROWS,
    REVEALS_OF_PART,
    UNIFORM_REVEALS,
)
from keyhole.moments.renewal import fixed_set, renewed_policy
from keyhole.observe import PlainAttributes
from moments.conftest import COSTS, correlated, training, with_holes


def policy_of(d=12, budget=4, **settings):
    return new_policy(offers_within("test", PlainAttributes(d), budget), **settings)


@pytest.fixture(scope="module")
def data():
    X, y = correlated(200)
    return training(with_holes(X, 4), y, policy=policy_of())


@pytest.fixture(scope="module")
def rough(data):
    return FAMILIES["factors"].fit(data, 25)


def with_fixed_set(data, share=0.5):
    """The policy after a first renewal that showed the attributes 2, 3, 5 and 9 to a share of the examples."""
    return renewed(data.policy, np.ones(12), 100, np.array([2, 3, 5, 9]), share)


# The fixed set.


@pytest.mark.parametrize(
    ("n_expected", "share"),
    [
        (None, FIXED_ROWS / 200),  # as many rows again as there are
        (260, FIRST_SHARE),  # 60 are left
        (320, FIXED_ROWS / 120),
        (10_000, FIXED_ROWS / 200),  # until the next renewal
    ],
)
def test_the_first_set_is_shown_to_as_many_examples_as_a_regression_needs(data, rough, n_expected, share):
    fixed, found = fixed_set(data.policy, rough, data, n_expected)
    assert found == pytest.approx(share)
    assert len(fixed) == 4
    assert len(set(fixed.tolist())) == 4


def test_where_so_many_examples_come_that_a_set_is_no_loss_none_is_tried(rough):
    X, y = correlated(200)
    many = training(np.tile(with_holes(X, 4), (4, 1)), np.tile(y, 4), policy=policy_of())
    assert FIXED_ROWS / many.n_rows < LEAST_SHARE
    fixed, share = fixed_set(many.policy, rough, many, None)
    assert (len(fixed), share) == (0, 0.0)


def test_too_few_rows_unequal_costs_and_the_mean_label_give_no_set(data, rough):
    few = data.where(np.arange(200) < LEAST_ROWS_FOR_FIXED_SET - 1)
    assert fixed_set(data.policy, rough, few, None)[1] == 0.0
    costly = new_policy(offers_within("test", [kh.Attribute(f"a{i}", cost=c) for i, c in enumerate(COSTS)], 4))
    assert fixed_set(costly, rough, data, None)[1] == 0.0
    mean = FAMILIES["mean"].fit(data, 25)
    assert fixed_set(data.policy, mean, data, None)[1] == 0.0


@pytest.mark.parametrize(("weight", "share"), [(0.4, 0.4), (1.0, LARGEST_SHARE), (0.5 * LEAST_SHARE, 0.0), (0.0, 0.0)])
def test_from_the_second_renewal_on_the_share_is_the_weight_of_the_panel(data, rough, monkeypatch, weight, share):
    monkeypatch.setattr(renewal, "_weight_of_panel", lambda data: weight)
    fixed, found = fixed_set(with_fixed_set(data), rough, data, None)
    assert found == share
    assert fixed.tolist() == ([2, 3, 5, 9] if share else [])


def test_a_set_that_was_given_up_does_not_come_back(data, rough):
    without = renewed(data.policy, np.ones(12), 100)
    assert fixed_set(without, rough, data, None)[1] == 0.0


def test_a_renewal_that_may_not_average_families_shows_no_set(data):
    policy = renewed_policy(data.policy, data, None, None, alternatives=False)
    assert policy.designs[-1].share == 0.0
    policy = renewed_policy(data.policy, data, None, None, alternatives=True)
    assert policy.designs[-1].share == pytest.approx(FIXED_ROWS / 200)
    assert len(policy.designs[-1].together) == 4


def test_inclusion_probabilities_of_a_learner_are_those_of_the_mixture():
    X, y = correlated(300)
    learner = kh.KeyholeRegressor(4, keep_ledger=True, random_state=0).fit(X, y)
    panels = learner.policy_.designs[1]
    assert panels.share > 0
    ledger, rows = learner.ledger_, np.flatnonzero(learner.cells_.designs == 1)
    shown = 0
    for row in rows:
        mine = ledger["example"] == row
        attributes = ledger["attribute"][mine]
        np.testing.assert_allclose(ledger["probability"][mine], panels.inclusion[attributes])
        shown += set(attributes.tolist()) == set(panels.together.tolist())
    # The share, within four standard errors; the design may draw the same set too.
    error = np.sqrt(panels.share * (1 - panels.share) / len(rows))
    assert shown / len(rows) > panels.share - 4 * error


def test_a_set_that_is_worth_it_keeps_its_share_and_one_that_is_not_is_given_up():
    rng = np.random.default_rng(0)
    level = rng.normal(size=(600, 1))
    spectrum = level + 0.02 * rng.normal(size=(600, 30)).cumsum(axis=1)
    labels = 50 * (spectrum[:, 5] - spectrum[:, 25]) + 0.1 * rng.normal(size=600)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        copies = kh.KeyholeRegressor(4, random_state=0).fit(spectrum, labels)
        apart = rng.normal(size=(600, 30))
        independent = kh.KeyholeRegressor(4, random_state=0).fit(apart, apart.sum(axis=1))
    assert copies.policy_.designs[copies.policy_.latest].share > 0.3
    assert independent.policy_.designs[independent.policy_.latest].share < 0.3


# The schedule.


def test_without_an_expected_number_the_uniform_start_follows_from_the_attributes():
    assert policy_of(120, 4).uniform_rows == UNIFORM_REVEALS * 30
    assert policy_of(12, 4).uniform_rows == UNIFORM_REVEALS * 3
    assert policy_of(5, 4).uniform_rows == LEAST_UNIFORM_ROWS


@pytest.mark.parametrize(("n_expected", "rows"), [(5000, 360), (960, 360), (800, 300), (320, 120)])
def test_the_uniform_start_is_at_most_three_eighths_of_the_expected_examples(n_expected, rows):
    assert policy_of(120, 4, n_expected=n_expected).uniform_rows == rows
    assert policy_of(120, 4, n_expected=n_expected).next_renewal == rows


def test_designs_are_renewed_when_the_rows_have_doubled():
    policy = policy_of(120, 4, n_expected=800)
    for rows in (300, 600, 1200):
        assert policy.next_renewal == rows
        policy = renewed(policy, np.ones(120), rows)
    assert policy.starts == (0, 300, 600, 1200)


def test_fit_partial_fit_and_ask_agree_for_equal_expected_numbers():
    X, y = correlated(90)
    make = lambda: kh.KeyholeRegressor(4, n_expected=90, random_state=0)  # noqa: E731
    whole, pieces, by_hand = kh.KeyholeRegressor(4, random_state=0).fit(X, y), make(), make().start(12)
    pieces.partial_fit(X[:31], y[:31]).partial_fit(X[31:], y[31:])
    for t in range(90):
        ask = by_hand.ask()
        by_hand.tell(ask, X[t, ask.attributes], y[t])
    assert whole.policy_.starts == pieces.policy_.starts == by_hand.policy_.starts == (0, 33, 66)
    np.testing.assert_array_equal(whole.coef_, pieces.coef_)
    np.testing.assert_array_equal(whole.coef_, by_hand.coef_)
    anytime = kh.KeyholeRegressor(4, random_state=0).partial_fit(X, y)
    assert anytime.policy_.starts == (0, 36, 72)


# A random part of the attributes.


@pytest.mark.parametrize(("n", "asked_for"), [(150, 33), (50, 16), (1499, 333), (1500, 500)])
def test_where_examples_are_few_a_random_part_of_the_attributes_is_asked_for(n, asked_for):
    """500 attributes, 4 of each example: 12 reveals of each need 1,500 examples."""
    policy = policy_of(500, 4, n_expected=n)
    assert len(policy.offers.cost) == asked_for == len(policy.designs[0].members)
    if n < 1500:
        assert asked_for == max(LEAST_OFFERS * 4, n * 4 // REVEALS_OF_PART)
        other = policy_of(500, 4, n_expected=n, seed=1)
        assert set(policy.offers.members.tolist()) != set(other.offers.members.tolist())
    np.testing.assert_allclose(policy.designs[0].design.inclusion, 4 / asked_for)


def test_the_others_are_never_asked_for_and_a_warning_says_so():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(150, 500))
    with pytest.warns(UserWarning, match="150 examples would show each of 500 attributes fewer than 12 times, so 33"):
        learner = kh.KeyholeRegressor(4, random_state=0).fit(X, X[:, :50].sum(axis=1))
    asked_for = learner.policy_.offers.members
    assert len(asked_for) == 33
    assert np.flatnonzero(learner.observed_.per_attribute).tolist() == asked_for.tolist()
    assert np.isin(np.flatnonzero(learner.coef_), asked_for).all()


# A common unit.


def test_where_attributes_share_a_unit_the_first_draws_go_by_spread():
    rng = np.random.default_rng(0)
    spread = np.repeat([1.0, 3.0], 20)
    X = rng.normal(size=(60, 40)) * spread
    data = training(with_holes(X, 4), rng.normal(size=60), policy=policy_of(40, 4, by_spread=True), common_unit=True)
    assert data.policy.uniform_rows == 32
    inclusion = renewed_policy(data.policy, data, None, None, alternatives=True).designs[-1].inclusion
    # A fifth is uniform, and of the rest those with three times the spread have three times as much.
    ratio = (0.2 + 0.8 * 1.5) / (0.2 + 0.8 * 0.5)
    assert inclusion[20:].mean() / inclusion[:20].mean() == pytest.approx(ratio, rel=0.1)


def test_with_a_common_unit_too_weights_decide_once_every_attribute_was_revealed_some_times():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 40)) * np.repeat([1.0, 3.0], 20)
    data = training(with_holes(X, 4), X[:, 3], policy=policy_of(40, 4, by_spread=True), common_unit=True)
    assert len(data.cells.values) >= UNIFORM_REVEALS * 40
    inclusion = renewed_policy(data.policy, data, None, None, alternatives=True).designs[-1].design.inclusion
    assert np.argmax(inclusion) == 3


# Few attributes for predictions.


def test_selected_attributes_get_their_share_of_the_budget():
    X, y = correlated(400)
    data = training(with_holes(X, 4), y, policy=policy_of(sparse=True), sparsity=2)
    policy = renewed_policy(data.policy, data, None, 500, alternatives=True)
    selected = policy.selected[-1]
    assert len(selected) == 2
    assert policy.designs[-1].share == 0.0
    inclusion = policy.designs[-1].inclusion
    assert inclusion[selected].min() > np.delete(inclusion, selected).max()
