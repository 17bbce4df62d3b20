"""Two other lines through the excess at the ends of batches, which tell why a line through each run may miss the rate.

One is against the examples of the last batch in place of all examples, the other through the means over runs.
"""

from __future__ import annotations

import numpy as np

from ..runner.paper import UNEXPLAINED, Rows
from ..shared.rows import grouped, mean_and_error

DOUBLINGS = 5  # of the examples, for a line through the means of all runs


def other_lines(rows: Rows, learner: str) -> str:
    """Why the exponent of a line through each run may be above -1: the exponents of two other lines, in words.

    The excess follows the last batches. As long as these are a decreasing share of the examples, it falls more slowly
    against all examples than against those of the last batch. And a line through the means over runs has less noise.
    """
    mine = [row for row in rows if row["learner"] == learner]
    exponent, error, first, last = against_the_last_batch(mine)
    words = [
        f"The last batch or cycle is {first:.1%} of the examples at the first of these points and {last:.1%} at the"
        f" last one; against its own examples, in place of all, the exponent is {exponent:.2f} ± {error:.2f}."
    ]
    lines = [(exponent, error)]
    means = through_means(mine)
    if means is not None:
        words.append(
            f"A line through the means of all runs over the last {DOUBLINGS} doublings has an exponent of"
            f" {means[0]:.2f} ± {means[1]:.2f} (jackknife over runs)."
        )
        lines.append(means)
    if all(exponent - 2 * error <= -1.0 for exponent, error in lines):
        return f"{' '.join(words)} So these rows do not contradict the rate: what decides is the choice of the line."
    return f"{' '.join(words)} {UNEXPLAINED}"


def against_the_last_batch(mine: Rows) -> tuple[float, float, float, float]:
    """The exponent of the excess against the examples of the last batch or cycle, over the points that ``rate`` takes.

    Mean and standard error over runs; then the mean share of the last batch in all examples at the first and at the
    last point.
    """
    sizes = [float(row["examples"]) for row in mine]
    middle = 0.999 * np.sqrt(min(sizes) * max(sizes))
    runs = grouped(mine, "excess", "seed")
    ends = grouped(mine, "examples", "seed")
    exponents, shares = [], []
    for seed, excess in runs.items():
        at = np.array(ends[seed])
        batch, counted = np.diff(at, prepend=np.nan), at >= middle
        counted[0] = False  # what came before the first point is not known
        exponents.append(float(np.polyfit(np.log(batch[counted]), np.log(np.array(excess)[counted]), 1)[0]))
        shares.append((batch / at)[counted][[0, -1]])
    return *mean_and_error(exponents), *np.mean(shares, axis=0)


def through_means(mine: Rows) -> tuple[float, float] | None:
    """The exponent of a line through the means of all runs where every run has a point; its error by the jackknife."""
    at_end = grouped(mine, "excess", "examples")
    n_runs, last = len({row["seed"] for row in mine}), max(float(row["examples"]) for row in mine)
    common = {n: e for (n,), e in at_end.items() if len(e) == n_runs and n >= last / 2**DOUBLINGS}
    if n_runs < 2 or len(common) < 3:
        return None
    log_n, excess = np.log(np.array([*common], dtype=np.float64)), np.array([*common.values()])

    def exponent(runs: np.ndarray) -> float:
        return float(np.polyfit(log_n, np.log(excess[:, runs].mean(axis=1)), 1)[0])

    without = np.array([exponent(np.arange(n_runs) != left) for left in range(n_runs)])
    return exponent(np.full(n_runs, True)), float(np.sqrt((n_runs - 1) * without.var()))
