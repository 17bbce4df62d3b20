"""The best weights in a ball are the best."""

from __future__ import annotations

import numpy as np
import pytest

from keyhole.experiments.theory import digits


@pytest.mark.parametrize(("norm", "order"), [(2, 2), (1, 1)])
def test_nothing_in_the_ball_has_less_risk(norm, order):
    pool = digits.digits(norm)
    assert np.linalg.norm(pool.X, ord=2 if norm == 2 else np.inf, axis=1).max() <= 1 + 1e-6
    best = (digits.best_in_l2_ball if norm == 2 else digits.best_in_l1_ball)(pool.X.astype(float), pool.y)
    assert np.linalg.norm(best, order) == pytest.approx(digits.RADIUS)
    # The first-order condition of a minimum on the ball: no point of it lies downhill from the best.
    gradient = pool.X.T @ (pool.X @ best - pool.y) / len(pool.y)
    lowest = -digits.RADIUS * np.linalg.norm(gradient, 2 if norm == 2 else np.inf)
    assert gradient @ best == pytest.approx(lowest, rel=1e-3)
