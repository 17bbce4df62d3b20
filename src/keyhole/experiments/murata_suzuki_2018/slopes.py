"""How many examples are needed until the excess is small, and how this number grows: slopes on logarithmic axes."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..runner.paper import Rows
from ..shared.rows import grouped, mean_and_error

BASE = {"d": 100, "sparsity": 5, "room": 10, "noise": 1.0}  # the problem of which one quantity is varied at a time
EXCESS, REGRET = "excess", "mean regret"  # what is measured of a learner: columns of the rows
# What counts as small: a tenth of the label's variance due to 5 weights of 1, and three tenths of it for the mean
# regret, in which the first examples stay; with less, too few values of d would be reached within the streams.
EPSILON = {EXCESS: 0.5, REGRET: 1.5}


class Slope(NamedTuple):
    """An exponent, its standard error, and the values over which it was fitted."""

    value: float
    error: float
    over: list[float]

    def __str__(self) -> str:
        return f"{self.value:.2f} ± {self.error:.2f}"


def swept(rows: Rows, learner: str, name: str) -> Rows:
    """The rows of a learner in which only one quantity differs from the base problem."""
    fixed = {key: value for key, value in BASE.items() if key != name}
    return [row for row in rows if row["learner"] == learner and all(row[key] == fixed[key] for key in fixed)]


def examples_needed(rows: Rows, name: str, measure: str = EXCESS) -> dict[float, list[float]]:
    """After how many examples a measure of each run stays small, for each value at which all runs reach it."""
    found: dict[float, list[float]] = {}
    missed, small = set(), EPSILON[measure]
    for (value, seed), _ in grouped(rows, measure, name, "seed").items():
        run = sorted((row["examples"], row[measure]) for row in rows if (row[name], row["seed"]) == (value, seed))
        stops, values = (np.array(column, dtype=float) for column in zip(*run, strict=True))
        above = np.flatnonzero(values > small)
        if not len(above) or above[-1] == len(stops) - 1:
            missed.add(value)
            continue
        two = np.s_[above[-1] : above[-1] + 2]
        at = np.interp(-np.log(small), -np.log(values[two]), np.log(stops[two]))
        found.setdefault(value, []).append(float(np.exp(at)))
    return {value: needed for value, needed in sorted(found.items()) if value not in missed}


def fitted_slope(points: dict[float, list[float]]) -> Slope | None:
    """Least squares of log y on log x over all runs; None where there are too few values."""
    if len(points) < 2 or sum(map(len, points.values())) < 3:
        return None
    x = np.log([value for value, found in points.items() for _ in found])
    y = np.log([each for found in points.values() for each in found])
    slope, intercept = np.polyfit(x, y, 1)
    residual = y - slope * x - intercept
    error = np.sqrt(residual @ residual / (len(x) - 2) / np.sum((x - x.mean()) ** 2))
    return Slope(float(slope), float(error), list(points))


def rate(rows: Rows, learner: str, measure: str = EXCESS) -> Slope:
    """How fast a measure falls from an eighth of the stream on, for the problem with the fewest attributes."""
    own = swept(rows, learner, "d")
    fewest, end = min(row["d"] for row in own), max(int(row["examples"]) for row in own)
    late = [row for row in own if row["d"] == fewest and int(row["examples"]) >= end / 8.01]
    slopes = []
    for seed in sorted({row["seed"] for row in late}):
        run = [(float(row["examples"]), float(row[measure])) for row in late if row["seed"] == seed]
        x, y = np.log(np.array(run)).T
        slopes.append(-float(np.polyfit(x, y, 1)[0]))
    return Slope(*mean_and_error(slopes), over=[end / 8, end])


def final_excess(rows: Rows, learner: str) -> dict[float, list[float]]:
    """The excess for each number of attributes, after the largest number of examples that all of them have."""
    own = swept(rows, learner, "d")
    end = min(max(seen) for seen in grouped(own, "examples", "d").values())
    last = grouped([row for row in own if row["examples"] == end], EXCESS, "d")
    return {value: found for (value,), found in sorted(last.items())}
