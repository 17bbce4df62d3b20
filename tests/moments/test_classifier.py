"""What KeyholeClassifier promises: classes of any kind, probabilities that mean what they say, and honest figures."""

import pickle
import warnings

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.exceptions import NotFittedError

import keyhole as kh
from moments.conftest import CLASSES, columns, three_classes, two_classes, with_holes


@pytest.mark.parametrize("make", [two_classes, three_classes])
def test_from_a_third_of_the_cells_it_is_close_to_the_discriminant_from_all(make):
    X, y = make()
    X_new, y_new = make(2000, seed=1)
    learner = kh.KeyholeClassifier(4, random_state=0).fit(X, y)
    whole = LinearDiscriminantAnalysis().fit(X, y)
    assert learner.observed_.max_per_example == 4
    assert learner.score(X_new, y_new) > whole.score(X_new, y_new) - 0.03
    assert set(learner.predict(X_new)) <= set(learner.classes_)
    proba = learner.predict_proba(X_new)
    np.testing.assert_allclose(proba.sum(axis=1), 1.0)
    np.testing.assert_array_equal(learner.classes_[proba.argmax(axis=1)], learner.predict(X_new))


def test_log_odds_are_coefficients_and_probabilities():
    X, y = two_classes()
    learner = kh.KeyholeClassifier(4, random_state=0).fit(X, y)
    np.testing.assert_allclose(learner.decision_function(X), columns(learner, X) @ learner.coef_ + learner.intercept_)
    np.testing.assert_allclose(learner.predict_proba(X)[:, 1], 1 / (1 + np.exp(-learner.decision_function(X))))
    X, y = three_classes()
    learner = kh.KeyholeClassifier(4, random_state=0).fit(X, y)
    np.testing.assert_allclose(learner.decision_function(X), columns(learner, X) @ learner.coef_.T + learner.intercept_)
    raw = kh.KeyholeClassifier(4, values="raw", random_state=0).fit(X, y)
    np.testing.assert_allclose(raw.decision_function(X), X @ raw.coef_.T + raw.intercept_)


@pytest.mark.parametrize("values", ["auto", "raw", "winsorised", "log", "rank"])
def test_values_of_classes_with_long_tails(values):
    X, y = three_classes(2100)
    X = np.exp(X)
    learner = kh.KeyholeClassifier(5, values=values, random_state=0).fit(X[:900], y[:900])
    assert learner.coef_.shape == (3, 12)
    names = [name if made == "raw" else f"{name} ({made})" for name, made in learner.values_.items()]
    assert learner.get_feature_names_out().tolist() == names
    odds = columns(learner, X[900:]) @ learner.coef_.T + learner.intercept_
    np.testing.assert_allclose(learner.decision_function(X[900:]), odds, rtol=1e-9, atol=1e-9)
    assert learner.score(X[900:], y[900:]) > (0.75 if values in ("auto", "log", "rank") else 0.5)


def test_units_change_no_class_and_no_probability():
    X, y = three_classes(600)
    factor = np.resize([1000.0, 1.0, 0.001], 12)
    plain, other = (kh.KeyholeClassifier(4, random_state=0).fit(table, y) for table in (X, X * factor))
    np.testing.assert_allclose(other.predict_proba(X * factor), plain.predict_proba(X), rtol=1e-8, atol=1e-10)


@pytest.mark.parametrize("seed", [0, 1])
def test_classes_that_follow_nothing_have_the_probabilities_of_their_shares(seed):
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(3900, 20)), CLASSES[rng.choice(3, size=3900, p=[0.5, 0.3, 0.2])]
    why = "held-out rows support (no predictor|[0-9]+% of what the model predicts beyond the mean label)"
    with pytest.warns(UserWarning, match=why):
        learner = kh.KeyholeClassifier(4, random_state=0).fit(X[:900], y[:900])
    own, shares = y[900:, None] == CLASSES, np.mean(y[:900, None] == CLASSES, axis=0)
    found = learner.predict_proba(X[900:])
    assert np.mean((found - own) ** 2) < 1.005 * np.mean((shares - own) ** 2)
    if learner.family_ == "mean":
        np.testing.assert_allclose(found, np.tile(shares, (3000, 1)))
        assert set(learner.predict(X)) == {"apple"}


def test_a_choice_is_several_columns_and_a_sparse_matrix_is_a_table():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"a": rng.normal(size=500), "b": rng.normal(size=500)})
    frame["colour"] = pd.Categorical(rng.choice(["red", "green", "blue"], size=500))
    y = (frame["colour"] == "red") | (frame["a"] > 1)
    learner = kh.KeyholeClassifier(2, random_state=0).fit(frame, y)
    assert learner.get_feature_names_out().tolist()[2:] == ["colour=blue", "colour=green", "colour=red"]
    assert learner.score(frame, y) > 0.85
    X = np.where(rng.random((400, 8)) < 0.5, 0.0, rng.lognormal(size=(400, 8)))
    y = X[:, 0] > X[:, 1]
    learner = kh.KeyholeClassifier(3, random_state=0).fit(sparse.csr_array(X), y)
    np.testing.assert_allclose(learner.predict_proba(sparse.csr_array(X)), learner.predict_proba(X), rtol=1e-10)


@pytest.mark.parametrize("n", [2, 3, 5, 9, 10, 20, 30])
def test_few_rows_never_crash(n):
    rng = np.random.default_rng(n)
    for d, budget in ((1, 1), (12, 4), (60, 4), (30, None)):
        X, y = rng.normal(size=(n, d)), CLASSES[rng.integers(3, size=n)]
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "KeyholeClassifier: ")
            learner = kh.KeyholeClassifier(budget, random_state=0).fit(X, y)
            new = 3 * rng.normal(size=(20, d))
            found = np.vstack([learner.predict_proba(new), learner.predict_proba(np.where(new > 0, np.nan, new))])
            learner.summary()
        np.testing.assert_allclose(found.sum(axis=1), 1.0)
        assert (found >= 0).all()


@pytest.mark.parametrize("make", [two_classes, three_classes])
@pytest.mark.parametrize("size", [2, 6, 12])
def test_probabilities_come_true(make, size):
    X, y = make(1500)
    learner = kh.KeyholeClassifier(5, random_state=0).fit(X, y)
    X_new, y_new = make(4000, seed=1)
    proba = learner.predict_proba(with_holes(X_new, size))
    for c, name in enumerate(learner.classes_):
        for group in np.array_split(np.argsort(proba[:, c]), 5):
            assert abs(proba[group, c].mean() - np.mean(y_new[group] == name)) < 0.07


def test_where_nothing_is_known_the_shares_are_left():
    X, y = three_classes()
    learner = kh.KeyholeClassifier(4, random_state=0).fit(X, y)
    shares = [np.mean(y == name) for name in learner.classes_]
    np.testing.assert_allclose(learner.predict_proba(np.full((1, 12), np.nan)), [shares])


def test_one_class_is_predicted_with_a_warning():
    X, _ = two_classes(60)
    with pytest.warns(UserWarning, match="all labels are equal"):
        learner = kh.KeyholeClassifier(4, random_state=0).fit(X, ["only"] * 60)
    assert set(learner.predict(X)) == {"only"}
    np.testing.assert_array_equal(learner.predict_proba(X), np.ones((60, 1)))


@pytest.mark.parametrize(
    ("y", "message"),
    [
        ([0.0, 1.0, np.nan, 1.0], "Input y contains NaN: label of example 2"),
        (["a", "b", None, "a"], "Input y contains NaN: example 2 has no class"),
        ([0.5, 1.25, 2.5, 1.0], "continuous"),
        (np.array(["a", 1, "b", 2], dtype=object), "some classes are text"),
        (["a", "b"], "2 labels for 4 examples"),
    ],
)
def test_bad_classes_are_refused(y, message):
    with pytest.raises(ValueError, match=message):
        kh.KeyholeClassifier(4).fit(np.ones((4, 5)), y)


def test_a_class_that_was_not_declared_is_refused_and_changes_nothing():
    X, y = three_classes(100)
    learner = kh.KeyholeClassifier(4, random_state=0).partial_fit(X, y, classes=CLASSES)
    before = pickle.dumps(learner)
    for rows, classes in ((["plum", "fig"], None), (["fig", "fig"], ["fig", "pear"])):
        with pytest.raises(ValueError, match=r"plum|classes="):
            learner.partial_fit(X[:2], rows, classes)
        assert pickle.dumps(learner) == before


def test_a_class_may_appear_later():
    X, y = three_classes(300)
    order = np.argsort(y == "apple", kind="stable")  # the most frequent class comes last
    X, y = X[order], y[order]
    whole = kh.KeyholeClassifier(4, random_state=0).fit(X, y)
    pieces = kh.KeyholeClassifier(4, random_state=0).partial_fit(X[:100], y[:100])
    assert pieces.classes_.tolist() == ["fig", "pear"]
    pieces.partial_fit(X[100:], y[100:])
    by_hand = kh.KeyholeClassifier(4, random_state=0).start(12)
    for t in range(300):
        ask = by_hand.ask()
        by_hand.tell(ask, X[t, ask.attributes], y[t])
    for other in (pieces, by_hand):
        assert other.classes_.tolist() == CLASSES.tolist()
        np.testing.assert_array_equal(other.predict_proba(X), whole.predict_proba(X))


def test_a_declared_class_that_never_occurs_has_probability_0():
    X, y = two_classes(200)
    learner = kh.KeyholeClassifier(4, random_state=0).partial_fit(X, y.astype(int), classes=[0, 1, 2])
    proba = learner.predict_proba(X)
    np.testing.assert_array_equal(proba[:, 2], 0.0)
    np.testing.assert_array_equal(proba[:, :2], kh.KeyholeClassifier(4, random_state=0).fit(X, y).predict_proba(X))


def test_a_tell_that_fails_adds_no_class():
    X, y = three_classes(40)
    learner = kh.KeyholeClassifier(4, random_state=0).fit(X, y)
    with pytest.raises(kh.BadValue):
        learner.tell(learner.ask(), [np.inf] * 4, "plum")
    assert learner.classes_.tolist() == CLASSES.tolist()


def test_few_rows_and_rare_classes_give_finite_probabilities():
    X, y = three_classes(40)
    y[:] = "apple"
    y[3], y[5] = "fig", "pear"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for n in (1, 2, 6, 40):
            learner = kh.KeyholeClassifier(4, random_state=0).fit(X[:n], y[:n])
            assert np.isfinite(learner.predict_proba(X)).all()
    assert 0.0 <= learner.error_at(3).estimate <= 1.0


def test_before_the_first_class_nothing_is_predicted():
    with pytest.raises(NotFittedError):
        kh.KeyholeClassifier(3, random_state=0).start(10).predict(np.zeros((1, 10)))


def test_probabilities_are_lowered_to_what_is_confirmed_and_keep_the_class():
    """60 attributes that are noise: the model claims to know the class, and does not."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(3000, 60)), rng.integers(2, size=3000)
    X[:, 0] += y
    learner = kh.KeyholeClassifier(3, random_state=0).fit(X[:1000], y[:1000])
    bold = 1 / (1 + np.exp(-learner.decision_function(X[1000:])))
    stated = learner.predict_proba(X[1000:])[:, 1]
    assert learner._confirmed_model().confirmed_all <= 1.0
    np.testing.assert_array_equal(stated > 0.5, bold > 0.5)
    np.testing.assert_array_equal(learner.predict(X[1000:]), stated > 0.5)
    assert np.all(np.abs(stated - 0.5) <= np.abs(bold - 0.5) + 1e-12)


@pytest.mark.filterwarnings("error::RuntimeWarning")
def test_a_class_of_one_example_has_probabilities():
    X, y = np.random.default_rng(11).normal(size=(500, 60)), np.zeros(500, dtype=int)
    y[7] = 1
    learner = kh.KeyholeClassifier(6, random_state=0).fit(X, y)
    proba = learner.predict_proba(X)
    np.testing.assert_allclose(proba.sum(axis=1), 1.0)
    assert np.all(proba[:, 0] > 0.5)


def test_a_cost_is_no_number_of_attributes():
    """Attributes of cost 0.5 and one that is free: a budget of 2 shows four, and the free one."""
    X, y = three_classes(300)
    costs = np.where(np.arange(12) == 5, 0.0, 0.5)
    learner = kh.KeyholeClassifier(2.0, costs=costs, random_state=0).fit(X, y)
    assert learner.error_at(4).n_examples == 300
    assert learner.error_at(4).estimate < learner.error_at(1).estimate
    with pytest.raises(ValueError, match="n_attributes=5: 0 of 300 examples revealed so many"):
        learner.error_at(5)
    assert "predictions from 4 attributes" in str(learner.summary())
