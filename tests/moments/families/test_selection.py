"""The selection of a family: when an alternative replaces the start, and why nothing was compared."""

import warnings

import numpy as np
import pytest

import keyhole as kh
from keyhole.moments.families.family import Role
from keyhole.moments.families.registry import families_with
from keyhole.moments.families.selection import select, select_start
from moments.conftest import correlated, few_matter, shared_factors, training, with_holes

ALTERNATIVES = [family.name for family in families_with(Role.ALTERNATIVE)]


def test_where_few_matter_another_family_replaces_the_factors_and_is_better():
    X, y, _ = few_matter(8000)
    learner = kh.KeyholeRegressor(8, random_state=0).fit(X[:3000], y[:3000])
    solution = learner._solution()
    assert learner.family_ in ALTERNATIVES
    assert [one["family"] for one in learner.candidates_ if one["kept"]] == [learner.family_]
    assert f"{learner.family_} (kept)" in str(learner.summary())
    errors = [
        np.mean((X[3000:] @ one.coef[0] + one.intercept[0] - y[3000:]) ** 2) for one in (solution, solution.start)
    ]
    assert errors[0] < 0.8 * errors[1]
    risk = learner.risk_interval_
    assert risk.low < errors[0] < risk.high


@pytest.mark.parametrize("seed", range(4))
def test_where_factors_are_right_they_stay(seed):
    X, y = shared_factors(1000, seed=seed)
    learner = kh.KeyholeRegressor(4, random_state=seed).fit(X, y)
    assert learner.family_ == "factors"
    candidates = {one["family"]: one for one in learner.candidates_}
    assert set(candidates) == {"factors", "diagonal", *ALTERNATIVES}
    assert "share of the label's variance" in candidates["pairwise"]["why"]


def test_why_nothing_was_compared():
    X, y = shared_factors(60)
    few = kh.KeyholeRegressor(4, random_state=0).fit(X, y)
    assert "60 rows are too few to compare on; 100 are needed" in few.candidates_[-1]["why"]
    single = kh.KeyholeRegressor(1, random_state=0).fit(*shared_factors(400))
    assert "never revealed together" in single.candidates_[-1]["why"]
    rng = np.random.default_rng(0)
    wide = rng.normal(size=(300, 1001))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert (
            "more than 1,000 attributes"
            in kh.KeyholeRegressor(9, random_state=0).fit(wide, wide[:, 0]).candidates_[-1]["why"]
        )


def test_settled_families_are_kept_without_a_comparison():
    X, y = correlated(200)
    for table, labels, family in ((X, y, "ridge"), (with_holes(X, 6), np.ones(200), "mean")):
        solution = select(training(table, labels), 30, alternatives=True)
        assert [(one["family"], one["kept"]) for one in solution.candidates] == [(family, True)]


def test_few_rows_start_from_factors_and_favour_no_attribute():
    X, y = correlated(19)
    solution = select_start(training(with_holes(X, 6), y), 30)
    assert solution.family.name == "factors"
    assert "19 rows are too few to compare families; 20 are needed" in solution.candidates[0]["why"]
    np.testing.assert_array_equal(solution.usefulness, 1.0)


def test_alternatives_are_tried_only_where_they_are_wanted():
    X, y = correlated(300)
    data = training(with_holes(X, 6), y)
    assert [one["family"] for one in select(data, 30, alternatives=False).candidates] == ["factors", "diagonal"]
    compared = [one["family"] for one in select(data, 30, alternatives=True).candidates]
    assert compared == ["factors", "diagonal", *ALTERNATIVES]


def test_a_limit_on_attributes_gives_the_sparse_family_unless_nothing_is_learned():
    X, y = correlated(300)
    holes = with_holes(X, 6)
    assert select(training(holes, y, sparsity=2), 30, alternatives=True).family.name == "sparse"
    assert select(training(holes, np.ones(300), sparsity=2), 30, alternatives=True).family.name == "mean"
