"""AER over several passes: every number of passes and every choice of weights, for a grid of settings, from one sweep.

The steps are those of AER as printed. A pass shows the same rows in the same order, with new draws of pixels; t
continues from pass to pass. The sums of weights that the kernel holds at the end and in the middle of a run give the
average of all steps and that of the second half.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from ...online import AER
from ...online.kernels import l1_ball
from ..shared.protocol import Split, folds, grid
from ..shared.sweeps import Sweep

PASSES = (1, 5, 10, 20)
AVERAGE, SECOND_HALF, LAST = "average of all steps", "average of the second half", "last iterate"
POINTS = grid(radius=(4.0, 8.0, 16.0, 32.0), reg=(1.0, 2.0, 4.0, 8.0, 16.0))


def weights_by_variant(
    X: np.ndarray, y: np.ndarray, budget: int, seed: int, passes: Sequence[int] = PASSES
) -> Iterator[tuple[int, str, np.ndarray]]:
    """For each number of passes and each choice of weights, the weights, a column for each of POINTS.

    The average of all steps after one pass is the output of Algorithm 2 as printed: of the weights after each step.
    """
    n, done = len(y), 0
    sweep = Sweep([_learner(budget, seed, point) for point in POINTS], X.shape[1])
    sums: dict[int, np.ndarray] = {}
    for steps in sorted({number * n // part for number in passes for part in (1, 2)}):
        while done < steps:
            start = done % n
            stop = min(n, start + steps - done)
            sweep.learn(X, y, start, stop)
            done += stop - start
        sums[steps] = _by_point(sweep, _sum)
        if steps % n == 0 and steps // n in passes:
            half = steps // 2
            yield steps // n, AVERAGE, sums[steps] / steps
            yield steps // n, SECOND_HALF, (sums[steps] - sums[half]) / (steps - half)
            yield steps // n, LAST, _by_point(sweep, _last)


def held_out_errors(
    data: Split, budget: int, seed: int, n_folds: int, passes: Sequence[int] = PASSES
) -> dict[tuple[int, str], np.ndarray]:
    """For each variant, the mean error of each of POINTS on the held-out rows of the folds."""
    total: dict[tuple[int, str], np.ndarray] = {}
    for start, stop in folds(len(data.y), n_folds):
        X, y = np.delete(data.X, slice(start, stop), axis=0), np.delete(data.y, slice(start, stop))
        for number, which, weights in weights_by_variant(X, y, budget, seed, passes):
            errors = np.mean((data.X[start:stop] @ weights - data.y[start:stop, None]) ** 2, axis=0)
            total[number, which] = total.get((number, which), 0.0) + errors / n_folds
    return total


def _learner(budget: int, seed: int, point: dict[str, Any]) -> AER:
    return AER.as_printed(budget, random_state=seed, **point)


def _by_point(sweep: Sweep, of_ball: Any) -> np.ndarray:
    return np.column_stack([of_ball(learner.state_.ball) for learner in sweep.learners])


def _sum(ball: l1_ball.Ball) -> np.ndarray:
    return l1_ball.average(ball, 1.0)


def _last(ball: l1_ball.Ball) -> np.ndarray:
    scale, threshold = ball.numbers[l1_ball.SCALE], ball.numbers[l1_ball.THRESHOLD]
    return ball.weights[:, l1_ball.SIGN] * scale * (ball.weights[:, l1_ball.HEIGHT] - threshold)
