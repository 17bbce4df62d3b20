"""A warning names the line of the user's code, and not one inside Keyhole."""

import numpy as np
import pytest

import keyhole as kh


def line_of(caught):
    """The line of this file that the one warning names."""
    (found,) = caught
    assert found.filename == __file__
    with open(__file__) as source:
        return source.readlines()[found.lineno - 1].strip()


def test_a_warning_names_the_line_that_called_fit():
    X = np.random.default_rng(0).normal(size=(40, 5))
    with pytest.warns(UserWarning, match="all labels are equal") as caught:
        kh.KeyholeRegressor(2, random_state=0).fit(X, np.ones(40))
    assert line_of(caught) == "kh.KeyholeRegressor(2, random_state=0).fit(X, np.ones(40))"


def test_a_warning_names_the_line_that_wanted_the_model():
    X = np.random.default_rng(0).normal(size=(40, 5))
    learner = kh.KeyholeRegressor(2, random_state=0).partial_fit(X, np.ones(40))
    with pytest.warns(UserWarning, match="all labels are equal") as caught:
        weights = learner.coef_
    assert line_of(caught) == "weights = learner.coef_"
    assert not weights.any()


def test_a_warning_of_a_rival_and_of_a_budget():
    X = np.random.default_rng(0).normal(size=(5, 5))
    with pytest.warns(UserWarning, match="whole row") as caught:
        kh.rivals.CompleteRows(1).fit(X, np.arange(5.0))
    assert line_of(caught) == "kh.rivals.CompleteRows(1).fit(X, np.arange(5.0))"
    with pytest.warns(UserWarning, match="more than the budget") as caught:
        kh.KeyholeRegressor(2, costs=[1, 1, 1, 1, 3]).start(5)
    assert line_of(caught) == "kh.KeyholeRegressor(2, costs=[1, 1, 1, 1, 3]).start(5)"
