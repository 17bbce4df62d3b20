"""A warning names the line of the user's code, and not one inside Keyhole."""

import numpy as np
import pytest

import keyhole as kh


def line_of(caught, message):
    (found,) = [one for one in caught if message in str(one.message)]
    assert found.filename == __file__
    with open(__file__) as source:
        return source.readlines()[found.lineno - 1].strip()


def test_a_warning_names_the_line_that_called_fit():
    X = np.random.default_rng(0).normal(size=(40, 5))
    with pytest.warns(UserWarning, match="labels") as caught:
        kh.KeyholeRegressor(2, random_state=0).fit(X, np.ones(40))
    assert line_of(caught, "all labels are equal") == "kh.KeyholeRegressor(2, random_state=0).fit(X, np.ones(40))"


def test_a_warning_names_the_line_that_wanted_the_model():
    X = np.random.default_rng(0).normal(size=(40, 5))
    learner = kh.KeyholeRegressor(2, random_state=0).partial_fit(X, np.ones(40))
    with pytest.warns(UserWarning, match="labels") as caught:
        weights = learner.coef_
    assert line_of(caught, "all labels are equal") == "weights = learner.coef_"
    assert not weights.any()


def test_a_warning_of_a_rival_and_of_a_budget():
    X = np.random.default_rng(0).normal(size=(5, 5))
    with pytest.warns(UserWarning, match="row") as caught:
        kh.rivals.CompleteRows(1).fit(X, np.arange(5.0))
    assert line_of(caught, "whole row(s)") == "kh.rivals.CompleteRows(1).fit(X, np.arange(5.0))"
    with pytest.warns(UserWarning, match="budget") as caught:
        kh.KeyholeRegressor(2, costs=[1, 1, 1, 1, 3]).start(5)
    assert line_of(caught, "more than the budget") == "kh.KeyholeRegressor(2, costs=[1, 1, 1, 1, 3]).start(5)"
