"""Held-out rows: the risk of predictions from few attributes, and what they confirm of what a model explains."""

import numpy as np
import pytest

import keyhole as kh
from keyhole.moments.predict.held_out import HeldOut, checked_subsets, confirmed_slope, held_out_predictions
from keyhole.moments.predict.subsets import predictor_from
from moments.conftest import costly_table, shared_factors

HOLES = np.nan


def test_risk_at_is_the_error_of_fresh_rows():
    X, y = shared_factors(4800)
    learner = kh.KeyholeRegressor(4, random_state=0).fit(X[:800], y[:800])
    cells, rng = learner.cells_, np.random.default_rng(0)
    assert learner.risk_at(0).estimate == pytest.approx(np.var(y[:800]), rel=0.01)
    for b in (1, 2, 4):
        risk = learner.risk_at(b)
        assert risk.n_examples == 800
        holes = np.full((4000, 12), HOLES)
        for t, row in enumerate(rng.integers(800, size=4000)):  # drawn as a training row's attributes were
            some = rng.permutation(cells.attributes[cells.rows == row])[:b]
            holes[t, some] = X[800 + t, some]
        error = np.mean((learner.predict(holes) - y[800:]) ** 2)
        assert abs(risk.estimate - error) < 3 * risk.standard_error
    with pytest.raises(ValueError, match="at most 4, the budget, since no example revealed more"):
        learner.risk_at(5)
    with pytest.raises(ValueError, match="whole number"):
        learner.risk_at(1.5)


def test_risk_at_where_nothing_can_be_held_out():
    X, y = shared_factors(5)
    with pytest.warns(UserWarning, match="5 examples for 12 attributes"):
        learner = kh.KeyholeRegressor(4, random_state=0).fit(X, y)
    with pytest.raises(ValueError, match="the most attributes that one revealed are 4"):
        learner.risk_at(2)


def test_risk_at_of_labels_that_are_all_equal_is_none():
    X = np.random.default_rng(0).normal(size=(100, 6))
    with pytest.warns(UserWarning, match="all labels are equal"):
        learner = kh.KeyholeRegressor(3, random_state=0).fit(X, np.ones(100))
    assert learner.risk_at(1) == (0.0, 0.0, 100)


def test_free_attributes_are_always_used_and_not_counted():
    X, y = costly_table(300)
    free = np.argmax(np.abs(np.corrcoef(X.T, y)[-1, :-1]))
    costs = np.where(np.arange(X.shape[1]) == free, 0.0, 1.0)
    learner = kh.KeyholeRegressor(2, costs=costs, random_state=0).fit(X, y)
    assert learner.observed_.distinct == 900  # the free one, and two that cost
    with pytest.raises(ValueError, match="the most attributes that one revealed are 2"):
        learner.risk_at(3)
    assert learner.risk_at(0).estimate < 0.9 * y.var()  # from the free one


def test_a_held_out_row_is_predicted_by_the_fit_without_its_fold(learner):
    checked, cells = learner._checked_subsets(), learner.cells_
    start, subsets = cells.row_starts, checked.subsets
    picks = {t: np.arange(start[t], start[t] + 2) for t in (0, 7, 400)}
    fold, cells = checked.fits.fold, checked.fits.columns(cells)
    found = held_out_predictions(subsets, cells, fold, picks)
    for at, (t, places) in enumerate(picks.items()):
        S = cells.attributes[places][None]
        predictors = subsets.predictors(S, fold[[t]])
        weights = predictor_from(subsets.fold_fits[fold[t]], S)[0]
        assert predictors.weights[0] / weights[0] == pytest.approx(predictors.weights[0, 0] / weights[0, 0])
        wanted = predictors.predictions(subsets.standardise(cells.values[places][None], S))
        assert found.predicted[at] == pytest.approx(wanted[0])
        assert found.variance[at] == predictors.variance[0]
    np.testing.assert_allclose(found.error, found.label - found.predicted)


@pytest.mark.parametrize(("slope", "confirmed"), [(1.3, 1.0), (0.98, 1.0), (0.5, 0.5), (-0.5, 0.0)])
def test_a_slope_counts_where_it_is_clearly_below_1(slope, confirmed):
    rng = np.random.default_rng(0)
    predicted = rng.normal(size=500)
    label = slope * predicted + 0.5 * rng.normal(size=500)
    assert confirmed_slope(HeldOut(predicted, label, np.ones(500))) == pytest.approx(confirmed, abs=0.07)


def test_predictions_of_nothing_confirm_everything():
    assert confirmed_slope(HeldOut(np.zeros(5), np.ones(5), np.ones(5))) == 1.0


def test_an_honest_model_is_confirmed_and_its_rows_have_the_variance_it_states(learner):
    checked = checked_subsets(learner._solution(), learner._training(), learner._fold_fits())
    assert (checked.subsets.confirmed_few, checked.subsets.confirmed_all) == (1.0, 1.0)
    assert 0 < checked.subsets.slope_of_all < 1
    few, all_ = checked.subsets.explained_range
    assert 0 < few < all_ < 1
    assert np.mean(checked.rows.error**2 / checked.rows.variance) == pytest.approx(1.0, abs=0.25)


@pytest.mark.parametrize("seed", [11, 12])
def test_nothing_is_claimed_to_be_certain_where_little_is_left(seed):
    """Sums of squared correlations add up to more than 1 by chance here: the variance was said to be 0."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(3000, 60))
    y = X[:, :4] @ [2.0, -1.5, 1.0, 1.0] + 0.3 * rng.normal(size=3000)
    learner = kh.KeyholeRegressor(10, random_state=0).fit(X[:2000], y[:2000])
    predicted, deviation = learner.predict(X[2000:], return_std=True)
    # Weights of the families differ from fold to fold, and the variance that is stated for that is on the safe side.
    assert np.mean((predicted - y[2000:]) ** 2) < 2.0 * np.mean(deviation**2) < 0.3 * y.var()
    low, high = learner.predict_interval(X[2000:]).T
    assert np.mean((low <= y[2000:]) & (y[2000:] <= high)) > 0.85
