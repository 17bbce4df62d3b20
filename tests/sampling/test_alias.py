import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from keyhole.sampling import alias, new_alias_table, new_generator
from sampling.enumeration import assert_drawn_as

weight = st.one_of(st.just(0.0), st.floats(0.0, 1e6), st.sampled_from([1e-300, 1e-12, 1e12]))


def implied(table):
    """The probability of each index, read off the columns."""
    n = len(table.threshold)
    probability = table.threshold / n
    np.add.at(probability, table.alias, (1.0 - table.threshold) / n)
    return probability


@settings(deadline=None)
@given(st.lists(weight, min_size=1, max_size=40).filter(lambda weights: sum(weights) > 0))
def test_columns_imply_the_weights(weights):
    table, weights = new_alias_table(np.array(weights)), np.array(weights)
    assert implied(table) == pytest.approx(weights / weights.sum(), abs=1e-12)
    assert np.all(implied(table)[weights == 0] == 0.0)


def test_columns_imply_the_weights_when_there_are_many():
    weights = np.random.default_rng(0).lognormal(sigma=4, size=100_000)
    table = new_alias_table(weights)
    assert implied(table) == pytest.approx(weights / weights.sum(), abs=1e-12)
    assert np.all((table.threshold >= 0) & (table.threshold <= 1))


def test_draws_follow_the_weights():
    weights = np.array([3.0, 1.0, 0.0, 6.0])
    table, rng = new_alias_table(weights), new_generator(0)
    draws = [alias.draw(table, rng) for _ in range(20_000)]
    assert_drawn_as(draws, {(0,): 0.3, (1,): 0.1, (3,): 0.6})


@pytest.mark.parametrize("weights", [[], [0.0, 0.0], [1.0, -0.5], [1.0, np.nan], [np.inf, 1.0], [[1.0, 2.0]]])
def test_refuses_what_is_no_distribution(weights):
    with pytest.raises(ValueError, match="finite, non-negative and not all zero"):
        new_alias_table(np.array(weights))
