"""The constants of a gradient learner's run, and what its step sizes need of them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit


class UpdateRule(NamedTuple):
    """The division of the budget, the radius of the ball, and the expected length of the stream.

    ``horizon`` is the expected number of examples, 0 if there is none; with ``theorem`` the step size is the theorem's.
    With ``growing`` the radius is that of the first example, and grows with the fourth root of their number.
    A ``warmup`` (-1: none) of so many examples estimates second moments; ``confidence`` (0: none) is the theorem's
    delta, for its margin on them. With ``separate`` phases the second one starts from the average of the first, and is
    averaged alone. The first phase may have a radius of its own, ``warmup_radius``, and the second phase a step size of
    its own, ``second_step`` (0: the same in both phases).
    """

    x_draws: int
    inner_draws: int
    radius: float
    horizon: float = 0.0
    theorem: bool = False
    warmup: int = -1
    confidence: float = 0.0
    growing: bool = False
    separate: bool = False
    warmup_radius: float = 0.0
    second_step: float = 0.0


@njit(cache=True, nogil=True)
def radius_at(radius: float, growing: bool, steps: float) -> float:
    """The radius of the ball at a step, counted from 1."""
    return radius * np.sqrt(np.sqrt(steps)) if growing else radius


@njit(cache=True, nogil=True)
def radius_of(rule: UpdateRule, steps: float) -> float:
    """The radius of the ball at a step, counted from 1: that of its phase."""
    if rule.warmup_radius > 0.0 and steps <= rule.warmup:
        return rule.warmup_radius
    return radius_at(rule.radius, rule.growing, steps)


@njit(cache=True, nogil=True)
def sum_at_horizon(rule: UpdateRule, squared_gradients: float, steps: float) -> float:
    """The sum of squared gradient norms that an adaptive step size divides by.

    It is the sum so far; with an expected number of examples, the sum so far extrapolated to their end. Separate phases
    have a sum each.
    """
    before, end = 0.0, rule.horizon
    if rule.separate:
        before, end = (0.0, float(rule.warmup)) if steps <= rule.warmup else (float(rule.warmup), rule.horizon)
    return squared_gradients * max((end - before) / (steps - before), 1.0)


@njit(cache=True, nogil=True)
def warmup_ends(rule: UpdateRule, steps: float) -> bool:
    """Whether moments are due: once after the warm-up, and without a horizon at each doubling from then on.

    With separate phases they are estimated once.
    """
    if rule.warmup <= 0 or steps < rule.warmup:
        return False
    doublings = np.log2(steps / rule.warmup)
    renewed = rule.horizon == 0.0 and not rule.separate
    return doublings == 0.0 or (renewed and doublings == np.floor(doublings))
