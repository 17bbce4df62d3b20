"""AESVR: Attribute Efficient Support-Vector Regression."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numba import njit

from ..common.parameters import check_positive
from ..observe.ask import X_ESTIMATE, Ask, ask_for
from ..observe.meter import Counts
from ..observe.reveal import FINE, reveal_row
from ..observe.scales import observe, scaled_label, scaled_values
from ..sampling import sum_tree
from ..sampling.random import uniform
from .aerr import AERR
from .estimates import start_draws, x_estimate
from .inclusion import fill_probabilities
from .ridge import RidgeState, assess, descend, draw_inner
from .update_rule import UpdateRule

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
    radius : float, default=1.0
        Radius B of the l2 ball. With ``scaling="running"`` the weights, and so the radius, refer to scaled attributes
        and a scaled label.
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
    state_ : RidgeState
        Everything that was learned, the random generator included.
    rule_ : UpdateRule
        The constants of the run: the division of the budget, the radius and the expected number of examples.

    Notes
    -----
    The smoothed loss is built from error functions, and its derivative is the mean of erf at (w'x - y - insensitivity)
    and at (w'x - y + insensitivity), both divided by ``accuracy``. The series of erf has odd orders only, so nothing is
    revealed for even ones. Each of the n factors is estimated from one draw, and for n > 2 log2(N) from the mean of N
    draws, N = 4 (radius / accuracy)^2. At w = 0 the derivative follows from the label, and nothing is revealed for it.

    Theorem 4.4 states that O(d / k) exp(O(log^2(B / eps))) examples suffice for an excess of eps. Its proof rests on
    Lemma 4.1, which treats the mean of N draws as if not only its variance but also its squared mean shrank as 1 / N;
    so the printed rate is not established.

    The paper gives no step size. Unless ``step_size`` is given, the step is sqrt(2) B / sqrt(S), S being the sum of
    the squared norms of the gradient estimates so far, extrapolated to ``n_expected`` examples if that is given.

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


class SmoothedLoss(NamedTuple):
    """The paper's delta, epsilon and N."""

    insensitivity: float
    accuracy: float
    repeats: int


PLUS, MINUS = 1, 2  # roles: draws for the derivative at y + delta and at y - delta
SOME_ODD = 5.0 / 9.0  # the probability that at least one of two orders is odd: each is even with probability 2/3
AT_ZERO = -1.0  # noted instead of an order when w was 0


@njit(cache=True, nogil=True)
def ask_svr(state: RidgeState, rule: UpdateRule, loss: SmoothedLoss, want_probabilities: bool) -> Ask:
    """Uniform draws for x, then those of two runs of GenEst, whose orders are noted."""
    d = len(state.marks)
    at_zero = sum_tree.total(state.tree) <= 0.0
    notes = np.array([AT_ZERO, AT_ZERO])
    counts = np.zeros(2, dtype=np.int64)
    if not at_zero:
        for g in range(2):
            notes[g] = np.floor(-np.log2(1.0 - uniform(state.rng)))
            if notes[g] % 2 == 1:  # even orders have coefficient 0: nothing to reveal
                counts[g] = np.int64(notes[g]) * group_size(loss, notes[g])
    drawn, roles, weights = start_draws(state.distribution, state.rng, d, rule.x_draws, counts.sum())
    for r in range(rule.x_draws, len(drawn)):
        g = 0 if r < rule.x_draws + counts[0] else 1
        drawn[r], weights[r] = draw_inner(state)
        roles[r] = PLUS if g == 0 else MINUS
        weights[r] /= group_size(loss, notes[g])
    ask = ask_for(drawn, roles, weights, state.marks)
    if want_probabilities:
        ask = fill_probabilities(ask, state.distribution, state.tree, rule.x_draws, counts.sum(), d)
    return Ask(ask.attributes, ask.probabilities, ask.slots, ask.roles, ask.weights, notes, ask.number)


@njit(cache=True, nogil=True)
def group_size(loss: SmoothedLoss, order: float) -> int:
    """How many draws each of the n factors averages: one, or N for large n, which limits the variance."""
    return 1 if order <= 2.0 * np.log2(loss.repeats) else loss.repeats


@njit(cache=True, nogil=True)
def tell_svr(
    state: RidgeState, rule: UpdateRule, loss: SmoothedLoss, ask: Ask, values: np.ndarray, label: float
) -> None:
    """One step against the estimated derivative of the smoothed loss."""
    z = scaled_values(state.scales, ask.attributes, values)
    y = scaled_label(state.scales, label)
    plus = estimated_derivative(loss, ask, z, PLUS, ask.notes[0], (y + loss.insensitivity) / loss.accuracy)
    minus = estimated_derivative(loss, ask, z, MINUS, ask.notes[1], (y - loss.insensitivity) / loss.accuracy)
    x = x_estimate(ask, z)
    assess(state, ask, x, inner_estimate(ask, z), y, label)
    descend(state, rule, ask, z, x, 0.5 * (plus + minus))
    observe(state.scales, ask.attributes, values, label)


@njit(cache=True, nogil=True)
def inner_estimate(ask: Ask, z: np.ndarray) -> float:
    """The mean of all factors' estimates of w'z, divided by the probability that there are any; 0 without one."""
    total, factors = 0.0, 0.0
    for r in range(len(ask.slots)):
        if ask.roles[r] != X_ESTIMATE:
            total += ask.weights[r] * z[ask.slots[r]]
    for order in ask.notes:
        if order % 2 == 1 and order > 0:
            factors += order
    return total / (factors * SOME_ODD) if factors > 0.0 else 0.0


@njit(cache=True, nogil=True)
def estimated_derivative(loss: SmoothedLoss, ask: Ask, z: np.ndarray, role: int, order: float, target: float) -> float:
    """GenEst: 2^(n+1) a_n times the product of n estimates of w'x / accuracy - target."""
    if order == AT_ZERO:
        return math.erf(-target)
    if order % 2 == 0:
        return 0.0
    product, total, members, size = 1.0, 0.0, 0, group_size(loss, order)
    for r in range(len(ask.slots)):
        if ask.roles[r] == role:
            total += ask.weights[r] * z[ask.slots[r]]
            members += 1
            if members == size:
                product *= total / loss.accuracy - target
                total, members = 0.0, 0
    return 2.0 ** (order + 1.0) * taylor_coefficient(order) * product


@njit(cache=True, nogil=True)
def taylor_coefficient(order: float) -> float:
    """a_n of the error function: 2 / sqrt(pi) (-1)^m / (m! (2m + 1)) for n = 2m + 1."""
    m = (order - 1.0) / 2.0
    sign = 1.0 if m % 2 == 0 else -1.0
    return sign * 2.0 / np.sqrt(np.pi) / (math.gamma(m + 1.0) * order)


@njit(cache=True, nogil=True)
def learn_svr(
    state: RidgeState,
    rule: UpdateRule,
    loss: SmoothedLoss,
    table: Any,
    labels: np.ndarray,
    start: int,
    stop: int,
    counts: Counts,
    limit: int,
) -> tuple[int, int]:
    """Ask, reveal and tell over rows start to stop; returns the row that failed and why, or (-1, FINE)."""
    for t in range(start, stop):
        ask = ask_svr(state, rule, loss, False)
        values, failure = reveal_row(table, t, ask, counts, limit)
        if failure != FINE:
            return t, ask.attributes[failure] if failure >= 0 else failure
        tell_svr(state, rule, loss, ask, values, labels[t])
    return -1, FINE
