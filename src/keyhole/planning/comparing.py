"""Errors of designs over worlds: means, intervals, and which designs can be told apart."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from scipy.stats import t as student

from .designs import KEYHOLE, Design
from .settings import LEVEL, MATTERS, MODEL_ERROR, TOLERANCE


class Interval(NamedTuple):
    """An expected error with the ends of its interval, as shares of the label's variance."""

    error: float
    low: float
    high: float


def interval(errors: np.ndarray, level: float = LEVEL, model_error: float = MODEL_ERROR) -> Interval:
    """From the errors of one design in all worlds, of which the expected error is the mean.

    For the interval, errors are taken to be log-normal over worlds. ``model_error`` is the standard deviation of the
    logarithm by which even the right world would be wrong, since it is only a model. Where the errors of some worlds
    are tiny, as those of a label that an attribute all but equals, they are not log-normal, and the upper end would be
    far above every error. So it is at most that of Cantelli's inequality, which holds for every distribution with the
    same mean m and variance v: an error above m + sqrt(v q / (1 - q)) has at most the probability 1 - q. For the upper
    end of a 90% interval, q is 0.95.
    """
    logs, n, mean = np.log(errors), len(errors), float(errors.mean())
    width = float(student.ppf(0.5 + level / 2, n - 1)) * np.sqrt(logs.var(ddof=1) * (1 + 1 / n) + model_error**2)
    centre = logs.mean()
    variance = errors.var(ddof=1) * (1 + 1 / n) + (mean * model_error) ** 2
    most = mean + np.sqrt(variance * (1 + level) / (1 - level))
    return Interval(mean, float(np.exp(centre - width)), float(min(np.exp(centre + width), most)))


class Comparison(NamedTuple):
    """The best of several designs, and those that cannot be told apart from it, by their positions.

    Attributes
    ----------
    best : int
        The design with the smallest expected error.
    recommended : int
        The design to take. Of those whose expected error is within 5% of the smallest, which is less than worlds are
        wrong by, it is the one with the layout farthest from both extremes.
    alike : list of int
        The others of which it is open whether they are worse, or whose error is larger by too little to matter.
    ratio : ndarray of shape (n_designs,)
        The expected ratio of each error to that of the best.
    low : ndarray of shape (n_designs,)
        The lower ends of intervals of these ratios.
    high : ndarray of shape (n_designs,)
        The upper ends.
    predicts : bool
        Whether the smallest expected error, to three decimal places, is below 1, that of the mean label. Where it is
        not, no design is recommended, and ``recommended`` is the one that would be otherwise.
    """

    best: int
    recommended: int
    alike: list[int]
    ratio: np.ndarray
    low: np.ndarray
    high: np.ndarray
    predicts: bool


def compared(errors: np.ndarray, designs: Sequence[Design]) -> Comparison:
    """From errors of shape (n_worlds, n_designs), paired within worlds."""
    logs, expected = np.log(errors), errors.mean(axis=0)
    best = int(np.argmin(expected))
    against = logs - logs[:, [best]]
    mean = np.log(expected / expected[best])
    width = float(student.ppf(0.5 + LEVEL / 2, len(logs) - 1)) * against.std(axis=0, ddof=1)
    alike = (mean - width <= 0) | (mean < np.log(MATTERS))
    return Comparison(
        best=best,
        recommended=_robust(mean, designs),
        alike=[int(i) for i in np.flatnonzero(alike) if i != best],
        ratio=np.exp(mean),
        low=np.exp(mean - width),
        high=np.exp(mean + width),
        predicts=round(float(expected[best]), 3) < 1,
    )


def _robust(logs: np.ndarray, designs: Sequence[Design]) -> int:
    """Of designs with almost the smallest error, that with the middle layout; Keyhole's own first, then the better."""
    aside = from_the_middle(designs)
    near = np.flatnonzero(logs <= np.log(TOLERANCE)).tolist()
    return int(min(near, key=lambda i: (aside[i], designs[i].learner != KEYHOLE, logs[i])))


def from_the_middle(designs: Sequence[Design]) -> list[float]:
    """How far layouts are from the middle one, as logarithms of what is spent on an example."""
    spends = np.log([design.spend for design in designs])
    return np.abs(spends - (spends.min() + spends.max()) / 2).round(6).tolist()
