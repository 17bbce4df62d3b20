"""What does not change while a gradient learner runs, and the steps that follow from it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit


class Rule(NamedTuple):
    """The split of the budget, the radius of the ball, and what is known of the length of the stream.

    ``horizon`` is the expected number of examples, 0 if unknown; with ``theorem`` the step is the theorem's. A
    ``warmup`` (-1: none) of so many examples finds second moments; ``confidence`` (0: none) is the
    theorem's margin on them.
    """

    x_draws: int
    inner_draws: int
    radius: float
    horizon: float = 0.0
    theorem: bool = False
    warmup: int = -1
    confidence: float = 0.0


@njit(cache=True, nogil=True)
def gradients_to_come(rule, squared_gradients, steps):
    """The sum of squared gradients that the anytime step divides by.

    It is the sum so far; when the number of examples is known, the sum to be expected at their end.
    """
    return squared_gradients * max(rule.horizon / steps, 1.0)


@njit(cache=True, nogil=True)
def warmup_ends(rule, steps):
    """Whether moments are due: once after the warm-up, and without a horizon at each doubling from then on."""
    if rule.warmup <= 0 or steps < rule.warmup:
        return False
    doublings = np.log2(steps / rule.warmup)
    return doublings == 0.0 or (rule.horizon == 0.0 and doublings == np.floor(doublings))
