"""AERR: Attribute Efficient Ridge Regression."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from ..common.parameters import ParameterError
from ..observe.ask import Ask
from ..observe.scales import new_scales
from .gradient import GradientLearner
from .kernels.averaging import U, average
from .kernels.draw_distribution import DrawDistribution
from .kernels.ridge import (
    CLOCK,
    STEPS,
    RidgeState,
    ask_ridge,
    learn_ridge,
    new_ridge_state,
    rebuild_draws,
    ridge_step,
    tell_ridge,
)


class AERR(GradientLearner):
    """Attribute Efficient Ridge Regression.

    Online gradient descent on the squared error, with weights in an l2 ball. The gradient is the product of the error
    and x. Both are estimated without bias from a few attributes of each example, drawn with replacement: x from
    attributes drawn uniformly, the inner product in the error from attributes drawn in proportion to their squared
    weights. The predictor is the average of the weights of all steps.

    Parameters
    ----------
    budget : int, default=4
        The most attributes of one training example that may be revealed; at least 2.
    radius : float or 'auto', default='auto'
        Radius B of the l2 ball. With ``scaling="running"`` the weights, and so the radius, refer to scaled attributes
        and a scaled label. 'auto': a ball that grows with the number of examples, and a predictor that is shrunk toward
        the mean label, or extended beyond the ball, as far as held-out evidence supports; see the Notes. With
        ``scaling="none"`` or ``n_expected``, 'auto' is 1, and the predictor is returned as it is.
    step_size : float or None, default=None
        A constant step size. None: chosen as the Notes describe.
    distribution : array-like of shape (n_features,) or 'uniform', default='uniform'
        The probabilities q by which attributes are drawn for the estimate of x: 'uniform', or a positive number for
        each attribute; they are divided by their sum. With given numbers this is GAERR of Kukliansky and Shamir (2015).
    initial_weights : float or array-like of shape (n_features,), default=0.0
        The weights before the first example, of scaled attributes: a number for each attribute, or one number for all.
        Their l2 norm is at most B. At 0 the draw for the inner product is not defined: the inner product is 0, and
        nothing is revealed for it.
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
    state_ : RidgeState
        Everything that was learned, the random generator included.
    rule_ : UpdateRule
        The constants of the run: the division of the budget, the radius and the expected number of examples.

    Notes
    -----
    With k draws i of x and l draws j of the inner product, the estimates are::

        x~   = (1 / k) sum_i (x_i / q_i) e_i               i with probability q_i, by default 1 / d
        phi~ = (1 / l) sum_j (|w|^2 / w_j) x_j  -  y       j with probability w_j^2 / |w|^2

    and phi~ x~ is an unbiased estimate of the gradient of half the squared error. A step is w <- w - step phi~ x~,
    followed by the projection onto |w|_2 <= B. Theorem 3.1 (|x|_2 <= 1, |y| <= B): after m examples with the
    step sqrt(k / (2 d m)), the expected excess of half the squared error over that of the best w in the ball is at most
    4 B^2 sqrt(2 d / (k m)). With a given distribution, D / k + 1 with D = 1 / min(q) takes the place of 2 d / k, the
    bound on the second moment of x~ (Kukliansky and Shamir 2015, Theorem 3.1 and Lemma 3.2).

    The step size is, unless ``step_size`` is given:

    - with ``scaling="none"`` and ``n_expected``, the theorem's, with m = ``n_expected``;
    - without ``n_expected``, the adaptive sqrt(2) B / sqrt(S), S being the sum of the squared norms of the gradient
      estimates so far, so that ``fit``, ``partial_fit`` and ``ask``/``tell`` agree;
    - with running scales and ``n_expected``, the same with S extrapolated to ``n_expected`` examples. The theorem's
      own step does not apply, since scaled attributes do not meet its bound on |x|.

    The theorem's step is 2 B / sqrt(S) for the largest S that its assumptions allow. The adaptive step is shorter by
    sqrt(2): the regret of online gradient descent with steps c / sqrt(S) is at most (2 B^2 / c + c) sqrt(S), which
    c = sqrt(2) B minimises.

    ``AERR.as_printed`` gives Algorithm 1 as it is printed: ``scaling="none"``, ``draws="textbook"``, the theorem's step
    for ``n_expected`` examples, or a given ``step_size``, and first weights that are not 0. The print leaves these open
    ("arbitrarily", within the ball); 1e-9 for each attribute is taken, so that the first draw for the inner product is
    uniform and its estimate is next to 0.

    With ``radius="auto"``, B = (k t / d)^(1/4) / 16 at example t: the theorem's bound on the excess is of the
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
    Conference on Machine Learning. Algorithm 1 and Theorem 3.1.

    Kukliansky, D. and Shamir, O. (2015). Attribute efficient linear regression with distribution-dependent sampling.
    Proceedings of the 32nd International Conference on Machine Learning. Algorithm 1.

    Examples
    --------
    >>> from sklearn.datasets import load_digits
    >>> from keyhole import AERR
    >>> X, y = load_digits(n_class=2, return_X_y=True)
    >>> learner = AERR(budget=8, radius=0.5, random_state=0).fit(X, y)
    >>> learner.observed_.max_per_example
    8
    >>> round(learner.score(X, y), 1)
    0.8
    """

    ball = "l2"
    printed_parameters: ClassVar[Mapping[str, Any]] = {
        "scaling": "none",
        "draws": "textbook",
        "initial_weights": 1e-9,
    }

    def __init__(
        self,
        budget: int = 4,
        radius: float | str = "auto",
        step_size: float | None = None,
        *,
        distribution: Any = "uniform",
        initial_weights: Any = 0.0,
        scaling: str = "running",
        draws: str = "even",
        n_expected: int | None = None,
        keep_ledger: bool = False,
        random_state: Any = None,
    ) -> None:
        super().__init__(
            budget,
            radius,
            step_size,
            distribution=distribution,
            scaling=scaling,
            draws=draws,
            n_expected=n_expected,
            keep_ledger=keep_ledger,
            random_state=random_state,
        )
        self.initial_weights = initial_weights

    def _theorem_step(self, d: int, examples: float, second_moment: float) -> float:
        return ridge_step(examples, second_moment)

    def _empty(self, rng: np.ndarray, d: int, step: float, distribution: DrawDistribution) -> RidgeState:
        scales = new_scales(d, self.scaling)
        state = new_ridge_state(rng, d, step, scales, distribution, self._new_evidence())
        state.weights[:, U] = self._checked_weights(d)
        rebuild_draws(state)
        return state

    def _checked_weights(self, d: int) -> np.ndarray:
        """The weights before the first example."""
        given, name = self.initial_weights, type(self).__name__
        needs = f"{name} needs a finite number for each of the {d} attributes, or one for all"
        try:
            weights = np.array(None if isinstance(given, str) else given, dtype=np.float64)
        except (TypeError, ValueError):
            raise ParameterError("initial_weights", needs, given) from None
        if weights.shape not in ((), (d,)):
            raise ParameterError("initial_weights", f"an array of shape {weights.shape}; {needs}")
        if not np.isfinite(weights).all():  # as in an array made of None
            raise ParameterError("initial_weights", needs, given)
        norm, radius = float(np.linalg.norm(np.broadcast_to(weights, d))), self._start_radius(d)
        if norm > radius:
            raise ParameterError(
                "initial_weights", f"their l2 norm is {norm:.6g}, outside the ball of radius {radius:.6g}"
            )
        return weights

    def _start_radius(self, d: int) -> float:
        """The radius of the ball that the first weights lie in."""
        return self._rule(d).radius

    def _ask(self, want_probabilities: bool) -> Ask:
        return ask_ridge(self.state_, self.rule_, want_probabilities)

    def _tell(self, ask: Ask, values: np.ndarray, label: float) -> None:
        tell_ridge(self.state_, self.rule_, ask, values, label)

    def _learn(self, table: Any, labels: np.ndarray, start: int, stop: int, limit: int) -> tuple[int, int]:
        return learn_ridge(self.state_, self.rule_, table, labels, start, stop, self.observed_.counts, limit)

    def _average(self) -> np.ndarray:
        return average(self.state_.weights, self.state_.numbers[CLOCK], self.state_.numbers[STEPS])
