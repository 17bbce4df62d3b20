"""Asks: numbered, open until they are told or forgotten, told once, late and in part."""

import pickle

import numpy as np
import pytest

import keyhole as kh

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


def fitted(make, **more):
    learner = make(**more)
    return learner.fit(X, Y > 0 if isinstance(learner, kh.KeyholeClassifier) else Y)


def values_of(ask, t=0):
    return X[t, ask.attributes]


@EVERY
def test_asks_are_numbered_and_open_until_they_are_told(make):
    learner = make().start(6)
    asks = [learner.ask() for _ in range(3)]
    assert [ask.number for ask in asks] == [0, 1, 2]
    assert list(learner.open_asks_) == [0, 1, 2]
    learner.tell(asks[1], values_of(asks[1]), label(learner, 0))
    assert list(learner.open_asks_) == [0, 2]
    for t, ask in enumerate((asks[2], asks[0])):  # in any order
        learner.tell(ask, values_of(ask), label(learner, t))
    assert (learner.open_asks_, learner.n_asked_) == ({}, 3)
    assert learner.observed_.n_examples == 3


@EVERY
def test_an_ask_is_told_once(make):
    learner = make().start(6)
    ask, _ = learner.ask(), learner.ask()
    learner.tell(ask, values_of(ask), label(learner, 0))
    before = pickle.dumps(learner)
    for verb in (lambda: learner.tell(ask, values_of(ask), label(learner, 0)), lambda: learner.forget(ask)):
        with pytest.raises(ValueError, match=r"ask number 0 is not open: it was told or forgotten before.*\[1\]"):
            verb()
    assert pickle.dumps(learner) == before


@EVERY
def test_a_forgotten_ask_costs_and_teaches_nothing(make):
    learner = fitted(make)
    coef, observed = np.array(learner.coef_), repr(learner.observed_)
    ask = learner.ask()
    assert learner.forget(ask) is learner
    assert (learner.open_asks_, learner.n_asked_, learner.n_skipped_) == ({}, 1, 0)
    assert repr(learner.observed_) == observed
    np.testing.assert_array_equal(learner.coef_, coef)
    with pytest.raises(ValueError, match=r"ask number 0 is not open.*it has no open ask"):
        learner.tell(ask, values_of(ask), label(learner, 0))


@EVERY
def test_another_learners_ask_is_refused(make):
    learner, other = make().start(6), make().set_params(random_state=7).start(6)
    ask = learner.ask()
    with pytest.raises(ValueError, match="ask number 0 is not open"):
        other.tell(ask, values_of(ask), label(learner, 0))
    mine = other.ask()
    while np.array_equal(mine.attributes, ask.attributes):
        mine, ask = other.ask(), learner.ask()
    with pytest.raises(ValueError, match=f"ask number {ask.number} is not open.*another learner made it"):
        other.tell(ask, values_of(ask), label(learner, 0))  # the same number, and other attributes
    for wrong in (None, ask.attributes, "ask"):
        with pytest.raises(ValueError, match=f"tell takes what ask.. of this .* returned; got {type(wrong).__name__}"):
            other.tell(wrong, [1.0, 2.0, 3.0], 1.0)
        with pytest.raises(ValueError, match="forget takes what ask"):
            other.forget(wrong)


@EVERY
def test_a_tell_that_fails_leaves_the_ask_open(make):
    learner = make().start(6)
    ask = learner.ask()
    before = pickle.dumps(learner)
    wrong = [
        (
            np.full(len(ask.attributes), np.inf),
            label(learner, 0),
            "ask number 0, attribute 'x.': infinity was revealed",
        ),
        (values_of(ask)[:-1], label(learner, 0), "ask number 0: got .* values; .* are needed"),
        (values_of(ask), np.nan, "ask number 0: the label is NaN; None says that it is not there yet"),
        (values_of(ask), np.inf, "ask number 0: "),
        (None, label(learner, 0), "ask number 0: no values were told"),
        (None, None, "ask number 0: no values were told"),
    ]
    for values, y, message in wrong:
        with pytest.raises(ValueError, match=message):
            learner.tell(ask, values, y)
        assert pickle.dumps(learner) == before
    learner.tell(ask, values_of(ask), label(learner, 0))
    assert (learner.observed_.n_examples, learner.open_asks_) == (1, {})


@EVERY
def test_open_asks_survive_a_pickle(make):
    learner = make().start(6)
    ask = learner.ask()
    again = pickle.loads(pickle.dumps(learner))
    for one in (learner, again):
        one.tell(ask, values_of(ask), label(one, 0))
    assert (learner.n_asked_, again.n_asked_) == (1, 1)
    np.testing.assert_array_equal(learner.ask().attributes, again.ask().attributes)


@EVERY
def test_values_without_a_label_are_kept_until_it_comes(make):
    learner, other = fitted(make, keep_ledger=True), fitted(make, keep_ledger=True)
    ask, same = learner.ask(), other.ask()
    assert learner.tell(ask, values_of(ask)) is learner
    assert list(learner.open_asks_) == list(learner.awaiting_label_) == [0]
    assert learner.observed_.distinct == other.observed_.distinct + len(ask.attributes)
    with pytest.raises(ValueError, match=r"ask number 0: its values were told before; tell\(ask, label=...\) adds"):
        learner.tell(ask, values_of(ask), label(learner, 0))
    with pytest.raises(ValueError, match="ask number 0: its values were told before, and label=None adds nothing"):
        learner.tell(ask)
    again = pickle.loads(pickle.dumps(learner))
    other.tell(same, values_of(same), label(other, 0))
    for one in (learner, again):
        one.tell(ask, label=label(one, 0))
        assert one.open_asks_ == one.awaiting_label_ == {}
        np.testing.assert_array_equal(one.coef_, other.coef_)
        assert repr(one.observed_) == repr(other.observed_)
        with pytest.raises(ValueError, match="ask number 0 is not open"):
            one.tell(ask, label=label(one, 0))


@EVERY
def test_a_missing_value_without_a_label_is_skipped_once(make):
    learner = fitted(make)
    asks = [learner.ask() for _ in range(2)]
    for ask in asks:
        learner.tell(ask, [None] * len(ask.attributes))
    learner.tell(asks[0], label=label(learner, 0))
    paid = learner.observed_.distinct
    learner.forget(asks[1])  # what was paid stays counted
    assert learner.observed_.distinct == paid
    assert learner.observed_.n_examples == 62
    assert learner.n_skipped_ == (0 if learner.takes_missing else 2)
    assert learner.open_asks_ == learner.awaiting_label_ == {}


@EVERY
def test_published_learners_and_rivals_draw_every_attribute(make):
    learner = make().start(6)
    if learner.takes_missing:
        return
    for more in ({"unavailable": ["x1"]}, {"known": {"x1": 2.0}}):
        with pytest.raises(ValueError, match="takes neither unavailable nor known: tell None for a value"):
            learner.ask(**more)
    assert learner.n_asked_ == 0


@EVERY
def test_a_new_start_or_fit_forgets_open_asks(make):
    learner = make().start(6)
    ask = learner.ask()
    learner.start(6)
    assert (learner.open_asks_, learner.n_asked_) == ({}, 0)
    with pytest.raises(ValueError, match="not open"):
        learner.tell(ask, values_of(ask), label(learner, 0))
    learner.ask()
    learner.fit(X, Y > 0 if isinstance(learner, kh.KeyholeClassifier) else Y)
    assert learner.open_asks_ == {}


@EVERY
def test_asks_stay_open_while_more_examples_are_learned(make):
    learner = make().start(6)
    ask = learner.ask()
    y = Y > 0 if isinstance(learner, kh.KeyholeClassifier) else Y
    learner.partial_fit(X[:20], y[:20]).partial_fit(X[20:21], y[20:21])
    assert list(learner.open_asks_) == [0]
    learner.tell(ask, values_of(ask, 30), y[30])
    assert (learner.open_asks_, learner.observed_.n_examples) == ({}, 22)
