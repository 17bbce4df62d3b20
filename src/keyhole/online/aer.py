"""AER: Attribute Efficient Regression."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import njit

from ..common.parameters import check_horizon, check_positive
from ..observe.ask import INNER_PRODUCT, X_ESTIMATE, Ask, ask_for, with_probabilities
from ..observe.reveal import FINE, reveal_row
from ..observe.scales import Scales, new_scales, observe, scaled_label, scaled_values
from ..sampling.random import uniform
from ..sampling.subsets import uniform_subset
from . import l1_ball
from .base import StreamingLearner
from .estimates import error_estimate, x_estimate
from .l1_ball import Ball, new_ball


class AER(StreamingLearner):
    """Attribute Efficient Regression (Cesa-Bianchi, Shalev-Shwartz and Shamir 2010, Algorithm 2).

    Pegasos on estimated gradients, projected onto an l1 ball. Half of the budget goes to an estimate v of x
    (a uniform subset without replacement, v_j = (d / half) x_j), half to an estimate of the inner product
    (attributes drawn in proportion to \\|w_i\\|, each giving sign(w_i) \\|w\\|_1 x_i; the printed line has x_j
    there, a slip). Then w <- (1 - 1/t) w - 2 / (reg t) (y_hat - y) v, the nearest point of the l1 ball, and the
    average of all w is the predictor. Theorem 2: with reg = ((B+1) d / B) sqrt(log(m) / (m k)) the expected
    excess over the best w with \\|w\\|_1 <= B is O(d B^2 sqrt(log(m) / (k m))).

    The projection is exact and costs O(log d) per changed weight.

    Parameters
    ----------
    budget : int
        The most attributes of one training example that may be revealed; at least 2. An odd one leaves
        an attribute unused.
    radius : float, default=1.0
        Radius B of the l1 ball, in scaled coordinates.
    reg : float, default=None
        Pegasos' regularisation. None: the theorem's with ``n_expected`` and ``scaling="none"``, else the
        theorem's form (G / B_2) sqrt(log(t) / t), with the root mean square G of the gradients so far in place
        of their bound, and B_2, the l2 norm of a good w, taken between its extremes B / sqrt(d) and B.
    scaling : {"running", "none"}, default="running"
        Centre and scale attributes and labels by running estimates from revealed cells, or not at all (the
        letter of the paper; no intercept).
    n_expected : int, default=None
        The number of examples to come, for the theorem's regularisation.
    keep_ledger : bool, default=False
        Keep every revealed cell in ``ledger_``.
    random_state : int, RandomState instance or None, default=None

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
        radius: float = 1.0,
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
            B, m, k = self.radius, max(self.n_expected, 2), self.budget
            reg = float((B + 1) * d / B * np.sqrt(np.log(m) / (m * k)))
        state = AERState(rng, np.full(d, -1), np.zeros(2), new_ball(d), new_scales(d, self.scaling))
        return state, AERRule(self.budget // 2, float(self.radius), reg, float(self.n_expected or 0))

    def _ask(self, want_probabilities: bool) -> Ask:
        return ask_aer(self.state_, self.rule_, want_probabilities)

    def _tell(self, ask: Ask, values: np.ndarray, label: float) -> None:
        tell_aer(self.state_, self.rule_, ask, values, label)

    def _learn(self, cells: Any, labels: np.ndarray, start: int, stop: int, limit: int) -> tuple[int, int]:
        return learn_aer(self.state_, self.rule_, cells, labels, start, stop, self.observed_.counts, limit)

    def _weights(self) -> np.ndarray:
        return l1_ball.average(self.state_.ball, self.state_.numbers[STEPS])


STEPS, SQUARED_GRADIENTS = range(2)


class AERState(NamedTuple):
    """All that AER knows."""

    rng: np.ndarray
    marks: np.ndarray
    numbers: np.ndarray
    ball: Ball
    scales: Scales


class AERRule(NamedTuple):
    """Half of the budget, the radius, Pegasos' regularisation (nan: anytime), the horizon (0: unknown)."""

    half: int
    radius: float
    reg: float
    horizon: float


@njit(cache=True, nogil=True)
def regularisation(rule, squared_gradients, t, d):
    """Pegasos' regularisation at step t."""
    if not np.isnan(rule.reg):
        return rule.reg
    T = max(rule.horizon, t)
    G, B2 = np.sqrt(squared_gradients / t), rule.radius / d**0.25
    return G / B2 * np.sqrt(np.log(T + 1.0) / T)


@njit(cache=True, nogil=True)
def ask_aer(state, rule, want_probabilities):
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
def tell_aer(state, rule, ask, values, label):
    """A Pegasos step against the gradient 2 (y_hat - y) v, then the projection."""
    numbers, ball = state.numbers, state.ball
    z = scaled_values(state.scales, ask.attributes, values)
    error = error_estimate(ask, z, scaled_label(state.scales, label))
    v = x_estimate(ask, z)

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
        l1_ball.project(ball, rule.radius)
    observe(state.scales, ask.attributes, values, label)


@njit(cache=True, nogil=True)
def learn_aer(state, rule, cells, labels, start, stop, counts, limit):
    """Ask, reveal, tell over rows start to stop; returns the row and what went wrong, or (-1, FINE)."""
    for t in range(start, stop):
        ask = ask_aer(state, rule, False)
        values, failure = reveal_row(cells, t, ask, counts, limit)
        if failure != FINE:
            return t, ask.attributes[failure] if failure >= 0 else failure
        tell_aer(state, rule, ask, values, labels[t])
    return -1, FINE
