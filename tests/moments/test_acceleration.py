"""Extrapolated turns of EM: the same end in fewer of them, and none that leads astray."""

import numpy as np
import pytest

from keyhole.moments import factors
from keyhole.moments.acceleration import BEGIN, Acceleration
from keyhole.moments.factors import Fit, fit_factors
from moments.made import random_rows


def turns_until(close, turn, start, end, accelerated):
    now, faster = start, Acceleration()
    for n in range(1, 10_000):
        now = turn(now)
        if np.linalg.norm(now - end) <= close:
            return n
        now = faster.next(now) if accelerated else now
    raise AssertionError("did not get there")


def test_slow_steps_in_a_few_directions_take_far_fewer_turns():
    rates, end = np.array([0.1, 0.5, 0.9, 0.99, 0.995]), np.arange(5.0)
    turn = lambda now: end + rates * (now - end)  # noqa: E731
    plain, fast = (turns_until(1e-6, turn, np.full(5, 9.0), end, accelerated) for accelerated in (False, True))
    assert plain > 2000
    assert fast < plain / 10


def test_a_step_that_led_astray_is_taken_back():
    faster, now = Acceleration(), np.zeros(2)
    for n in range(BEGIN + 2):  # the last three are far along a line: the step after them is extrapolated
        now = faster.next(np.array([float(n), 0.9**n]))
    before = np.array([BEGIN + 1.0, 0.9 ** (BEGIN + 1)])
    faster.next(now)
    assert faster.next(now + 1e6).tolist() == before.tolist()
    for value in (np.nan, np.inf):
        faster = Acceleration()
        for n in range(BEGIN + 2):
            faster.next(np.array([float(n), 0.9**n]))
        faster.next(np.zeros(2))
        assert faster.next(np.full(2, value)).tolist() == before.tolist()


@pytest.mark.parametrize("seed", range(3))
def test_factors_end_where_plain_turns_end(seed, monkeypatch):
    rows = random_rows(seed, 300, 9, 3, 6)
    monkeypatch.setattr(factors, "CLOSE", 1e-7)
    fast = fit_factors(rows, 3, 3000, seed)
    plain = Fit(rows, 3)
    plain.mean[:], plain.loadings[:], plain.noise[:] = fast.mean, fast.loadings, fast.noise
    with factors._cores() as share:
        for _ in range(3000):
            plain.turn(share)
    np.testing.assert_allclose(plain.loadings @ plain.loadings.T, fast.loadings @ fast.loadings.T, atol=1e-4)
    np.testing.assert_allclose(plain.noise, fast.noise, atol=1e-4)
    assert fast.turns < 600
