"""The working probabilities of a design within a cost."""

import numpy as np
import pytest

from keyhole.sampling.cost_fit import FORCE, SPENT_SHARE, fitted, inclusion_within


def test_the_minimum_has_both_conditions():
    target, cost, limit = np.array([0.3, 0.3, 0.5, 0.2, 0.4]), np.array([5, 5, 1, 2, 3]), 8
    working, decay = fitted(target, cost, limit)
    inclusion = inclusion_within(working, cost, limit, decay)
    change = np.log(working / (1 - working)) - np.log(target / (1 - target))
    np.testing.assert_allclose(inclusion, target * np.exp(-FORCE * change), rtol=1e-3)
    assert inclusion @ cost == pytest.approx(SPENT_SHARE * limit, rel=2e-3)


def test_every_affordable_subset_of_one_keeps_a_probability_that_can_be_divided_by():
    cost = np.array([100] * 10 + [101] * 10)
    working, decay = fitted(np.full(20, 0.2), cost, 400)
    inclusion = inclusion_within(working, cost, 400, decay)
    # A subset with an offer of 101 has three offers, so seven eighths of the subsets have none.
    assert 0.02 < inclusion[-1] < 0.04
    assert inclusion[0] == pytest.approx(0.36, abs=0.02)
