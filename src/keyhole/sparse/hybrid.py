"""Hybrid, which explores and exploits in turn, and Exploitation alone, from given weights."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..observe.scales import intercept_of
from .iterative import IterativeLearner, is_contiguous, schedule
from .schedule import AUTO, STARTED, Rule, first_batch


class Hybrid(IterativeLearner):
    """Hybrid of exploration and exploitation (Murata and Suzuki 2018, Algorithm 3).

    A cycle is a few updates of ``Exploration``, which find the support, and then updates on that support alone, which
    are cheap: d' = ceil(d / (budget - s)) times fewer examples measure a gradient as well. Whether the support is the
    right one cannot be known, so cycles go on, with growing batches. Theorem 4.4: never worse than Exploration, and
    once the smallest non-zero weight stands out, as good as with all attributes shown: an excess of eps takes
    O(d s^2 / budget + s sigma^2 / eps) examples, up to logarithms.

    What is returned is the last exploited iterate, also when the stream ends inside a phase of exploration.

    Parameters
    ----------
    budget : int
        The most attributes of one example that may be revealed, in training and for a prediction.
    sparsity : int
        The most attributes with weight (s); less than the budget.
    step_size : float, default=None
        None: from the largest eigenvalue of the Gram matrix that was seen, shorter for small batches.
    explore_batch, exploit_batch : int or sequence of int, default=None
        Examples per block of an exploring update, and examples of an exploiting one, in the first cycle or in the
        first cycles one by one. None: 2 s log(d / s) per block, and as many examples in exploitation as in
        exploration.
    explore_updates : int or sequence of int, default=6
        Exploring updates of a cycle, or of the cycles one by one. The theorem has 3, with larger batches.
    exploit_updates : int or sequence of int, default=None
        Exploiting updates. None: kappa log(d / (budget - s)), as in the theorem, with the condition number kappa
        of the Gram matrix that was seen, but no fewer than 3 and no more than 20.
    growth : float, default=1.5
        How many times larger the batches of each further cycle are. The theorem's batches are of this shape; with
        growth=1, constant batches, the error stalls at the noise of a batch.
    blocks, scaling, curve_points, keep_ledger, random_state
        As for Exploration.

    Examples
    --------
    >>> from keyhole import Hybrid
    >>> from keyhole.datasets import murata_suzuki
    >>> stream = murata_suzuki(30_000, n_attributes=40, n_nonzero=4, random_state=0)
    >>> learner = Hybrid(budget=8, sparsity=4, random_state=0).fit(stream.source, stream.labels())
    >>> learner.coef_[:6].round(1)
    array([ 1.,  1., -1., -1.,  0.,  0.])
    >>> learner.attributes_per_prediction_
    4
    """

    def __init__(
        self,
        budget: int = 4,
        sparsity: int = 2,
        step_size: float | None = None,
        explore_batch: Any = None,
        exploit_batch: Any = None,
        explore_updates: Any = 6,
        exploit_updates: Any = None,
        *,
        growth: float = 1.5,
        blocks: str = "random",
        scaling: str = "running",
        curve_points: int = 64,
        keep_ledger: bool = False,
        random_state: Any = None,
    ) -> None:
        self.budget = budget
        self.sparsity = sparsity
        self.step_size = step_size
        self.explore_batch = explore_batch
        self.exploit_batch = exploit_batch
        self.explore_updates = explore_updates
        self.exploit_updates = exploit_updates
        self.growth = growth
        self.blocks = blocks
        self.scaling = scaling
        self.curve_points = curve_points
        self.keep_ledger = keep_ledger
        self.random_state = random_state

    def _rule(self, d: int) -> Rule:
        def given(name: str) -> np.ndarray:
            value = getattr(self, name)
            return np.full(1, AUTO) if value is None else schedule("Hybrid", name, value)

        sizes = first_batch(d, self.sparsity) if self.explore_batch is None else self.explore_batch
        return Rule(
            sparsity=self.sparsity,
            width=self.budget - self.sparsity,
            contiguous=is_contiguous("Hybrid", self.blocks),
            step_size=np.nan if self.step_size is None else float(self.step_size),
            growth=float(self.growth),
            explore_batches=schedule("Hybrid", "explore_batch", sizes),
            explore_updates=schedule("Hybrid", "explore_updates", self.explore_updates),
            exploit_batches=given("exploit_batch"),
            exploit_updates=given("exploit_updates"),
            start=np.empty(0),
        )


class Exploitation(IterativeLearner):
    """Exploitation alone (Murata and Suzuki 2018, Algorithm 2): better weights for a support that is given.

    Every example shows the support of ``start_coef`` and nothing else, and theta <- theta - step * gradient there.
    Theorem 4.3: if the support holds that of the best weights, the excess shrinks by a constant factor at each update.
    With running scales the first batch finds the scales, and the updates begin with the second.

    Parameters
    ----------
    budget : int
        The most attributes of one example that may be revealed, in training and for a prediction.
    start_coef : array-like of shape (n_attributes,)
        Coefficients to begin from, in the units of the attributes (as a ``coef_``); at most ``budget`` not 0.
    step_size : float, default=None
        None: from the largest eigenvalue of the Gram matrix that was seen.
    batch_size : int or sequence of int, default=None
        Examples of the first update, or of the first ones one by one. None: ten for each attribute of the support.
    growth : float, default=1.25
        How many times larger each further batch is.
    scaling, curve_points, keep_ledger, random_state
        As for Exploration.

    Examples
    --------
    >>> import numpy as np
    >>> from keyhole import Exploitation
    >>> from keyhole.datasets import murata_suzuki
    >>> stream = murata_suzuki(5_000, n_attributes=40, n_nonzero=4, random_state=0)
    >>> guess = np.where(np.arange(40) < 4, 0.1, 0.0)
    >>> learner = Exploitation(budget=4, start_coef=guess, random_state=0).fit(stream.source, stream.labels())
    >>> learner.coef_[:6].round(1)
    array([ 1.,  1., -1., -1.,  0.,  0.])
    """

    least_budget = 1
    draws_at_random = False

    def __init__(
        self,
        budget: int = 4,
        start_coef: Any = None,
        step_size: float | None = None,
        batch_size: Any = None,
        *,
        growth: float = 1.25,
        scaling: str = "running",
        curve_points: int = 64,
        keep_ledger: bool = False,
        random_state: Any = None,
    ) -> None:
        self.budget = budget
        self.start_coef = start_coef
        self.step_size = step_size
        self.batch_size = batch_size
        self.growth = growth
        self.scaling = scaling
        self.curve_points = curve_points
        self.keep_ledger = keep_ledger
        self.random_state = random_state

    def _check_sparsity(self, d: int) -> None:
        self._given_weights(d)

    def _given_weights(self, d: int) -> np.ndarray:
        try:
            coef = np.array(self.start_coef, dtype=np.float64)
        except (TypeError, ValueError):
            coef = np.empty(0)
        if coef.shape != (d,):
            shown = "None" if self.start_coef is None else f"of shape {np.shape(self.start_coef)}"
            raise ValueError(f"start_coef {shown}: Exploitation needs a number for each of the {d} attributes")
        wrong = np.flatnonzero(~np.isfinite(coef))
        if len(wrong):
            raise ValueError(f"start_coef[{wrong[0]}]={coef[wrong[0]]}: Exploitation needs finite numbers")
        used = np.count_nonzero(coef)
        if not 1 <= used <= self.budget:
            raise ValueError(
                f"start_coef has {used} numbers that are not 0: Exploitation observes all of these attributes of every"
                f" example and needs between 1 and budget={self.budget}"
            )
        return coef

    def _rule(self, d: int) -> Rule:
        coef, never = self._given_weights(d), np.zeros(1)
        used = int(np.count_nonzero(coef))
        sizes = 10 * used if self.batch_size is None else self.batch_size
        return Rule(
            sparsity=used,
            width=d,
            contiguous=True,
            step_size=np.nan if self.step_size is None else float(self.step_size),
            growth=float(self.growth),
            explore_batches=never,
            explore_updates=never,
            exploit_batches=schedule("Exploitation", "batch_size", sizes),
            exploit_updates=np.ones(1),
            start=coef,
        )

    def _predictor(self) -> tuple[np.ndarray, float]:
        if not self.state_.numbers[STARTED]:
            return self.rule_.start.copy(), intercept_of(self.state_.scales, self.rule_.start)
        return super()._predictor()
