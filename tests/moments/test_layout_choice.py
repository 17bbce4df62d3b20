"""How often attributes are repeated, against correlations one by one, and the size of examples that follows."""

import numpy as np
import pytest

from keyhole.moments.layout_choice import chosen_size, complete_table, repetitions
from keyhole.moments.policy.offers import every_offer
from keyhole.moments.policy.settings import FEW_REPETITIONS, SOME_REPETITIONS
from keyhole.observe import PlainAttributes
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


def test_a_size_is_kept_until_it_is_clearly_wrong():
    for now in (40.0, 20.0):
        assert choice(1.2 * FEW_REPETITIONS, now)[0] == now
    assert choice(2.0 * FEW_REPETITIONS, 40.0)[0] == 10


def test_without_complete_examples_or_money_for_them_the_usual_size_stays():
    assert choice(1.0, most=39)[0] == 10
    offers = every_offer("Learner", PlainAttributes(6))[0]
    X = repeated(30, 6, 0.2)
    X[:, 0] = np.nan
    data = training(X, np.arange(30.0))
    assert len(complete_table(offers, data)) == 0
    assert chosen_size(offers, data, 6, 3.0, None)[0] == 3
