"""Settled families, starts, the average of a start with alternatives, and where the mean label is kept."""

import warnings

import numpy as np
import pytest

import keyhole as kh
from keyhole.moments.families.family import Averageable
from keyhole.moments.families.registry import FAMILIES
from keyhole.moments.families.selection import average, others_than, select, select_start
from keyhole.moments.families.settings import LEAST_ROWS_FOR_ALTERNATIVES, LEAST_WEIGHT
from keyhole.moments.standard.rows import standardised_rows
from moments.conftest import correlated, few_matter, shared_factors, training, with_holes

# Where no fixed set of attributes was shown; the panel takes part where one was.
AVERAGED = [
    family.name for family in FAMILIES.values() if isinstance(family, Averageable) and not family.shows_fixed_set
]


def are_averaged_with_factors(weights):
    """Whether they are those of an average that starts from factors, in which the panel may take part."""
    return {"factors", "mean", *AVERAGED} <= set(weights) <= {"factors", "mean", *AVERAGED, "panel"}


def weights_of(candidates):
    return {one["family"]: one["weight"] for one in candidates}


@pytest.fixture(scope="module")
def few():
    """A table on which four of 60 attributes matter, and a learner that saw 8 of each of 3000 rows."""
    X, y, _ = few_matter(8000, seed=1)
    return X, y, kh.KeyholeRegressor(8, values="raw", random_state=0).fit(X[:3000], y[:3000])


def test_where_few_matter_the_average_is_better_than_the_factors(few):
    X, y, learner = few
    solution = learner._solution()
    weights = weights_of(learner.candidates_)
    assert weights["pairwise"] + weights["lasso"] > 0.1
    errors = [
        np.mean((X[3000:] @ one.coef[0] + one.intercept[0] - y[3000:]) ** 2) for one in (solution, solution.start)
    ]
    assert errors[0] < 0.92 * errors[1]
    risk = learner.risk_interval_
    assert risk.low < errors[0] < risk.high


def test_candidates_have_the_weights_of_the_average_and_the_summary_names_them(few):
    learner = few[2]
    solution, candidates = learner._solution(), learner.candidates_
    weights = weights_of(candidates)
    assert are_averaged_with_factors(weights)
    assert sum(weights.values()) == pytest.approx(1.0, abs=1e-9)
    members = {family.name: weight for family, weight in solution.members}
    assert {name: weight for name, weight in weights.items() if weight > 0 and name != "mean"} == {
        name: weight for name, weight in members.items() if weight > 0
    }
    assert learner.family_ == max(members, key=members.get)
    words = str(learner.summary(risk=False))
    for one in candidates:
        assert one["kept"] == (one["weight"] >= LEAST_WEIGHT)
        assert f"{one['family']} (kept)" in words or not one["kept"]
        if one["family"] not in ("factors", "diagonal"):
            assert f"weight {one['weight']:.2f} by held-out rows" in one["why"]


@pytest.mark.parametrize("seed", range(4))
def test_where_factors_are_right_they_have_most_of_the_weight(seed):
    X, y = shared_factors(1000, seed=seed)
    learner = kh.KeyholeRegressor(4, random_state=seed).fit(X, y)
    assert learner.family_ == "factors"
    weights = weights_of(learner.candidates_)
    assert are_averaged_with_factors(weights)
    assert weights["factors"] > 0.5
    assert weights["mean"] < 0.1


def test_alternatives_need_80_rows_and_at_most_so_many_attributes():
    X, y = shared_factors(LEAST_ROWS_FOR_ALTERNATIVES)
    few = select(training(with_holes(X[:-1], 6), y[:-1]), 30, alternatives=True).solution
    assert [family.name for family, _ in few.members] == ["factors"]
    enough = select(training(with_holes(X, 6), y), 30, alternatives=True).solution
    assert set(weights_of(enough.candidates)) == {"factors", "mean", *AVERAGED}
    rng = np.random.default_rng(0)
    wide = rng.normal(size=(300, 1001))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        learner = kh.KeyholeRegressor(9, random_state=0).fit(wide, wide[:, 0])
    tried = {one["family"] for one in learner.candidates_}
    assert not tried & {"pairwise", "lasso"}  # tables of attributes by attributes would be too large


def test_one_cell_of_each_row_is_enough_for_an_average():
    X, y = shared_factors(400)
    learner = kh.KeyholeRegressor(1, random_state=0).fit(X, y)
    assert are_averaged_with_factors(weights_of(learner.candidates_))
    assert learner.score(*shared_factors(1000, seed=1)) > 0.2


def test_what_held_out_rows_do_not_support_is_the_mean_label():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(400, 12)), rng.normal(size=400) + 5.0
    selected = select(training(with_holes(X, 4), y), 30, alternatives=True)
    assert selected.cross is None
    solution = selected.solution
    assert solution.family.name == "mean"
    assert solution.members == ()
    np.testing.assert_array_equal(solution.coef, 0.0)
    np.testing.assert_allclose(solution.intercept, y.mean())
    kept = [one for one in solution.candidates if one["kept"]]
    assert [(one["family"], one["weight"], one["why"]) for one in kept] == [
        ("mean", 1.0, "held-out rows support no predictor")
    ]
    with pytest.warns(UserWarning, match="the predictor is the mean label, since held-out rows support no predictor"):
        learner = kh.KeyholeRegressor(4, random_state=0).fit(X, y)
    np.testing.assert_allclose(learner.predict(X), y.mean())


def test_a_predictor_that_is_little_supported_is_shrunk_with_a_warning():
    rng = np.random.default_rng(22)
    X = rng.normal(size=(150, 12))
    y = 0.5 * X[:, 0] + rng.normal(size=150)
    with pytest.warns(
        UserWarning, match=r"held-out rows support \d+% of what the model predicts beyond the mean label"
    ):
        learner = kh.KeyholeRegressor(4, random_state=0).fit(X, y)
    total = sum(weight for _, weight in learner._solution().members)
    assert 0 < total < 0.5
    assert weights_of(learner.candidates_)["mean"] == pytest.approx(1.0 - total)


def test_too_few_rows_to_hold_any_out_give_the_mean_label():
    X, y = correlated(9)
    solution = select(training(with_holes(X, 11), y), 30, alternatives=True).solution
    assert solution.family.name == "mean"
    assert solution.candidates[0]["why"] == "9 examples are too few to hold any out, and 10 are needed"


def test_on_many_cells_a_part_of_the_rows_decides(monkeypatch):
    X, y = correlated(400)
    data = training(with_holes(X, 6), y)
    assert select(data, 30, alternatives=True).cross is not None
    monkeypatch.setattr("keyhole.moments.families.selection.MAX_CELLS_COMPARED", 600)
    selected = select(data, 30, alternatives=True)
    assert selected.cross is None  # it is of 100 rows, and not of all
    start = select_start(data, 30)
    part = average(start, others_than(start, data), data.where(data.sample(100)), 30).solution
    assert [weight for _, weight in selected.solution.members] == [weight for _, weight in part.members]


def test_the_panel_takes_part_where_a_fixed_set_was_shown():
    X, y = correlated(300)
    learner = kh.KeyholeRegressor(4, random_state=0).fit(X, y)
    assert learner.policy_.has_fixed_set
    assert "panel" in weights_of(learner.candidates_)
    data = learner._training()
    without = [one.family.name for one in others_than(learner._solution().start, data._replace(policy=None))]
    assert "panel" not in without


def test_a_family_that_finds_nothing_in_all_rows_has_no_weight():
    """It may find something without a fold, and its weight would then be the mean label's."""
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(400, 30)), rng.normal(size=400)
    data = training(with_holes(X, 6), y)
    start = select_start(data, 30)
    lasso = FAMILIES["lasso"].derived(start, standardised_rows(data.cells, data.labels, start.scales))
    assert not lasso.coef.any()
    assert "lasso" not in [one.family.name for one in others_than(start, data)]


def test_settled_families_are_kept_without_a_comparison():
    X, y = correlated(200)
    for table, labels, family in ((X, y, "ridge"), (with_holes(X, 6), np.ones(200), "mean")):
        selected = select(training(table, labels), 30, alternatives=True)
        assert [(one["family"], one["kept"]) for one in selected.solution.candidates] == [(family, True)]
        assert (selected.cross, selected.solution.members) == (None, ())


def test_few_rows_start_from_factors_and_favour_no_attribute():
    X, y = correlated(19)
    solution = select_start(training(with_holes(X, 6), y), 30)
    assert solution.family.name == "factors"
    assert "19 rows are too few to compare families; 20 are needed" in solution.candidates[0]["why"]
    np.testing.assert_array_equal(solution.usefulness, 1.0)


def test_alternatives_are_tried_only_where_they_are_wanted():
    X, y = correlated(300)
    data = training(with_holes(X, 6), y)
    found = {want: select(data, 30, alternatives=want).solution for want in (False, True)}
    assert [one["family"] for one in found[False].candidates] == ["factors", "diagonal", "mean"]
    assert [family.name for family, _ in found[False].members] == ["factors"]
    compared = [one["family"] for one in found[True].candidates]
    assert compared == ["factors", *AVERAGED, "mean"]


@pytest.mark.parametrize("complete", [True, False])
def test_a_limit_on_attributes_gives_the_sparse_family_unless_nothing_is_learned(complete):
    X, y = correlated(300)
    table = X if complete else with_holes(X, 6)
    solution = select(training(table, y, sparsity=2), 30, alternatives=True).solution
    assert solution.family.name == "sparse"
    assert np.count_nonzero(solution.coef) == 2
    nothing = select(training(table, np.ones(300), sparsity=2), 30, alternatives=True).solution
    np.testing.assert_array_equal(nothing.coef, 0.0)
    np.testing.assert_array_equal(nothing.intercept, 1.0)
