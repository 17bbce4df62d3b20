"""Weights in an l1 ball against a dense vector with the projection by bisection."""

import numpy as np
import pytest

from keyhole.online.kernels import l1_ball
from online.all_learners.reference import project

D, RADIUS = 11, 1.5


@pytest.fixture
def run():
    """A ball after many random changes, the same weights as a vector, and the mean over all steps."""
    rng = np.random.default_rng(0)
    ball, w, total, steps = l1_ball.new_ball(D), np.zeros(D), np.zeros(D), 0
    for t in range(2, 600):
        l1_ball.tick(ball)
        total, steps = total + w, steps + 1
        l1_ball.shrink(ball, 1 - 1 / t)
        w = (1 - 1 / t) * w
        for _ in range(2):
            i, change = rng.integers(D), rng.normal() / np.sqrt(t)
            l1_ball.add(ball, i, change)
            w[i] += change
        l1_ball.project(ball, RADIUS)
        w = project(w, RADIUS)
    return ball, w, total / steps, steps


def weights(ball):
    return np.array([l1_ball.weight_of(ball, i) for i in range(D)])


def test_weights_and_their_norm(run):
    ball, w, _, _ = run
    np.testing.assert_allclose(weights(ball), w, atol=1e-12)
    assert l1_ball.norm(ball) == pytest.approx(np.abs(w).sum(), rel=1e-10)
    assert (w == 0).any()  # the projection did set weights to 0


def test_average_of_all_steps(run):
    ball, _, mean, steps = run
    np.testing.assert_allclose(l1_ball.average(ball, steps), mean, atol=1e-12)


def test_draws_are_in_proportion_to_absolute_weights(run):
    ball, w, _, _ = run
    edges = np.cumsum(np.abs(w)) / np.abs(w).sum()
    for u in np.linspace(0.0005, 0.9995, 777):
        assert l1_ball.draw(ball, u) == np.searchsorted(edges, u, side="right")


def test_projection_of_weights_inside_the_ball_changes_nothing():
    ball = l1_ball.new_ball(3)
    l1_ball.add(ball, 1, -0.4)
    l1_ball.project(ball, 1.0)
    np.testing.assert_array_equal([l1_ball.weight_of(ball, i) for i in range(3)], [0.0, -0.4, 0.0])
