"""AESVR: Attribute Efficient Support-Vector Regression."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, ClassVar

from ..common.parameters import check_not_negative, check_positive
from .analytic import AnalyticLearner, least_budget
from .kernels.gen_est import AnalyticLoss, analytic_loss, erf_coefficients

COEFFICIENTS = erf_coefficients()


class AESVR(AnalyticLearner):
    """Attribute Efficient Support-Vector Regression.

    Gradient descent, as in AERR, with a smoothed version of the insensitive loss max(0, |w'x - y| - insensitivity) in
    place of the squared loss. The derivative of the smoothed loss has a Taylor series, which is estimated without bias:
    its order n is drawn with probability 2^-(n + 1), and n independent estimates of w'x - y are multiplied.

    The budget holds in expectation: budget - 6 draws for x, and at most 6 expected draws for the derivative. One
    example may show more attributes; ``observed_`` reports the mean and the largest number.

    Parameters
    ----------
    budget : int, default=12
        The largest expected number of attributes of one training example that are revealed; at least 7.
    radius : float or 'auto', default='auto'
        Radius B of the ball. With ``scaling="running"`` the weights, and so the radius, refer to scaled attributes
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
    norm : {'l2', 'l1'}, default='l2'
        The norm of the ball. 'l2': gradient steps, as in AERR. 'l1': exponentiated steps with clipped gradients, and
        draws in proportion to the absolute weights, as in AELR, which the paper mentions and does not write down.
    repeats : int, 'printed' or None, default=None
        The N of the paper: the draws that each factor of a term of high order averages. None: the least whole number
        above 4 (radius / accuracy)^2. 'printed': that above 4 radius^2, which the paper prints, although the arguments
        of its derivative are divided by ``accuracy``.
    reveal_zero_terms : bool, default=False
        Whether attributes are revealed for even orders, too, as the print does, although their coefficient is 0.
    initial_weights : float or array-like of shape (n_features,), default=0.0
        The weights before the first example, of scaled attributes: a number for each attribute, or one number for all.
        Their l2 norm is at most B. At 0 the derivative follows from the label, and nothing is revealed for it. With
        ``norm="l1"`` they are 0.
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
    state_ : RidgeState or LassoState
        Everything that was learned, the random generator included.
    rule_ : UpdateRule
        The constants of the run: the division of the budget, the radius and the expected number of examples.

    Notes
    -----
    The smoothed loss is built from error functions, and its derivative is the mean of erf at (w'x - y - insensitivity)
    and at (w'x - y + insensitivity), both divided by ``accuracy``. The series of erf has odd orders only, so nothing is
    revealed for even ones. Each of the n factors is estimated from one draw, and for n > 2 log2(N) from the mean of N
    draws, with a radius of 1 in N where it is 'auto'. At w = 0 the derivative follows from the label, and nothing is
    revealed for it.

    Lemma 4.1 cannot hold as it is printed. Its proof bounds E[theta~^2] by 4 B^2 / N for the mean theta~ of N draws;
    but the mean of N draws has a smaller variance only, and (w'x - y)^2 stays. With d = 1, x = 1, w = B and y = -B,
    theta~ is 2 B whatever was drawn, and the logarithm of the second moment of the estimate of erf(w'x - y) is 57.1,
    247.0 and 1012.9 for B = 2, 4 and 8, where the lemma's proof allows 35.0, 68.2 and 112.6: it grows as 16 B^2, not as
    log^2 B. What holds for every N is E[theta~^2] <= M with M = 10 (B / accuracy)^2, and then a second moment of at
    most (16 M / pi) exp(4 M). So Theorem 4.4, which states that O(d / k) exp(O(log^2(B / eps))) examples suffice for an
    excess of eps, is established with exp(O(B^2 / eps^2)) in place of exp(O(log^2(B / eps))).

    ``AESVR.as_printed`` gives Algorithm 4 as it is printed: ``scaling="none"``, N = 4 B^2 rounded up, attributes that
    are revealed for every order, and first weights of 1e-9: the print asks for weights that are not 0 and leaves them
    open. It needs a ``step_size``. The gradient multiplies x, and not x / accuracy, as in the proof.

    The paper gives no step size. Unless ``step_size`` is given, the step is sqrt(2) B / sqrt(S), S being the sum of
    the squared norms of the gradient estimates so far, extrapolated to ``n_expected`` examples if that is given.

    With ``radius="auto"``, B = (k t / d)^(1/4) / 16 at example t, and (k t / (d log(2d)))^(1/4) with ``norm="l1"``.
    Each example then gives two independent estimates of inner products, at weights that it had no part in: one from the
    draws for x, one from the draws for the derivative. Their products with each other and with the label are unbiased
    estimates of the variance V of the predictions and of their covariance c with the label. The weights are multiplied
    by c / V, with c taken lower and V higher by their standard errors, and by 0, so that the mean label is predicted,
    where c is below two of them. Predictions are held within the range of the labels seen. All this costs no cell.

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

    least_budget = least_budget(runs=2)
    printed_parameters: ClassVar[Mapping[str, Any]] = {
        "scaling": "none",
        "repeats": "printed",
        "reveal_zero_terms": True,
        "initial_weights": 1e-9,
    }

    def __init__(
        self,
        budget: int = 12,
        radius: float | str = "auto",
        insensitivity: float = 0.1,
        accuracy: float = 0.5,
        step_size: float | None = None,
        *,
        norm: str = "l2",
        repeats: int | str | None = None,
        reveal_zero_terms: bool = False,
        initial_weights: Any = 0.0,
        scaling: str = "running",
        n_expected: int | None = None,
        keep_ledger: bool = False,
        random_state: Any = None,
    ) -> None:
        super().__init__(
            budget,
            radius,
            step_size,
            initial_weights=initial_weights,
            scaling=scaling,
            n_expected=n_expected,
            keep_ledger=keep_ledger,
            random_state=random_state,
        )
        self.insensitivity = insensitivity
        self.accuracy = accuracy
        self.norm = norm
        self.repeats = repeats
        self.reveal_zero_terms = reveal_zero_terms

    def _check_parameters(self, d: int) -> None:
        super()._check_parameters(d)
        check_positive("AESVR", "accuracy", self.accuracy)
        check_not_negative("AESVR", "insensitivity", self.insensitivity)
        self._checked_repeats((None, "printed"))

    def _loss(self) -> AnalyticLoss:
        radius, accuracy, repeats = self._given_radius(), float(self.accuracy), self.repeats
        if repeats is None:
            repeats = math.ceil(4 * (radius / accuracy) ** 2)
        elif repeats == "printed":
            repeats = math.ceil(4 * radius**2)
        return analytic_loss(
            COEFFICIENTS,
            int(repeats),
            shifts=(float(self.insensitivity), -float(self.insensitivity)),
            width=accuracy,
            zero_terms=bool(self.reveal_zero_terms),
            erf=True,
        )
