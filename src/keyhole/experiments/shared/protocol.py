"""What the papers' protocols share: splits, folds, prefixes, errors, and two ways to set the parameters of a learner.

Results are reported under two tunings. That of the papers is cross-validation on whole training rows, which uses cells
that a learner under a budget could not see. Under the other, "untuned", the settings were fixed in advance on other
data (scikit-learn's wine and diabetes data, see ``keyhole.demo``). A choice by revealed cells alone would respect the
budget too, but it is so noisy that it can be worse than no choice; the figure ``tuning`` of Hazan and Koren measures
this.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from ...demo.models import BASELINE_RADIUS, L1_RADIUS, L2_RADIUS
from .sweeps import Sweep

# Radii of learners that are not tuned; all other parameters have their defaults.
FIXED = {
    "AER": {"radius": L1_RADIUS},
    "AELR": {"radius": L1_RADIUS},
    "DDAELR": {"radius": L1_RADIUS},
    "AERR": {"radius": L2_RADIUS},
    "DDAERR": {"radius": L2_RADIUS},
    "AESVR": {"radius": L2_RADIUS},
    "Baseline": {"radius": BASELINE_RADIUS},
}


class Split(NamedTuple):
    """Training and test rows, in random order."""

    X: np.ndarray
    y: np.ndarray
    X_test: np.ndarray
    y_test: np.ndarray


def random_split(X: np.ndarray, y: np.ndarray, seed: int, split: int, share: float = 0.1) -> Split:
    """A share of the rows for testing; the same seed and number give the same split."""
    order = np.random.default_rng([seed, split]).permutation(len(y))
    test, train = np.split(order, [round(share * len(y))])
    return Split(X[train], y[train], X[test], y[test])


def draw_seed(seed: int, split: int) -> int:
    """The seed of the learners' draws, another one for each split."""
    return 1000 * seed + split


def folds(n: int, number: int) -> list[tuple[int, int]]:
    """Contiguous folds of rows that are in random order."""
    edges = np.linspace(0, n, number + 1).round().astype(int)
    return [(int(start), int(stop)) for start, stop in itertools.pairwise(edges)]


def prefixes(n: int, number: int) -> list[int]:
    """Lengths of prefixes, each twice the one before, the last being all rows."""
    return [n >> shift for shift in reversed(range(number))]


def grid(**axes: Sequence[Any]) -> list[dict[str, Any]]:
    """All combinations of settings."""
    return [dict(zip(axes, values, strict=True)) for values in itertools.product(*axes.values())]


def chosen_in_words(chosen: dict[str, Any], points: list[dict[str, Any]]) -> str:
    """Chosen settings as tables show them; one at an end of the numbers in the grid says so.

    Beyond such an end a setting may be better, so its error is not that of a tuned learner. None is at no end.

    >>> points = grid(radius=(1.0, 2.0, 4.0), reg=(None, 10.0, 30.0, 100.0))
    >>> chosen_in_words({"radius": 4.0, "reg": 30.0}, points)
    'radius 4 (the largest that was tried), reg 30'
    >>> chosen_in_words({"radius": 2.0, "reg": None}, points)
    'radius 2'
    """
    words = []
    for key, value in chosen.items():
        if value is not None:
            tried = {point[key] for point in points if point[key] is not None}
            end = ""
            if len(tried) > 1 and value in (min(tried), max(tried)):
                end = f" (the {'smallest' if value == min(tried) else 'largest'} that was tried)"
            words.append(f"{key} {value:g}{end}")
    return ", ".join(words)


def tuned(
    make: Callable[..., Any],
    points: list[dict[str, Any]],
    split: Split,
    n_folds: int,
    seed: int,
    errors: Callable[[Sweep, np.ndarray, np.ndarray], np.ndarray] = Sweep.errors,
) -> dict[str, Any]:
    """The settings with the smallest mean error over folds: the papers' tuning, which needs whole held-out rows."""
    X, y = split.X, split.y
    total = np.zeros(len(points))
    sweep = Sweep([make(random_state=seed, **point) for point in points], X.shape[1])
    for start, stop in sweep.learn_others(X, y, folds(len(y), n_folds)):
        total += errors(sweep, X[start:stop], y[start:stop])
    return points[int(np.argmin(total))]


def squared_error(predicted: np.ndarray, y: np.ndarray) -> float:
    """The mean squared error."""
    return float(np.mean((predicted - y) ** 2))


def wrong_sign(predicted: np.ndarray, y: np.ndarray) -> float:
    """The share of labels -1 and +1 whose sign was not predicted."""
    return float(np.mean(np.sign(predicted) != y))
