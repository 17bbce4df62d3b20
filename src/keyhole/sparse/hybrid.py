"""Hybrid, which explores and exploits in turn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..common.parameters import check_choice
from .iterative import IterativeLearner, is_contiguous, schedule
from .nested import batch_of_each_update, is_nested
from .schedule import AUTO, THEOREM, ThresholdingRule, first_batch, fitted_to, n_blocks


class Hybrid(IterativeLearner):
    """Hybrid of exploration and exploitation.

    A cycle is a few updates of ``Exploration``, which find the support, and then updates on that support only, as in
    ``Exploitation``, for which every example shows all of the support, so that far fewer examples measure a gradient
    equally well. Whether the support is the right one is not certain, so cycles continue, with growing batches.

    Parameters
    ----------
    budget : int, default=4
        The most attributes of one example that may be revealed, in training and for a prediction.
    sparsity : int, default=2
        The most attributes with a weight (s); less than the budget.
    step_size : float or None, default=None
        A constant step size. None: from the largest eigenvalue of the Gram matrix of the support, shorter for small
        batches; see ``Exploration``.
    explore_batch : int, sequence of int or of sequences of int, or None, default=None
        Examples per block of an exploring update, in the first cycle or in the first cycles one by one. A sequence in
        place of a cycle's number has the batch of each update of this cycle, as many as ``explore_updates`` says. None:
        2 s log(d / s), rounded up.
    exploit_batch : int, sequence of int or of sequences of int, or None, default=None
        Examples of an exploiting update, in the same way; for sequences ``exploit_updates`` must be given in numbers.
        None: so many that a cycle spends as many examples on exploitation as on exploration.
    explore_updates : int or sequence of int, default=6
        Exploring updates of every cycle, or of the first cycles one by one (the last entry holds from then on). The
        theorem has 3, with larger batches.
    exploit_updates : int, sequence of int, 'theorem' or None, default=None
        Exploiting updates of every cycle, or of the first cycles one by one. None: kappa log(d / (budget - s)), with
        kappa the condition number of the Gram matrix of the support, but at least 3 and at most 20. 'theorem', as in
        Theorem 4.4: kappa log(max(d / (kappa^2 (budget - s)), 1)), rounded up, which may be 0; the constants of its
        Theta() are taken as 1.
    growth : float, default=1.5
        The factor by which the batches of each further cycle are larger than those of the cycle before. With 1 the
        error stops falling at the noise of a batch.
    blocks : {'random', 'contiguous'}, default='random'
        Blocks of attributes drawn anew for each update, or runs of neighbours as in the paper.
    start_coef : array-like of shape (n_features,) or None, default=None
        Coefficients to begin from, in the units of the attributes (as a ``coef_``): theta_0 of the paper, of which the
        ``sparsity`` largest are kept. With running scales the first batch then estimates the scales, and updates begin
        with the second. None: all 0.
    halve_steps : bool, default=True
        Whether a step is made again at half its length, with a ``ConvergenceWarning``, if the iterate that it led to
        loses more than twice what the mean label loses; all later steps are then halved too, also where ``step_size``
        is given. False: steps are as given, as in the paper.
    scaling : {'running', 'none'}, default='running'
        'running' centres and scales attributes and labels by running estimates from revealed cells, and fits an
        intercept. 'none' takes them as they are, without an intercept, as the theorem does.
    shrink_to_mean : bool, default=True
        Whether the predictor is shrunk toward the mean label, down to it, as far as the predictions that were made
        during training call for, and predictions are held within the range of the labels seen. With ``scaling="none"``
        there is no mean label, and nothing is shrunk.
    n_expected : int or None, default=None
        The expected number of examples: ``explore_batch=None`` then ends the first exploration at half of them, with
        fewer updates or, if there is time for one only, a smaller batch. None: ``fit`` takes the length of its table;
        ``partial_fit`` and ``ask`` have no such limit.
    curve_points : int, default=64
        The most points of ``learning_curve_``, at least 2.
    keep_ledger : bool, default=False
        Whether to record every revealed cell in ``ledger_``.
    random_state : int, RandomState instance or None, default=None
        Seed of the random draws. An int gives the same results for the same input.

    Attributes
    ----------
    coef_ : ndarray of shape (n_features_in_,)
        Coefficients of the raw attributes; at most ``sparsity`` of them are not 0.
    intercept_ : float
        The intercept; 0 with ``scaling="none"``.
    support_ : ndarray of int64
        The attributes whose coefficient is not 0, in ascending order.
    attributes_per_prediction_ : int
        How many attributes of an example a prediction reveals: the length of ``support_``.
    multiple_ : float
        What the weights are multiplied by: between 0 (the mean label) and 1; 1 with ``shrink_to_mean=False``.
    learning_curve_ : LearningCurve
        Squared error of the predictions made during training, against examples and cells, at up to ``curve_points``
        points.
    predicted_ : Meter
        Counts of the cells that predictions revealed.
    expected_examples_ : int or None
        The number of examples that schedules follow: ``n_expected``, or the length of the table of ``fit``; None
        without either.
    n_features_in_ : int
        Number of attributes.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the attributes; only if the table had names that are all strings.
    attributes_ : sequence of Attribute
        The attributes, with their descriptions.
    observed_ : Meter
        Counts of the cells that training revealed: in total, by attribute and by example.
    ledger_ : Ledger
        Every cell that training revealed, in order; only with ``keep_ledger=True``.
    n_skipped_ : int
        Number of examples that were skipped because a value that was asked for was not available.
    n_asked_ : int
        Number of asks that were made by ``ask``.
    open_asks_ : dict of int to Ask
        The asks that were neither told nor forgotten yet, by their number.
    awaiting_label_ : dict of int to ndarray
        The values of open asks that were told without a label, by the number of the ask.
    state_ : ThresholdingState
        Everything that was learned, the random generator included.
    rule_ : ThresholdingRule
        The constants of the run: the schedule, the sparsity and the size of a block.

    Notes
    -----
    The estimators are those of ``Exploration`` and ``Exploitation``. By Theorem 4.4 and Corollary 4.5 the number of
    examples for an excess of eps is, up to constants, never larger than that of Exploration; and where the smallest
    non-zero weight of the best predictor is large enough, it is O(d s^2 / (budget - s) + s sigma^2 / eps), up to
    logarithms and constants of the distribution, whose second term is that of learners that see all attributes.

    The predictor is the last exploited iterate, also when the stream ends during exploration; before the first
    exploitation it is the last iterate.

    Algorithm 3 as published is ``Hybrid.as_printed(budget, sparsity=..., step_size=..., explore_batch=...,
    exploit_batch=..., explore_updates=..., exploit_updates=...)``: a constant step, batches and updates as given (the
    last entry of a sequence for all further cycles), ``blocks="contiguous"``, ``scaling="none"``, ``halve_steps=False``
    and ``shrink_to_mean=False``. The printed batches, one for each update t of each cycle k, are sequences of
    sequences, such as ``explore_batch=[[100, 150], [200, 300]]``. Its first weights are ``start_coef``. Theorem 4.4 has
    ``explore_updates=3``, ``exploit_updates="theorem"``, and batches that grow by a constant factor from cycle to
    cycle.

    References
    ----------
    Murata, T. and Suzuki, T. (2018). Sample efficient stochastic gradient iterative hard thresholding method for
    stochastic sparse linear regression with limited attribute observation. Advances in Neural Information Processing
    Systems 31. Algorithm 3, Theorem 4.4 and Corollary 4.5.

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

    printed_inputs = ("step_size", "explore_batch", "exploit_batch", "explore_updates", "exploit_updates")

    def __init__(
        self,
        budget: int = 4,
        sparsity: int = 2,
        step_size: float | None = None,
        explore_batch: int | Sequence[int | Sequence[int]] | None = None,
        exploit_batch: int | Sequence[int | Sequence[int]] | None = None,
        explore_updates: int | Sequence[int] = 6,
        exploit_updates: int | Sequence[int] | str | None = None,
        *,
        growth: float = 1.5,
        blocks: str = "random",
        start_coef: Any = None,
        halve_steps: bool = True,
        scaling: str = "running",
        shrink_to_mean: bool = True,
        n_expected: int | None = None,
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
        self.start_coef = start_coef
        self.halve_steps = halve_steps
        self.scaling = scaling
        self.shrink_to_mean = shrink_to_mean
        self.n_expected = n_expected
        self.curve_points = curve_points
        self.keep_ledger = keep_ledger
        self.random_state = random_state

    def _rule(self, d: int) -> ThresholdingRule:
        explore_updates, exploit_updates = self._updates("explore_updates"), self._updates("exploit_updates")
        explore_each, exploit_each = self._each("explore", explore_updates), self._each("exploit", exploit_updates)
        sizes = first_batch(d, self.sparsity) if self.explore_batch is None else self.explore_batch
        rule = ThresholdingRule(
            sparsity=self.sparsity,
            width=self.budget - self.sparsity,
            contiguous=is_contiguous("Hybrid", self.blocks),
            step_size=np.nan if self.step_size is None else float(self.step_size),
            growth=float(self.growth),
            explore_batches=explore_each[:, 0] if explore_each.size else schedule("Hybrid", "explore_batch", sizes),
            explore_updates=explore_updates,
            exploit_batches=exploit_each[:, 0] if exploit_each.size else self._exploit_batches(),
            exploit_updates=exploit_updates,
            explore_each=explore_each,
            exploit_each=exploit_each,
            start=self._sparse_start(d),
            halving=self.halve_steps,
        )
        if self.explore_batch is not None:
            return rule
        # The first exploration ends at half of the examples, with fewer updates or else a smaller batch.
        half = self._share_of_examples(0.5)
        rule = fitted_to(rule, half)
        updates = rule.explore_updates
        batch = min(rule.explore_batches[0] * n_blocks(rule, d), half)
        first = min(updates[0], max(np.floor(half / batch), 1.0))
        return rule._replace(explore_updates=np.append(first, updates[min(1, len(updates) - 1) :]))

    def _updates(self, name: str) -> np.ndarray:
        value = getattr(self, name)
        if name == "exploit_updates" and isinstance(value, str):
            check_choice("Hybrid", name, value, ("theorem",))
            return np.full(1, THEOREM)
        return np.full(1, AUTO) if name == "exploit_updates" and value is None else schedule("Hybrid", name, value)

    def _each(self, phase: str, updates: np.ndarray) -> np.ndarray:
        """The batch of each update, by cycle; without entries where a batch holds for all updates of a cycle."""
        name, updates_name = f"{phase}_batch", f"{phase}_updates"
        value = getattr(self, name)
        if not is_nested(value):
            return np.empty((0, 0))
        if updates[0] < 0:
            raise ValueError(
                f"{updates_name}={getattr(self, updates_name)!r}: {name} has a batch for each update, so Hybrid needs"
                " the number of updates of each cycle"
            )
        return batch_of_each_update("Hybrid", name, value, updates_name, updates)

    def _exploit_batches(self) -> np.ndarray:
        if self.exploit_batch is None:
            return np.full(1, AUTO)
        return schedule("Hybrid", "exploit_batch", self.exploit_batch)
