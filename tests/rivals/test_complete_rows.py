"""CompleteRows: whole rows as often as the budget pays for one, and ridge regression on them."""

import numpy as np
import pytest
from sklearn.linear_model import RidgeCV

from keyhole.observe import ArraySource, Attribute, CallableSource
from keyhole.rivals import CompleteRows

RNG = np.random.default_rng(0)
X = RNG.normal(size=(200, 10)) * np.logspace(-2, 3, 10) + 3.0
Y = X @ (RNG.normal(size=10) / np.logspace(-2, 3, 10)) + RNG.normal(size=200)


def guarded_scale(table):
    """The standard deviation with ten more observations at the largest distance, and a fifth of that distance."""
    distance = np.abs(table - table.mean(axis=0))
    squares = (distance**2).sum(axis=0) + 10 * distance.max(axis=0) ** 2
    return np.sqrt(squares / (len(table) + 10) + (distance.max(axis=0) / 5) ** 2)


@pytest.mark.parametrize(("budget", "period"), [(10, 1), (5, 2), (2, 5)])
def test_equals_ridge_on_the_rows_it_paid_for(budget, period):
    alphas = [0.01, 1.0, 100.0]
    rival = CompleteRows(budget, alphas).fit(X, Y)
    rows, labels = X[period - 1 :: period], Y[period - 1 :: period]
    scale = guarded_scale(rows)
    reference = RidgeCV(alphas).fit(rows / scale, labels)
    np.testing.assert_allclose(rival.predict(X), reference.predict(X / scale), rtol=1e-9)
    assert rival.observed_.distinct == len(rows) * 10
    assert rival.observed_.n_examples == 200


@pytest.mark.parametrize("budget", [1, 3, 7, 9])
def test_the_budget_holds_on_average_at_any_time(budget):
    rival = CompleteRows(budget).start(10)
    for t in range(200):
        ask = rival.ask()
        assert len(ask.attributes) in (0, 10)
        rival.tell(ask, X[t, ask.attributes], Y[t])
        left = budget * (t + 1) - rival.observed_.cost
        assert 0 <= left < 10, "credit is spent as soon as it pays for a row"


def test_a_source_is_left_alone_when_nothing_is_asked():
    calls = []

    def read(example, attributes):
        calls.append(example)
        return X[example, attributes]

    CompleteRows(5).fit(CallableSource(read, 200, 10), Y)
    assert calls == list(range(1, 200, 2))


def test_costs():
    attributes = [Attribute(f"x{i}", cost=2.5, bundle="blood" if i < 4 else None, free=i == 9) for i in range(10)]
    # One blood draw, five attributes alone, one that is free: 15 in all.
    rival = CompleteRows(3.75).fit(ArraySource(X, attributes), Y)
    assert rival.observed_.distinct == 50 * 10
    assert rival.observed_.cost == 50 * 15
    with pytest.raises(ValueError, match="above 0 and no more than 15, the cost of a whole row"):
        CompleteRows(16).fit(ArraySource(X, attributes), Y)


def not_charged():
    return [Attribute(f"x{i}", charged_when_missing=False) for i in range(10)]


def test_a_missing_row_is_paid_for_where_missing_cells_are():
    charged = [Attribute(f"x{i}", charged_when_missing=True) for i in range(10)]
    source = CallableSource(lambda t, a: [None] * len(a) if t in {9, 19} else X[t, a], 200, charged)
    rival = CompleteRows(1, keep_ledger=True).fit(source, Y)
    assert rival.n_skipped_ == 2
    assert list(np.unique(rival.ledger_["example"]))[:4] == [9, 19, 29, 39]
    assert rival.observed_.cost == 200


def test_a_row_that_could_not_be_had_is_not_paid_for_and_the_next_is_taken_instead():
    hollow = {9, 19}
    source = CallableSource(lambda t, a: [None] * len(a) if t in hollow else X[t, a], 200, not_charged())
    rival = CompleteRows(1, keep_ledger=True).fit(source, Y)
    assert rival.n_skipped_ == 2
    assert rival.observed_.n_examples == 200
    assert list(np.unique(rival.ledger_["example"]))[:4] == [10, 20, 29, 39]
    assert rival.observed_.cost <= 200


def test_what_was_revealed_of_a_row_that_is_not_whole_is_paid_for():
    source = CallableSource(lambda t, a: [*X[t, a][:-1], None] if t == 9 else X[t, a], 200, not_charged())
    rival = CompleteRows(1, keep_ledger=True).fit(source, Y)
    assert rival.n_skipped_ == 1
    assert np.sum(rival.ledger_["example"] == 9) == 9
    # Nine of the ten cells that were saved up for are gone, so the next row comes one example earlier than usual.
    assert list(np.unique(rival.ledger_["example"]))[:3] == [9, 18, 28]
    assert rival.observed_.cost == rival.observed_.distinct <= 200
    assert len(rival.cells_.values) == rival.observed_.distinct - 9  # and it is not learned from


def test_a_forgotten_ask_earns_and_costs_nothing():
    rival = CompleteRows(5).start(10)
    rival.forget(rival.ask())
    first, second = rival.ask(), rival.ask()
    assert (len(first.attributes), len(second.attributes)) == (0, 10)
    rival.forget(second)
    assert len(rival.ask().attributes) == 10


def test_without_two_whole_rows_it_predicts_the_mean_label():
    with pytest.warns(UserWarning, match=r"CompleteRows predicts the mean label: 1 whole row"):
        rival = CompleteRows(1).fit(X[:19], Y[:19])
    np.testing.assert_allclose(rival.predict(X[:3]), Y[:19].mean())
    assert not rival.coef_.any()


def test_an_almost_constant_attribute_does_not_decide():
    table = np.column_stack([X, np.zeros(200)])
    table[7, 10] = 1e-3  # differs once, in tiny units
    rival = CompleteRows(11).fit(table, Y)
    other = table[:1].copy()
    other[0, 10] = 1e-3
    assert abs(rival.predict(other) - rival.predict(table[:1])) < Y.std()


def test_the_predictor_is_kept_until_the_next_tell():
    rival = CompleteRows(10).fit(X, Y)
    before = rival.coef_
    before[:] = 0.0  # a copy: nothing is spoilt
    assert rival.coef_.any()
    solved = rival.solved_
    rival.predict(X)
    assert rival.solved_ is solved
    rival.partial_fit(X[:1], Y[:1] + 100)
    assert not np.array_equal(rival.coef_, solved[0])


def test_with_a_total_skipped_examples_may_be_forgotten():
    rival = CompleteRows(total=40, n_expected=20, random_state=0).start(10)
    looked_at = 0
    for _ in range(20):
        ask = rival.ask()
        if len(ask.attributes):
            rival.tell(ask, np.zeros(len(ask.attributes)), 0.0)
            looked_at += 1
        else:
            rival.forget(ask)
    assert (looked_at, rival.observed_.cost) == (4, 40)
