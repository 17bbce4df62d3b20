"""How often attributes are repeated, against correlations one by one, and the size of examples that follows."""

import numpy as np
import pytest

from keyhole.moments.layout_choice import (
    asked_completely,
    chosen_size,
    complete_table,
    partial_table,
    repetitions,
    repetitions_by_pairs,
)
from keyhole.moments.policy.offers import every_offer
from keyhole.moments.policy.settings import FEW_REPETITIONS, SOME_REPETITIONS
from keyhole.moments.solution import MOST_GAPS
from keyhole.observe import PlainAttributes
from keyhole.observe.cells import Cells
from moments.conftest import training


def repeated(n, d, common, seed=0):
    """Rows of attributes of which every two have the same correlation."""
    rng = np.random.default_rng(seed)
    return np.sqrt(common) * rng.normal(size=(n, 1)) + np.sqrt(1 - common) * rng.normal(size=(n, d))


@pytest.mark.parametrize("common", [0.0, 0.1, 0.5])
def test_the_estimate_is_unbiased_from_few_rows(common):
    d, true = 40, 1 + 39 * common**2
    found = [repetitions(repeated(12, d, common, seed)) for seed in range(400)]
    assert np.mean(found) == pytest.approx(true, abs=4 * np.std(found) / 20 + 0.06 * true)
    if common == 0:
        assert np.std(found) == pytest.approx(2 / 11, rel=0.2)  # as the text says


def test_it_is_the_mean_squared_correlation_beyond_chance():
    X = np.random.default_rng(0).normal(size=(9, 5)) @ np.random.default_rng(1).normal(size=(5, 5))
    squares = [np.corrcoef(X[:, i], X[:, j])[0, 1] ** 2 for i in range(5) for j in range(5) if i != j]
    assert repetitions(X) == pytest.approx(1 + 4 * (np.mean(squares) - 1 / 8) / (1 - 1 / 8))
    assert repetitions(np.column_stack([X, np.ones(9)])) == pytest.approx(
        repetitions(X)
    )  # what does not vary is left out
    assert np.isnan(repetitions(np.ones((9, 3))))


def partial(n, d, per_row, common, seed=0):
    """The same rows, of which each shows so many attributes, drawn at random; NaN elsewhere."""
    X, rng = repeated(n, d, common, seed), np.random.default_rng(1000 + seed)
    hidden = rng.permuted(np.arange(d) >= np.full((n, 1), per_row), axis=1)
    X[hidden] = np.nan
    return X


def test_by_pairs_it_is_the_mean_squared_correlation_of_every_two_beyond_chance():
    X = np.array([0.0, 1e6, 3.0, -5.0, 0.1]) + partial(150, 5, 2, 0.4)
    corrected = []
    for i in range(5):
        for j in range(i):
            both = X[~np.isnan(X[:, i] + X[:, j])]
            chance = 1 / (len(both) - 1)
            corrected.append((np.corrcoef(both[:, i], both[:, j])[0, 1] ** 2 - chance) / (1 - chance))
    assert repetitions_by_pairs(X, 5) == pytest.approx(1 + 4 * np.mean(corrected), rel=1e-6)
    assert repetitions_by_pairs(X, 9) == pytest.approx(1 + 8 * np.mean(corrected), rel=1e-6)  # five of nine columns
    whole = repeated(30, 5, 0.4)
    assert repetitions_by_pairs(whole, 5) == pytest.approx(repetitions(whole))


@pytest.mark.parametrize("common", [0.0, 0.3])
def test_by_pairs_it_is_unbiased(common):
    d, true = 17, 1 + 16 * common**2
    found = [repetitions_by_pairs(partial(60, d, 9, common, seed), d) for seed in range(400)]
    assert np.mean(found) == pytest.approx(true, abs=4 * np.std(found) / 20 + 0.03 * true)


def test_by_few_pairs_nothing_is_said():
    assert np.isnan(repetitions_by_pairs(partial(30, 17, 3, 0.3), 17))
    assert np.isnan(repetitions_by_pairs(np.ones((20, 4)), 4))


def test_only_rows_that_are_not_complete_count_and_of_many_columns_a_part(monkeypatch):
    X = np.vstack([repeated(12, 30, 0.3), partial(40, 30, 10, 0.3)])
    offers, data = every_offer("Learner", PlainAttributes(30))[0], training(X, np.arange(52.0))
    table, n_columns = partial_table(offers, data)
    assert n_columns == 30
    assert sorted(map(str, table)) == sorted(map(str, X[12:, np.random.default_rng(data.seed).permutation(30)]))
    monkeypatch.setattr("keyhole.moments.layout_choice.MOST_COLUMNS_FOR_PAIRS", 8)
    table, n_columns = partial_table(offers, data)
    assert (table.shape[1], n_columns) == (8, 30)


def test_a_pilot_that_misled_is_mended_by_the_pairs_of_later_examples():
    d, often = 17, 2.4
    pilots = [X for seed in range(2000) if repetitions(X := repeated(12, d, 0.3, seed)) > SOME_REPETITIONS]
    offers = every_offer("Learner", PlainAttributes(d))[0]
    assert chosen_size(offers, training(pilots[0], np.arange(12.0)), d, 9.0, None)[0] == 9
    sizes = []
    for n in (10, 150):
        X = np.vstack([pilots[0], partial(n, d, 9, 0.3)])
        sizes.append(chosen_size(offers, training(X, np.arange(12.0 + n)), d, 9.0, 9.0))
    assert sizes[0] == (9.0, "too few pairs of attributes tell more")
    assert sizes[1][0] == d
    assert sizes[1][1].startswith("by the pairs of attributes in 150 examples an attribute comes 2.")
    assert 1 + (d - 1) * 0.3**2 == pytest.approx(often, abs=0.1)


def choice(often, now=None, most=40, rows=12):
    """The size that is chosen where 40 attributes are repeated so often; 10 is the usual one."""
    common = np.sqrt((often - 1) / 39)
    wanted = [X for seed in range(400) if abs(repetitions(X := repeated(rows, 40, common, seed)) - often) < 0.05]
    offers = every_offer("Learner", PlainAttributes(40))[0]
    return chosen_size(offers, training(wanted[0], np.arange(float(rows))), most, 10.0, now)


def test_the_fewer_repetitions_the_larger_the_examples():
    assert choice(1.0)[0] == 40
    assert choice(0.5 * (FEW_REPETITIONS + SOME_REPETITIONS))[0] == 20
    size, why = choice(2 * SOME_REPETITIONS)
    assert size == 10
    assert why.startswith("in 12 complete examples an attribute comes 10.0 times, its repetitions in others counted:")
    assert why.endswith("(complete examples are taken below 3 times, and twice the usual size from there to 5 times)")


def test_a_size_is_kept_until_it_is_clearly_wrong():
    assert choice(1.2 * FEW_REPETITIONS, 40.0)[0] == 40
    assert choice(2.0 * FEW_REPETITIONS, 40.0)[0] == 10
    offers = every_offer("Learner", PlainAttributes(40))[0]
    for often, size in ((0.8 * FEW_REPETITIONS, 20), (0.5 * FEW_REPETITIONS, 40)):
        common = np.sqrt((often - 1) / 39)
        wanted = [
            X
            for seed in range(100)
            if abs(repetitions_by_pairs(X := partial(60, 40, 20, common, seed), 40) - often) < 0.05
        ]
        data = training(np.vstack([repeated(12, 40, 0.9), wanted[0]]), np.arange(72.0))
        assert chosen_size(offers, data, 40, 10.0, 20.0)[0] == size


@pytest.mark.parametrize(("often", "most", "size"), [(1.0, 36, 36), (1.0, 30, 20), (1.0, 12, 12), (8.0, 36, 10)])
def test_with_a_budget_below_a_complete_example_pairs_tell_how_much_of_it_is_used(often, most, size):
    offers = every_offer("Learner", PlainAttributes(40))[0]
    X = partial(300, 40, 10, np.sqrt((often - 1) / 39))
    found, why = chosen_size(offers, training(X, np.arange(300.0)), most, 10.0, 10.0)
    assert found == size
    assert why.startswith("by the pairs of attributes in 300 examples an attribute comes")
    few = training(X[:20], np.arange(20.0))
    assert chosen_size(offers, few, most, 10.0, 10.0) == (10.0, "too few pairs of attributes tell more")


def test_without_complete_examples_or_money_for_them_the_usual_size_stays():
    X = partial(300, 40, 10, 0.0)
    offers = every_offer("Learner", PlainAttributes(40))[0]
    usual = (10.0, "fewer than 5 complete examples are known")
    assert chosen_size(offers, training(X, np.arange(300.0)), 40, 10.0, 10.0) == usual
    offers = every_offer("Learner", PlainAttributes(6))[0]
    X = repeated(30, 6, 0.2)
    X[:, 0] = np.nan
    data = training(X, np.arange(30.0))
    assert len(complete_table(offers, data)) == 0
    assert chosen_size(offers, data, 6, 3.0, None)[0] == 3


def asked_for_all(X, missing, now, usual=13.0):
    """The size that is chosen where every attribute was asked of all rows, and some cells are missing."""
    d = X.shape[1]
    cells = Cells()
    for x, gone in zip(X, missing, strict=True):
        present = np.flatnonzero(~gone)
        cells.append(present, x[present], 0.0, missing=np.flatnonzero(gone))
    offers = every_offer("Learner", PlainAttributes(d))[0]
    data = training(X, np.arange(float(len(X))))._replace(cells=cells, revealed=cells)
    assert asked_completely(offers, data).all()
    return chosen_size(offers, data, d, usual, now)


@pytest.mark.parametrize("share", [0.03, 0.1])
@pytest.mark.parametrize(("common", "size"), [(0.0, 40.0), (0.9, 13.0)])
def test_a_pilot_with_missing_cells_tells_by_pairs(share, common, size):
    missing = np.random.default_rng(0).random((12, 40)) < share
    found, why = asked_for_all(repeated(12, 40, common), missing, None)
    assert found == size
    assert why.startswith("by the pairs of attributes in 12 examples an attribute comes")


def test_where_too_many_cells_are_missing_examples_are_not_complete():
    X, rng = repeated(60, 40, 0.0), np.random.default_rng(0)
    assert asked_for_all(X, rng.random(X.shape) < 0.8 * MOST_GAPS, 40.0)[0] == 40
    assert asked_for_all(X, rng.random(X.shape) < 1.5 * MOST_GAPS, 40.0)[0] == 26


def test_too_few_pairs_of_a_pilot_leave_the_usual_size():
    missing = np.random.default_rng(0).random((6, 40)) < 0.5
    assert asked_for_all(repeated(6, 40, 0.0), missing, None) == (13.0, "too few pairs of attributes tell more")


def test_by_pairs_it_is_unbiased_from_a_pilot_with_missing_cells():
    rng, found = np.random.default_rng(0), []
    for seed in range(300):
        X = repeated(6, 40, 0.0, seed)
        X[rng.random(X.shape) < 0.05] = np.nan
        found.append(repetitions_by_pairs(X, 40, 4))
    assert np.mean(found) == pytest.approx(1.0, abs=4 * np.std(found) / np.sqrt(300) + 0.06)
