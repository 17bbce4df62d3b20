"""What KeyholeRegressor and KeyholeClassifier share: fit solves, partial_fit and tell do not, and calls that fail."""

import pickle
import warnings

import numpy as np
import pytest
from sklearn.exceptions import NotFittedError
from sklearn.utils import get_tags

import keyhole as kh
from keyhole.moments import base
from moments.conftest import correlated, costly_table, described, with_holes

LEARNERS = pytest.mark.parametrize("make", [kh.KeyholeRegressor, kh.KeyholeClassifier])


def labels_for(make, y):
    return y if make is kh.KeyholeRegressor else y > 0


@pytest.fixture
def solved(monkeypatch):
    """How often a model was solved."""
    calls, plain = [], base.select

    def counted(*arguments):
        calls.append(arguments[0].n_rows)
        return plain(*arguments)

    monkeypatch.setattr(base, "select", counted)
    return calls


@LEARNERS
def test_fit_solves_the_model_once_and_at_its_end(make, solved):
    X, y = correlated(120)
    learner = make(4, random_state=0).fit(X, labels_for(make, y))
    assert solved == [120]
    learner.coef_, learner.family_, learner.predict(X), learner.summary(risk=False)
    assert solved == [120]


@LEARNERS
def test_partial_fit_and_tell_solve_when_the_model_is_wanted(make, solved):
    X, y = correlated(60)
    y = labels_for(make, y)
    learner = make(4, random_state=0).partial_fit(X[:40], y[:40])
    for t in range(40, 60):
        ask = learner.ask()
        learner.tell(ask, X[t, ask.attributes], y[t])
    assert solved == []
    learner.predict(X)
    learner.predict(X)
    assert solved == [60]


@LEARNERS
def test_warnings_come_with_fit_and_are_not_repeated(make):
    X, _ = correlated(60)
    with pytest.warns(UserWarning, match="the predictor is the mean label, since all labels are equal"):
        learner = make(4, random_state=0).fit(X, np.ones(60, dtype=int))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        learner.predict(X)
        learner.candidates_  # noqa: B018


def test_warnings_turned_into_errors_leave_the_learner_as_it_was():
    X, y = correlated(60)
    learner = kh.KeyholeRegressor(4, random_state=0).fit(X, y)
    before = pickle.dumps(learner)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(UserWarning, match="all labels are equal"):
            learner.fit(X, np.ones(60))
    assert pickle.dumps(learner) == before


@LEARNERS
def test_a_failed_partial_fit_keeps_what_was_solved(make):
    X, y = correlated(60)
    y = labels_for(make, y)
    learner = make(4, random_state=0).fit(X, y)
    solution = learner._solution()
    broken = X.copy()
    broken[-1] = np.nan
    with pytest.raises(kh.BadValue):
        learner.partial_fit(broken, y)
    assert learner._solution() is solution
    assert learner.cells_.n_examples == 60
    learner.partial_fit(X, y)
    assert learner._solution() is not solution


def test_a_copy_that_learns_on_leaves_the_first_alone():
    X, y = correlated(80)
    learner = kh.KeyholeRegressor(4, random_state=0).fit(X[:60], y[:60])
    coef, twin = learner.coef_, pickle.loads(pickle.dumps(learner))
    twin.partial_fit(X[60:], y[60:])
    assert (learner.cells_.n_examples, twin.cells_.n_examples) == (60, 80)
    np.testing.assert_array_equal(learner.coef_, coef)


def test_without_a_budget_missing_cells_are_taken_and_sklearn_is_told():
    X, y = correlated(60)
    for budget, takes in ((None, True), (4, False)):
        learner = kh.KeyholeRegressor(budget)
        assert learner.takes_missing is takes
        assert get_tags(learner).input_tags.allow_nan is takes
    learner = kh.KeyholeRegressor(random_state=0).fit(with_holes(X, 5), y)
    assert learner.policy_ is None
    ask = learner.ask()
    assert ask.attributes.tolist() == list(range(12))
    learner.tell(ask, [None, np.nan, *[0.5] * 10], 1.0)
    assert (learner.n_skipped_, learner.cells_.n_examples) == (0, 61)
    assert learner.observed_.distinct == 5 * 60 + 10


def test_free_attributes_are_a_mask_of_the_described_ones():
    X, y = costly_table(60)
    learner = kh.KeyholeRegressor(4, random_state=0).fit(kh.observe.ArraySource(X, described()), y)
    assert np.flatnonzero(learner._free()).tolist() == [0]
    assert not kh.KeyholeRegressor(4, random_state=0).fit(X, y)._free().any()


@LEARNERS
def test_the_ledger_has_the_design_of_every_row(make):
    X, y = correlated(120)
    learner = make(4, keep_ledger=True, random_state=0).fit(X, labels_for(make, y))
    ledger = learner.ledger_
    assert len(ledger.designs) == len(learner.policy_.designs) > 1
    first = np.searchsorted(ledger["example"], np.arange(120))
    np.testing.assert_array_equal(ledger["design"][first], learner.cells_.designs)


@LEARNERS
def test_nothing_is_known_before_a_fit(make):
    learner, X = make(4), np.zeros((1, 12))
    names = ["coef_", "family_", "candidates_"]
    methods = [learner.summary, learner.plot_reveals, lambda: learner.predict(X)]
    if make is kh.KeyholeRegressor:
        names += ["risk_interval_", "coef_interval_"]
        methods += [learner.coef_interval, learner.plot_weights, learner.plot_risk, lambda: learner.risk_at(1)]
        methods += [lambda: learner.predict_interval(X)]
    else:
        methods += [lambda: learner.predict_proba(X), lambda: learner.decision_function(X), lambda: learner.error_at(1)]
    for name in names:
        with pytest.raises(NotFittedError):
            getattr(learner, name)
    for method in methods:
        with pytest.raises(NotFittedError):
            method()


def test_an_interrupted_renewal_leaves_the_learner_as_it_was(monkeypatch):
    X, y = correlated(80)
    learner, twin = (kh.KeyholeRegressor(4, random_state=0).start(X.shape[1]) for _ in range(2))
    renewal = learner.policy_.next_renewal
    for one in (learner, twin):
        for t in range(renewal):
            ask = one.ask()
            one.tell(ask, X[t, ask.attributes], y[t])

    def interrupt(*_):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("keyhole.moments.base.select_start", interrupt)
        with pytest.raises(KeyboardInterrupt):
            learner.ask()
    assert not learner.open_asks_
    assert learner.cells_.n_examples == learner.observed_.n_examples == renewal
    np.testing.assert_array_equal(learner.ask().attributes, twin.ask().attributes)
    assert len(learner.policy_.designs) == len(twin.policy_.designs) == 2
