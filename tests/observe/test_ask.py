"""An ask: several draws of one attribute are one reveal, and what is asked is remembered."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

import keyhole as kh
from keyhole.observe.ask import INNER_PRODUCT, X_ESTIMATE, ask_for, with_probabilities


@settings(deadline=None)  # the first call compiles
@given(st.lists(st.integers(0, 7), max_size=12))
def test_every_draw_points_to_its_attribute_and_each_is_asked_for_once(drawn):
    drawn, marks = np.array(drawn, dtype=np.int64), np.full(8, -1)
    ask = ask_for(drawn, np.zeros(len(drawn), dtype=np.int64), np.ones(len(drawn)), marks)
    assert len(set(ask.attributes.tolist())) == len(ask.attributes)
    np.testing.assert_array_equal(ask.attributes[ask.slots], drawn)
    assert list(ask.attributes) == list(dict.fromkeys(drawn.tolist()))  # in the order of the draws
    assert (marks == -1).all()
    assert (len(ask.probabilities), len(ask.notes), ask.number) == (0, 0, -1)


def test_roles_and_weights_stay_with_their_draws():
    roles, weights = np.array([X_ESTIMATE, INNER_PRODUCT, INNER_PRODUCT]), np.array([0.5, 2.0, 3.0])
    ask = ask_for(np.array([4, 1, 4]), roles, weights, np.full(5, -1))
    assert ask.slots.tolist() == [0, 1, 0]
    assert ask.roles.tolist() == [0, 1, 1]
    assert ask.weights.tolist() == [0.5, 2.0, 3.0]


def test_probabilities_are_added_and_nothing_else_changes():
    ask = ask_for(np.array([4, 1]), np.zeros(2, dtype=np.int64), np.ones(2), np.full(5, -1))
    known = with_probabilities(ask, np.array([0.25, 0.5]))
    assert known.probabilities.tolist() == [0.25, 0.5]
    for name in ("attributes", "slots", "roles", "weights", "notes", "number"):
        np.testing.assert_array_equal(getattr(known, name), getattr(ask, name))


def test_a_learners_ask_has_a_number_and_a_compiled_pass_registers_none():
    X = np.random.default_rng(0).normal(size=(30, 6))
    for learner in (kh.AERR(3, random_state=0), kh.KeyholeRegressor(3, random_state=0)):
        learner.fit(X, X[:, 0])
        assert (learner.n_asked_, learner.open_asks_) == (0, {})
        assert [learner.ask().number for _ in range(3)] == [0, 1, 2]
