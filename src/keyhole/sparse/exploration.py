"""Exploration: iterative hard thresholding, where each example shows the support and one block of attributes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .iterative import IterativeLearner, is_contiguous, schedule
from .schedule import ThresholdingRule, first_batch, fitted_to


class Exploration(IterativeLearner):
    """Exploration: iterative hard thresholding on gradients that are measured block by block.

    The iterate has at most ``sparsity`` non-zero weights, so its prediction costs that many attributes of an example
    and is exact. The rest of the budget shows one block of the other attributes. A batch of examples shows all blocks
    in turn, which gives an unbiased estimate of the whole gradient, without the products of two rarely seen attributes
    that other estimates need. A step follows, and only the largest weights are kept.

    Parameters
    ----------
    budget : int, default=4
        The most attributes of one example that may be revealed, in training and for a prediction.
    sparsity : int, default=2
        The most attributes with a weight (s); less than the budget.
    step_size : float or None, default=None
        A constant step size. None: from the largest eigenvalue of the Gram matrix of the support, shorter for small
        batches; see the Notes.
    batch_size : int, sequence of int or None, default=None
        Examples per block (B): of the first update, or of the first updates one by one. None: 2 s log(d / s), rounded
        up.
    growth : float, default=1.25
        The factor by which each further batch is larger than the one before. With 1, the batches of the theorem, the
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
        The expected number of examples: ``batch_size=None`` then takes no more than a quarter of them for an update.
        None: ``fit`` takes the length of its table; ``partial_fit`` and ``ask`` have no such limit.
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
    With theta the iterate, the attributes are divided into d' = ceil(d / (budget - s)) blocks, and the gradient on a
    block is the mean of 2 (theta'x - y) x over the B examples that showed it. An update is theta <- H_s(theta - step *
    gradient), where H_s keeps the s largest entries. Theorem 4.1: with s = O(kappa^2 s*), a step of the order 1 / L and
    batches that are large enough, the excess shrinks by a constant factor at each update (s* being the number of
    non-zero weights of the best predictor, L and kappa the restricted smoothness and condition number). By Corollary
    4.2 an excess of eps takes O(d s^2 / (budget - s) + d s sigma^2 / ((budget - s) eps)) examples, up to logarithms and
    constants of the distribution.

    The automatic step is 1 / (2 lambda (1 + rho)), with lambda the largest eigenvalue of the Gram matrix of the support
    and rho = 2 s log(d / s) / B the share of noise in what H_s keeps of the gradient. If an iterate loses more than
    twice what the mean label loses, its step is made again at half its length, with a ``ConvergenceWarning``, unless
    ``halve_steps=False``.

    Algorithm 1 as published is ``Exploration.as_printed(budget, sparsity=..., step_size=..., batch_size=...)``: a
    constant step, batches as given (the last one of a sequence for all further updates), ``blocks="contiguous"``,
    ``scaling="none"``, ``halve_steps=False`` and ``shrink_to_mean=False``. Its theta_0 is ``start_coef``.

    References
    ----------
    Murata, T. and Suzuki, T. (2018). Sample efficient stochastic gradient iterative hard thresholding method for
    stochastic sparse linear regression with limited attribute observation. Advances in Neural Information Processing
    Systems 31. Algorithm 1, Theorem 4.1 and Corollary 4.2.

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
        batch_size: int | Sequence[int] | None = None,
        *,
        growth: float = 1.25,
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
        self.batch_size = batch_size
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
        sizes = first_batch(d, self.sparsity) if self.batch_size is None else self.batch_size
        never = np.zeros(1)
        rule = ThresholdingRule(
            sparsity=self.sparsity,
            width=self.budget - self.sparsity,
            contiguous=is_contiguous("Exploration", self.blocks),
            step_size=np.nan if self.step_size is None else float(self.step_size),
            growth=float(self.growth),
            explore_batches=schedule("Exploration", "batch_size", sizes),
            explore_updates=np.ones(1),
            exploit_batches=never,
            exploit_updates=never,
            start=self._sparse_start(d),
            halving=self.halve_steps,
        )
        return fitted_to(rule, self._share_of_examples(0.25)) if self.batch_size is None else rule
