"""DualAveraging: sums of estimated gradients, divided by a growing number; three variants."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import njit

from ..common.parameters import check_choice, check_positive
from ..observe.ask import INNER_PRODUCT, X_ESTIMATE, Ask, ask_for, with_probabilities
from ..observe.reveal import FINE, reveal_row
from ..observe.scales import Scales, new_scales, observe, scaled_label, scaled_values
from ..sampling import max_tree
from ..sampling.subsets import uniform_subset
from ..sampling.sum_tree import new_tree
from .base import SparseLearner
from .learning_curve import Record, new_record, record_example


class DualAveraging(SparseLearner):
    """Regularised dual averaging with sparse predictions ("RDA", Ito et al. 2017 and 2018).

    With eta the sum of all estimated gradients so far, w = -eta / max(lambda, \\|eta\\| / radius), and the prediction
    uses the k largest entries of w, which are observed of every example. In all variants m = budget - k further
    attributes S are drawn uniformly.

    1. **Exact**, as printed in 2018: the gradient is taken at the sparse u (the k largest of w), with S drawn from all
       attributes whatever the support: g = (2 d / m) (u'x - y) x on S, and lambda = sqrt(8 d t / m).
    2. **Reconstructed** from descriptions of Algorithm 1 of 2017, the one that Murata and Suzuki compare with: the
       gradient is taken at the dense w, g = 2 (Xhat w - zhat), with Xhat(i, j) = x_i x_j / p_ij and
       zhat(i) = y x_i / p_i on what was observed and p its inclusion probabilities (1 on the support, S being drawn
       from the rest). lambda, known to be of order sqrt(t), is sqrt(sum of squared gradients) / radius.
    3. **Reconstructed**: variant 2 with an l1 term: entries of w are moved towards 0 by ``l1``, or become 0.

    Variants 2 and 3 need two further attributes. Sample complexities for an error of eps: O(d^2 sigma^2 / eps^2) under
    linear independence of the attributes. Nothing of length d is touched at a step: a tree knows the largest entries
    of eta, and the factor before them is applied to what is observed.

    Parameters
    ----------
    budget : int
        The most attributes of one example that may be revealed, in training and for a prediction.
    sparsity : int
        The most attributes with weight (k).
    variant : {1, 2, 3}, default=1
    radius : float, default=1.0
        The largest l2 norm of w, in scaled coordinates.
    l1 : float, default=0.01
        How far variant 3 moves the weights towards 0, in scaled coordinates; the others do not use it.
    scaling, curve_points, keep_ledger, random_state
        As for Exploration.

    Examples
    --------
    >>> from keyhole import DualAveraging
    >>> from keyhole.datasets import murata_suzuki
    >>> stream = murata_suzuki(20_000, n_attributes=40, n_nonzero=4, random_state=0)
    >>> learner = DualAveraging(budget=8, sparsity=4, random_state=0).fit(stream.source, stream.labels())
    >>> learner.support_
    array([0, 1, 2, 3])
    """

    def __init__(
        self,
        budget: int = 4,
        sparsity: int = 2,
        variant: int = 1,
        radius: float = 1.0,
        l1: float = 0.01,
        *,
        scaling: str = "running",
        curve_points: int = 64,
        keep_ledger: bool = False,
        random_state: Any = None,
    ) -> None:
        self.budget = budget
        self.sparsity = sparsity
        self.variant = variant
        self.radius = radius
        self.l1 = l1
        self.scaling = scaling
        self.curve_points = curve_points
        self.keep_ledger = keep_ledger
        self.random_state = random_state

    def _check_parameters(self, d: int) -> None:
        check_choice("DualAveraging", "variant", self.variant, (1, 2, 3))
        super()._check_parameters(d)
        check_positive("DualAveraging", "radius", self.radius)
        check_positive("DualAveraging", "l1", self.l1)

    @property
    def least_room(self) -> int:  # type: ignore[override]
        return 1 if self.variant == 1 else 2

    def _new_state(self, d: int, rng: np.ndarray) -> tuple[DualState, DualRule]:
        state = DualState(
            rng,
            np.full(d, -1),
            np.zeros(3),
            np.zeros(d),
            new_tree(d),
            new_scales(d, self.scaling),
            new_record(self.curve_points),
        )
        l1 = float(self.l1) if self.variant == 3 else 0.0
        m = self.budget - self.sparsity
        return state, DualRule(self.sparsity, m, self.variant == 1, float(self.radius), l1)

    def _ask(self, want_probabilities: bool) -> Ask:
        return ask_dual(self.state_, self.rule_, want_probabilities)

    def _tell(self, ask: Ask, values: np.ndarray, label: float) -> None:
        tell_dual(self.state_, self.rule_, ask, values, label)

    def _learn(self, cells: Any, labels: np.ndarray, start: int, stop: int, limit: int) -> tuple[int, int]:
        return learn_dual(self.state_, self.rule_, cells, labels, start, stop, self.observed_.counts, limit)

    def _weights(self) -> np.ndarray:
        state, w = self.state_, np.zeros(len(self.state_.eta))
        divisor = weight_divisor(state, self.rule_)
        for i in max_tree.largest(state.tree.copy(), self.rule_.sparsity):  # a loaded state may be read-only
            w[i] = weight_of(state, self.rule_, i, divisor)
        return w


EXAMPLES, SQUARED_NORM, SQUARED_GRADIENTS = range(3)


class DualState(NamedTuple):
    """The sum of gradients, and the tree of its absolute values."""

    rng: np.ndarray
    marks: np.ndarray
    numbers: np.ndarray
    eta: np.ndarray
    tree: np.ndarray
    scales: Scales
    record: Record


class DualRule(NamedTuple):
    """k, m, whether gradients are taken at the sparse iterate (variant 1), the radius, and the l1 term."""

    sparsity: int
    subset: int
    at_sparse: bool
    radius: float
    l1: float


@njit(cache=True, nogil=True)
def weight_divisor(state, rule):
    """max(lambda, |eta| / radius) for the next example."""
    numbers, d = state.numbers, len(state.eta)
    if rule.at_sparse:
        divisor = np.sqrt(8.0 * d * (numbers[EXAMPLES] + 1.0) / rule.subset)
    else:
        divisor = np.sqrt(numbers[SQUARED_GRADIENTS]) / rule.radius
    return max(divisor, np.sqrt(max(numbers[SQUARED_NORM], 0.0)) / rule.radius)


@njit(cache=True, nogil=True)
def weight_of(state, rule, i, divisor):
    """One entry of the dense iterate."""
    if state.eta[i] == 0.0:
        return 0.0
    return -np.sign(state.eta[i]) * max(abs(state.eta[i]) / divisor - rule.l1, 0.0)


@njit(cache=True, nogil=True)
def ask_dual(state, rule, want_probabilities):
    """The k largest entries, and a uniform subset: of all attributes in variant 1, of the others in 2 and 3."""
    d, m = len(state.eta), rule.subset
    support = max_tree.largest(state.tree, rule.sparsity)
    n = len(support)
    if rule.at_sparse:
        subset = uniform_subset(state.rng, d, m, state.marks)
    else:
        subset = uniform_subset_without(state, m, support)
    drawn = np.concatenate((support, subset))
    roles = np.full(n + m, X_ESTIMATE)
    roles[:n] = INNER_PRODUCT
    weights = np.empty(n + m)
    divisor = weight_divisor(state, rule)
    for r in range(n + m):
        weights[r] = weight_of(state, rule, drawn[r], divisor)
    ask = ask_for(drawn, roles, weights, state.marks)
    if want_probabilities:
        probabilities = np.full(len(ask.attributes), m / d if rule.at_sparse else m / (d - n))
        probabilities[:n] = 1.0
        ask = with_probabilities(ask, probabilities)
    return ask


@njit(cache=True, nogil=True)
def uniform_subset_without(state, m, left_out):
    """m different attributes, none of them left out, every subset equally likely.

    They are drawn from the first d - n numbers; each of these that is left out stands for one of the last n that is
    not.
    """
    n, marks = len(left_out), state.marks
    first_last = len(marks) - n
    subset = uniform_subset(state.rng, first_last, m, marks)
    for i in left_out:
        marks[i] = i
    stand_in = first_last
    for i in left_out:
        if i < first_last:
            while marks[stand_in] >= 0:
                stand_in += 1
            marks[i] = stand_in
            stand_in += 1
    for r in range(m):
        if marks[subset[r]] >= 0:
            subset[r] = marks[subset[r]]
    for i in left_out:
        marks[i] = -1
    return subset


@njit(cache=True, nogil=True)
def tell_dual(state, rule, ask, values, label):
    """Add the estimated gradient."""
    numbers, d, m = state.numbers, len(state.eta), rule.subset
    z = scaled_values(state.scales, ask.attributes, values)
    y = scaled_label(state.scales, label)
    record_example(state.record, state.scales, ask, z, label)
    seen = np.zeros(2)  # w'z on the subset and on the support
    for r in range(len(ask.slots)):
        seen[ask.roles[r]] += ask.weights[r] * z[ask.slots[r]]
    numbers[EXAMPLES] += 1.0
    others = d - (len(ask.slots) - m)
    p, both = m / d, 1.0
    if not rule.at_sparse:
        p, both = m / others, m * (m - 1.0) / (others * (others - 1.0))
    for r in range(len(ask.slots)):
        x = z[ask.slots[r]]
        if rule.at_sparse:
            error = (seen[INNER_PRODUCT] - y) / p if ask.roles[r] == X_ESTIMATE else 0.0
        elif ask.roles[r] == INNER_PRODUCT:
            error = seen[INNER_PRODUCT] + seen[X_ESTIMATE] / p - y
        else:
            own = ask.weights[r] * x
            error = (seen[INNER_PRODUCT] + own - y) / p + (seen[X_ESTIMATE] - own) / both
        if error * x != 0.0:
            add_gradient(state, ask.attributes[ask.slots[r]], 2.0 * error * x)
    observe(state.scales, ask.attributes, values, label)


@njit(cache=True, nogil=True)
def add_gradient(state, i, gradient):
    """Add to one entry of eta, and keep the sums and the tree in line."""
    before = state.eta[i]
    state.eta[i] += gradient
    state.numbers[SQUARED_NORM] += state.eta[i] ** 2 - before**2
    state.numbers[SQUARED_GRADIENTS] += gradient**2
    max_tree.update(state.tree, i, abs(state.eta[i]))


@njit(cache=True, nogil=True)
def learn_dual(state, rule, cells, labels, start, stop, counts, limit):
    """Ask, reveal, tell over rows start to stop; returns the row and what went wrong, or (-1, FINE)."""
    for t in range(start, stop):
        ask = ask_dual(state, rule, False)
        values, failure = reveal_row(cells, t, ask, counts, limit)
        if failure != FINE:
            return t, ask.attributes[failure] if failure >= 0 else failure
        tell_dual(state, rule, ask, values, labels[t])
    return -1, FINE
