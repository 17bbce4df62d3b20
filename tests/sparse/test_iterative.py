"""The base of the iterative learners: schedules from parameters, and batches over calls."""

import numpy as np
import pytest
from sklearn.base import clone

import keyhole as kh
from keyhole.sparse.iterative import is_contiguous, schedule
from keyhole.sparse.schedule import IN_BATCH
from sparse.stream import X, Y


@pytest.mark.parametrize(("value", "expected"), [(3, [3.0]), ([3, 5], [3.0, 5.0]), (np.array([2]), [2.0])])
def test_schedule_of_a_number_or_a_sequence(value, expected):
    np.testing.assert_array_equal(schedule("Hybrid", "explore_batch", value), expected)


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (0, r"explore_batch=0: Hybrid needs whole numbers, 1 or more"),
        ([1, 2.5], r"explore_batch\[1\]=2.5: Hybrid needs whole numbers, 1 or more"),
        ([], r"explore_batch=\[\]: Hybrid needs a whole number above 0, or a sequence of them"),
    ],
)
def test_a_wrong_schedule_is_named(value, message):
    with pytest.raises(ValueError, match=message):
        schedule("Hybrid", "explore_batch", value)


def test_blocks_are_random_or_contiguous():
    assert is_contiguous("Hybrid", "contiguous")
    assert not is_contiguous("Hybrid", "random")


def test_a_batch_goes_on_over_several_calls():
    whole = kh.Exploration(8, 4, random_state=0).start(20).partial_fit(X[:1000], Y[:1000])
    parts = kh.Exploration(8, 4, random_state=0).start(20)
    for first in range(0, 1000, 37):
        parts.partial_fit(X[first : min(first + 37, 1000)], Y[first : min(first + 37, 1000)])
    np.testing.assert_array_equal(parts.coef_, whole.coef_)
    assert parts.state_.numbers[IN_BATCH] == whole.state_.numbers[IN_BATCH] > 0


@pytest.mark.parametrize("learner", [kh.Exploration(8, 4), kh.Hybrid(8, 4)], ids=str)
def test_an_update_fits_into_the_table(learner):
    """The automatic first batch has 7 examples for each of 5 blocks; of 40 examples, it takes less."""
    whole = learner.set_params(random_state=0, shrink_to_mean=False).fit(X[:40], Y[:40])
    assert whole.attributes_per_prediction_ > 0
    assert whole.rule_.largest_batch == (20 if isinstance(learner, kh.Hybrid) else 10)
    long = learner.fit(X, Y)
    assert long.rule_.largest_batch >= len(Y) / 4
    assert learner.start(20).rule_.largest_batch == np.inf


@pytest.mark.parametrize("learner", [kh.Exploration(8, 4), kh.Hybrid(8, 4), kh.Exploitation(4, np.eye(20)[0])], ids=str)
def test_fit_and_partial_fit_agree_for_an_equal_number_of_examples(learner):
    whole = learner.set_params(random_state=0, n_expected=None).fit(X[:60], Y[:60]).coef_.copy()
    parts = clone(learner).set_params(n_expected=60).partial_fit(X[:23], Y[:23]).partial_fit(X[23:60], Y[23:60])
    np.testing.assert_array_equal(parts.coef_, whole)
    by_hand = clone(learner).set_params(n_expected=60).start(20)
    for t in range(60):
        ask = by_hand.ask()
        by_hand.tell(ask, X[t, ask.attributes], Y[t])
    np.testing.assert_array_equal(by_hand.coef_, whole)
