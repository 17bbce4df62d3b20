"""A predictor from second moments: it is ridge regression, its penalty holds up, and impossible moments are refused."""

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


def moments(X, y):
    S = np.cov(np.column_stack([X, y]), rowvar=False, ddof=0)
    told = {"mean": X.mean(axis=0), "covariance": S[:-1, :-1], "cross_covariance": S[:-1, -1], "n_rows": len(y)}
    return told | {"label_mean": y.mean(), "label_variance": S[-1, -1]}


def some(n=200, d=6, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 2)) @ rng.normal(size=(2, d)) + rng.normal(size=(n, d)) + 3.0
    return X, X @ rng.normal(size=d) + rng.normal(size=n) + 10.0


def data(name, seed):
    if name == "generated, fewer rows than attributes":
        X, y = some(2080, 200, seed)
        return train_test_split(X, y, train_size=80, random_state=seed)
    X, y = load_diabetes(return_X_y=True) if name == "diabetes" else load_breast_cancer(return_X_y=True)
    return train_test_split(X, y, test_size=0.3, random_state=seed)


@pytest.mark.parametrize("name", ["diabetes", "breast cancer", "generated, fewer rows than attributes"])
def test_within_two_percent_of_ridge_with_all_rows(name):
    ratios = []
    for seed in range(10, 20):
        X, X_test, y, y_test = data(name, seed)
        ridge = make_pipeline(StandardScaler(), RidgeCV(np.logspace(-3, 6, 28))).fit(X, y)
        model = kh.fit_from_moments(**moments(X, y))
        ratios.append(np.mean((model.predict(X_test) - y_test) ** 2) / np.mean((ridge.predict(X_test) - y_test) ** 2))
    assert np.mean(ratios) < 1.02


def test_it_is_the_ridge_regression_of_its_penalty():
    X, y = some()
    model = kh.fit_from_moments(**moments(X, y))
    Z, t = StandardScaler().fit_transform(X), (y - y.mean()) / y.std()
    penalty, _ = best_penalty(Z.T @ Z / len(y), Z.T @ t / len(y), len(y))
    assert f"penalty {penalty:.3g} " in model.candidates_[0]["why"]
    ridge = make_pipeline(StandardScaler(), Ridge(penalty)).fit(X, y)
    np.testing.assert_allclose(model.predict(X), ridge.predict(X), rtol=1e-9)
    assert model.family_ == "moments"


def test_the_penalty_is_the_likeliest_of_rows():
    """The formula against the density of the labels, with rows."""
    from scipy.stats import multivariate_normal

    X, y = some(40, 5)
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
    X, y = some()
    sums = kh.moments_from_sums(X.T @ X, X.T @ y, y @ y, len(y), sum_X=X.sum(axis=0), sum_y=y.sum())
    by_sums, by_moments = kh.fit_from_moments(**sums), kh.fit_from_moments(**moments(X, y))
    np.testing.assert_allclose(by_sums.coef_, by_moments.coef_, rtol=1e-9)
    assert by_sums.intercept_ == pytest.approx(by_moments.intercept_)
    about_zero = kh.fit_from_moments(**kh.moments_from_sums(X.T @ X, X.T @ y, y @ y, len(y)))
    assert about_zero.intercept_ == 0.0
    # The mean is most of such an attribute's second moment, so ridge shrinks it hardly at all.
    np.testing.assert_allclose(about_zero.predict(X), X @ np.linalg.lstsq(X, y)[0], rtol=0.02)


def test_a_constant_column_in_sums_is_found_in_spite_of_rounding():
    X, y = some()
    X[:, 2] = 0.1 + 0.2
    sums = kh.moments_from_sums(X.T @ X, X.T @ y, y @ y, len(y), sum_X=X.sum(axis=0), sum_y=y.sum())
    with pytest.warns(UserWarning, match="no spread, and so no weight, in 'x2'"):
        model = kh.fit_from_moments(**sums)
    assert model.coef_[2] == 0.0
    assert model.score(X, y) > 0.8


def test_units_change_nothing():
    X, y = some()
    factor = np.array([1e-3, 1.0, 1e3, 1.0, 1e6, 1e-6])
    plain, other = kh.fit_from_moments(**moments(X, y)), kh.fit_from_moments(**moments(X * factor, y))
    np.testing.assert_allclose(other.predict(X * factor), plain.predict(X), rtol=1e-8)


def test_joint_moments_give_subsets():
    X, y = some(5000)
    told = moments(X, y)
    solution = kh.fit_from_moments(**told)._solution()
    subset, s = np.array([0, 3]), np.sqrt(np.diag(told["covariance"]))
    np.testing.assert_allclose(
        solution.joint.covariance(subset) * np.outer(s[subset], s[subset]),
        told["covariance"][np.ix_(subset, subset)] + np.diag(solution.joint.noise[subset] * s[subset] ** 2),
    )
    cross = solution.joint.cross(subset)[:, 0] * s[subset] * solution.units.label_scale
    np.testing.assert_allclose(cross, told["cross_covariance"][subset])
    np.testing.assert_allclose(solution.joint.label_variance(), 1.0)


def test_names_and_files(tmp_path):
    X, y = some()
    names = [f"test {i}" for i in range(6)]
    model = kh.fit_from_moments(**moments(X, y), names=names)
    assert model.attributes_[3].name == "test 3"
    kh.save_model(model, tmp_path / "model.json")
    loaded = kh.load_model(tmp_path / "model.json")
    frame = pd.DataFrame(X, columns=names)
    np.testing.assert_allclose(loaded.predict(frame), model.predict(frame), rtol=1e-12)
    with pytest.raises(ValueError, match="feature names"):
        model.predict(frame[names[::-1]])


@pytest.mark.parametrize(
    "learn",
    [
        lambda model, X, y: model.fit(X, y),
        lambda model, X, y: model.partial_fit(X, y),
        lambda model, X, y: model.start(6),
        lambda model, X, y: model.ask(),
        lambda model, X, y: model.tell(None, X[0], label=y[0]),
    ],
)
def test_there_is_nothing_to_learn_on_from(learn):
    X, y = some()
    model = kh.fit_from_moments(**moments(X, y))
    with pytest.raises(kh.KeyholeError, match="made from moments"):
        learn(model, X, y)
    assert np.isfinite(model.predict(X)).all()


def test_sums_of_different_columns_are_refused():
    X, y = some()
    for change in ({"XtX": np.eye(5)}, {"sum_X": np.zeros(7)}, {"Xty": np.zeros((6, 1))}):
        sums = {"XtX": X.T @ X, "Xty": X.T @ y, "sum_X": X.sum(axis=0)} | change
        with pytest.raises(ValueError, match="they are of the same d columns"):
            kh.moments_from_sums(**sums, yty=y @ y, n_rows=200)


def test_slightly_impossible_moments_are_repaired_and_far_ones_refused():
    X, y = some()
    told = moments(X, y)
    told["covariance"] = np.array(told["covariance"])
    told["label_variance"] = (
        0.999 * told["cross_covariance"] @ np.linalg.solve(told["covariance"], told["cross_covariance"])
    )
    with pytest.warns(UserWarning, match=r"cannot be those of any rows.*set to 0"):
        model = kh.fit_from_moments(**told)
    assert model.score(X, y) > 0.8
    told["covariance"][0, 1] = told["covariance"][1, 0] = 2.0 * np.sqrt(
        told["covariance"][0, 0] * told["covariance"][1, 1]
    )
    with pytest.raises(ValueError, match=r"cannot be those of any rows.*most of it from 'x[01]', 'x[01]'"):
        kh.fit_from_moments(**told)


def test_moments_of_one_pair_at_a_time_are_repaired():
    """As pandas has them of a table with holes."""
    X, y = some(4000)
    holes = np.where(np.random.default_rng(1).random(X.shape) < 0.3, np.nan, X)
    frame = pd.DataFrame(np.column_stack([holes, y]))
    S = frame.cov(ddof=0).to_numpy()
    model = kh.fit_from_moments(
        frame.mean()[:6], S[:6, :6], S[:6, 6], 4000, label_mean=y.mean(), label_variance=y.var()
    )
    assert model.score(X, y) > 0.9 * RidgeCV().fit(X, y).score(X, y)


def test_no_spread():
    X, y = some()
    with pytest.warns(UserWarning, match="the label has no spread"):
        model = kh.fit_from_moments(**(moments(X, np.full(200, 7.0)) | {"label_variance": 0.0}))
    np.testing.assert_array_equal(model.predict(X), 7.0)
    nothing = dict.fromkeys(("mean", "cross_covariance"), np.zeros(6)) | {"covariance": np.zeros((6, 6))}
    with pytest.warns(UserWarning, match="no spread, and so no weight, in 'x0', 'x1', 'x2' and 3 more"):
        model = kh.fit_from_moments(**(moments(X, y) | nothing))
    np.testing.assert_allclose(model.predict(X), y.mean())


def test_two_attributes_alike_share_the_weight():
    X, y = some()
    X[:, 1] = X[:, 0]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = kh.fit_from_moments(**moments(X, y))
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
def test_what_is_wrong_is_said(change, complaint):
    X, y = some()
    with pytest.raises(ValueError, match=complaint):
        kh.fit_from_moments(**(moments(X, y) | change))


def test_without_rows_nothing_is_said_of_errors():
    X = np.random.default_rng(0).normal(size=(200, 3))
    y = X @ [1.0, -1.0, 0.5]
    model = kh.fit_from_moments(**kh.moments_from_sums(X.T @ X, X.T @ y, y @ y, 200))
    for judge in (
        lambda: model.predict_interval(X),
        lambda: model.risk_at(1),
        lambda: model.coef_interval(),
        lambda: model.plot_risk(),
        lambda: model.risk_interval_,
        lambda: model.coef_interval_,
    ):
        with pytest.raises(kh.KeyholeError, match="made from moments"):
            judge()
    assert "made from moments" not in str(model.summary())
