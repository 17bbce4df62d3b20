"""The base of the rivals: cells are collected, and the predictor is solved for when it is read."""

import numpy as np
import pytest

from keyhole.rivals import CompleteRows
from keyhole.rivals.base import new_ask

X = np.random.default_rng(0).normal(size=(30, 3))


def test_the_predictor_is_solved_for_once_until_more_is_told(monkeypatch):
    solved = []
    solve = CompleteRows._solve
    monkeypatch.setattr(CompleteRows, "_solve", lambda self: solved.append(1) or solve(self))
    rival = CompleteRows(3).fit(X, X[:, 0])
    assert len(solved) == 1  # at the end of fit
    assert rival.coef_[0] == pytest.approx(1.0, abs=0.01)
    assert rival.intercept_ == pytest.approx(0.0, abs=0.01)
    assert len(solved) == 1
    rival.coef_[:] = 0.0  # a copy
    assert rival.coef_[0] != 0.0
    rival.partial_fit(X, X[:, 0])
    rival.predict(X)
    assert len(solved) == 2


def test_an_example_of_which_nothing_is_asked_is_not_read():
    assert CompleteRows(1).fit(np.where(np.arange(30)[:, None] % 3 == 2, X, np.nan), X[:, 0]).observed_.total == 30


def test_ask_for_different_attributes():
    ask = new_ask(np.array([4, 1]), 0.25)
    assert ask.attributes.tolist() == [4, 1]
    assert ask.probabilities.tolist() == [0.25, 0.25]
    assert ask.slots.tolist() == [0, 1]
    assert ask.weights.tolist() == [1.0, 1.0]
