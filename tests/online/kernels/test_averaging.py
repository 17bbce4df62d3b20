"""The average of all weights against the plain mean of the vectors."""

import numpy as np

from keyhole.online.kernels.averaging import SINCE, U, average, fold, new_weights, settle


def test_average_of_lazily_scaled_weights():
    rng = np.random.default_rng(0)
    d, weights, clock, scale, total, steps = 7, new_weights(7), 0.0, 1.0, np.zeros(7), 0
    for _ in range(500):
        clock += scale
        total += scale * weights[:, U]
        steps += 1
        i = rng.integers(d)
        settle(weights, i, clock)
        weights[i, U] += rng.normal() / scale
        scale *= rng.uniform(0.9, 1.05)
        if scale < 1e-3:
            fold(weights, clock, scale)
            clock, scale = 0.0, 1.0
    np.testing.assert_allclose(average(weights, clock, steps), total / steps, rtol=1e-10)


def test_folding_keeps_weights_and_average():
    rng = np.random.default_rng(1)
    weights, clock = rng.normal(size=(4, 3)), 3.0
    before, w = average(weights, clock, 5.0), 0.2 * weights[:, U]
    fold(weights, clock, 0.2)
    np.testing.assert_allclose(weights[:, U], w)
    np.testing.assert_array_equal(weights[:, SINCE], 0.0)
    np.testing.assert_allclose(average(weights, 0.0, 5.0), before)


def test_average_before_the_first_step_is_zero():
    assert not average(new_weights(3), 0.0, 0.0).any()
