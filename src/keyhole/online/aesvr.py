"""AESVR: Attribute Efficient Support-Vector Regression."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numba import njit

from ..common.parameters import check_positive
from ..observe.ask import Ask, ask_for
from ..observe.reveal import FINE, reveal_row
from ..observe.scales import observe, scaled_label, scaled_values
from ..sampling import sum_tree
from ..sampling.random import uniform
from .aerr import AERR
from .estimates import start_draws
from .inclusion import fill_probabilities
from .ridge import descend, draw_inner
from .rule import Rule

FOR_THE_ESTIMATES = 6


class AESVR(AERR):
    """Attribute Efficient Support-Vector Regression (Hazan and Koren 2012, Algorithm 4 and Procedure 3).

    AERR with the insensitive loss max(0, |w'x - y| - insensitivity), smoothed to within ``accuracy`` by error
    functions. The derivative of the smoothed loss has a Taylor series; GenEst estimates it without bias by
    drawing its order n with probability 2^-(n+1) and multiplying n independent estimates of w'x - y, each
    from one draw (from N draws for large n). The series has odd orders only, so nothing is revealed for even
    ones; N follows from the rescaled bound, 4 (radius / accuracy)^2. At w = 0 the derivative is known.

    The budget holds in expectation: budget - 6 draws for x, and at most 6 expected for the two estimates. One
    example may show more; ``observed_`` reports the mean and the largest number. Theorem 4.4: the number of
    examples needed for accuracy eps is O(d / k) exp(O(log^2(B / eps))).

    Parameters
    ----------
    budget : int
        The expected number of attributes of one training example that are revealed, at most; at least 7.
    insensitivity : float, default=0.1
        Errors up to this cost nothing; in units of the label's scale with ``scaling="running"``.
    accuracy : float, default=0.5
        How near the smoothed loss is to the insensitive one. Halving it multiplies the variance many times.
    radius, step_size, scaling, n_expected, keep_ledger, random_state
        As for AERR; the paper gives no step, so ``n_expected`` serves the anytime one.

    Examples
    --------
    >>> from sklearn.datasets import load_digits
    >>> from keyhole import AESVR
    >>> X, y = load_digits(n_class=2, return_X_y=True)
    >>> learner = AESVR(budget=12, radius=0.3, accuracy=2.0, random_state=0).fit(X, y)
    >>> learner.observed_.mean_per_example <= 12
    True
    >>> round(learner.score(X, y), 1)
    0.7
    """

    least_budget = FOR_THE_ESTIMATES + 1
    hard_budget = False

    def __init__(
        self,
        budget: int = 12,
        radius: float = 1.0,
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

    def _rule(self) -> Rule:
        x_draws = self.budget - FOR_THE_ESTIMATES
        return Rule(x_draws, FOR_THE_ESTIMATES, float(self.radius), float(self.n_expected or 0))

    def _loss(self) -> SmoothedLoss:
        repeats = math.ceil(4 * (self.radius / self.accuracy) ** 2)
        return SmoothedLoss(float(self.insensitivity), float(self.accuracy), repeats)

    def _ask(self, want_probabilities: bool) -> Ask:
        return ask_svr(self.state_, self.rule_, self._loss(), want_probabilities)

    def _tell(self, ask: Ask, values: np.ndarray, label: float) -> None:
        tell_svr(self.state_, self.rule_, self._loss(), ask, values, label)

    def _learn(self, cells: Any, labels: np.ndarray, start: int, stop: int, limit: int) -> tuple[int, int]:
        counts, loss = self.observed_.counts, self._loss()
        return learn_svr(self.state_, self.rule_, loss, cells, labels, start, stop, counts, limit)


class SmoothedLoss(NamedTuple):
    """Delta, epsilon and N of the paper."""

    insensitivity: float
    accuracy: float
    repeats: int


PLUS, MINUS = 1, 2  # roles: draws for the derivative at y + delta and at y - delta
KNOWN = -1.0  # noted instead of an order when w was 0


@njit(cache=True, nogil=True)
def ask_svr(state, rule, loss, want_probabilities):
    """Uniform draws for x, then those of two runs of GenEst, whose orders are noted."""
    d = len(state.marks)
    at_zero = sum_tree.total(state.tree) <= 0.0
    notes = np.array([KNOWN, KNOWN])
    counts = np.zeros(2, dtype=np.int64)
    if not at_zero:
        for g in range(2):
            notes[g] = np.floor(-np.log2(1.0 - uniform(state.rng)))
            if notes[g] % 2 == 1:  # even orders have coefficient 0: nothing to reveal
                counts[g] = np.int64(notes[g]) * group_size(loss, notes[g])
    drawn, roles, weights = start_draws(state.emphasis, state.rng, d, rule.x_draws, counts.sum())
    for r in range(rule.x_draws, len(drawn)):
        g = 0 if r < rule.x_draws + counts[0] else 1
        drawn[r], weights[r] = draw_inner(state)
        roles[r] = PLUS if g == 0 else MINUS
        weights[r] /= group_size(loss, notes[g])
    ask = ask_for(drawn, roles, weights, state.marks)
    if want_probabilities:
        ask = fill_probabilities(ask, state.emphasis, state.tree, rule.x_draws, counts.sum(), d)
    return Ask(ask.attributes, ask.probabilities, ask.slots, ask.roles, ask.weights, notes, ask.number)


@njit(cache=True, nogil=True)
def group_size(loss, order):
    """How many draws each of the n factors averages: one, or N where that keeps the product from exploding."""
    return 1 if order <= 2.0 * np.log2(loss.repeats) else loss.repeats


@njit(cache=True, nogil=True)
def tell_svr(state, rule, loss, ask, values, label):
    """One step against the estimated derivative of the smoothed loss."""
    z = scaled_values(state.scales, ask.attributes, values)
    y = scaled_label(state.scales, label)
    plus = estimated_derivative(loss, ask, z, PLUS, ask.notes[0], (y + loss.insensitivity) / loss.accuracy)
    minus = estimated_derivative(loss, ask, z, MINUS, ask.notes[1], (y - loss.insensitivity) / loss.accuracy)
    descend(state, rule, ask, z, 0.5 * (plus + minus))
    observe(state.scales, ask.attributes, values, label)


@njit(cache=True, nogil=True)
def estimated_derivative(loss, ask, z, role, order, target):
    """GenEst: 2^(n+1) a_n times the product of n estimates of w'x / accuracy - target."""
    if order == KNOWN:
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
def taylor_coefficient(order):
    """a_n of the error function: 2 / sqrt(pi) (-1)^m / (m! (2m + 1)) for n = 2m + 1."""
    m = (order - 1.0) / 2.0
    sign = 1.0 if m % 2 == 0 else -1.0
    return sign * 2.0 / np.sqrt(np.pi) / (math.gamma(m + 1.0) * order)


@njit(cache=True, nogil=True)
def learn_svr(state, rule, loss, cells, labels, start, stop, counts, limit):
    """Ask, reveal, tell over rows start to stop; returns the row and what went wrong, or (-1, FINE)."""
    for t in range(start, stop):
        ask = ask_svr(state, rule, loss, False)
        values, failure = reveal_row(cells, t, ask, counts, limit)
        if failure != FINE:
            return t, ask.attributes[failure] if failure >= 0 else failure
        tell_svr(state, rule, loss, ask, values, labels[t])
    return -1, FINE
