"""The one shape of all learners: tables, examples with missing values, and calls that fail."""

import copy
import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.exceptions import NotFittedError
from sklearn.utils import get_tags

import keyhole as kh
from keyhole.learner import Learner
from keyhole.observe import CallableSource

X = np.random.default_rng(0).normal(size=(60, 6))
Y = X @ [1.0, -1.0, 0.5, 0.0, 0.0, 0.2] + 0.1 * np.random.default_rng(1).normal(size=60)
MAKERS = {
    "AERR": lambda **more: kh.AERR(3, random_state=0, **more),
    "Hybrid": lambda **more: kh.Hybrid(4, 2, random_state=0, **more),
    "KeyholeRegressor": lambda **more: kh.KeyholeRegressor(3, random_state=0, **more),
    "KeyholeClassifier": lambda **more: kh.KeyholeClassifier(3, random_state=0, **more),
    "ImputeThenRidge": lambda **more: kh.rivals.ImputeThenRidge(3, 1, turns=1, random_state=0, **more),
}
EVERY = pytest.mark.parametrize("make", MAKERS.values(), ids=list(MAKERS))


def label(learner, t):
    return bool(Y[t] > 0) if isinstance(learner, kh.KeyholeClassifier) else Y[t]


def fitted(make, table=X, **more):
    learner = make(**more)
    return learner.fit(table, Y > 0 if isinstance(learner, kh.KeyholeClassifier) else Y)


def values_of(ask, t=0):
    return X[t, ask.attributes]


@EVERY
@pytest.mark.parametrize("charged", [False, True])
def test_what_was_paid_of_an_example_with_a_missing_value_is_counted_and_recorded(make, charged):
    table = kh.ArraySource(X, [kh.Attribute(f"x{i}", charged_when_missing=charged) for i in range(6)])
    learner = fitted(make, table, keep_ledger=True)
    coef, before, ledger = np.array(learner.coef_), learner.observed_.copy(), len(learner.ledger_)
    ask = learner.ask()
    values = list(values_of(ask))
    values[0] = None
    learner.tell(ask, values, label(learner, 0))
    paid = ask.attributes[not charged :]  # of the first the value is missing
    after = learner.observed_
    assert (learner.n_skipped_, learner.open_asks_) == (0 if learner.takes_missing else 1, {})
    assert after.n_examples == before.n_examples + 1
    assert after.distinct == before.distinct + len(paid)
    assert after.cost == before.cost + len(paid)
    counted = np.bincount(paid, minlength=6)
    np.testing.assert_array_equal(after.per_attribute - before.per_attribute, counted)
    assert len(learner.ledger_) == ledger + len(paid)
    assert set(learner.ledger_["example"][ledger:]) == {60}
    if not learner.takes_missing:
        np.testing.assert_array_equal(learner.coef_, coef)
    ask = learner.ask()  # and the next example has the next number
    learner.tell(ask, values_of(ask), label(learner, 0))
    assert learner.ledger_["example"][-1] == 61


@EVERY
def test_a_table_with_missing_values_is_learned_from_as_far_as_it_goes(make):
    table = X.copy()
    table[::4, 2] = np.nan
    objects = table.astype(object)
    objects[::4, 2] = None
    sources = [
        table,
        objects,
        pd.DataFrame(table),
        pl.DataFrame(table),
        CallableSource(lambda t, i: objects[t, i], 60, 6),
    ]
    fits = []
    for source in sources:
        learner = make()
        y = Y > 0 if isinstance(learner, kh.KeyholeClassifier) else Y
        if learner.takes_missing:
            fits.append(learner.fit(source, y))
        else:
            with pytest.warns(UserWarning, match=r"skipped \d+ of 60 examples, of which a drawn value is missing"):
                fits.append(learner.fit(source, y))
        assert (0 < learner.n_skipped_ <= 15) != learner.takes_missing
        assert learner.observed_.n_examples == 60
        assert np.isfinite(learner.predict(X).astype(float)).all()
    for learner in fits[1:]:
        np.testing.assert_array_equal(learner.coef_, fits[0].coef_)
        np.testing.assert_array_equal(learner.observed_.per_attribute, fits[0].observed_.per_attribute)
        assert learner.n_skipped_ == fits[0].n_skipped_


@EVERY
def test_a_failed_partial_fit_changes_nothing(make):
    learner = fitted(make)
    learner.ask()
    before = pickle.dumps(learner)
    broken = X.copy()
    broken[30:] = np.inf
    y = Y > 0 if isinstance(learner, kh.KeyholeClassifier) else Y
    for rows in (slice(0, 60), slice(30, 31)):
        with pytest.raises(kh.BadValue):
            learner.partial_fit(broken[rows], y[rows])
        assert pickle.dumps(learner) == before
    with pytest.raises(kh.BadValue):
        learner.fit(broken, y)
    assert pickle.dumps(learner) == before


@EVERY
def test_a_copy_has_open_asks_of_its_own_once_it_learns(make):
    learner = make().start(6)
    learner.ask()
    twin = copy.deepcopy(learner)
    twin.ask()
    assert (list(learner.open_asks_), list(twin.open_asks_)) == ([0], [0, 1])


@EVERY
def test_before_start_or_fit_nothing_is_known(make):
    learner = make()
    for use in (learner.ask, lambda: learner.tell(None, [], 0.0), lambda: learner.forget(None)):
        with pytest.raises(NotFittedError, match=r"knows no attributes yet: call start\(attributes\) or fit first"):
            use()
    for use in (lambda: learner.coef_, lambda: learner.intercept_, lambda: learner.predict(X)):
        with pytest.raises(NotFittedError):
            use()


@EVERY
def test_scikit_learn_is_told_of_sparse_tables_and_poor_scores(make):
    tags = get_tags(make())
    assert tags.input_tags.sparse
    kind = tags.classifier_tags if tags.estimator_type == "classifier" else tags.regressor_tags
    assert kind.poor_score
    assert not hasattr(Learner, "score")  # which regressors and classifiers add


@pytest.mark.parametrize(
    ("attributes", "names"),
    [(3, ["x0", "x1", "x2"]), (["age", "pulse"], ["age", "pulse"]), ([kh.Attribute("age"), "pulse"], ["age", "pulse"])],
)
def test_attributes_are_given_by_number_by_name_or_described(attributes, names):
    learner = kh.KeyholeRegressor(1).start(attributes)
    assert [a.name for a in learner.attributes_] == names
    assert learner.n_features_in_ == len(names)


@pytest.mark.parametrize("attributes", [0, [], "abc"])
def test_wrong_attributes(attributes):
    with pytest.raises(ValueError, match="attributes"):
        kh.KeyholeRegressor(1).start(attributes)
