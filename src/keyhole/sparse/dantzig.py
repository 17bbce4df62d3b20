"""Dantzig: a linear program on estimated moments, solved anew whenever the number of examples has doubled."""

from __future__ import annotations

import copy
from typing import Any, NamedTuple

import numpy as np
from numba import njit
from scipy.optimize import LinearConstraint, milp

from ..common.parameters import check_positive
from ..observe.ask import INNER_PRODUCT, X_ESTIMATE, Ask, ask_for, with_probabilities
from ..observe.reveal import FINE, reveal_row
from ..observe.scales import Scales, label_scale, new_scales, observe, scaled_label, scaled_values
from ..sampling.subsets import uniform_subset
from .base import SparseLearner
from .learning_curve import Record, new_record, record_example

MOST_ATTRIBUTES = 2_000
DELTA = 0.05  # the bound holds with probability 1 - DELTA


class Dantzig(SparseLearner):
    """Dantzig selector on estimated moments (Kale, Karnin, Liang and Pal 2017).

    Of every example the support of the present w is observed, to predict, and a uniform subset S of
    k0 = budget - sparsity attributes, to learn. With A the estimate of E[x x'] and b that of E[y x] from the
    subsets, w minimises \\|w\\|_1 subject to

        max_i \\|b - A w\\|_i  <=  constant sqrt(d log(t d / delta) / (t k0)) (noise + d / k0)

    and its ``sparsity`` largest entries are kept. The program is solved (by HiGHS) when t is a power of two, from
    t = sparsity log(d) log(t) on; until then w is 0. Under a restricted isometry condition the regret is
    O(d s^2 / budget (sigma + d / budget)^2), up to logarithms. Only A, b and t are kept: O(d^2) memory, however long
    the stream; more than 2,000 attributes are refused.

    ``exact=True`` divides products of two different attributes by the probability k0 (k0 - 1) / (d (d - 1)) that both
    are drawn, which makes A unbiased (as in Foster, Kale and Karloff 2016); the paper prints (k0 / d)^2 there.

    Parameters
    ----------
    budget : int
        The most attributes of one example that may be revealed, in training and for a prediction.
    sparsity : int
        The most attributes with weight; at most the budget - 2.
    noise : float, default=None
        Standard deviation of the label given the attributes. None: that of the label, which it cannot exceed.
    constant : float, default=0.05
        Of the constraint; the theory says no value. Larger: sparser and safer, smaller: closer to the estimates.
    exact : bool, default=True
        Unbiased products, or those of the paper.
    scaling, curve_points, keep_ledger, random_state
        As for Exploration.

    Examples
    --------
    >>> from keyhole import Dantzig
    >>> from keyhole.datasets import murata_suzuki
    >>> stream = murata_suzuki(20_000, n_attributes=40, n_nonzero=4, random_state=0)
    >>> learner = Dantzig(budget=8, sparsity=4, random_state=0).fit(stream.source, stream.labels())
    >>> learner.support_
    array([0, 1, 2, 3])
    """

    least_budget = 3
    least_room = 2

    def __init__(
        self,
        budget: int = 4,
        sparsity: int = 2,
        noise: float | None = None,
        constant: float = 0.05,
        exact: bool = True,
        *,
        scaling: str = "running",
        curve_points: int = 64,
        keep_ledger: bool = False,
        random_state: Any = None,
    ) -> None:
        self.budget = budget
        self.sparsity = sparsity
        self.noise = noise
        self.constant = constant
        self.exact = exact
        self.scaling = scaling
        self.curve_points = curve_points
        self.keep_ledger = keep_ledger
        self.random_state = random_state

    def _check_parameters(self, d: int) -> None:
        super()._check_parameters(d)
        check_positive("Dantzig", "constant", self.constant)
        if self.noise is not None:
            check_positive("Dantzig", "noise", self.noise)
        if d > MOST_ATTRIBUTES:
            raise ValueError(
                f"{d} attributes: Dantzig keeps a matrix of d x d numbers and takes at most {MOST_ATTRIBUTES};"
                " Hybrid, Exploration and DualAveraging have no such limit"
            )

    def _new_state(self, d: int, rng: np.ndarray) -> tuple[DantzigState, DantzigRule]:
        state = DantzigState(
            rng,
            np.full(d, -1),
            np.zeros(2),
            np.zeros((d, d)),
            np.zeros(d),
            np.zeros(d),
            np.empty(0, dtype=np.int64),
            new_scales(d, self.scaling),
            new_record(self.curve_points),
        )
        return state, DantzigRule(self.budget - self.sparsity)

    def _ask(self, want_probabilities: bool) -> Ask:
        return ask_dantzig(self.state_, self.rule_, want_probabilities)

    def _tell(self, ask: Ask, values: np.ndarray, label: float) -> None:
        tell_dantzig(self.state_, ask, values, label)
        if self._is_due(self.state_.numbers[EXAMPLES]):
            self._solve()

    def _learn(self, cells: Any, labels: np.ndarray, start: int, stop: int, limit: int) -> tuple[int, int]:
        counts = self.observed_.counts
        while start < stop:
            t = int(self.state_.numbers[EXAMPLES])
            pause = min(stop, start + (1 << t.bit_length()) - t)  # up to the next power of two
            example, failure = learn_dantzig(self.state_, self.rule_, cells, labels, start, pause, counts, limit)
            if failure != FINE:
                return example, failure
            if self._is_due(self.state_.numbers[EXAMPLES]):
                self._solve()
            start = pause
        return -1, FINE

    def _step(self, source: Any, example: int, ask: Ask, label: float) -> None:
        if not self._is_due(self.state_.numbers[EXAMPLES] + 1):
            super()._step(source, example, ask, label)
            return
        trial = copy.copy(self)  # the program may be infeasible, and what fails must change nothing
        trial._detach()
        super(Dantzig, trial)._step(source, example, ask, label)
        self.__dict__.update(trial.__dict__)

    def _weights(self) -> np.ndarray:
        return self.state_.w.copy()

    def _is_due(self, t: float) -> bool:
        d = len(self.state_.w)
        return t >= self.sparsity * np.log(d) * np.log(t) and int(t) & (int(t) - 1) == 0 if t > 1 else False

    def _solve(self) -> None:
        """Solve the program and keep the largest entries."""
        state, d, k0 = self.state_, len(self.state_.w), self.rule_.subset
        t, squared_labels = state.numbers
        A, b = estimated_moments(state, k0, self.exact)
        scale = label_scale(state.scales)
        noise = np.sqrt(squared_labels / t) if self.noise is None else self.noise / scale if scale > 0 else 0.0
        per_constant = np.sqrt(d * np.log(t * d / DELTA) / (t * k0)) * (noise + d / k0)
        w = smallest_within(A, b, self.constant * per_constant)
        if w is None:
            least = nearest(A, b) / per_constant
            raise ValueError(
                f"constant={self.constant!r}: after {t:.0f} examples no weights of Dantzig meet the constraint;"
                f" constant={1.001 * least:.4g} or more would do"
            )
        kept = np.sort(np.argsort(-np.abs(w), kind="stable")[: self.sparsity])
        kept = kept[w[kept] != 0.0]
        sparse = np.zeros(d)
        sparse[kept] = w[kept]
        self.state_ = state._replace(w=sparse, support=kept)


def estimated_moments(state: DantzigState, k0: int, exact: bool) -> tuple[np.ndarray, np.ndarray]:
    """The estimates of E[x x'] and E[y x] in scaled coordinates."""
    t, d = state.numbers[EXAMPLES], len(state.w)
    p = k0 / d
    both = k0 * (k0 - 1) / (d * (d - 1)) if exact else p * p
    A = state.products / (t * both)
    np.fill_diagonal(A, np.diag(state.products) / (t * p))
    return A, state.label_products / (t * p)


def smallest_within(A: np.ndarray, b: np.ndarray, bound: float) -> np.ndarray | None:
    """argmin |w|_1 subject to |b - A w|_inf <= bound, or None if nothing is that near."""
    d = len(b)
    solution = milp(np.ones(2 * d), constraints=LinearConstraint(np.hstack([A, -A]), b - bound, b + bound))
    if solution.status == 2:
        return None
    if solution.x is None:
        raise ValueError(f"the linear program of Dantzig was not solved: {solution.message}")
    return solution.x[:d] - solution.x[d:]


def nearest(A: np.ndarray, b: np.ndarray) -> float:
    """The smallest |b - A w|_inf of all w."""
    d = len(b)
    one = np.ones((d, 1))
    rows = np.vstack([np.hstack([A, -A, -one]), np.hstack([A, -A, one])])
    lower = np.concatenate([np.full(d, -np.inf), b])
    upper = np.concatenate([b, np.full(d, np.inf)])
    return float(milp(np.eye(2 * d + 1)[-1], constraints=LinearConstraint(rows, lower, upper)).fun)


EXAMPLES, SQUARED_LABELS = range(2)


class DantzigState(NamedTuple):
    """Sums of z z' and y z over the subsets, and the present weights with their support."""

    rng: np.ndarray
    marks: np.ndarray
    numbers: np.ndarray
    products: np.ndarray
    label_products: np.ndarray
    w: np.ndarray
    support: np.ndarray
    scales: Scales
    record: Record


class DantzigRule(NamedTuple):
    """The size k0 of the subset to learn from."""

    subset: int


@njit(cache=True, nogil=True)
def ask_dantzig(state, rule, want_probabilities):
    """The support, to predict, and a uniform subset, to learn."""
    n, k0, d = len(state.support), rule.subset, len(state.marks)
    drawn = np.empty(n + k0, dtype=np.int64)
    drawn[:n], drawn[n:] = state.support, uniform_subset(state.rng, d, k0, state.marks)
    roles = np.full(n + k0, X_ESTIMATE)
    roles[:n] = INNER_PRODUCT
    weights = np.ones(n + k0)
    for r in range(n):
        weights[r] = state.w[drawn[r]]
    ask = ask_for(drawn, roles, weights, state.marks)
    if want_probabilities:
        probabilities = np.full(len(ask.attributes), k0 / d)
        probabilities[:n] = 1.0
        ask = with_probabilities(ask, probabilities)
    return ask


@njit(cache=True, nogil=True)
def tell_dantzig(state, ask, values, label):
    """Add the products of the subset."""
    z = scaled_values(state.scales, ask.attributes, values)
    y = scaled_label(state.scales, label)
    record_example(state.record, state.scales, ask, z, label)
    state.numbers[EXAMPLES] += 1.0
    state.numbers[SQUARED_LABELS] += y * y
    for r in range(len(ask.slots)):
        if ask.roles[r] == X_ESTIMATE:
            i, z_i = ask.attributes[ask.slots[r]], z[ask.slots[r]]
            state.label_products[i] += y * z_i
            for c in range(len(ask.slots)):
                if ask.roles[c] == X_ESTIMATE:
                    state.products[i, ask.attributes[ask.slots[c]]] += z_i * z[ask.slots[c]]
    observe(state.scales, ask.attributes, values, label)


@njit(cache=True, nogil=True)
def learn_dantzig(state, rule, cells, labels, start, stop, counts, limit):
    """Ask, reveal, tell over rows start to stop; returns the row and what went wrong, or (-1, FINE)."""
    for t in range(start, stop):
        ask = ask_dantzig(state, rule, False)
        values, failure = reveal_row(cells, t, ask, counts, limit)
        if failure != FINE:
            return t, ask.attributes[failure] if failure >= 0 else failure
        tell_dantzig(state, ask, values, labels[t])
    return -1, FINE
