"""AER: Attribute Efficient Regression."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import njit

from ..common.parameters import check_horizon, check_positive
from ..observe.ask import INNER_PRODUCT, X_ESTIMATE, Ask, ask_for, with_probabilities
from ..observe.meter import Counts
from ..observe.reveal import FINE, reveal_row
from ..observe.scales import Scales, new_scales, observe, scaled_label, scaled_values
from ..sampling.random import uniform
from ..sampling.subsets import uniform_subset
from . import l1_ball
from .base import StreamingLearner
from .estimates import error_estimate, x_estimate
from .evidence import count_evidence
from .l1_ball import Ball, new_ball
from .update_rule import radius_at


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
    radius : float, default=1.0
        Radius B of the l1 ball. With ``scaling="running"`` the weights, and so the radius, refer to scaled attributes
        and a scaled label.
    reg : float or None, default=None
        Regularisation of Pegasos. None: chosen as the Notes describe.
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
    O(d (B + 1) B_2 sqrt(log(m) / (k m))).

    The regularisation is, unless ``reg`` is given:

    - with ``scaling="none"`` and ``n_expected``, the theorem's, with m = ``n_expected`` and B_2 = B, the largest value
      that B_2 can have;
    - otherwise (G / B_2) sqrt(log(T + 1) / T), of the theorem's form. G, in place of a bound, is the root mean square
      of the norms of the gradient estimates so far, and B_2 = B / d^(1/4) is the geometric mean of its extremes B /
      sqrt(d) and B. T is the number of examples so far, or ``n_expected`` if that is larger.

    Algorithm 2 as published is ``scaling="none"`` and ``n_expected`` together. Three things differ from its printed
    form: the inner product uses the attribute that was drawn (the printed line has x_j for x_i); at w = 0 it is 0 and
    nothing is revealed for it; and the average is that of the weights before each update, as in the proof.

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

    def __init__(
        self,
        budget: int = 4,
        radius: float | str = "auto",
        reg: float | None = None,
        *,
        scaling: str = "running",
        n_expected: int | None = None,
        keep_ledger: bool = False,
        random_state: Any = None,
    ) -> None:
        self.budget = budget
        self.radius = radius
        self.reg = reg
        self.scaling = scaling
        self.n_expected = n_expected
        self.keep_ledger = keep_ledger
        self.random_state = random_state

    def _check_parameters(self, d: int) -> None:
        super()._check_parameters(d)
        check_horizon("AER", self.n_expected)
        if self.reg is not None:
            check_positive("AER", "reg", self.reg)

    def _new_state(self, d: int, rng: np.ndarray) -> tuple[AERState, AERRule]:
        reg = np.nan if self.reg is None else float(self.reg)
        if self.reg is None and self.n_expected is not None and self.scaling == "none":
            B, m, k = self._given_radius(), max(self.n_expected, 2), self.budget
            reg = float((B + 1) * d / B * np.sqrt(np.log(m) / (m * k)))
        state = AERState(
            rng=rng,
            marks=np.full(d, -1),
            numbers=np.zeros(2),
            ball=new_ball(d),
            scales=new_scales(d, self.scaling),
            evidence=self._new_evidence(),
        )
        half, growing = self.budget // 2, self._radius_is_chosen()
        return state, AERRule(half, self._first_radius(d, half), reg, float(self.n_expected or 0), growing)

    def _ask(self, want_probabilities: bool) -> Ask:
        return ask_aer(self.state_, self.rule_, want_probabilities)

    def _tell(self, ask: Ask, values: np.ndarray, label: float) -> None:
        tell_aer(self.state_, self.rule_, ask, values, label)

    def _learn(self, table: Any, labels: np.ndarray, start: int, stop: int, limit: int) -> tuple[int, int]:
        return learn_aer(self.state_, self.rule_, table, labels, start, stop, self.observed_.counts, limit)

    def _average(self) -> np.ndarray:
        return l1_ball.average(self.state_.ball, self.state_.numbers[STEPS])


STEPS, SQUARED_GRADIENTS = range(2)


class AERState(NamedTuple):
    """The state of AER."""

    rng: np.ndarray
    marks: np.ndarray
    numbers: np.ndarray
    ball: Ball
    scales: Scales
    evidence: np.ndarray


class AERRule(NamedTuple):
    """Half of the budget, the radius, the regularisation (nan: adaptive), the expected number of examples (0: none).

    With ``growing`` the radius is that of the first example, and grows with the fourth root of their number.
    """

    half: int
    radius: float
    reg: float
    horizon: float
    growing: bool = False


@njit(cache=True, nogil=True)
def regularisation(rule: AERRule, squared_gradients: float, t: float, d: int) -> float:
    """The regularisation of Pegasos at step t."""
    if not np.isnan(rule.reg):
        return rule.reg
    T = max(rule.horizon, t)
    G, B2 = np.sqrt(squared_gradients / t), radius_at(rule.radius, rule.growing, t) / d**0.25
    return G / B2 * np.sqrt(np.log(T + 1.0) / T)


@njit(cache=True, nogil=True)
def ask_aer(state: AERState, rule: AERRule, want_probabilities: bool) -> Ask:
    """A uniform subset for x, and draws in proportion to |w| for the inner product."""
    d, half = len(state.marks), rule.half
    norm = l1_ball.norm(state.ball)
    inner_draws = half if norm > 0.0 else 0
    drawn = np.empty(half + inner_draws, dtype=np.int64)
    roles = np.empty(half + inner_draws, dtype=np.int64)
    weights = np.empty(half + inner_draws)
    drawn[:half] = uniform_subset(state.rng, d, half, state.marks)
    roles[:half] = X_ESTIMATE
    weights[:half] = d / half
    for r in range(half, len(drawn)):
        drawn[r] = l1_ball.draw(state.ball, uniform(state.rng))
        roles[r] = INNER_PRODUCT
        weights[r] = np.sign(l1_ball.weight_of(state.ball, drawn[r])) * norm / inner_draws
    ask = ask_for(drawn, roles, weights, state.marks)
    if want_probabilities:
        probabilities = np.empty(len(ask.attributes))
        for s in range(len(probabilities)):
            p = abs(l1_ball.weight_of(state.ball, ask.attributes[s])) / norm if inner_draws > 0 else 0.0
            probabilities[s] = 1.0 - (1.0 - half / d) * (1.0 - p) ** inner_draws
        ask = with_probabilities(ask, probabilities)
    return ask


@njit(cache=True, nogil=True)
def tell_aer(state: AERState, rule: AERRule, ask: Ask, values: np.ndarray, label: float) -> None:
    """A Pegasos step against the gradient 2 (y_hat - y) v, then the projection."""
    numbers, ball = state.numbers, state.ball
    z = scaled_values(state.scales, ask.attributes, values)
    y = scaled_label(state.scales, label)
    error = error_estimate(ask, z, y)
    v = x_estimate(ask, z)
    assess(state, ask, v, error + y, y, label)

    l1_ball.tick(ball)
    numbers[STEPS] += 1.0
    t = numbers[STEPS]
    if t > 1.0:  # at t = 1 the factor is 0, and so is w
        l1_ball.shrink(ball, 1.0 - 1.0 / t)
    squared = 4.0 * error * error * np.sum(v * v)
    if squared > 0.0:
        numbers[SQUARED_GRADIENTS] += squared
        step = 1.0 / (regularisation(rule, numbers[SQUARED_GRADIENTS], t, len(state.marks)) * t)
        for s in range(len(v)):
            if v[s] != 0.0:
                l1_ball.add(ball, ask.attributes[s], -2.0 * step * error * v[s])
        l1_ball.project(ball, radius_at(rule.radius, rule.growing, t))
    observe(state.scales, ask.attributes, values, label)


@njit(cache=True, nogil=True)
def assess(state: AERState, ask: Ask, v: np.ndarray, inner: float, y: float, label: float) -> None:
    """Add an example to the evidence, where that is wanted: ``inner`` is the estimate of w'z."""
    if len(state.evidence) == 0:
        return
    outer, outer_of_sum = 0.0, 0.0
    for s in range(len(v)):
        if v[s] != 0.0:
            outer += v[s] * l1_ball.weight_of(state.ball, ask.attributes[s])
            outer_of_sum += v[s] * l1_ball.sum_so_far(state.ball, ask.attributes[s])
    count_evidence(state.evidence, inner, outer, outer_of_sum, y, label)


@njit(cache=True, nogil=True)
def learn_aer(
    state: AERState,
    rule: AERRule,
    table: Any,
    labels: np.ndarray,
    start: int,
    stop: int,
    counts: Counts,
    limit: int,
) -> tuple[int, int]:
    """Ask, reveal and tell over rows start to stop; returns the row that failed and why, or (-1, FINE)."""
    for t in range(start, stop):
        ask = ask_aer(state, rule, False)
        values, failure = reveal_row(table, t, ask, counts, limit)
        if failure != FINE:
            return t, ask.attributes[failure] if failure >= 0 else failure
        tell_aer(state, rule, ask, values, labels[t])
    return -1, FINE
