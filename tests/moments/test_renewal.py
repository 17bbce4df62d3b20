"""The renewal of a policy: by the weights so far, by spread, or with a fixed set of attributes for some examples."""

import numpy as np
import pandas as pd
import pytest

import keyhole as kh
from keyhole.moments import renewal
from keyhole.moments.policy.settings import FIRST_SHARE, FIXED_ROWS, LARGEST_SHARE, LEAST_SHARE
from moments.conftest import correlated, costly_table, described, shared_factors, training


def after(n, budget=4, table=None, **settings):
    """A learner after n rows, before the renewal that may be due."""
    X, y = shared_factors(n) if table is None else table
    return kh.KeyholeRegressor(budget, random_state=0, **settings).partial_fit(X, y)


def test_the_first_renewal_tries_the_set_that_explains_most_together():
    learner = after(36)
    assert learner.policy_.next_renewal == 36
    policy = learner._renewed(learner.policy_)
    last = policy.designs[-1]
    assert policy.starts == (0, 36)
    assert (last.share, len(last.together)) == (FIRST_SHARE, 4)
    rough = renewal.select_start(learner._training(), renewal.MAX_ITERATIONS_FOR_POLICY)
    chosen = renewal.forward_selection(rough, 4, renewal.LEAST_OWN_SHARE).attributes
    np.testing.assert_array_equal(last.together, chosen)
    assert last.inclusion[last.together].min() >= FIRST_SHARE


@pytest.mark.parametrize(("weight", "share"), [(0.95, LARGEST_SHARE), (0.4, 0.4), (LEAST_SHARE / 2, 0.0)])
def test_later_the_set_is_kept_by_the_weight_of_the_panel(weight, share, monkeypatch):
    learner = after(72)
    assert learner.policy_.designs[-1].share == FIRST_SHARE
    monkeypatch.setattr(renewal, "_weight_of_panel", lambda data: weight)
    last = learner._renewed(learner.policy_).designs[-1]
    assert last.share == share
    np.testing.assert_array_equal(last.together, learner.policy_.designs[-1].together if share else [])


def test_the_weight_of_the_panel_is_that_in_the_average():
    X, y = shared_factors(300)
    X[:, 1:] = X[:, :1] + 0.02 * np.random.default_rng(0).normal(size=(300, 11))  # almost copies of each other
    y = 50 * (X[:, 2] - X[:, 7]) + 0.1 * y  # whose difference is the label
    cells = np.where(np.arange(300)[:, None] % 2, np.isin(np.arange(12), [2, 7]), np.arange(12) // 2 == 0)
    data = training(np.where(cells, X, np.nan), y)
    members = {family.name: weight for family, weight in renewal.select(data, 20, True).solution.members}
    assert renewal._weight_of_panel(data) == pytest.approx(members["panel"], abs=0.05)
    assert members["panel"] > 0.5


@pytest.mark.parametrize(
    ("n", "n_expected", "share"), [(700, None, 0.0), (700, 760, FIRST_SHARE), (700, 900, FIXED_ROWS / 200)]
)
def test_the_share_is_that_of_as_many_examples_as_a_regression_needs(n, n_expected, share):
    learner = after(n)
    policy, data = learner.policy_, learner._training()
    first = policy._replace(designs=policy.designs[:1], starts=(0,))
    rough = renewal.select_start(data, renewal.MAX_ITERATIONS_FOR_POLICY)
    assert renewal.fixed_set(first, rough, data, n_expected)[1] == pytest.approx(share)


def test_the_fixed_set_uses_the_whole_budget_beside_free_attributes_and_choices():
    X, y = correlated(200)
    free = [kh.Attribute(f"a{i}", free=i in (2, 5)) for i in range(12)]
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(X[:, :4], columns=list("abcd"))
    frame["colour"] = pd.Categorical(rng.choice(["red", "green", "blue"], size=200))
    y_frame = 3.0 * (frame["colour"] == "red") + 2.0 * (frame["colour"] == "blue") + 0.1 * X[:, 0]
    for table, labels in ((kh.ArraySource(X, free), y), (frame, y_frame)):
        learner = kh.KeyholeRegressor(3, random_state=0).fit(table, labels)
        sets = [design.together for design in learner.policy_.designs if design.share]
        assert sets
        assert all(len(np.unique(together)) == 3 for together in sets)
        assert learner.observed_.cost == 600


def test_no_set_where_costs_differ_nothing_was_learned_or_families_are_not_averaged():
    X, y = costly_table(200)
    costly = kh.KeyholeRegressor(4, random_state=0).fit(kh.ArraySource(X, described()), y)
    X, y = shared_factors(200)
    with pytest.warns(UserWarning, match="mean label"):
        nothing = kh.KeyholeRegressor(4, random_state=0).fit(X, np.ones(200))
    classes = kh.KeyholeClassifier(4, random_state=0).fit(X, y > 0)
    for learner in (costly, nothing, classes):
        assert len(learner.policy_.designs) > 2
        assert not any(design.share for design in learner.policy_.designs)


def test_where_attributes_share_a_unit_the_first_draws_go_by_spread():
    rng = np.random.default_rng(0)
    spread = np.linspace(0.1, 2.0, 60)
    X, y = spread * rng.normal(size=(100, 60)), rng.normal(size=100)
    learner = after(100, table=(X, y), units="common")
    first, second = learner.policy_.designs[0].inclusion, learner.policy_.designs[1].inclusion
    np.testing.assert_allclose(first, 4 / 60)
    assert learner.policy_.uniform_rows == 45  # each attribute 3 times
    assert second[30:].sum() > 1.5 * second[:30].sum()
    assert second.min() > 0.2 * 4 / 60 - 1e-9  # a fifth is uniform


def test_a_sparse_predictor_has_its_attributes_drawn_for_at_least_half_of_the_budget():
    learner = after(300, sparsity=2)
    selected, last = learner.policy_.selected[-1], learner.policy_.designs[-1]
    assert len(selected) == 2
    assert last.inclusion[selected].sum() >= 0.5 * 2
    assert last.share == 0.0
