"""What KeyholeRegressor promises: units, partial tables, free attributes, and bad input."""

import warnings

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import RidgeCV

import keyhole as kh
from moments.conftest import correlated, costly_table, shared_factors, with_holes


def test_units_change_no_choice_and_no_prediction():
    X, y = load_breast_cancer(return_X_y=True)
    factor = np.random.default_rng(0).choice([0.001, 1.0, 1000.0], size=30)
    plain = kh.KeyholeRegressor(4, random_state=0).fit(X, y)
    other = kh.KeyholeRegressor(4, random_state=0).fit(X * factor, y)
    np.testing.assert_array_equal(plain.cells_.attributes, other.cells_.attributes)
    np.testing.assert_allclose(other.predict(X * factor), plain.predict(X), rtol=1e-8, atol=1e-8)


def test_missing_cells_are_not_observed_and_never_zero():
    X, y = correlated()
    missing = np.random.default_rng(1).random(X.shape) < 0.5
    learner = kh.KeyholeRegressor(random_state=0).fit(np.where(missing, np.nan, X + 100), y)
    assert learner.observed_.distinct == np.sum(~missing)
    np.testing.assert_array_equal(learner.observed_.per_attribute, np.sum(~missing, axis=0))
    full = RidgeCV().fit(X, y).score(X, y)
    assert learner.score(X + 100, y) > 0.95 * full


def test_a_frame_with_holes_is_taken_as_well():
    pandas = pytest.importorskip("pandas")
    X, y = correlated()
    holes = np.where(np.random.default_rng(1).random(X.shape) < 0.3, np.nan, X)
    frame = pandas.DataFrame(holes).astype("Float64")
    frame.columns = [f"a{i}" for i in range(X.shape[1])]
    by_frame = kh.KeyholeRegressor(random_state=0).fit(frame, y)
    np.testing.assert_allclose(by_frame.coef_, kh.KeyholeRegressor(random_state=0).fit(holes, y).coef_)


def test_infinity_is_refused_in_a_partial_table_too():
    X, y = correlated(30)
    X[3, 2] = np.inf
    with pytest.raises(kh.BadValue, match="example 3, attribute 'x2'"):
        kh.KeyholeRegressor().fit(X, y)


def test_free_attributes_are_always_seen():
    X, y = correlated()
    described = [kh.Attribute(f"a{i}", free=i in (2, 5)) for i in range(12)]
    source = kh.observe.ArraySource(X, described)
    learner = kh.KeyholeRegressor(3, random_state=0).fit(source, y)
    assert learner.observed_.per_attribute[[2, 5]].tolist() == [600, 600]
    assert learner.observed_.max_per_example == 3
    assert learner.observed_.cost == 1800


@pytest.mark.parametrize("budget", [0, 1.5, 13, True])
def test_wrong_budgets(budget):
    with pytest.raises(ValueError, match="budget"):
        kh.KeyholeRegressor(budget).start(12)


def test_constant_labels_and_constant_attributes_give_the_mean():
    X, y = correlated(100)
    for table, labels in ((X, np.full(100, 7.0)), (np.ones_like(X), y)):
        with pytest.warns(UserWarning, match="the predictor is the mean label"):
            learner = kh.KeyholeRegressor(4, random_state=0).fit(table, labels)
        np.testing.assert_allclose(learner.predict(table), labels.mean())
        np.testing.assert_array_equal(learner.coef_, 0.0)


def hard_tables():
    X, y = correlated(200)
    nothing = X.copy()
    nothing[:, 4] = np.nan
    yield "a column that is all missing", None, nothing, y
    yield "two equal columns", 4, np.column_stack([X, X[:, 0], X[:, 0]]), y
    yield "a constant column", 4, np.column_stack([X, np.full(200, 3.0)]), y
    yield "more columns than rows", 4, np.random.default_rng(0).normal(size=(40, 200)), y[:40]
    yield "one row", 4, X[:1], y[:1]
    yield "huge and tiny units", 4, X * np.resize([1e150, 1e-150], 12), y


@pytest.mark.parametrize(
    ("what", "budget", "X", "y"), list(hard_tables()), ids=lambda v: v if isinstance(v, str) else ""
)
def test_hard_tables_give_finite_weights(what, budget, X, y):
    learner = kh.KeyholeRegressor(budget, random_state=0)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "KeyholeRegressor: ")
        learner.fit(X, y)
        assert np.isfinite(learner.coef_).all()
        assert np.isfinite(learner.intercept_)


def test_a_saved_model_predicts_the_same(tmp_path):
    from keyhole.saving import load_model, save_model

    X, y = correlated()
    learner = kh.KeyholeRegressor(4, random_state=0).fit(X, y)
    save_model(learner, tmp_path / "model.json")
    np.testing.assert_allclose(load_model(tmp_path / "model.json").predict(X), learner.predict(X))


def test_a_saved_model_remembers_costs_by_name(tmp_path):
    from keyhole.saving import load_model, save_model

    X, y = costly_table(60)
    learner = kh.KeyholeRegressor(3, costs={"x1": 2.0, "x5": 0.5}, random_state=0).fit(X, y)
    save_model(learner, tmp_path / "model.json")
    again = load_model(tmp_path / "model.json")
    np.testing.assert_allclose(again.predict(X), learner.predict(X))
    assert again.attributes_[1].cost == 2.0


@pytest.mark.parametrize("sparsity", [0, 1.5, "few", True])
def test_wrong_sparsities(sparsity):
    with pytest.raises(ValueError, match="sparsity="):
        kh.KeyholeRegressor(4, sparsity=sparsity).start(12)


def test_what_is_computed_once_is_kept_until_the_next_example():
    X, y = shared_factors(200)
    learner = kh.KeyholeRegressor(4, random_state=0).fit(X, y)
    for name in ("risk_interval_", "coef_interval_"):
        found = getattr(learner, name)
        assert getattr(learner, name) is found
    assert learner._checked_subsets() is learner._checked_subsets()
    before = learner.risk_interval_
    ask = learner.ask()
    learner.tell(ask, X[0, ask.attributes], y[0])
    assert learner.risk_interval_ is not before


def test_coefficients_are_a_copy():
    learner = kh.KeyholeRegressor(random_state=0).fit(*correlated(50))
    learner.coef_[:] = 0.0
    assert learner.coef_.any()


def test_intervals_hold_the_label_as_often_as_stated(learner, unseen_rows):
    X, y = unseen_rows
    for level in (0.5, 0.9):
        low, high = learner.predict_interval(with_holes(X, 6), level).T
        assert np.mean((low <= y) & (y <= high)) == pytest.approx(level, abs=0.05)
