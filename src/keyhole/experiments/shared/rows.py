"""Groups of rows, their means and standard errors, and the curves that they make."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ...common.style import curve
from ..runner.paper import Rows

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def mean_and_error(values: Sequence[float]) -> tuple[float, float]:
    """The mean and its standard error (0 for a single value, of which nothing is known)."""
    array = np.asarray(values, dtype=np.float64)
    return float(array.mean()), float(array.std(ddof=1) / np.sqrt(len(array))) if len(array) > 1 else 0.0


def error_to_show(values: Sequence[float]) -> float | str:
    """The standard error of the mean for a table; empty for a single value."""
    return mean_and_error(values)[1] if len(values) > 1 else ""


def grouped(rows: Rows, value: str, *keys: str) -> dict[tuple[Any, ...], list[float]]:
    """The values of rows with the same keys, groups in the order of their first row."""
    groups: dict[tuple[Any, ...], list[float]] = {}
    for row in rows:
        groups.setdefault(tuple(row[key] for key in keys), []).append(float(row[value]))
    return groups


def in_words(settings: Mapping[str, Any]) -> str:
    """Settings as a row has them: names and numbers, without those that are None."""
    return ", ".join(f"{name} {value:g}" for name, value in settings.items() if value is not None)


def each_setting(settings: Sequence[str]) -> str:
    """How often each value of each setting was chosen, values in increasing order: whether one is an end of its grid.

    ``settings`` are those of many rows, each as ``in_words`` or ``chosen_in_words`` writes them; the latter says where
    a value is the smallest or the largest of its grid.

    >>> each_setting(["radius 4 (the smallest that was tried)", "radius 12", "radius 4 (the smallest that was tried)"])
    'radius 4 (2, the smallest that was tried), 12 (1)'
    """
    counts: dict[str, Counter[tuple[float, str]]] = {}
    for chosen in settings:
        for part in filter(None, chosen.split(", ")):
            words, _, end = part.partition(" (")
            name, value = words.rsplit(" ", 1)
            counts.setdefault(name, Counter())[float(value), end.removesuffix(")")] += 1
    return "; ".join(
        f"{name} "
        + ", ".join(f"{value:g} ({times}{end and f', {end}'})" for (value, end), times in sorted(found.items()))
        for name, found in counts.items()
    )


def repeats_in_words(rows: Rows) -> str:
    """How many repeats the rows are of, for the report of an experiment that was run in part.

    >>> repeats_in_words([{"alpha": alpha, "repeat": repeat} for alpha in (0.0, -1.0) for repeat in range(3)])
    '3 repeats'
    >>> repeats_in_words([{"attributes": d, "repeat": repeat} for d, repeat in ((5, 0), (5, 1), (9, 0))])
    '1 to 2 repeats, by what was run'
    """
    keys = ("alpha", "data", "attributes", "examples")
    found: dict[tuple[Any, ...], set[Any]] = {}
    for row in rows:
        found.setdefault(tuple(row.get(key) for key in keys), set()).add(row["repeat"])
    numbers = sorted({len(repeats) for repeats in found.values()})
    if len(numbers) == 1:
        return f"{numbers[0]} repeat{'s' * (numbers[0] > 1)}"
    return f"{numbers[0]} to {numbers[-1]} repeats, by what was run"


def draw_curves(axes: Axes, rows: Rows, x: str, y: str, at: str | None = None) -> None:
    """A curve per learner: mean and standard error of ``y`` over the rows with the same ``at`` (else the same ``x``).

    Splits differ a little in the number of attributes that a learner revealed of equally many examples: with
    ``at="examples"`` they are one point, at the mean of ``x``.
    """
    heights, places = grouped(rows, y, "learner", at or x), grouped(rows, x, "learner", at or x)
    for learner in dict.fromkeys(row["learner"] for row in rows):
        mine = [key for key in heights if key[0] == learner]
        points = sorted((float(np.mean(places[key])), *mean_and_error(heights[key])) for key in mine)
        where, means, errors = zip(*points, strict=True)
        curve(axes, where, means, errors, str(learner))
