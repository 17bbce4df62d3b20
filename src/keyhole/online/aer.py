"""AER: Attribute Efficient Regression."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from ..common.parameters import check_choice, check_horizon, check_positive
from ..observe.ask import Ask
from ..observe.scales import new_scales
from .base import StreamingLearner
from .kernels import l1_ball
from .kernels.aer import STEPS, AERRule, AERState, ask_aer, learn_aer, tell_aer
from .kernels.l1_ball import new_ball


class AER(StreamingLearner):
    """Attribute Efficient Regression.

    Pegasos (stochastic gradient descent with steps of order 1 / t) on the squared error, with weights in an l1 ball.
    The gradient is the product of the error and x, and both are estimated without bias: x from a uniform subset of half
    the budget, drawn without replacement, and the inner product in the error from as many attributes, drawn with
    replacement in proportion to their absolute weights. The predictor is the average of the weights of all steps.

    Parameters
    ----------
    budget : int, default=4
        The most attributes of one training example that may be revealed; at least 2. If it is an odd number, one
        attribute fewer is used.
    radius : float or 'auto', default='auto'
        Radius B of the l1 ball. With ``scaling="running"`` the weights, and so the radius, refer to scaled attributes
        and a scaled label. 'auto': a ball that grows with the number of examples, and a predictor that is shrunk toward
        the mean label, or extended beyond the ball, as far as held-out evidence supports; see the Notes. With
        ``scaling="none"`` or ``n_expected``, 'auto' is 1, and the predictor is returned as it is.
    reg : float or None, default=None
        Regularisation of Pegasos. None: chosen as the Notes describe.
    l2_bound : float or None, default=None
        The theorem's bound B_2 on the l2 norm of the weights that the predictor competes with. None: B, the largest
        value that it can have, where the regularisation is the theorem's, and B / d^(1/4) elsewhere.
    average : {'before', 'updated'}, default='before'
        Which weights the predictor averages: those before each update, as the theorem's proof does, or those after it,
        as the printed algorithm does.
    scaling : {'running', 'none'}, default='running'
        'running' centres and scales attributes and labels by running estimates from revealed cells, and fits an
        intercept. 'none' takes them as they are, without an intercept, as the theorem does.
    n_expected : int or None, default=None
        The expected number of examples, which the regularisation may depend on; see the Notes.
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
    state_ : AERState
        Everything that was learned, the random generator included.
    rule_ : AERRule
        The constants of the run: half of the budget, the radius, the regularisation and the expected number of
        examples.

    Notes
    -----
    With h = budget / 2 attributes j in the subset and h draws i, the estimates are::

        v     = (d / h) sum_j x_j e_j                           a uniform subset
        y_hat = (1 / h) sum_i sign(w_i) |w|_1 x_i               i with probability |w_i| / |w|_1

    and 2 (y_hat - y) v is an unbiased estimate of the gradient of the squared error. Step t is
    w <- (1 - 1/t) w - 2 / (reg t) (y_hat - y) v, followed by the projection onto |w|_1 <= B, which is exact and costs
    O(log d) per changed weight. Theorem 2 (|x_i| <= 1, |y| <= 1): with reg = ((B + 1) d / B_2) sqrt(log(m) / (m k)),
    k being the budget, the expected excess of the squared error over that of any w in the ball with |w|_2 <= B_2 is
    O(d (B + 1) B_2 sqrt(log(m) / (k m))). The k of the regularisation is 2 h, the attributes that are revealed, where
    the budget is an odd number.

    The regularisation is, unless ``reg`` is given:

    - with ``scaling="none"`` and ``n_expected``, the theorem's, with m = ``n_expected``;
    - otherwise (G / B_2) sqrt(log(T + 1) / T), of the theorem's form. G, in place of a bound, is the root mean square
      of the norms of the gradient estimates so far, and B_2, unless ``l2_bound`` is given, is B / d^(1/4), the
      geometric mean of its extremes B / sqrt(d) and B. T is the number of examples so far, or ``n_expected`` if that is
      larger.

    ``AER.as_printed`` gives Algorithm 2 as it is printed: ``scaling="none"``, ``average="updated"``, and the theorem's
    regularisation for ``n_expected`` examples, or a given ``reg``. Two slips of the print are corrected: the inner
    product uses the attribute that was drawn (the printed line has x_j for x_i), and at w = 0, where its draw is not
    defined, it is 0 and nothing is revealed for it.

    With ``radius="auto"``, B = (h t / (d log(2d)))^(1/4) at example t: the theorem's bound on the excess is of the
    order B^2 / sqrt(h m), up to factors of d, and with this radius it stays the same for any number of examples, while
    the ball grows without limit. Each example then gives two independent estimates of inner products, at weights that
    it had no part in: one from the draws for x, one from the draws for the inner product. Their products with each
    other and with the label are unbiased estimates of the variance V of the predictions and of their covariance c with
    the label. The weights are multiplied by c / V, with c taken lower and V higher by their standard errors, and by 0,
    so that the mean label is predicted, where c is below two of them. Predictions are held within the range of the
    labels seen. All this costs no cell, and a step stays O(budget log d).

    References
    ----------
    Cesa-Bianchi, N., Shalev-Shwartz, S. and Shamir, O. (2010). Efficient learning with partially observed attributes.
    Proceedings of the 27th International Conference on Machine Learning. Algorithm 2 and Theorem 2.

    Examples
    --------
    >>> from sklearn.datasets import load_digits
    >>> from keyhole import AER
    >>> X, y = load_digits(n_class=2, return_X_y=True)
    >>> learner = AER(budget=4, radius=2.0, random_state=0).fit(X, y)
    >>> learner.observed_.max_per_example
    4
    >>> round(learner.score(X, y), 1)
    0.7
    """

    printed_parameters: ClassVar[Mapping[str, Any]] = {"scaling": "none", "average": "updated"}
    printed_needs = ("reg", "n_expected")

    def __init__(
        self,
        budget: int = 4,
        radius: float | str = "auto",
        reg: float | None = None,
        *,
        l2_bound: float | None = None,
        average: str = "before",
        scaling: str = "running",
        n_expected: int | None = None,
        keep_ledger: bool = False,
        random_state: Any = None,
    ) -> None:
        self.budget = budget
        self.radius = radius
        self.reg = reg
        self.l2_bound = l2_bound
        self.average = average
        self.scaling = scaling
        self.n_expected = n_expected
        self.keep_ledger = keep_ledger
        self.random_state = random_state

    def _check_parameters(self, d: int) -> None:
        super()._check_parameters(d)
        check_horizon("AER", self.n_expected)
        check_choice("AER", "average", self.average, ("before", "updated"))
        for name, value in (("reg", self.reg), ("l2_bound", self.l2_bound)):
            if value is not None:
                check_positive("AER", name, value)

    def _new_state(self, d: int, rng: np.ndarray) -> tuple[AERState, AERRule]:
        reg = np.nan if self.reg is None else float(self.reg)
        if self.reg is None and self.n_expected is not None and self.scaling == "none":
            B, m, k = self._given_radius(), max(self.n_expected, 2), 2 * (self.budget // 2)
            B2 = B if self.l2_bound is None else float(self.l2_bound)
            reg = float((B + 1) * d / B2 * np.sqrt(np.log(m) / (m * k)))
        state = AERState(
            rng=rng,
            marks=np.full(d, -1),
            numbers=np.zeros(2),
            ball=new_ball(d),
            scales=new_scales(d, self.scaling),
            evidence=self._new_evidence(),
        )
        half = self.budget // 2
        return state, AERRule(
            half=half,
            radius=self._first_radius(d, half),
            reg=reg,
            horizon=float(self.n_expected or 0),
            growing=self._radius_is_chosen(),
            l2_bound=np.nan if self.l2_bound is None else float(self.l2_bound),
            updated=self.average == "updated",
        )

    def _ask(self, want_probabilities: bool) -> Ask:
        return ask_aer(self.state_, self.rule_, want_probabilities)

    def _tell(self, ask: Ask, values: np.ndarray, label: float) -> None:
        tell_aer(self.state_, self.rule_, ask, values, label)

    def _learn(self, table: Any, labels: np.ndarray, start: int, stop: int, limit: int) -> tuple[int, int]:
        return learn_aer(self.state_, self.rule_, table, labels, start, stop, self.observed_.counts, limit)

    def _average(self) -> np.ndarray:
        return l1_ball.average(self.state_.ball, self.state_.numbers[STEPS])
