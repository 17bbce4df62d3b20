"""Exploration: iterative hard thresholding, each example showing the support and one block of attributes."""

from __future__ import annotations

from typing import Any

import numpy as np

from .iterative import IterativeLearner, is_contiguous, schedule
from .schedule import Rule, first_batch


class Exploration(IterativeLearner):
    """Exploration (Murata and Suzuki 2018, Algorithm 1).

    Since the iterate theta has at most s non-zeros, theta'x costs s attributes and is exact; the other budget - s go
    to one of d' = ceil(d / (budget - s)) blocks of attributes. A batch shows each block to B examples, the gradient
    on a block being the mean of 2 (theta'x - y) x over them: unbiased, with none of the products of two rarely
    seen attributes that other estimates need. Then theta <- H_s(theta - step * gradient), H_s keeping the s largest
    entries. Theorem 4.1: with s = O(kappa^2 s*), a step of the order 1 / L and batches large enough, the excess
    shrinks by a constant factor at each update; an excess of eps takes O(d s^2 / budget + d s sigma^2 / (budget eps))
    examples, up to logarithms.

    Parameters
    ----------
    budget : int
        The most attributes of one example that may be revealed, in training and for a prediction.
    sparsity : int
        The most attributes with weight (s); less than the budget.
    step_size : float, default=None
        None: from the largest eigenvalue of the Gram matrix that was seen, shorter for small batches.
    batch_size : int or sequence of int, default=None
        Examples per block (B): of the first update, or of the first ones one by one. None: 2 s log(d / s).
    growth : float, default=1.25
        How many times larger each further batch is; 1 for the constant batches of the theorem, with which the error
        stalls at the noise of a batch.
    blocks : {"random", "contiguous"}, default="random"
        Blocks drawn anew for each update, or runs of neighbours as the paper prints them.
    scaling : {"running", "none"}, default="running"
        Centre and scale attributes and labels by running estimates from revealed cells, or not at all (the letter of
        the paper; no intercept).
    curve_points : int, default=64
        The most points of ``learning_curve_``.
    keep_ledger : bool, default=False
        Keep every revealed cell in ``ledger_``.
    random_state : int, RandomState instance or None, default=None

    Examples
    --------
    >>> from keyhole import Exploration
    >>> from keyhole.datasets import murata_suzuki
    >>> stream = murata_suzuki(30_000, n_attributes=40, n_nonzero=4, random_state=0)
    >>> learner = Exploration(budget=8, sparsity=4, random_state=0).fit(stream.source, stream.labels())
    >>> learner.support_
    array([0, 1, 2, 3])
    >>> learner.observed_.max_per_example
    8
    """

    def __init__(
        self,
        budget: int = 4,
        sparsity: int = 2,
        step_size: float | None = None,
        batch_size: Any = None,
        *,
        growth: float = 1.25,
        blocks: str = "random",
        scaling: str = "running",
        curve_points: int = 64,
        keep_ledger: bool = False,
        random_state: Any = None,
    ) -> None:
        self.budget = budget
        self.sparsity = sparsity
        self.step_size = step_size
        self.batch_size = batch_size
        self.growth = growth
        self.blocks = blocks
        self.scaling = scaling
        self.curve_points = curve_points
        self.keep_ledger = keep_ledger
        self.random_state = random_state

    def _rule(self, d: int) -> Rule:
        sizes = first_batch(d, self.sparsity) if self.batch_size is None else self.batch_size
        never = np.zeros(1)
        return Rule(
            sparsity=self.sparsity,
            width=self.budget - self.sparsity,
            contiguous=is_contiguous("Exploration", self.blocks),
            step_size=np.nan if self.step_size is None else float(self.step_size),
            growth=float(self.growth),
            explore_batches=schedule("Exploration", "batch_size", sizes),
            explore_updates=np.ones(1),
            exploit_batches=never,
            exploit_updates=never,
            start=np.empty(0),
        )
