"""Extrapolated EM iterations: the same end after fewer of them, and no extrapolation that diverges is kept."""

import numpy as np
import pytest

from keyhole.moments.factors import em
from keyhole.moments.factors.blocks import all_cores
from keyhole.moments.factors.em import EMState, fit_factor_model
from keyhole.moments.factors.settings import PLAIN_ITERATIONS
from keyhole.moments.factors.squarem import Extrapolation
from moments.conftest import random_rows


def iterations_until(close, iterate, start, end, extrapolated):
    now, extrapolation = start, Extrapolation()
    for n in range(1, 10_000):
        now = iterate(now)
        if np.linalg.norm(now - end) <= close:
            return n
        now = extrapolation.next(now) if extrapolated else now
    raise AssertionError("did not get there")


def test_slow_steps_in_a_few_directions_take_far_fewer_iterations():
    rates, end = np.array([0.1, 0.5, 0.9, 0.99, 0.995]), np.arange(5.0)
    iterate = lambda now: end + rates * (now - end)  # noqa: E731
    plain, fast = (iterations_until(1e-6, iterate, np.full(5, 9.0), end, way) for way in (False, True))
    assert plain > 2000
    assert fast < plain / 10


def test_an_extrapolation_that_diverged_is_taken_back():
    extrapolation, now = Extrapolation(), np.zeros(2)
    for n in range(PLAIN_ITERATIONS + 2):  # the last three are far along a line: the step after them is extrapolated
        now = extrapolation.next(np.array([float(n), 0.9**n]))
    before = np.array([PLAIN_ITERATIONS + 1.0, 0.9 ** (PLAIN_ITERATIONS + 1)])
    extrapolation.next(now)
    assert extrapolation.next(now + 1e6).tolist() == before.tolist()
    for value in (np.nan, np.inf):
        extrapolation = Extrapolation()
        for n in range(PLAIN_ITERATIONS + 2):
            extrapolation.next(np.array([float(n), 0.9**n]))
        extrapolation.next(np.zeros(2))
        assert extrapolation.next(np.full(2, value)).tolist() == before.tolist()


@pytest.mark.parametrize("seed", range(3))
def test_a_factor_model_ends_where_plain_iterations_end(seed, monkeypatch):
    rows = random_rows(seed, 300, 9, 3, 6)
    monkeypatch.setattr(em, "TOLERANCE", 1e-7)
    fast = fit_factor_model(rows, 3, 3000, seed)
    plain = EMState(rows, 3)
    plain.mean[:], plain.loadings[:], plain.noise[:] = fast.mean, fast.loadings, fast.noise
    with all_cores() as run_pieces:
        for _ in range(3000):
            plain.iterate(run_pieces)
    np.testing.assert_allclose(plain.loadings @ plain.loadings.T, fast.loadings @ fast.loadings.T, atol=1e-4)
    np.testing.assert_allclose(plain.noise, fast.noise, atol=1e-4)
    assert fast.iterations < 600
