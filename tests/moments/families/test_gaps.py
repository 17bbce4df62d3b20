"""Missing cells of rows that are complete otherwise: their expected values, and where ridge regression uses them."""

import numpy as np
import pytest

import keyhole as kh
from keyhole.moments.families.gaps import filled, without_gaps
from keyhole.moments.families.ridge import Ridge
from keyhole.moments.families.selection import select_start
from keyhole.moments.solution import MOST_GAPS
from moments.conftest import correlated, random_joint, training


def holed(X, share, seed=0):
    return np.where(np.random.default_rng(seed).random(X.shape) < share, np.nan, X)


def test_gaps_have_the_mean_given_the_other_cells_of_the_row():
    joint = random_joint(0)
    table = holed(np.random.default_rng(1).normal(size=(20, 9)), 0.3)
    table[0] = np.nan
    found = filled(table, joint)
    covariance = joint.covariance(np.arange(9))
    for before, after in zip(table, found, strict=True):
        gaps = np.isnan(before)
        slopes = covariance[np.ix_(gaps, ~gaps)] @ np.linalg.inv(covariance[np.ix_(~gaps, ~gaps)])
        np.testing.assert_allclose(after[gaps], joint.mean[gaps] + slopes @ (before - joint.mean)[~gaps])
        assert (after[~gaps] == before[~gaps]).all()


def test_what_was_revealed_stays_and_labels_have_no_part_in_what_was_not():
    X, y = correlated(200)
    table = holed(X, 0.1)
    row, column, values = without_gaps(training(table, y))
    whole = np.empty(X.shape)
    whole[row, column] = values
    gaps = np.isnan(table)
    np.testing.assert_array_equal(whole[~gaps], X[~gaps])
    mean = np.broadcast_to(np.nanmean(table, axis=0), X.shape)
    assert np.mean((whole - X)[gaps] ** 2) < 0.6 * np.mean((mean - X)[gaps] ** 2)
    np.testing.assert_array_equal(without_gaps(training(table, np.arange(200.0)))[2], values)


def independent(n=60, d=40, seed=0):
    rng = np.random.default_rng(seed)
    X, w = rng.normal(size=(n + 1000, d)), rng.normal(size=d)
    return X, X @ w / np.linalg.norm(w) + 0.33 * rng.normal(size=n + 1000)


@pytest.mark.parametrize("share", [0.03, 0.1])
def test_few_gaps_cost_little_where_attributes_have_nothing_in_common(share):
    errors = []
    for seed in range(3):
        X, y = independent(seed=seed)
        table = holed(X[:60], share, seed)
        learner = kh.KeyholeRegressor(random_state=0).fit(table, y[:60])
        errors.append(1 - learner.score(X[60:], y[60:]))
    assert np.mean(errors) < 0.6  # 0.8 where only rows without a gap were used


def test_it_says_how_many_cells_were_filled():
    X, y = independent()
    table = holed(X[:60], 0.03)
    learner = kh.KeyholeRegressor(random_state=0).fit(table, y[:60])
    assert learner.family_ == "ridge"
    (why,) = [one["why"] for one in learner.candidates_ if one["family"] == "ridge"]
    assert f"{np.isnan(table).mean():.1%} of the cells are missing and were filled" in why


def test_factors_are_kept_where_held_out_rows_support_them():
    X, y = correlated(200)
    assert select_start(training(holed(X, 0.05), y), 30).family.name == "factors"


def test_rows_are_almost_complete_where_few_cells_of_every_attribute_are_missing():
    X, y = independent(200)
    assert Ridge().applies_with_gaps(training(holed(X, 0.05), y))
    assert not Ridge().applies(training(holed(X, 0.05), y))
    assert not Ridge().applies_with_gaps(training(holed(X, 1.3 * MOST_GAPS), y))
    rare = X.copy()
    rare[: len(X) // 2 + 1, 0] = np.nan
    assert not Ridge().applies_with_gaps(training(rare, y))


def test_cells_that_were_not_asked_for_are_no_gaps():
    X, y = independent(300, 20)
    learner = kh.KeyholeRegressor(18, random_state=0).fit(X[:300], y[:300])
    assert not learner._training().almost_complete
    whole = kh.KeyholeRegressor(total=300 * 20, random_state=0).fit(holed(X[:300], 0.03), y[:300])
    assert whole._training().almost_complete
    assert whole.family_ == "ridge"


def test_fitted_again_from_where_it_ended_gaps_are_filled_by_its_own_moments():
    X, y = independent(80)
    learner = kh.KeyholeRegressor(random_state=0).fit(holed(X[:80], 0.03), y[:80])
    interval = learner.coef_interval(n_bootstrap=10, random_state=0)
    assert np.isfinite(interval.low).all()
    assert (interval.low < interval.high).any()


def test_intervals_of_the_risk_contain_it_as_often_as_without_gaps():
    covered = 0
    for seed in range(8):
        X, y = independent(80, seed=seed)
        learner = kh.KeyholeRegressor(random_state=seed).fit(holed(X[:80], 0.03, seed), y[:80])
        risk = learner.risk_interval_
        covered += risk.low <= np.mean((learner.predict(X[80:]) - y[80:]) ** 2) <= risk.high
    assert covered >= 6  # 14 of 16 without gaps: fits without a fold have fewer rows, and their error is larger
