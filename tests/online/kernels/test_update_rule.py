"""What step sizes and warm-ups take from the constants of a run."""

import pytest

from keyhole.online.kernels.update_rule import UpdateRule, sum_at_horizon, warmup_ends


@pytest.mark.parametrize(("horizon", "expected"), [(0.0, 6.0), (20.0, 12.0), (5.0, 6.0)])
def test_the_sum_is_extrapolated_to_a_horizon_that_is_ahead(horizon, expected):
    rule = UpdateRule(2, 2, 1.0, horizon)
    assert sum_at_horizon(rule, 6.0, 10.0) == expected


@pytest.mark.parametrize(
    ("warmup", "horizon", "due"),
    [(-1, 0.0, []), (3, 0.0, [3, 6, 12, 24, 48, 96]), (3, 100.0, [3]), (1, 0.0, [1, 2, 4, 8, 16, 32, 64])],
)
def test_when_moments_are_due(warmup, horizon, due):
    rule = UpdateRule(2, 2, 1.0, horizon, warmup=warmup)
    assert [steps for steps in range(1, 100) if warmup_ends(rule, float(steps))] == due
