"""AESVR: Attribute Efficient Support-Vector Regression."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..common.parameters import check_positive
from ..observe.ask import Ask
from .aerr import AERR
from .kernels.svr import SmoothedLoss, ask_svr, learn_svr, tell_svr
from .kernels.update_rule import UpdateRule

FOR_THE_DERIVATIVE = 6  # expected draws, at most: three for each of two runs of GenEst (Lemma 4.1)


class AESVR(AERR):
    """Attribute Efficient Support-Vector Regression.

    AERR with a smoothed version of the insensitive loss max(0, |w'x - y| - insensitivity) in place of the squared loss.
    The derivative of the smoothed loss has a Taylor series, which is estimated without bias: its order n is drawn with
    probability 2^-(n + 1), and n independent estimates of w'x - y are multiplied.

    The budget holds in expectation: budget - 6 draws for x, and at most 6 expected draws for the derivative. One
    example may show more attributes; ``observed_`` reports the mean and the largest number.

    Parameters
    ----------
    budget : int, default=12
        The largest expected number of attributes of one training example that are revealed; at least 7.
    radius : float or 'auto', default='auto'
        Radius B of the l2 ball. With ``scaling="running"`` the weights, and so the radius, refer to scaled attributes
        and a scaled label. 'auto': a ball that grows with the number of examples, and a predictor that is shrunk toward
        the mean label, or extended beyond the ball, as far as held-out evidence supports; see the Notes. With
        ``scaling="none"`` or ``n_expected``, 'auto' is 1, and the predictor is returned as it is.
    insensitivity : float, default=0.1
        Errors up to this size cost nothing; in units of the label's standard deviation with ``scaling="running"``.
    accuracy : float, default=0.5
        The largest difference between the smoothed and the insensitive loss, in the same units. Halving it multiplies
        the variance of the estimated derivative many times.
    step_size : float or None, default=None
        A constant step size. None: chosen as the Notes describe.
    scaling : {'running', 'none'}, default='running'
        'running' centres and scales attributes and labels by running estimates from revealed cells, and fits an
        intercept. 'none' takes them as they are, without an intercept, as the theorem does.
    n_expected : int or None, default=None
        The expected number of examples, which the step size may depend on; see the Notes.
    keep_ledger : bool, default=False
        Whether to record every revealed cell in ``ledger_``.
    random_state : int, RandomState instance or None, default=None
        Seed of the random draws. An int gives the same results for the same input.

    Attributes
    ----------
    coef_ : ndarray of shape (n_features_in_,)
        Coefficients of the raw attributes, computed when they are read.
    intercept_ : float
        The intercept; 0 with ``scaling="none"``.
    multiple_ : float
        What the weights are multiplied by: 0 for the mean label, 1 where a radius is given.
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
        Counts of the revealed cells: in total, by attribute and by example.
    ledger_ : Ledger
        Every revealed cell, in order; only with ``keep_ledger=True``.
    n_skipped_ : int
        Number of examples that were skipped because a value that was asked for was not available.
    n_asked_ : int
        Number of asks that were made by ``ask``.
    open_asks_ : dict of int to Ask
        The asks that were neither told nor forgotten yet, by their number.
    awaiting_label_ : dict of int to ndarray
        The values of open asks that were told without a label, by the number of the ask.
    state_ : RidgeState
        Everything that was learned, the random generator included.
    rule_ : UpdateRule
        The constants of the run: the division of the budget, the radius and the expected number of examples.

    Notes
    -----
    The smoothed loss is built from error functions, and its derivative is the mean of erf at (w'x - y - insensitivity)
    and at (w'x - y + insensitivity), both divided by ``accuracy``. The series of erf has odd orders only, so nothing is
    revealed for even ones. Each of the n factors is estimated from one draw, and for n > 2 log2(N) from the mean of N
    draws, N = 4 (radius / accuracy)^2, with 1 for a radius of 'auto'. At w = 0 the derivative follows from the label,
    and nothing is revealed for it.

    Theorem 4.4 states that O(d / k) exp(O(log^2(B / eps))) examples suffice for an excess of eps. Its proof rests on
    Lemma 4.1, which treats the mean of N draws as if not only its variance but also its squared mean shrank as 1 / N;
    so the printed rate is not established.

    The paper gives no step size. Unless ``step_size`` is given, the step is sqrt(2) B / sqrt(S), S being the sum of
    the squared norms of the gradient estimates so far, extrapolated to ``n_expected`` examples if that is given.

    With ``radius="auto"``, B = (k t / d)^(1/4) / 16 at example t, as for AERR. Each example then gives two independent
    estimates of inner products, at weights that it had no part in: one from the draws for x, one from the draws for the
    derivative. Their products with each other and with the label are unbiased estimates of the variance V of the
    predictions and of their covariance c with the label. The weights are multiplied by c / V, with c taken lower and V
    higher by their standard errors, and by 0, so that the mean label is predicted, where c is below two of them.
    Predictions are held within the range of the labels seen. All this costs no cell.

    References
    ----------
    Hazan, E. and Koren, T. (2012). Linear regression with limited observation. Proceedings of the 29th International
    Conference on Machine Learning. Algorithm 4, Procedure 3 and Theorem 4.4.

    Examples
    --------
    >>> from sklearn.datasets import load_digits
    >>> from keyhole import AESVR
    >>> X, y = load_digits(n_class=2, return_X_y=True)
    >>> learner = AESVR(budget=12, radius=0.3, accuracy=2.0, random_state=0).fit(X, y)
    >>> round(learner.observed_.mean_per_example, 1) <= 12
    True
    >>> round(learner.score(X, y), 1)
    0.7
    """

    least_budget = FOR_THE_DERIVATIVE + 1
    hard_budget = False

    def __init__(
        self,
        budget: int = 12,
        radius: float | str = "auto",
        insensitivity: float = 0.1,
        accuracy: float = 0.5,
        step_size: float | None = None,
        *,
        scaling: str = "running",
        n_expected: int | None = None,
        keep_ledger: bool = False,
        random_state: Any = None,
    ) -> None:
        super().__init__(
            budget,
            radius,
            step_size,
            scaling=scaling,
            n_expected=n_expected,
            keep_ledger=keep_ledger,
            random_state=random_state,
        )
        self.insensitivity = insensitivity
        self.accuracy = accuracy

    def _check_parameters(self, d: int) -> None:
        super()._check_parameters(d)
        check_positive("AESVR", "accuracy", self.accuracy)
        if not 0 <= self.insensitivity < np.inf:
            raise ValueError(f"insensitivity={self.insensitivity!r}: AESVR needs a finite number, 0 or more")

    def _rule(self, d: int) -> UpdateRule:
        x_draws = self.budget - FOR_THE_DERIVATIVE
        return UpdateRule(
            x_draws=x_draws,
            inner_draws=FOR_THE_DERIVATIVE,
            radius=self._first_radius(d, x_draws),
            horizon=float(self.n_expected or 0),
            growing=self._radius_is_chosen(),
        )

    def _loss(self) -> SmoothedLoss:
        repeats = math.ceil(4 * (self._given_radius() / self.accuracy) ** 2)
        return SmoothedLoss(float(self.insensitivity), float(self.accuracy), repeats)

    def _ask(self, want_probabilities: bool) -> Ask:
        return ask_svr(self.state_, self.rule_, self._loss(), want_probabilities)

    def _tell(self, ask: Ask, values: np.ndarray, label: float) -> None:
        tell_svr(self.state_, self.rule_, self._loss(), ask, values, label)

    def _learn(self, table: Any, labels: np.ndarray, start: int, stop: int, limit: int) -> tuple[int, int]:
        counts, loss = self.observed_.counts, self._loss()
        return learn_svr(self.state_, self.rule_, loss, table, labels, start, stop, counts, limit)
