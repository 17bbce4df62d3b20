"""A predictor from moments: it is ridge regression with a good penalty, and impossible moments are refused."""

import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer, load_diabetes
from sklearn.linear_model import Ridge, RidgeCV
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import keyhole as kh
from keyhole.moments.from_moments import best_penalty
from moments.conftest import away_from_zero, moments_of


def data(name, seed):
    if name == "generated, fewer rows than attributes":
        X, y = away_from_zero(2080, 200, seed)
        return train_test_split(X, y, train_size=80, random_state=seed)
    X, y = load_diabetes(return_X_y=True) if name == "diabetes" else load_breast_cancer(return_X_y=True)
    return train_test_split(X, y, test_size=0.3, random_state=seed)


@pytest.mark.parametrize("name", ["diabetes", "breast cancer", "generated, fewer rows than attributes"])
def test_within_two_percent_of_ridge_with_all_rows(name):
    ratios = []
    for seed in range(10, 20):
        X, X_test, y, y_test = data(name, seed)
        ridge = make_pipeline(StandardScaler(), RidgeCV(np.logspace(-3, 6, 28))).fit(X, y)
        model = kh.fit_from_moments(**moments_of(X, y))
        ratios.append(np.mean((model.predict(X_test) - y_test) ** 2) / np.mean((ridge.predict(X_test) - y_test) ** 2))
    assert np.mean(ratios) < 1.02


def test_it_is_the_ridge_regression_of_its_penalty():
    X, y = away_from_zero()
    model = kh.fit_from_moments(**moments_of(X, y))
    Z, t = StandardScaler().fit_transform(X), (y - y.mean()) / y.std()
    penalty, _ = best_penalty(Z.T @ Z / len(y), Z.T @ t / len(y), len(y))
    assert f"the penalty is {penalty:.3g}," in model.candidates_[0]["why"]
    ridge = make_pipeline(StandardScaler(), Ridge(penalty)).fit(X, y)
    np.testing.assert_allclose(model.predict(X), ridge.predict(X), rtol=1e-9)
    assert [(one["family"], one["kept"]) for one in model.candidates_] == [("ridge", True)]


def test_the_penalty_is_the_likeliest_of_rows():
    """The formula against the density of the labels, with rows."""
    from scipy.stats import multivariate_normal

    X, y = away_from_zero(40, 5)
    Z, t = StandardScaler().fit_transform(X), (y - y.mean()) / y.std()
    contrasts = np.linalg.svd(np.eye(40) - 1 / 40)[0][:, :39]  # all but the mean
    u, M = contrasts.T @ t, contrasts.T @ Z
    grid = np.logspace(-3, 6, 28)

    def density(penalty):
        K = np.eye(39) + M @ M.T / penalty
        variance = u @ np.linalg.solve(K, u) / 39
        return multivariate_normal(np.zeros(39), variance * K).logpdf(u)

    best = grid[np.argmax([density(penalty) for penalty in grid])]
    assert best_penalty(Z.T @ Z / 40, Z.T @ t / 40, 40)[0] == pytest.approx(best)


def test_moments_may_come_from_sums():
    X, y = away_from_zero()
    sums = kh.moments_from_sums(X.T @ X, X.T @ y, y @ y, len(y), sum_X=X.sum(axis=0), sum_y=y.sum())
    by_sums, by_moments = kh.fit_from_moments(**sums), kh.fit_from_moments(**moments_of(X, y))
    np.testing.assert_allclose(by_sums.coef_, by_moments.coef_, rtol=1e-9)
    assert by_sums.intercept_ == pytest.approx(by_moments.intercept_)
    about_zero = kh.fit_from_moments(**kh.moments_from_sums(X.T @ X, X.T @ y, y @ y, len(y)))
    assert about_zero.intercept_ == 0.0
    # The mean is most of such an attribute's second moment, so ridge shrinks it hardly at all.
    np.testing.assert_allclose(about_zero.predict(X), X @ np.linalg.lstsq(X, y)[0], rtol=0.02)


def test_a_constant_column_in_sums_is_found_in_spite_of_rounding():
    X, y = away_from_zero()
    X[:, 2] = 0.1 + 0.2
    sums = kh.moments_from_sums(X.T @ X, X.T @ y, y @ y, len(y), sum_X=X.sum(axis=0), sum_y=y.sum())
    with pytest.warns(UserWarning, match="no spread, and so no weight, in 'x2'"):
        model = kh.fit_from_moments(**sums)
    assert model.coef_[2] == 0.0
    assert model.score(X, y) > 0.8


def test_units_change_nothing():
    X, y = away_from_zero()
    factor = np.array([1e-3, 1.0, 1e3, 1.0, 1e6, 1e-6])
    plain, other = kh.fit_from_moments(**moments_of(X, y)), kh.fit_from_moments(**moments_of(X * factor, y))
    np.testing.assert_allclose(other.predict(X * factor), plain.predict(X), rtol=1e-8)


def test_sums_of_different_columns_are_refused():
    X, y = away_from_zero()
    for change in ({"XtX": np.eye(5)}, {"sum_X": np.zeros(7)}, {"Xty": np.zeros((6, 1))}):
        sums = {"XtX": X.T @ X, "Xty": X.T @ y, "sum_X": X.sum(axis=0)} | change
        with pytest.raises(ValueError, match="they are of the same d columns"):
            kh.moments_from_sums(**sums, yty=y @ y, n_rows=200)


def test_slightly_impossible_moments_are_repaired_and_far_ones_refused():
    X, y = away_from_zero()
    given = moments_of(X, y)
    given["covariance"] = np.array(given["covariance"])
    given["label_variance"] = (
        0.999 * given["cross_covariance"] @ np.linalg.solve(given["covariance"], given["cross_covariance"])
    )
    with pytest.warns(UserWarning, match=r"cannot be those of any rows.*set to 0"):
        model = kh.fit_from_moments(**given)
    assert model.score(X, y) > 0.8
    given["covariance"][0, 1] = given["covariance"][1, 0] = 2.0 * np.sqrt(
        given["covariance"][0, 0] * given["covariance"][1, 1]
    )
    with pytest.raises(ValueError, match=r"cannot be those of any rows.*most of it from 'x[01]', 'x[01]'"):
        kh.fit_from_moments(**given)


def test_moments_of_one_pair_at_a_time_are_repaired():
    """As pandas has them of a table with holes."""
    X, y = away_from_zero(4000)
    holes = np.where(np.random.default_rng(1).random(X.shape) < 0.3, np.nan, X)
    frame = pd.DataFrame(np.column_stack([holes, y]))
    S = frame.cov(ddof=0).to_numpy()
    model = kh.fit_from_moments(
        frame.mean()[:6], S[:6, :6], S[:6, 6], 4000, label_mean=y.mean(), label_variance=y.var()
    )
    assert model.score(X, y) > 0.9 * RidgeCV().fit(X, y).score(X, y)


def test_no_spread():
    X, y = away_from_zero()
    with pytest.warns(UserWarning, match="the label has no spread"):
        model = kh.fit_from_moments(**(moments_of(X, np.full(200, 7.0)) | {"label_variance": 0.0}))
    np.testing.assert_array_equal(model.predict(X), 7.0)
    nothing = dict.fromkeys(("mean", "cross_covariance"), np.zeros(6)) | {"covariance": np.zeros((6, 6))}
    with pytest.warns(UserWarning, match="no spread, and so no weight, in 'x0', 'x1', 'x2' and 3 more"):
        model = kh.fit_from_moments(**(moments_of(X, y) | nothing))
    np.testing.assert_allclose(model.predict(X), y.mean())


def test_two_equal_attributes_share_the_weight():
    X, y = away_from_zero()
    X[:, 1] = X[:, 0]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = kh.fit_from_moments(**moments_of(X, y))
    assert model.coef_[0] == pytest.approx(model.coef_[1], rel=1e-4)


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"n_rows": 1}, "n_rows=1: fit_from_moments needs a whole number, 2 or more"),
        ({"n_rows": 20.5}, "n_rows=20.5"),
        ({"covariance": np.eye(5)}, r"covariance has the shape \(5, 5\): fit_from_moments needs \(6, 6\)"),
        ({"cross_covariance": np.zeros((6, 1))}, r"cross_covariance has the shape \(6, 1\)"),
        ({"mean": np.array([0, 0, np.nan, 0, 0, 0])}, r"mean\[2\] is nan: fit_from_moments needs finite numbers"),
        ({"label_variance": np.inf}, "label_variance is inf"),
        ({"label_variance": -1.0}, "label_variance is -1: a variance is 0 or more"),
        ({"covariance": np.diag([1, 1, 1, 1, 1, -2.0])}, r"covariance\[5, 5\] is -2: a variance is 0 or more"),
        ({"covariance": np.eye(6) + np.eye(6, k=2) / 4}, r"not symmetric: \[0, 2\] is 0.25 and \[2, 0\] is 0;"),
        ({"names": ["a"]}, "needs 6 names, one for each attribute"),
    ],
)
def test_wrong_arguments(change, complaint):
    X, y = away_from_zero()
    with pytest.raises(ValueError, match=complaint):
        kh.fit_from_moments(**(moments_of(X, y) | change))
