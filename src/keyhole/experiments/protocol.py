"""What the papers' protocols share: splits, folds, the two tunings, and the further lines of every figure.

Two tunings stand beside each other. The paper's is cross-validation on whole training rows, which looks at cells that
a budgeted learner could not see. The honest one, "untuned", has settings fixed beforehand on other data (scikit-learn's
wine and diabetes data, see ``keyhole.demo``). A choice by paid cells alone would be honest too, but it is so noisy that
it can be worse than none: ``honest_tuning`` measures it.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from ..demo.models import BASELINE_RADIUS, L1_RADIUS, L2_RADIUS
from ..moments import KeyholeRegressor
from ..rivals import CompleteRows, ImputeThenRidge, ScreenedPanel
from .sweeps import Sweep

# Radii of the honest tuning; all else is as the learners have it by default.
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


def tuned(
    make: Callable[..., Any],
    points: list[dict[str, Any]],
    split: Split,
    n_folds: int,
    seed: int,
    errors: Callable[[Sweep, np.ndarray, np.ndarray], np.ndarray] = Sweep.errors,
) -> dict[str, Any]:
    """The settings with the smallest mean error over folds: the paper's tuning, which needs whole held-out rows."""
    X, y = split.X, split.y
    total = np.zeros(len(points))
    for start, stop in folds(len(y), n_folds):
        sweep = Sweep([make(random_state=seed, **point) for point in points], X.shape[1])
        sweep.learn(X, y, 0, start).learn(X, y, stop)
        total += errors(sweep, X[start:stop], y[start:stop])
    return points[int(np.argmin(total))]


def rivals(budget: int, seed: int) -> dict[str, Any]:
    """Other ways to spend the same budget, by the names that figures show; none is tuned on test rows.

    Multiple imputation, which is slow, is by itself.
    """
    return {
        "complete rows": CompleteRows(budget, scaling="none"),
        "screened panel": ScreenedPanel(budget, random_state=seed),
    }


CUT_SHORT = "Multiple imputation is cut short (one filled-in table, two turns): it is slow with hundreds of attributes."
SLOW = "KeyholeRegressor and multiple imputation, which are slow, run at some prefixes only and on fewer splits."


def imputation(budget: int, seed: int) -> ImputeThenRidge:
    """Multiple imputation with fewer turns and tables than its defaults; say CUT_SHORT where it is shown."""
    return ImputeThenRidge(budget, n_imputations=1, turns=2, n_nearest_features=30, random_state=seed)


def own(budget: int, seed: int) -> KeyholeRegressor:
    """Keyhole's own learner, which has nothing to tune."""
    return KeyholeRegressor(budget, random_state=seed)


def squared_error(predicted: np.ndarray, y: np.ndarray) -> float:
    """The mean squared error."""
    return float(np.mean((predicted - y) ** 2))


def wrong_sign(predicted: np.ndarray, y: np.ndarray) -> float:
    """The share of labels -1 and +1 whose sign was not predicted."""
    return float(np.mean(np.sign(predicted) != y))
