"""AERR: Attribute Efficient Ridge Regression."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..observe.ask import Ask
from ..observe.scales import new_scales
from .averaging import average
from .emphasis import Emphasis
from .gradient import GradientLearner
from .ridge import CLOCK, STEPS, RidgeState, ask_ridge, learn_ridge, new_ridge_state, ridge_step, tell_ridge


class AERR(GradientLearner):
    """Attribute Efficient Ridge Regression (Hazan and Koren 2012, Algorithm 1).

    Online gradient descent in an l2 ball. x is estimated from attributes drawn uniformly with replacement, the
    inner product from attributes drawn with probability w_j^2 / |w|^2, each giving |w|^2 x_j / w_j; their
    product with the error is an unbiased estimate of the gradient, and the average of all w is the predictor.
    Theorem 3.1 (|x| <= 1, |y| <= B): with step sqrt(k / (2 d m)) the expected excess over the best w with
    |w| <= B is at most 4 B^2 sqrt(2 d / (k m)), for k draws of x.

    Parameters
    ----------
    budget : int
        The most attributes of one training example that may be revealed; at least 2.
    radius : float, default=1.0
        Radius B of the l2 ball, in scaled coordinates.
    step_size : float, default=None
        A constant step. None: the theorem's if ``n_expected`` is given, else the anytime one,
        sqrt(2) radius / sqrt(sum of squared gradient norms so far).
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
    >>> from keyhole import AERR
    >>> X, y = load_digits(n_class=2, return_X_y=True)
    >>> learner = AERR(budget=8, random_state=0).fit(X, y)
    >>> learner.observed_.max_per_example
    8
    >>> round(learner.score(X, y), 1)
    0.9
    """

    def _theorem_step(self, d: int, examples: float, second_moment: float) -> float:
        return ridge_step(examples, second_moment)

    def _empty(self, rng: np.ndarray, d: int, step: float, emphasis: Emphasis) -> RidgeState:
        return new_ridge_state(rng, d, step, new_scales(d, self.scaling), emphasis)

    def _ask(self, want_probabilities: bool) -> Ask:
        return ask_ridge(self.state_, self.rule_, want_probabilities)

    def _tell(self, ask: Ask, values: np.ndarray, label: float) -> None:
        tell_ridge(self.state_, self.rule_, ask, values, label)

    def _learn(self, cells: Any, labels: np.ndarray, start: int, stop: int, limit: int) -> tuple[int, int]:
        return learn_ridge(self.state_, self.rule_, cells, labels, start, stop, self.observed_.counts, limit)

    def _weights(self) -> np.ndarray:
        return average(self.state_.weights, self.state_.numbers[CLOCK], self.state_.numbers[STEPS])
