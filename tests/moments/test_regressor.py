"""What KeyholeRegressor promises: values, units, never worse than the mean, partial tables, and bad input."""

import warnings

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.datasets import load_breast_cancer, load_diabetes
from sklearn.linear_model import RidgeCV

import keyhole as kh
from keyhole.common.penalties import RIDGE_PENALTIES
from keyhole.observe.cells import of_columns
from moments.conftest import columns, correlated, costly_table, shared_factors, with_holes

# Values.


def long_tails(n=1500, d=10, seed=0):
    """Log-normal attributes, and a label that is linear in their logarithms."""
    rng = np.random.default_rng(seed)
    logs = rng.normal(size=(n, d))
    return np.exp(1.5 * logs), logs @ rng.normal(size=d) + 0.3 * rng.normal(size=n)


@pytest.mark.parametrize(
    ("values", "named"),
    [
        ("auto", {"log", "log from the edge", "rank", "averaged"}),
        ("raw", {"raw"}),
        ("winsorised", {"winsorised"}),
        ("log", {"log", "log from the edge", "averaged"}),
        ("rank", {"rank"}),
    ],
)
def test_what_was_made_of_values_is_named(values, named):
    X, y = long_tails()
    learner = kh.KeyholeRegressor(4, values=values, random_state=0).fit(X, y)
    assert list(learner.values_) == [f"x{i}" for i in range(10)]
    assert set(learner.values_.values()) <= named
    wanted = [name if made == "raw" else f"{name} ({made})" for name, made in learner.values_.items()]
    assert learner.get_feature_names_out().tolist() == wanted
    low, high = y.min(), y.max()
    predicted = np.clip(columns(learner, X) @ learner.coef_ + learner.intercept_, low, high)
    np.testing.assert_allclose(learner.predict(X), predicted, rtol=1e-10)


def test_the_map_that_the_label_follows_is_found():
    X, y = long_tails(3000)
    error = {}
    for values in ("auto", "raw", "log"):
        learner = kh.KeyholeRegressor(4, values=values, random_state=0).fit(X[:1000], y[:1000])
        error[values] = np.mean((learner.predict(X[1000:]) - y[1000:]) ** 2)
    assert error["log"] < 0.6 * error["raw"]
    assert error["auto"] < 1.1 * error["log"]


def test_values_for_each_attribute_or_by_name():
    X, y = long_tails(400, d=4)
    each = kh.KeyholeRegressor(2, values=["raw", "rank", "winsorised", "raw"], random_state=0).fit(X, y)
    assert list(each.values_.values()) == ["raw", "rank", "winsorised", "raw"]
    frame = pd.DataFrame(X, columns=list("abcd"))
    named = kh.KeyholeRegressor(2, values={"b": "rank", "d": "raw"}, random_state=0).fit(frame, y)
    assert (named.values_["b"], named.values_["d"]) == ("rank", "raw")
    assert "raw" not in (named.values_["a"], named.values_["c"])  # "auto" for the rest
    np.testing.assert_array_equal(columns(named, X)[:, 3], X[:, 3])


def test_a_choice_is_one_reveal_and_several_columns():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"dose": rng.lognormal(size=600), "smokes": rng.random(600) < 0.4})
    frame["blood"] = pd.Categorical(rng.choice(["A", "B", "0"], size=600))
    y = 2.0 * (frame["blood"] == "0") + np.log(frame["dose"]) + 0.1 * rng.normal(size=600)
    learner = kh.KeyholeRegressor(2, values={"dose": "log"}, random_state=0).fit(frame, y)
    assert learner.observed_.max_per_example == 2
    assert learner.observed_.distinct == 1200
    assert learner.values_["blood"] == "choice"
    assert learner.values_["smokes"] == "raw"
    names = learner.get_feature_names_out().tolist()
    assert names[0].startswith("dose (log")
    assert names[1:] == ["smokes", "blood=0", "blood=A", "blood=B"]
    assert learner.coef_.shape == (5,)
    assert learner.coef_[2] - learner.coef_[3] == pytest.approx(2.0, abs=0.3)
    assert learner.score(frame, y) > 0.9
    raw = kh.KeyholeRegressor(2, values="raw", random_state=0).fit(frame, y)
    assert raw.get_feature_names_out().tolist() == ["dose", *names[1:]]
    offers = learner.next_attributes(np.full(3, np.nan), 2)
    assert {name for offer in offers for name in offer.names} == {"dose", "blood"}
    assert learner.risk_interval_.estimate < 0.5 * y.var()
    codes = sparse.csr_array(np.column_stack([frame["dose"], frame["smokes"], np.ones(600)]).astype(float))
    with pytest.raises(kh.BadValue, match=r"attribute 'blood': 1\.0 was revealed; it must be one of the choices"):
        learner.predict(codes)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ("ranks", "values: 'ranks': KeyholeRegressor takes one of 'auto', 'raw', 'winsorised', 'log', 'rank'"),
        (["raw"], r"one for each of 12 attributes, or a dict of them by name; got \['raw'\]"),
        ({"zz": "raw"}, "values: no attribute is called 'zz'; there are 'x0', 'x1'"),
        ({"x1": "sqrt"}, "values: 'sqrt' for attribute 'x1': KeyholeRegressor takes one of"),
        (None, "dict of them by name; got None"),
    ],
)
def test_wrong_values(values, message):
    with pytest.raises(ValueError, match=message):
        kh.KeyholeRegressor(4, values=values).start(12)


def test_with_raw_values_and_every_cell_it_is_ridge_regression():
    X, y = load_diabetes(return_X_y=True)
    own = kh.KeyholeRegressor(values="raw").fit(X[:300], y[:300])
    ridges = [(RidgeCV(RIDGE_PENALTIES), scale) for scale in (X[:300].std(axis=0), of_columns(X[:300]).scale())]
    ridge, scale = max(ridges, key=lambda one: one[0].fit(X[:300] / one[1], y[:300]).best_score_)
    np.testing.assert_allclose(own.coef_, ridge.coef_ / scale, rtol=1e-6)
    far = 100 * X[300:]  # not held within the labels seen
    np.testing.assert_allclose(own.predict(far), ridge.predict(far / scale), rtol=1e-6)
    auto = kh.KeyholeRegressor().fit(X[:300], y[:300])
    errors = [np.mean((learner.predict(X[300:]) - y[300:]) ** 2) for learner in (own, auto)]
    assert errors[1] < 1.01 * errors[0]


def test_predictions_are_within_the_labels_seen():
    X, y = shared_factors(400)
    far = 50 * shared_factors(200, seed=1)[0]
    for budget in (4, None):
        for settings in ({}, {"values": "raw"}, {"units": "common"}, {"sparsity": 3}):
            if budget is None and settings == {"values": "raw"}:
                continue
            learner = kh.KeyholeRegressor(budget, random_state=0, **settings).fit(X, y)
            predicted = np.concatenate([learner.predict(far), learner.predict(with_holes(far, 6))])
            assert y.min() <= predicted.min() < predicted.max() <= y.max()
    free = kh.KeyholeRegressor(4, values="raw", fit_intercept=False, random_state=0).fit(X, y)
    assert np.abs(free.predict(far)).max() > np.abs(y).max()


@pytest.mark.parametrize("settings", [{}, {"values": "log"}, {"units": "common"}, {"sparsity": 3}, {"budget": None}])
def test_a_sparse_matrix_is_predicted_as_a_dense_table(settings):
    rng = np.random.default_rng(0)
    X = np.where(rng.random((300, 12)) < 0.6, 0.0, rng.lognormal(size=(300, 12)))
    y = np.sqrt(X) @ rng.normal(size=12) + 0.1 * rng.normal(size=300)
    rows = sparse.csr_array(X)
    dense, of_rows = (
        kh.KeyholeRegressor(**{"budget": 4, "random_state": 0} | settings).fit(table, y) for table in (X, rows)
    )
    np.testing.assert_array_equal(of_rows.coef_, dense.coef_)
    new = sparse.random_array((100, 12), density=0.3, rng=1, format="csr")
    np.testing.assert_allclose(dense.predict(new), dense.predict(new.toarray()), rtol=1e-10, atol=1e-12)
    np.testing.assert_allclose(dense.predict(new, return_std=True)[1], dense.predict(new.toarray(), return_std=True)[1])


# Units.


@pytest.mark.parametrize(
    "settings", [{}, {"values": "raw"}, {"values": "rank"}, {"values": "log"}, {"sparsity": 3}, {"budget": None}]
)
def test_units_change_no_choice_and_no_prediction(settings):
    X, y = load_breast_cancer(return_X_y=True)
    factor = np.random.default_rng(0).choice([0.001, 1.0, 1000.0], size=30)
    plain, other = (
        kh.KeyholeRegressor(**{"budget": 4, "random_state": 0} | settings).fit(table, y) for table in (X, X * factor)
    )
    np.testing.assert_array_equal(plain.cells_.attributes, other.cells_.attributes)
    assert plain.values_ == other.values_
    np.testing.assert_allclose(other.predict(X * factor), plain.predict(X), rtol=1e-8, atol=1e-8)
    # A column is in the unit of its attribute.
    np.testing.assert_allclose(other.coef_ * factor, plain.coef_, rtol=1e-5, atol=1e-9 * np.abs(plain.coef_).max())


def test_a_common_unit_says_that_what_varies_little_counts_little():
    rng = np.random.default_rng(0)
    spread = np.where(np.arange(60) < 12, 1.0, 0.05)
    X = spread * rng.normal(size=(1500, 60))
    y = X @ rng.normal(size=60) + 0.3 * rng.normal(size=1500)
    errors = {}
    for units in ("own", "common"):
        learner = kh.KeyholeRegressor(3, units=units, random_state=0).fit(X[:500], y[:500])
        errors[units] = np.mean((learner.predict(X[500:]) - y[500:]) ** 2)
        shown = learner.observed_.per_attribute
        assert (shown[:12].mean() > 2 * shown[12:].mean()) == (units == "common")
    assert errors["common"] < 0.8 * errors["own"]
    assert set(learner.values_.values()) == {"raw"}
    with pytest.raises(ValueError, match="units='cm': KeyholeRegressor takes 'own' or 'common'"):
        kh.KeyholeRegressor(3, units="cm").start(4)


# Never worse than the mean.


def pure_noise(rng):
    return rng.normal(size=(3000, 30)), rng.normal(size=3000), 1000, 4


def zero_inflated(rng):
    X = np.where(rng.random((3000, 200)) < 0.02, rng.random((3000, 200)), 0.0)
    return X, X @ rng.normal(size=200) + 0.1 * rng.normal(size=3000), 2000, 8


def log_normal(rng):
    X = np.exp(1.5 * rng.normal(size=(3000, 30)))
    return X, X @ rng.normal(size=30) + rng.normal(size=3000), 2000, 4


@pytest.mark.parametrize("seed", [0, 1])
@pytest.mark.parametrize("make", [pure_noise, zero_inflated, log_normal])
def test_never_worse_than_the_mean(make, seed):
    X, y, n, budget = make(np.random.default_rng(seed))
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "KeyholeRegressor: ")
        learner = kh.KeyholeRegressor(budget, random_state=seed).fit(X[:n], y[:n])
    error, of_mean = (np.mean((y[n:] - one) ** 2) for one in (learner.predict(X[n:]), y[:n].mean()))
    assert error < 1.01 * of_mean


def test_where_held_out_rows_support_nothing_it_is_the_mean_and_says_so():
    X, y, n, budget = pure_noise(np.random.default_rng(4))
    with pytest.warns(UserWarning, match="the predictor is the mean label, since held-out rows support no predictor"):
        learner = kh.KeyholeRegressor(budget, random_state=0).fit(X[:n], y[:n])
    assert learner.family_ == "mean"
    np.testing.assert_array_equal(learner.coef_, 0.0)
    np.testing.assert_allclose(learner.predict(X[n:]), y[:n].mean())
    (mean, *others) = learner.candidates_
    assert (mean["family"], mean["kept"], mean["weight"]) == ("mean", True, 1.0)
    assert others
    assert not any(one["kept"] for one in others)
    risk = learner.risk_at(2)  # that of the mean of the other labels
    assert risk.estimate == pytest.approx(y[:n].var(ddof=1) * n / (n - 1))
    assert abs(risk.estimate - np.mean((y[n:] - y[:n].mean()) ** 2)) < 4 * risk.standard_error


@pytest.mark.parametrize("n", [2, 3, 5, 9, 10, 12, 19, 20, 30])
def test_few_rows_never_crash(n):
    rng = np.random.default_rng(n)
    for d, budget, settings in [
        (1, 1, {}),
        (3, 2, {"sparsity": 1}),
        (12, 4, {}),
        (12, 4, {"values": "raw"}),
        (60, 4, {"units": "common"}),
        (30, None, {}),
    ]:
        X = rng.normal(size=(n, d))
        y = X[:, 0] + 0.1 * rng.normal(size=n)
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "KeyholeRegressor: ")
            learner = kh.KeyholeRegressor(budget, random_state=0, **settings).fit(X, y)
            new = 3 * rng.normal(size=(20, d))
            predicted = np.concatenate([learner.predict(new), learner.predict(np.where(new > 0, np.nan, new))])
            low, high = learner.predict_interval(new).T
            learner.summary(), learner.risk_interval_
        assert (y.min() <= predicted).all()
        assert (predicted <= y.max()).all()
        assert (low <= high).all()


# Partial tables, free attributes, and what cannot be learned from.


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


def test_labels_that_are_all_equal_but_one_are_learned_from():
    rng = np.random.default_rng(0)
    y = np.ones(10)
    y[1] = 0.0
    for seed in range(20):  # folds without the one label, and with nothing to predict it from
        X = rng.normal(size=(10, 30))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            learner = kh.KeyholeRegressor(4, random_state=seed).fit(X, y)
        predicted = learner.predict(X)
        assert ((predicted >= 0.0) & (predicted <= 1.0)).all()
