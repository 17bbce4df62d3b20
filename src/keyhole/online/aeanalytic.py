"""AEAnalytic: attribute efficient learning with any loss whose derivative has a Taylor series."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from ..common.parameters import ParameterError, check_choice
from .analytic import AnalyticLearner, least_budget
from .kernels.gen_est import AnalyticLoss, analytic_loss


class AEAnalytic(AnalyticLearner):
    """Attribute efficient learning with an analytic loss.

    The loss is f(w'x - y), or f(y w'x) for a label y of -1 or 1, and is given by the Taylor coefficients of the
    derivative f'. The derivative is estimated without bias: its order n is drawn with probability 2^-(n + 1), and n
    independent estimates of its argument are multiplied. The steps are those of AERR, or of AELR in an l1 ball.

    The budget holds in expectation: budget - 3 draws for x, and at most 3 expected draws for the derivative. One
    example may show more attributes; ``observed_`` reports the mean and the largest number.

    Parameters
    ----------
    budget : int, default=8
        The largest expected number of attributes of one training example that are revealed; at least 4.
    radius : float or 'auto', default='auto'
        Radius B of the ball. With ``scaling="running"`` the weights, and so the radius, refer to scaled attributes
        and a scaled label. 'auto': a ball that grows with the number of examples, and a predictor that is shrunk toward
        the mean label, or extended beyond the ball, as far as held-out evidence supports; see AERR. With
        ``scaling="none"`` or ``n_expected``, 'auto' is 1, and the predictor is returned as it is.
    coefficients : array-like of float, default=(0.0, 1.0)
        The Taylor coefficients a_0, a_1, ... of f' at 0; those that are not given are 0. Only the first 54 matter,
        since no higher order is ever drawn. The default is the squared loss, half of the squared error.
    argument : {'error', 'margin'}, default='error'
        The argument of f: 'error' is w'x - y, for regression; 'margin' is y w'x, for classification, with labels of -1
        and 1, whose prediction is the sign of w'x. 'margin' needs ``scaling="none"``, since it has no use for a label
        that is centred.
    step_size : float or None, default=None
        A constant step size. None: sqrt(2) B / sqrt(S), S being the sum of the squared norms of the gradient estimates
        so far (and in an l1 ball AELR's), extrapolated to ``n_expected`` examples if that is given.
    norm : {'l2', 'l1'}, default='l2'
        The norm of the ball. 'l2': gradient steps, as in AERR. 'l1': exponentiated steps with clipped gradients, and
        draws in proportion to the absolute weights, as in AELR.
    repeats : int or None, default=None
        The N of the paper: the draws that each factor of a term of order n > 2 log2(N) averages. None: the least whole
        number above 4 B^2, with 1 for a radius of 'auto'.
    reveal_zero_terms : bool, default=False
        Whether attributes are revealed for orders whose coefficient is 0, too, as the print does.
    initial_weights : float or array-like of shape (n_features,), default=0.0
        The weights before the first example, of scaled attributes: a number for each attribute, or one number for all.
        Their l2 norm is at most B. At 0 every estimate of w'x is 0, and nothing is revealed for it. With ``norm="l1"``
        they are 0.
    scaling : {'running', 'none'}, default='running'
        'running' centres and scales attributes and labels by running estimates from revealed cells, and fits an
        intercept. 'none' takes them as they are, without an intercept, as the theorem does.
    n_expected : int or None, default=None
        The expected number of examples, which the step size may depend on.
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
    Procedure 3 of the paper, GenEst, with the argument theta and n independent estimates theta~ of it::

        phi^ = 2^(n + 1) a_n theta~_1 ... theta~_n         n with probability 2^-(n + 1)

    has the expectation f'(theta), wherever the series of f' converges absolutely at the sizes that theta~ takes: for a
    function that is analytic on the whole line, such as a polynomial or the error function, everywhere. The gradient is
    f'(w'x - y) x, or y f'(y w'x) x. The second moment of phi^ is at most 2 sum_n a_n^2 (2 M)^n for E[theta~^2] <= M,
    which may be large: see the Notes of AESVR on Lemma 4.1.

    ``AEAnalytic.as_printed`` gives Algorithm 1 of the paper with Procedure 3 in place of its lines 8 and 9, as they are
    printed: ``scaling="none"``, attributes that are revealed for every order, and first weights of 1e-9: the print asks
    for weights that are not 0 and leaves them open. It needs a ``step_size``.

    References
    ----------
    Hazan, E. and Koren, T. (2012). Linear regression with limited observation. Proceedings of the 29th International
    Conference on Machine Learning. Section 4 and Procedure 3.

    Examples
    --------
    The classification loss (1 - m)^2 / 2 of the margin m = y w'x, whose derivative is m - 1:

    >>> import numpy as np
    >>> from keyhole import AEAnalytic
    >>> X = np.random.default_rng(0).normal(size=(20_000, 10)) / 3
    >>> y = np.sign(X @ np.linspace(-1, 1, 10))
    >>> learner = AEAnalytic(8, 2.0, [-1.0, 1.0], "margin", scaling="none", random_state=0).fit(X, y)
    >>> round(float(np.mean(np.sign(learner.predict(X)) == y)), 1)
    0.9
    """

    least_budget = least_budget(runs=1)
    printed_parameters: ClassVar[Mapping[str, Any]] = {
        "scaling": "none",
        "reveal_zero_terms": True,
        "initial_weights": 1e-9,
    }

    def __init__(
        self,
        budget: int = 8,
        radius: float | str = "auto",
        coefficients: Any = (0.0, 1.0),
        argument: str = "error",
        step_size: float | None = None,
        *,
        norm: str = "l2",
        repeats: int | None = None,
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
        self.coefficients = coefficients
        self.argument = argument
        self.norm = norm
        self.repeats = repeats
        self.reveal_zero_terms = reveal_zero_terms

    def _check_parameters(self, d: int) -> None:
        super()._check_parameters(d)
        check_choice("AEAnalytic", "argument", self.argument, ("error", "margin"))
        if self.argument == "margin" and self.scaling != "none":
            message = "AEAnalytic with a loss of y w'x needs scaling='none', since a centred label has another sign"
            raise ParameterError("scaling", message, self.scaling)
        self._checked_repeats((None,))
        try:
            a = np.array(self.coefficients, dtype=np.float64)
        except (TypeError, ValueError):
            a = np.empty(0)
        if a.ndim != 1 or len(a) == 0 or not np.isfinite(a).all():
            needs = "AEAnalytic needs a list of finite numbers, the Taylor coefficients of the derivative"
            raise ParameterError("coefficients", needs, self.coefficients)

    def _labels(self, y: Any, n_examples: int) -> np.ndarray:
        labels = super()._labels(y, n_examples)
        wrong = np.flatnonzero(np.abs(labels) != 1.0)
        if len(wrong) and self.argument == "margin":
            at = wrong[0]
            raise ValueError(f"label of example {at} is {labels[at]}: AEAnalytic needs -1 or 1 for a loss of y w'x")
        return labels

    def _loss(self) -> AnalyticLoss:
        repeats = math.ceil(4 * self._given_radius() ** 2) if self.repeats is None else int(self.repeats)
        return analytic_loss(
            np.asarray(self.coefficients, dtype=np.float64),
            repeats,
            zero_terms=bool(self.reveal_zero_terms),
            margin=self.argument == "margin",
        )
