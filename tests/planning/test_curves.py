"""Learning curves over the total cost."""

import numpy as np
import pytest

from keyhole.planning.curves import Curve, curve_of

COSTS = np.array([100.0, 200.0, 400.0, 800.0])
ERRORS = 0.3 + 20 / COSTS[:, None] + np.random.default_rng(0).normal(size=(1, 5)) * 0.01


def test_the_end_that_was_held_back_is_foretold():
    curve = curve_of(COSTS, ERRORS)
    assert curve.n_simulated == 4
    at_end, foretold, _ = curve.held_back
    assert foretold == pytest.approx(at_end, rel=0.02)
    np.testing.assert_allclose(curve.cost[4:], [1600, 3200, 6400])
    assert curve.error[-1] == pytest.approx(0.3 + 20 / 6400, abs=0.02)


def test_the_cost_of_a_target_lies_between_the_points_around_it():
    curve = Curve(COSTS, np.array([0.8, 0.6, 0.4, 0.3]), np.zeros(4), 4, None)
    assert curve.cost_of(0.6) == pytest.approx(200)
    assert 200 < curve.cost_of(0.5) < 400
    assert curve.cost_of(0.9) == 100
    assert curve.cost_of(0.2) is None


def test_few_points_are_not_extrapolated():
    curve = curve_of(COSTS[:2], ERRORS[:2])
    assert curve.n_simulated == len(curve.cost) == 2
    assert curve.held_back is None


def test_points_up_to_a_cost():
    curve = curve_of(np.array([50.0, 100.0, 200.0]), np.array([[0.9, 0.8], [0.7, 0.6], [0.6, 0.5]]))
    assert curve.up_to(400).cost.tolist() == [50, 100, 200, 400]
    some = curve.up_to(150)
    assert some.cost.tolist() == [50, 100, 150]
    assert some.n_simulated == 2
    assert some.cost_of(0.55) is None
    assert curve.up_to(1).cost.tolist() == [50]
    assert curve.up_to(100).cost.tolist() == [50, 100]


@pytest.mark.parametrize("most", [201, 300, 399])
def test_a_target_below_the_most_that_can_be_spent_is_reached_at_the_same_cost(most):
    curve = curve_of(np.array([50.0, 100.0, 200.0]), np.array([[0.9, 0.8], [0.7, 0.6], [0.6, 0.5]]))
    within = curve.up_to(most)
    assert within.cost[-1] == most
    assert curve.error[3] < within.error[-1] < curve.error[2]
    target = 0.5 * (within.error[-1] + curve.error[2])
    assert within.cost_of(target) == pytest.approx(curve.cost_of(target), rel=1e-12)
    assert within.cost_of(within.error[-1]) == pytest.approx(most, rel=1e-12)


def test_more_cost_never_has_more_error_and_the_last_point_stays():
    errors = np.array([[0.5, 0.5], [0.6, 0.6], [0.3, 0.3], [0.4, 0.4]])
    curve = curve_of(COSTS, errors)
    assert curve.error[:4].tolist() == [0.6, 0.6, 0.4, 0.4]
    assert (np.diff(curve.error) <= 0).all()
    kept = curve_of(COSTS, errors, [True, False, True, True])
    assert kept.error[:4].tolist() == [0.5, 0.5, 0.3, 0.4]
