"""Honest risk: cross-validation where every cell was revealed, near the truth, and where it cannot be estimated."""

import numpy as np
import pytest

import keyhole as kh
from keyhole.moments.honest.fold_losses import FoldLosses
from keyhole.moments.honest.folds import folds_by_design
from keyhole.moments.honest.risk import interval_of
from keyhole.moments.honest.settings import FOLDS, SHARED_VARIANCE
from moments.conftest import columns, correlated


@pytest.mark.parametrize("values", ["raw", "rank", "auto"])
def test_every_cell_revealed_is_plain_cross_validation(values):
    X, y = correlated(300)
    learner = kh.KeyholeRegressor(values=values, random_state=0).fit(X, y)
    folds = folds_by_design(learner.cells_.designs, learner.seed_)
    # Values, penalties and scales are chosen again without each fold.
    parts = [kh.KeyholeRegressor(values=values).fit(X[folds != f], y[folds != f]) for f in range(FOLDS)]
    mean = np.mean([part.coef_ for part in parts], axis=0), np.mean([part.intercept_ for part in parts])
    errors, changes = np.empty((2, 300))
    for f, part in enumerate(parts):
        held, other = folds == f, parts[(f + 1) % FOLDS]
        table = columns(part, X[held])
        # The predictor before it is held within the labels seen.
        residual = y[held] - table @ part.coef_ - part.intercept_
        step = table @ (other.coef_ - mean[0]) + other.intercept_ - mean[1]
        errors[held], changes[held] = residual**2, (residual - step) ** 2 - residual**2
    risk = learner.risk_interval_
    assert risk.estimate == pytest.approx(errors.mean(), rel=1e-8)
    variance = errors.var(ddof=1) + SHARED_VARIANCE * FOLDS * changes.var(ddof=1)
    assert risk.standard_error == pytest.approx(np.sqrt(variance / 300), rel=1e-8)
    assert risk.low < risk.estimate < risk.high
    assert not risk.too_wide


def test_the_interval_is_the_estimate_with_two_standard_errors_and_never_below_0():
    rng = np.random.default_rng(0)
    losses = rng.normal(5.0, 1.0, size=(1, 400))
    found = FoldLosses(losses, np.zeros((1, 400)), np.full(400, 1 / 400))
    interval = interval_of(found, np.zeros(400, dtype=np.int64), 3.0, "A remark.")
    error = losses[0].std(ddof=1) / 20
    assert interval.estimate == pytest.approx(losses.mean())
    assert (interval.low, interval.high) == pytest.approx((losses.mean() - 1.96 * error, losses.mean() + 1.96 * error))
    assert (interval.level, interval.label_variance) == (0.95, 3.0)
    assert str(interval).endswith("variance of the label: 3. A remark.")
    assert "confidence interval" in str(interval)
    below = interval_of(found._replace(losses=losses - 5.0), np.zeros(400, dtype=np.int64), 3.0)
    assert below.low == 0.0 <= below.estimate < below.high


@pytest.mark.parametrize("holes", [False, True])
def test_near_the_truth(holes):
    X, y = correlated(22_000)
    new, labels, X, y = X[2000:], y[2000:], X[:2000], y[:2000]
    table = np.where(np.random.default_rng(1).random(X.shape) < 0.6, np.nan, X) if holes else X
    learner = kh.KeyholeRegressor(None if holes else 4, random_state=0).fit(table, y)
    truth = np.mean((learner.predict(new) - labels) ** 2)
    risk = learner.risk_interval_
    assert abs(risk.estimate - truth) < 3 * risk.standard_error
    assert risk.standard_error < 0.5 * truth
    assert ("missing completely at random" in str(risk)) is holes


@pytest.mark.parametrize(("budget", "n", "seed"), [(4, 600, 0), (None, 80, 0), (None, 80, 3)])
def test_units_of_attributes_change_nothing(budget, n, seed):
    """Of 80 complete rows some folds have raw values and others mapped ones, which are in the same unit."""
    X, y = correlated(n, seed=seed)
    factor = np.random.default_rng(0).choice([0.001, 1.0, 1000.0], size=12)
    learners = [kh.KeyholeRegressor(budget, random_state=0).fit(table, y) for table in (X, X * factor)]
    plain, other = (learner.risk_interval_ for learner in learners)
    raw = {fit.scales.values.is_raw for fit in learners[0]._fold_fits().fits}
    assert raw == ({False} if budget else {False, True})
    assert plain.standard_error < 0.5 * plain.estimate
    assert other.estimate == pytest.approx(plain.estimate, rel=1e-6)
    assert other.standard_error == pytest.approx(plain.standard_error, rel=1e-6)


def test_it_is_kept_until_the_next_example():
    X, y = correlated()
    learner = kh.KeyholeRegressor(4, random_state=0).fit(X, y)
    first = learner.risk_interval_
    assert learner.risk_interval_ is first
    learner.partial_fit(X[:1], y[:1])
    assert learner.risk_interval_ is not first


def test_intervals_that_are_too_wide_and_risks_that_cannot_be_estimated():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(150, 60))
    y = X @ rng.normal(size=60)
    with pytest.warns(UserWarning, match="150 examples would show each of 60 attributes fewer than 12 times, so 16"):
        few = kh.KeyholeRegressor(2, random_state=0).fit(X, y).risk_interval_
    assert few.too_wide
    assert "wider than 25% of the label's variance" in str(few)
    X, y = correlated(300)
    one = kh.KeyholeRegressor(1, random_state=0).fit(X, y)
    used = int(np.sum(one.coef_ != 0))
    assert used > 1
    assert "not estimable" in str(one.risk_interval_)
    pairs = used * (used - 1) // 2
    assert f"The budget does not pay for both attributes of {pairs} pairs" in str(one.risk_interval_)
    assert (one.risk_interval_.low, one.risk_interval_.high) == (0.0, np.inf)
    with pytest.warns(UserWarning, match="10 examples for 12 attributes"):
        short = kh.KeyholeRegressor(4, random_state=0).fit(X[:10], y[:10]).risk_interval_
    assert "There are 10 examples, and at least 20 are needed" in str(short)


def test_pairs_that_no_example_shows_are_left_to_the_model():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(4500, 3)) @ rng.normal(size=(3, 20)) * 0.6 + rng.normal(size=(4500, 20))
    y = X @ rng.normal(size=20) + rng.normal(size=4500)
    with pytest.warns(UserWarning, match=r"45 of 190 pairs .* budget of 8: 'x10' with 'x11', .* and 35 more"):
        learner = kh.KeyholeRegressor(8, costs=np.repeat([1.0, 5.0], 10), random_state=0).fit(X[:500], y[:500])
    interval = learner.risk_interval_
    assert "Their covariances are the model's" in interval.remark
    assert interval.low < np.mean((learner.predict(X[500:]) - y[500:]) ** 2) < interval.high
    assert np.isfinite(interval.standard_error)


def test_the_mean_label_has_the_error_of_predicting_each_label_by_the_others():
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(200, 10)), rng.exponential(size=200)
    with pytest.warns(UserWarning, match="held-out rows support no predictor"):
        risk = kh.KeyholeRegressor(3, random_state=0).fit(X, y).risk_interval_
    losses = [(y[t] - np.delete(y, t).mean()) ** 2 for t in range(200)]
    assert risk.estimate == pytest.approx(np.mean(losses))
    assert risk.standard_error == pytest.approx(np.std(losses, ddof=1) / np.sqrt(200))
    assert risk.label_variance == pytest.approx(y.var())


def test_a_constant_label_has_no_risk():
    X, _ = correlated(100)
    with pytest.warns(UserWarning, match="the predictor is the mean label"):
        risk = kh.KeyholeRegressor(4, random_state=0).fit(X, np.full(100, 7.0)).risk_interval_
    assert risk.estimate == pytest.approx(0.0, abs=1e-12)
