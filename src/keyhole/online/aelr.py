"""AELR: Attribute Efficient Lasso Regression."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..observe.ask import Ask
from ..observe.scales import new_scales
from .gradient import GradientLearner
from .kernels.averaging import average
from .kernels.draw_distribution import DrawDistribution
from .kernels.lasso import CLOCK, STEPS, LassoState, ask_lasso, lasso_step, learn_lasso, new_lasso_state, tell_lasso


class AELR(GradientLearner):
    """Attribute Efficient Lasso Regression.

    Exponentiated gradient descent on the squared error, with weights in an l1 ball. The gradient is the product of the
    error and x. Both are estimated without bias from a few attributes of each example, drawn with replacement: x from
    attributes drawn uniformly, the inner product in the error from attributes drawn in proportion to their absolute
    weights. The estimated gradient, clipped, moves the logarithms of positive and negative weights, and the predictor
    is the average of the weights of all steps.

    Parameters
    ----------
    budget : int, default=4
        The most attributes of one training example that may be revealed; at least 2.
    radius : float or 'auto', default='auto'
        Radius B of the l1 ball. With ``scaling="running"`` the weights, and so the radius, refer to scaled attributes
        and a scaled label. 'auto': a ball that grows with the number of examples, and a predictor that is shrunk toward
        the mean label, or extended beyond the ball, as far as held-out evidence supports; see the Notes. With
        ``scaling="none"`` or ``n_expected``, 'auto' is 1, and the predictor is returned as it is.
    step_size : float or None, default=None
        A constant step size. None: chosen as the Notes describe.
    distribution : array-like of shape (n_features,) or 'uniform', default='uniform'
        The probabilities q by which attributes are drawn for the estimate of x: 'uniform', or a positive number for
        each attribute; they are divided by their sum. With given numbers this is GAELR of Kukliansky and Shamir (2015).
    scaling : {'running', 'none'}, default='running'
        'running' centres and scales attributes and labels by running estimates from revealed cells, and fits an
        intercept. 'none' takes them as they are, without an intercept, as the theorem does.
    draws : {'even', 'textbook'}, default='even'
        How the budget is divided. 'even': half of the draws for the estimate of x and half (rounded up) for the inner
        product, as in the experiments of Kukliansky and Shamir (2015). 'textbook': one draw for the inner product and
        all others for x, as in the paper's algorithm.
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
    state_ : LassoState
        Everything that was learned, the random generator included.
    rule_ : UpdateRule
        The constants of the run: the division of the budget, the radius and the expected number of examples.

    Notes
    -----
    With k draws i of x and l draws j of the inner product, the estimates are::

        x~   = (1 / k) sum_i (x_i / q_i) e_i                    i with probability q_i, by default 1 / d
        phi~ = (1 / l) sum_j sign(w_j) |w|_1 x_j  -  y          j with probability |w_j| / |w|_1

    and g = phi~ x~ is an unbiased estimate of the gradient of half the squared error. A step is theta <- theta - step
    clip(g, 1 / step), with w_i = B sinh(theta_i) / sum_j cosh(theta_j), which is the paper's algorithm with z+ =
    exp(theta) and z- = exp(-theta). Theorem 3.4 (|x_i| <= 1, |y| <= B, m >= log(2d)): after m examples with the step
    sqrt(log(2d) / (5 m)) / G, G = 2 B sqrt(2 d / k), the expected excess of half the squared error over that of the
    best w in the ball is at most 4 B^2 sqrt(10 d log(2d) / (k m)). (The theorem prints 1 / (4 B^2) in its step where
    its proof has 1 / (4 B), which is this one.) With a given distribution, D / k + 1 with D = 1 / min(q) takes
    the place of 2 d / k, the bound on the second moment of x~ (Kukliansky and Shamir 2015, Theorem 4.1 and Lemma 4.2).

    The step size is, unless ``step_size`` is given:

    - with ``scaling="none"`` and ``n_expected``, the theorem's, with m = ``n_expected``;
    - without ``n_expected``, the adaptive sqrt(log(2d) / (10 S / d)), S being the sum of the squared norms of the
      gradient estimates so far, so that ``fit``, ``partial_fit`` and ``ask``/``tell`` agree;
    - with running scales and ``n_expected``, the same with S extrapolated to ``n_expected`` examples. The theorem's
      own step does not apply, since scaled attributes do not meet its bound on |x_i|.

    The adaptive step is the theorem's with 2 S / d in place of m G^2. S / d is the sum over examples of the mean
    squared entry of the gradient estimate, where G^2 bounds the expectation of every entry. The factor of 2, which
    makes the step shorter by sqrt(2), is that of AERR: for a step c / sqrt(S / d) that shrinks as S grows, the last
    term of the theorem's B (log(2d) / step + 5 step m G^2) doubles, and c = sqrt(log(2d) / 10) minimises the sum.

    ``AELR.as_printed`` gives Algorithm 2 as it is printed: ``scaling="none"``, ``draws="textbook"``, and the theorem's
    step for ``n_expected`` examples, or a given ``step_size``. At w = 0, where the algorithm starts and where the draw
    for the inner product is not defined, the inner product is 0 and nothing is revealed for it.

    With ``radius="auto"``, B = (k t / (d log(2d)))^(1/4) at example t: the theorem's bound on the excess is of the
    order B^2 / sqrt(k m), up to factors of d, and with this radius it stays the same for any number of examples, while
    the ball grows without limit. Each example then gives two independent estimates of inner products, at weights that
    it had no part in: one from the draws for x, one from the draws for the inner product. Their products with each
    other and with the label are unbiased estimates of the variance V of the predictions and of their covariance c with
    the label. The weights are multiplied by c / V, with c taken lower and V higher by their standard errors, and by 0,
    so that the mean label is predicted, where c is below two of them. Predictions are held within the range of the
    labels seen. All this costs no cell, and a step stays O(budget log d).

    References
    ----------
    Hazan, E. and Koren, T. (2012). Linear regression with limited observation. Proceedings of the 29th International
    Conference on Machine Learning. Algorithm 2 and Theorem 3.4.

    Kukliansky, D. and Shamir, O. (2015). Attribute efficient linear regression with distribution-dependent sampling.
    Proceedings of the 32nd International Conference on Machine Learning. Algorithm 3.

    Examples
    --------
    >>> from sklearn.datasets import load_digits
    >>> from keyhole import AELR
    >>> X, y = load_digits(n_class=2, return_X_y=True)
    >>> learner = AELR(budget=4, radius=2.0, random_state=1).fit(X, y)
    >>> learner.observed_.max_per_example
    4
    >>> round(learner.score(X, y), 1)
    0.8
    """

    def _theorem_step(self, d: int, examples: float, second_moment: float) -> float:
        return lasso_step(self._given_radius(), d, examples, second_moment)

    def _empty(self, rng: np.ndarray, d: int, step: float, distribution: DrawDistribution) -> LassoState:
        radius, scales = self._rule(d).radius, new_scales(d, self.scaling)
        return new_lasso_state(rng, d, radius, step, scales, distribution, self._new_evidence())

    def _ask(self, want_probabilities: bool) -> Ask:
        return ask_lasso(self.state_, self.rule_, want_probabilities)

    def _tell(self, ask: Ask, values: np.ndarray, label: float) -> None:
        tell_lasso(self.state_, self.rule_, ask, values, label)

    def _learn(self, table: Any, labels: np.ndarray, start: int, stop: int, limit: int) -> tuple[int, int]:
        return learn_lasso(self.state_, self.rule_, table, labels, start, stop, self.observed_.counts, limit)

    def _average(self) -> np.ndarray:
        return average(self.state_.weights, self.state_.numbers[CLOCK], self.state_.numbers[STEPS])
