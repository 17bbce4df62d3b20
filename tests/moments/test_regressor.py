"""What KeyholeRegressor promises: units, families, partial tables, free attributes, and bad input."""

import warnings

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_diabetes
from sklearn.linear_model import RidgeCV

import keyhole as kh
from keyhole.observe.cells import of_columns


def correlated(n=600, d=12, seed=0):
    rng = np.random.default_rng(seed)
    h = rng.normal(size=(n, 3))
    X = h @ rng.normal(size=(3, d)) + 0.7 * rng.normal(size=(n, d))
    return X, h @ np.array([1.0, -1.0, 0.5]) + 0.3 * rng.normal(size=n)


def test_correlated_attributes_keep_the_factors():
    X, y = correlated(1500)
    learner = kh.KeyholeRegressor(4, random_state=0).fit(X[:1000], y[:1000])
    assert learner.family_ == "factors"
    full = RidgeCV(np.logspace(-3, 3, 13)).fit(X[:1000], y[:1000])
    assert learner.score(X[1000:], y[1000:]) > 0.9 * full.score(X[1000:], y[1000:])


def test_independent_attributes_get_the_diagonal():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(4000, 30))
    y = X @ rng.choice([-1.0, 1.0], size=30)
    learner = kh.KeyholeRegressor(4, random_state=0).fit(X[:3000], y[:3000])
    assert learner.family_ == "diagonal"
    assert [c["family"] for c in learner.candidates_ if c["kept"]] == ["diagonal"]
    # The weights differ by noise of variance about 30 / 400, on 30 attributes.
    assert learner.score(X[3000:], y[3000:]) > 0.8


@pytest.mark.parametrize("budget", [None, 10])
def test_with_every_cell_it_is_ridge(budget):
    X, y = load_diabetes(return_X_y=True)
    learner = kh.KeyholeRegressor(budget, random_state=0).fit(X, y)
    assert learner.family_ == "ridge"
    tables = [(X - X.mean(axis=0)) / scale for scale in (X.std(axis=0), of_columns(X).scale())]
    ridges = [RidgeCV(np.logspace(-3, 6, 28)).fit(table, y) for table in tables]
    best = int(np.argmax([ridge.best_score_ for ridge in ridges]))
    np.testing.assert_allclose(learner.predict(X), ridges[best].predict(tables[best]), rtol=1e-6)


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


def test_the_policy_goes_where_the_weight_is_and_keeps_its_floor():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(2000, 20))
    y = X[:, 3] - X[:, 7]
    learner = kh.KeyholeRegressor(3, keep_ledger=True, random_state=0).fit(X, y)
    policy = learner.policy_
    assert policy.starts == (0, 80, 160, 320, 640, 1280)
    inclusion = policy.designs[-1].design.inclusion
    assert set(np.argsort(-inclusion)[:2]) == {3, 7}
    assert inclusion.min() >= 0.2 * 3 / 20 - 1e-9
    ledger = learner.ledger_
    row = ledger["example"] == 1999
    np.testing.assert_allclose(ledger["probability"][row], inclusion[ledger["attribute"][row]])
    joint = policy.designs[-1].joint(np.arange(20))
    np.testing.assert_allclose(ledger.joint(1999), joint[np.ix_(ledger["attribute"][row], ledger["attribute"][row])])
    np.testing.assert_allclose(joint.sum(axis=1), 3 * inclusion, rtol=1e-9)  # a subset has 3 attributes
    assert joint.min() > 0


def test_an_ask_remembers_its_design():
    X, y = correlated(100)
    learner = kh.KeyholeRegressor(4, random_state=0).start(12)
    early = learner.ask()
    for t in range(50):
        ask = learner.ask()
        learner.tell(ask, X[t, ask.attributes], y[t])
    assert (early.notes[0], learner.ask().notes[0]) == (0, 1)


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
        learner = kh.KeyholeRegressor(4, random_state=0).fit(table, labels)
        with pytest.warns(UserWarning, match="nothing is learned of the label"):
            np.testing.assert_allclose(learner.predict(table), labels.mean())
        np.testing.assert_array_equal(learner.coef_, 0.0)


def hard_tables():
    X, y = correlated(200)
    nothing = X.copy()
    nothing[:, 4] = np.nan
    yield "a column that is all missing", None, nothing, y
    yield "two columns alike", 4, np.column_stack([X, X[:, 0], X[:, 0]]), y
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
