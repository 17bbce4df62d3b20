"""Baseline: Lasso on an estimate of the whole loss."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numba import njit

from ..observe.ask import X_ESTIMATE, Ask, ask_for, with_probabilities
from ..observe.reveal import FINE, reveal_row
from ..observe.scales import Scales, new_scales, observe, scaled_label, scaled_values
from ..sampling.random import below
from .base import StreamingLearner

MOST_ATTRIBUTES = 5_000


class Baseline(StreamingLearner):
    """Loss-estimate Lasso (Cesa-Bianchi, Shalev-Shwartz and Shamir 2010, Algorithm 1).

    Pairs (i, j) drawn uniformly without replacement from all d^2 give unbiased estimates of the matrix
    E[x x'] and of E[y x], hence of the squared loss w'Aw - 2 b'w + E[y^2] (the printed sign of the linear
    term is a slip), which is minimised over \\|w\\|_1 <= radius. Theorem 1: the excess is
    O((d B)^2 / k sqrt(log(d) / m)), against d B^2 / sqrt(k m) for AER.

    The estimated A is symmetric but not positive semidefinite, so as stated the problem is not convex. Its
    negative eigenvalues are clipped to 0 and the convex problem is solved to a certified gap; with
    ``psd=False`` the raw form is kept, and what comes out is a stationary point found from w = 0. Memory is
    O(d^2): more than 5,000 attributes are refused.

    Parameters
    ----------
    budget : int
        The most attributes of one training example that may be revealed; at least 2. An odd one leaves
        an attribute unused.
    radius : float, default=1.0
        Radius B of the l1 ball, in scaled coordinates.
    psd : bool, default=True
        Clip the negative eigenvalues of the estimated matrix.
    scaling, keep_ledger, random_state
        As for AER.

    Examples
    --------
    >>> from sklearn.datasets import load_digits
    >>> from keyhole import Baseline
    >>> X, y = load_digits(n_class=2, return_X_y=True)
    >>> learner = Baseline(budget=4, radius=1.0, random_state=0).fit(X, y)
    >>> learner.observed_.max_per_example
    4
    >>> round(learner.score(X, y), 1)
    0.8
    """

    def __init__(
        self,
        budget: int = 4,
        radius: float = 1.0,
        *,
        psd: bool = True,
        scaling: str = "running",
        keep_ledger: bool = False,
        random_state: Any = None,
    ) -> None:
        self.budget = budget
        self.radius = radius
        self.psd = psd
        self.scaling = scaling
        self.keep_ledger = keep_ledger
        self.random_state = random_state

    def _check_parameters(self, d: int) -> None:
        super()._check_parameters(d)
        if d > MOST_ATTRIBUTES:
            raise ValueError(
                f"{d} attributes: Baseline keeps a matrix of d x d numbers and takes at most {MOST_ATTRIBUTES};"
                " AER, AERR and AELR have no such limit"
            )

    def _new_state(self, d: int, rng: np.ndarray) -> tuple[BaselineState, BaselineRule]:
        scales = new_scales(d, self.scaling)
        state = BaselineState(rng, np.full(d, -1), np.zeros(1), np.zeros((d, d)), np.zeros(d), scales)
        return state, BaselineRule(self.budget // 2)

    def _ask(self, want_probabilities: bool) -> Ask:
        return ask_pairs(self.state_, self.rule_, want_probabilities)

    def _tell(self, ask: Ask, values: np.ndarray, label: float) -> None:
        tell_pairs(self.state_, self.rule_, ask, values, label)

    def _learn(self, cells: Any, labels: np.ndarray, start: int, stop: int, limit: int) -> tuple[int, int]:
        return learn_pairs(self.state_, self.rule_, cells, labels, start, stop, self.observed_.counts, limit)

    def _weights(self) -> np.ndarray:
        return self.path([float(self.radius)])[:, 0]

    def path(self, radii: Sequence[float]) -> np.ndarray:
        """The weights in scaled coordinates for several radii, a column each: the draws do not depend on them."""
        m = max(self.state_.numbers[0], 1.0)
        A, b = self.state_.A / m, self.state_.b / m
        live = A.any(axis=0) | (b != 0)  # the others, such as pixels that are never lit, keep the weight 0
        weights = np.zeros((len(b), len(radii)))
        if live.any():
            A = A[np.ix_(live, live)]
            eigenvalues, vectors = np.linalg.eigh(A)
            if self.psd:
                eigenvalues = np.maximum(eigenvalues, 0.0)
                A = (vectors * eigenvalues) @ vectors.T
            steepest = 2.0 * float(np.abs(eigenvalues).max())
            for at, radius in enumerate(radii):
                weights[live, at] = minimise_in_l1_ball(A, b[live], radius, steepest)
        return weights


def minimise_in_l1_ball(A: np.ndarray, b: np.ndarray, radius: float, lipschitz: float, gap: float = 1e-6) -> np.ndarray:
    """argmin w'Aw - 2 b'w over |w|_1 <= radius, by accelerated projected gradient steps with restarts.

    ``lipschitz`` is twice the largest absolute eigenvalue of A. Stops when the Frank-Wolfe gap, which bounds the
    distance to the minimum of a convex loss, is below ``gap`` times the scale of the loss.
    """
    w = np.zeros(len(b))
    scale = radius * np.abs(b).max() + radius**2 * np.abs(A).max()
    if scale == 0.0:
        return w
    if lipschitz == 0.0:  # a linear loss: a corner of the ball
        lipschitz = np.abs(b).max() / radius
    ahead, momentum = w, 1.0
    for _ in range(20_000):
        gradient = 2.0 * (A @ ahead - b)
        moved = project_to_l1_ball(ahead - gradient / lipschitz, radius)
        if (ahead - moved) @ (moved - w) > 0.0:  # the momentum points uphill: start it again
            ahead, momentum = w, 1.0
            continue
        following = 0.5 * (1.0 + np.sqrt(1.0 + 4.0 * momentum**2))
        ahead, momentum = moved + (momentum - 1.0) / following * (moved - w), following
        w = moved
        slope = 2.0 * (A @ w - b)
        if slope @ w + radius * np.abs(slope).max() <= gap * scale:
            break
    return w


def project_to_l1_ball(v: np.ndarray, radius: float) -> np.ndarray:
    """The nearest point of the l1 ball (Duchi et al. 2008)."""
    magnitude = np.abs(v)
    if magnitude.sum() <= radius:
        return v
    falling = np.sort(magnitude)[::-1]
    threshold = (np.cumsum(falling) - radius) / np.arange(1, len(v) + 1)
    last = np.flatnonzero(falling > threshold)[-1]
    return np.sign(v) * np.maximum(magnitude - threshold[last], 0.0)


class BaselineState(NamedTuple):
    """All that Baseline knows: the summed estimates of x x' and y x."""

    rng: np.ndarray
    marks: np.ndarray
    numbers: np.ndarray
    A: np.ndarray
    b: np.ndarray
    scales: Scales


class BaselineRule(NamedTuple):
    """How many pairs to draw."""

    pairs: int


@njit(cache=True, nogil=True)
def ask_pairs(state, rule, want_probabilities):
    """A uniform subset of all d^2 pairs (Floyd's algorithm, with a plain search among the few chosen)."""
    d, pairs = len(state.marks), rule.pairs
    chosen = np.empty(pairs, dtype=np.int64)
    for r in range(pairs):
        candidate = below(state.rng, d * d - pairs + r + 1)
        for s in range(r):
            if chosen[s] == candidate:
                candidate = d * d - pairs + r
                break
        chosen[r] = candidate
    drawn = np.empty(2 * pairs, dtype=np.int64)
    for r in range(pairs):
        drawn[2 * r], drawn[2 * r + 1] = chosen[r] // d, chosen[r] % d
    roles = np.full(2 * pairs, X_ESTIMATE)
    ask = ask_for(drawn, roles, np.full(2 * pairs, 0.5 * d / pairs), state.marks)
    if want_probabilities:
        # An attribute stays unseen when all pairs are among the (d - 1)^2 without it.
        unseen = 1.0
        for r in range(pairs):
            unseen *= max((d - 1.0) ** 2 - r, 0.0) / (d * d - r)
        ask = with_probabilities(ask, np.full(len(ask.attributes), 1.0 - unseen))
    return ask


@njit(cache=True, nogil=True)
def tell_pairs(state, rule, ask, values, label):
    """Add the estimates of x x' and y x."""
    d, k = len(state.marks), 2.0 * rule.pairs
    z = scaled_values(state.scales, ask.attributes, values)
    y = scaled_label(state.scales, label)
    state.numbers[0] += 1.0
    for r in range(rule.pairs):
        s, t = ask.slots[2 * r], ask.slots[2 * r + 1]
        i, j = ask.attributes[s], ask.attributes[t]
        state.A[i, j] += d * d / k * z[s] * z[t]
        state.A[j, i] += d * d / k * z[s] * z[t]
    for r in range(len(ask.slots)):
        state.b[ask.attributes[ask.slots[r]]] += y * ask.weights[r] * z[ask.slots[r]]
    observe(state.scales, ask.attributes, values, label)


@njit(cache=True, nogil=True)
def learn_pairs(state, rule, cells, labels, start, stop, counts, limit):
    """Ask, reveal, tell over rows start to stop; returns the row and what went wrong, or (-1, FINE)."""
    for t in range(start, stop):
        ask = ask_pairs(state, rule, False)
        values, failure = reveal_row(cells, t, ask, counts, limit)
        if failure != FINE:
            return t, ask.attributes[failure] if failure >= 0 else failure
        tell_pairs(state, rule, ask, values, labels[t])
    return -1, FINE
