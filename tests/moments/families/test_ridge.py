"""Ridge regression, where every cell was revealed."""

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_diabetes
from sklearn.linear_model import Ridge as PlainRidge
from sklearn.linear_model import RidgeCV

import keyhole as kh
from keyhole.common.penalties import RIDGE_PENALTIES
from keyhole.moments.families.ridge import Ridge, _cautious, is_evident, moments_of_complete
from keyhole.moments.standard.rows import standardised_rows
from keyhole.observe.cells import of_columns
from moments.conftest import complete_rows, correlated, training, with_holes


@pytest.mark.parametrize("budget", [None, 10])
def test_with_every_cell_it_is_ridge(budget):
    X, y = load_diabetes(return_X_y=True)
    learner = kh.KeyholeRegressor(budget, values="raw", random_state=0).fit(X, y)
    assert learner.family_ == "ridge"
    tables = [(X - X.mean(axis=0)) / scale for scale in (X.std(axis=0), of_columns(X).scale())]
    ridges = [RidgeCV(np.logspace(-3, 6, 28)).fit(table, y) for table in tables]
    best = int(np.argmax([ridge.best_score_ for ridge in ridges]))
    np.testing.assert_allclose(learner.predict(X), ridges[best].predict(tables[best]), rtol=1e-6)


def test_complete_rows_fewer_than_attributes_are_shrunk():
    X, y = load_breast_cancer(return_X_y=True)
    ours, ridges = [], []
    for seed in range(8):
        order = np.random.default_rng(seed).permutation(len(y))
        train, test = order[:20], order[20:]
        with pytest.warns(UserWarning, match="20 examples for 30 attributes"):
            predicted = kh.KeyholeRegressor().fit(X[train], y[train]).predict(X[test])
        ours.append(np.mean((predicted - y[test]) ** 2))
        scale = X[train].std(axis=0)
        ridge = RidgeCV(np.logspace(-3, 6, 28)).fit(X[train] / scale, y[train])
        ridges.append(np.mean((ridge.predict(X[test] / scale) - y[test]) ** 2))
    assert np.mean(ours) < 1.05 * np.mean(ridges)
    assert np.median(ours) < 0.5 * np.var(y)


def test_it_applies_to_complete_tables_of_two_rows_or_more():
    X, y = correlated(30)
    assert Ridge().applies(training(X, y))
    assert not Ridge().applies(training(X[:1], y[:1]))
    assert not Ridge().applies(training(with_holes(X, 11), y))


def test_it_says_which_penalty_and_which_scales_were_chosen():
    X, y = correlated(100)
    solution = Ridge().fit(training(X, y), 60)
    (candidate,) = solution.candidates
    penalty = solution.joint.noise[0] * 100
    assert np.isclose(RIDGE_PENALTIES, penalty).any()
    assert f"the penalty is {penalty:.3g}" in candidate["why"]
    assert "attributes were divided by" in candidate["why"]
    plain = PlainRidge(penalty).fit(X / solution.scales.scale, y)
    np.testing.assert_allclose(solution.coef[0], plain.coef_ / solution.scales.scale, rtol=1e-8)


def test_refitted_to_its_own_rows_it_stays():
    X, y = correlated(400, 8)
    learner = kh.KeyholeRegressor(random_state=0).fit(X, y)
    solution = learner._solution()
    rows = standardised_rows(learner.cells_, learner._targets(), solution.scales)
    np.testing.assert_allclose(solution.family.resume(solution, rows, 30).coef, solution.coef, rtol=1e-8)


def test_moments_of_complete_rows_are_means_and_covariances():
    rng = np.random.default_rng(0)
    X, label, penalty = rng.normal(size=(50, 3)) + 1.0, rng.normal(size=50), np.array([0.1, 0.2, 0.3])
    joint = moments_of_complete(complete_rows(X, label), penalty)
    np.testing.assert_allclose(joint.mean, X.mean(axis=0))
    np.testing.assert_allclose(joint.covariance(np.arange(3)), np.cov(X.T, bias=True) + np.diag(penalty))
    np.testing.assert_allclose(joint.cross_covariance()[:, 0], np.cov(np.column_stack([X, label]).T, bias=True)[:3, 3])
    np.testing.assert_allclose(joint.label_variance(), [label.var()])


def test_chosen_values_err_no_more_than_ridge_on_raw_values():
    X, y = load_diabetes(return_X_y=True)
    ratios = []
    for seed in range(6):
        order = np.random.default_rng(seed).permutation(len(y))
        train, test = order[:300], order[300:]
        errors = [
            np.mean((kh.KeyholeRegressor(values=values).fit(X[train], y[train]).predict(X[test]) - y[test]) ** 2)
            for values in ("auto", "raw")
        ]
        ratios.append(errors[0] / errors[1])
    assert np.mean(ratios) < 1.01


def test_raw_values_are_predicted_without_bounds_and_chosen_ones_within_the_labels_seen():
    X, y = correlated(100)
    raw = kh.KeyholeRegressor(values="raw").fit(X, y)
    np.testing.assert_allclose(raw.predict(100 * X), 100 * X @ raw.coef_ + raw.intercept_)
    held = kh.KeyholeRegressor().fit(X, y).predict(100 * X)
    assert held.min() >= y.min()
    assert held.max() <= y.max()


def test_the_penalty_of_few_rows_is_not_chosen_by_leave_one_out_errors_alone():
    """Of 50 rows and 40 attributes, some samples have a small leave-one-out error with next to no penalty."""
    excess = []
    for seed in range(60):
        rng = np.random.default_rng(seed)
        X, weights = rng.normal(size=(50, 40)), rng.normal(size=40) / np.sqrt(40)
        y = X @ weights + 0.3 * rng.normal(size=50)
        X, y = X - X.mean(axis=0), y - y.mean()
        errors = RidgeCV(RIDGE_PENALTIES, gcv_mode="svd", store_cv_results=True).fit(X, y).cv_results_
        least = int(np.argmin(errors.mean(axis=0)))
        chosen = _cautious(least, errors, X, y[:, None])
        assert chosen >= least
        fits = [PlainRidge(RIDGE_PENALTIES[k]).fit(X, y).coef_ for k in (least, chosen)]
        excess.append([np.sum((coef - weights) ** 2) for coef in fits])
    by_leave_one_out, ours = np.array(excess).T
    assert ours.mean() < by_leave_one_out.mean()
    assert np.sort(ours)[-6:].mean() < 0.95 * np.sort(by_leave_one_out)[-6:].mean()  # the worst tenth


@pytest.mark.parametrize("tail", [0.0, 1.5])
def test_noise_is_rarely_taken_for_evidence_whatever_its_distribution(tail):
    rng = np.random.default_rng(0)
    z = rng.normal(size=(200, 30, 13))
    tables = np.exp(tail * z) if tail else z
    found = [is_evident(complete_rows(table[:, :12], table[:, 12]), seed) for seed, table in enumerate(tables)]
    assert np.sum(found) <= 5  # 1 of 201 is expected


def test_a_label_that_follows_the_attributes_is_evidence():
    rng = np.random.default_rng(1)
    for seed in range(20):
        X = rng.normal(size=(40, 20))
        assert is_evident(complete_rows(X, X.sum(axis=1)), seed)
