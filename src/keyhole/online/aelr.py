"""AELR: Attribute Efficient Lasso Regression."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..observe.ask import Ask
from ..observe.scales import new_scales
from .averaging import average
from .emphasis import Emphasis
from .gradient import GradientLearner
from .lasso import CLOCK, STEPS, LassoState, ask_lasso, lasso_step, learn_lasso, new_lasso_state, tell_lasso


class AELR(GradientLearner):
    """Attribute Efficient Lasso Regression (Hazan and Koren 2012, Algorithm 2).

    Exponentiated gradient in an l1 ball. x is estimated from attributes drawn uniformly with replacement, the
    inner product from attributes drawn in proportion to |w_j|; the product with the error, clipped at one over
    the step, moves log weights, and the average of all w is the predictor. Theorem 3.4 (|x_i| <= 1,
    |y| <= B): the expected excess over the best w with |w|_1 <= B is at most
    4 B^2 sqrt(10 d log(2d) / (k m)), for k draws of x.

    Parameters
    ----------
    budget : int
        The most attributes of one training example that may be revealed; at least 2.
    radius : float, default=1.0
        Radius B of the l1 ball, in scaled coordinates.
    step_size : float, default=None
        A constant step. None: the theorem's if ``n_expected`` is given, else the anytime one, which is the
        theorem's with its bound on the gradients replaced by their mean square so far.
    scaling : {"running", "none"}, default="running"
        Centre and scale attributes and labels by running estimates from revealed cells, or not at all (the
        letter of the paper; no intercept).
    draws : {"even", "textbook"}, default="even"
        Split the budget evenly between x and the inner product, or all but one for x.
    n_expected : int, default=None
        The number of examples to come, for the theorem's step.
    keep_ledger : bool, default=False
        Keep every revealed cell in ``ledger_``.
    random_state : int, RandomState instance or None, default=None

    Examples
    --------
    >>> from sklearn.datasets import load_digits
    >>> from keyhole import AELR
    >>> X, y = load_digits(n_class=2, return_X_y=True)
    >>> learner = AELR(budget=4, radius=2.0, random_state=0).fit(X, y)
    >>> learner.observed_.max_per_example
    4
    >>> round(learner.score(X, y), 1)
    0.8
    """

    def _theorem_step(self, d: int, examples: float, second_moment: float) -> float:
        return lasso_step(float(self.radius), d, examples, second_moment)

    def _empty(self, rng: np.ndarray, d: int, step: float, emphasis: Emphasis) -> LassoState:
        return new_lasso_state(rng, d, float(self.radius), step, new_scales(d, self.scaling), emphasis)

    def _ask(self, want_probabilities: bool) -> Ask:
        return ask_lasso(self.state_, self.rule_, want_probabilities)

    def _tell(self, ask: Ask, values: np.ndarray, label: float) -> None:
        tell_lasso(self.state_, self.rule_, ask, values, label)

    def _learn(self, cells: Any, labels: np.ndarray, start: int, stop: int, limit: int) -> tuple[int, int]:
        return learn_lasso(self.state_, self.rule_, cells, labels, start, stop, self.observed_.counts, limit)

    def _weights(self) -> np.ndarray:
        return average(self.state_.weights, self.state_.numbers[CLOCK], self.state_.numbers[STEPS])
