"""What fit_from_moments returns: it predicts from any attributes, and has no members that it would have to refuse."""

import numpy as np
import pandas as pd
import pytest
from sklearn.base import is_regressor
from sklearn.exceptions import NotFittedError

import keyhole as kh
from keyhole.moments import MomentsPredictor
from moments.conftest import away_from_zero, moments_of, with_holes


@pytest.fixture(scope="module")
def model():
    return kh.fit_from_moments(**moments_of(*away_from_zero()))


def test_joint_moments_give_subsets():
    X, y = away_from_zero(5000)
    given = moments_of(X, y)
    solution = kh.fit_from_moments(**given).solution_
    subset, s = np.array([0, 3]), np.sqrt(np.diag(given["covariance"]))
    np.testing.assert_allclose(
        solution.joint.covariance(subset) * np.outer(s[subset], s[subset]),
        given["covariance"][np.ix_(subset, subset)] + np.diag(solution.joint.noise[subset] * s[subset] ** 2),
    )
    cross = solution.joint.cross_covariance(subset)[:, 0] * s[subset] * solution.scales.label_scale
    np.testing.assert_allclose(cross, given["cross_covariance"][subset])
    np.testing.assert_allclose(solution.joint.label_variance(), 1.0)


def test_names_and_files(tmp_path):
    X, y = away_from_zero()
    names = [f"test {i}" for i in range(6)]
    model = kh.fit_from_moments(**moments_of(X, y), names=names)
    assert model.attributes_[3].name == "test 3"
    kh.save_model(model, tmp_path / "model.json")
    loaded = kh.load_model(tmp_path / "model.json")
    frame = pd.DataFrame(X, columns=names)
    np.testing.assert_allclose(loaded.predict(frame), model.predict(frame), rtol=1e-12)
    with pytest.raises(ValueError, match="feature names"):
        model.predict(frame[names[::-1]])


def test_whole_rows_are_the_linear_predictor(model):
    X, y = away_from_zero()
    np.testing.assert_allclose(model.predict(X), X @ model.coef_ + model.intercept_)
    assert is_regressor(model)
    assert model.score(X, y) > 0.8


def test_rows_with_holes_have_the_conditional_mean_and_deviation_of_the_moments(model):
    X, y = away_from_zero()
    given = moments_of(X, y)
    some, x = np.array([1, 4]), np.full((1, 6), np.nan)
    x[0, some] = X[0, some]
    predicted, std = model.predict(x, return_std=True)
    # The penalty is added to the variances, as in ridge regression.
    spread = np.diag(given["covariance"])[some] * model.solution_.joint.noise[0]
    covariance = given["covariance"][np.ix_(some, some)] + np.diag(spread)
    weights = np.linalg.solve(covariance, given["cross_covariance"][some])
    assert predicted[0] == pytest.approx(given["label_mean"] + weights @ (X[0, some] - given["mean"][some]))
    assert std[0] == pytest.approx(np.sqrt(given["label_variance"] - weights @ given["cross_covariance"][some]))
    nothing, std = model.predict(np.full((1, 6), np.nan), return_std=True)
    assert (nothing[0], std[0]) == pytest.approx((y.mean(), y.std()))


def test_more_attributes_make_smaller_deviations(model):
    X, _ = away_from_zero()
    deviations = [model.predict(with_holes(X, size), return_std=True)[1].mean() for size in range(7)]
    assert (np.diff(deviations) < 0).all()


@pytest.mark.parametrize("name", ["fit", "partial_fit", "start", "ask", "tell", "forget"])
def test_there_is_nothing_to_learn_on_from(model, name):
    assert not hasattr(model, name)


@pytest.mark.parametrize(
    "name", ["predict_interval", "risk_at", "coef_interval", "plot_risk", "risk_interval_", "coef_interval_"]
)
def test_without_rows_nothing_is_told_of_errors(model, name):
    assert not hasattr(model, name)


def test_it_describes_itself(model):
    words = str(model.summary())
    assert words.startswith("MomentsPredictor: moments of 200 rows, 6 attributes")
    assert "ridge (kept)" in words
    assert "the penalty is" in words
    assert "Errors" not in words
    widths = [bar.get_width() for bar in model.plot_weights().patches]
    np.testing.assert_allclose(np.sort(widths), np.sort(model.coef_ * model.solution_.scales.scale))
    assert "MomentsPredictor" in repr(model)
    assert "MomentsPredictor" in model._repr_html_()


def test_coefficients_and_candidates_are_copies(model):
    model.coef_[:] = 0.0
    model.candidates_[0]["kept"] = False
    assert model.coef_.any()
    assert model.candidates_[0]["kept"]


def test_one_without_moments_says_where_to_get_one():
    for use in (
        lambda: MomentsPredictor().predict(np.zeros((1, 2))),
        lambda: MomentsPredictor().next_attributes(np.zeros(2)),
    ):
        with pytest.raises(NotFittedError, match="fit_from_moments"):
            use()
