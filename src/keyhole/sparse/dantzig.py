"""Dantzig: a linear program on estimated moments, solved anew whenever the number of examples has doubled."""

from __future__ import annotations

import copy
import numbers
from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from ..common.parameters import ParameterError, check_positive
from ..observe.ask import Ask
from ..observe.reveal import FINE
from ..observe.scales import label_scale, new_scales
from .base import SparseLearner
from .dantzig_kernel import (
    EXAMPLES,
    DantzigRule,
    DantzigState,
    ask_dantzig,
    estimated_moments,
    learn_dantzig,
    tell_dantzig,
)
from .linear_program import nearest, smallest_within

MOST_ATTRIBUTES = 2_000  # a linear program with 4,000 variables and a dense matrix


class Dantzig(SparseLearner):
    """Dantzig selector on estimated moments.

    Of every example, the support of the present weights is observed, to predict, and a uniform subset of the
    attributes, to learn. The subsets give unbiased estimates of E[x x'] and E[y x]. The weights are those with the
    smallest l1 norm whose gradient is small in every entry, a linear program that is solved whenever the number of
    examples has doubled; their largest entries are kept.

    Parameters
    ----------
    budget : int, default=4
        The most attributes of one example that may be revealed, in training and for a prediction; at least 3.
    sparsity : int, default=2
        The most attributes with a weight; at most the budget - 2.
    noise : float or None, default=None
        Standard deviation of the label given the attributes, in the units of the label. None: the standard deviation of
        the label, which it cannot exceed.
    constant : float, default=0.05
        The constant of the constraint, for which the paper gives no value. Larger values give sparser weights, smaller
        values weights that fit the estimated moments more closely.
    exact : bool, default=True
        Whether products of two different attributes are divided by the probability that both are drawn, which makes
        their estimates unbiased; False divides by the printed value. See the Notes.
    confidence : float, default=0.05
        The theorem's delta, between 0 and 1: its bound on the regret holds with probability 1 - delta. Smaller values
        widen the constraint.
    scaling : {'running', 'none'}, default='running'
        'running' centres and scales attributes and labels by running estimates from revealed cells, and fits an
        intercept. 'none' takes them as they are, without an intercept, as the theorem does.
    shrink_to_mean : bool, default=True
        Whether the predictor is shrunk toward the mean label, down to it, as far as the predictions that were made
        during training call for, and predictions are held within the range of the labels seen. With ``scaling="none"``
        there is no mean label, and nothing is shrunk.
    curve_points : int, default=64
        The most points of ``learning_curve_``, at least 2.
    n_expected : int or None, default=None
        The number of examples that will come. Not used, since nothing here follows a schedule; accepted so that all
        learners can be made in the same way.
    keep_ledger : bool, default=False
        Whether to record every revealed cell in ``ledger_``.
    random_state : int, RandomState instance or None, default=None
        Seed of the random draws. An int gives the same results for the same input.

    Attributes
    ----------
    coef_ : ndarray of shape (n_features_in_,)
        Coefficients of the raw attributes; at most ``sparsity`` of them are not 0.
    intercept_ : float
        The intercept; 0 with ``scaling="none"``.
    support_ : ndarray of int64
        The attributes whose coefficient is not 0, in ascending order.
    attributes_per_prediction_ : int
        How many attributes of an example a prediction reveals: the length of ``support_``.
    multiple_ : float
        What the weights are multiplied by: between 0 (the mean label) and 1; 1 with ``shrink_to_mean=False``.
    learning_curve_ : LearningCurve
        Squared error of the predictions made during training, against examples and cells, at up to ``curve_points``
        points.
    predicted_ : Meter
        Counts of the cells that predictions revealed.
    expected_examples_ : int or None
        The length of the table of ``fit``; None without one. Nothing depends on it here.
    n_features_in_ : int
        Number of attributes.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the attributes; only if the table had names that are all strings.
    attributes_ : sequence of Attribute
        The attributes, with their descriptions.
    observed_ : Meter
        Counts of the cells that training revealed: in total, by attribute and by example.
    ledger_ : Ledger
        Every cell that training revealed, in order; only with ``keep_ledger=True``.
    n_skipped_ : int
        Number of examples that were skipped because a value that was asked for was not available.
    n_asked_ : int
        Number of asks that were made by ``ask``.
    open_asks_ : dict of int to Ask
        The asks that were neither told nor forgotten yet, by their number.
    awaiting_label_ : dict of int to ndarray
        The values of open asks that were told without a label, by the number of the ask.
    state_ : DantzigState
        Everything that was learned, the random generator included.
    rule_ : DantzigRule
        The constants of the run: the size of the subset to learn from.

    Notes
    -----
    With A the estimate of E[x x'] and b that of E[y x] from subsets of k0 = budget - sparsity attributes of t examples,
    w minimises |w|_1 subject to::

        max_i |b - A w|_i  <=  constant sqrt(d log(t d / confidence) / (t k0)) (noise + d / k0)

    and its ``sparsity`` largest entries are kept. The program is solved (by HiGHS) when t is a power of two, from
    t = sparsity log(d) log(t) on; until then w is 0. If no w meets the constraint, a ``ValueError`` names the smallest
    constant that would do. Under a restricted isometry condition the regret is
    O(d s^2 / budget (sigma + d / budget)^2), up to logarithms.

    The algorithm as published is ``Dantzig.as_printed(budget, sparsity=..., noise=..., constant=...)``:
    ``exact=False``, ``scaling="none"`` and ``shrink_to_mean=False``.

    The probability that two different attributes are both drawn is k0 (k0 - 1) / (d (d - 1)), by which ``exact=True``
    divides, as in Foster, Kale and Karloff (2016); the paper prints (k0 / d)^2. Only A, b and t are stored: O(d^2)
    memory for streams of any length. More than 2,000 attributes are refused.

    References
    ----------
    Kale, S., Karnin, Z., Liang, T. and Pal, D. (2017). Adaptive feature selection: computationally efficient online
    sparse linear regression under RIP. Proceedings of the 34th International Conference on Machine Learning.

    Foster, D., Kale, S. and Karloff, H. (2016). Online sparse linear regression. Proceedings of the 29th Conference on
    Learning Theory.

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
    printed_parameters: ClassVar[Mapping[str, Any]] = {"exact": False, "scaling": "none", "shrink_to_mean": False}
    printed_needs = ("noise",)

    def __init__(
        self,
        budget: int = 4,
        sparsity: int = 2,
        noise: float | None = None,
        constant: float = 0.05,
        exact: bool = True,
        *,
        confidence: float = 0.05,
        scaling: str = "running",
        shrink_to_mean: bool = True,
        curve_points: int = 64,
        n_expected: int | None = None,
        keep_ledger: bool = False,
        random_state: Any = None,
    ) -> None:
        self.budget = budget
        self.sparsity = sparsity
        self.noise = noise
        self.constant = constant
        self.exact = exact
        self.confidence = confidence
        self.scaling = scaling
        self.shrink_to_mean = shrink_to_mean
        self.curve_points = curve_points
        self.n_expected = n_expected
        self.keep_ledger = keep_ledger
        self.random_state = random_state

    def _check_parameters(self, d: int) -> None:
        super()._check_parameters(d)
        check_positive("Dantzig", "constant", self.constant)
        if not (isinstance(self.confidence, numbers.Real) and 0 < self.confidence < 1):
            raise ParameterError("confidence", "Dantzig needs a number between 0 and 1", self.confidence)
        if self.noise is not None:
            check_positive("Dantzig", "noise", self.noise)
        if d > MOST_ATTRIBUTES:
            raise ValueError(
                f"{d} attributes: Dantzig keeps a matrix of d x d numbers and takes at most {MOST_ATTRIBUTES};"
                " Hybrid, Exploration and DualAveraging have no such limit"
            )

    def _new_state(self, d: int, rng: np.ndarray) -> tuple[DantzigState, DantzigRule]:
        state = DantzigState(
            rng=rng,
            marks=np.full(d, -1),
            numbers=np.zeros(2),
            products=np.zeros((d, d)),
            label_products=np.zeros(d),
            w=np.zeros(d),
            support=np.empty(0, dtype=np.int64),
            scales=new_scales(d, self.scaling),
            record=self._new_record(),
        )
        return state, DantzigRule(self.budget - self.sparsity)

    def _ask(self, want_probabilities: bool) -> Ask:
        return ask_dantzig(self.state_, self.rule_, want_probabilities)

    def _tell(self, ask: Ask, values: np.ndarray, label: float) -> None:
        tell_dantzig(self.state_, ask, values, label)
        if self._is_due(self.state_.numbers[EXAMPLES]):
            self._solve()

    def _learn(self, table: Any, labels: np.ndarray, start: int, stop: int, limit: int) -> tuple[int, int]:
        counts = self.observed_.counts
        while start < stop:
            t = int(self.state_.numbers[EXAMPLES])
            pause = min(stop, start + (1 << t.bit_length()) - t)  # up to the next power of two
            example, failure = learn_dantzig(self.state_, self.rule_, table, labels, start, pause, counts, limit)
            if failure != FINE:
                return example, failure
            if self._is_due(self.state_.numbers[EXAMPLES]):
                self._solve()
            start = pause
        return -1, FINE

    def _step(self, source: Any, example: int, ask: Ask, label: float | None, place: str | None = None) -> None:
        if not self._is_due(self.state_.numbers[EXAMPLES] + 1):
            super()._step(source, example, ask, label, place)
            return
        trial = copy.copy(self)  # the program may be infeasible, and a call that fails must change nothing
        trial._detach()
        super(Dantzig, trial)._step(source, example, ask, label, place)
        self.__dict__.update(trial.__dict__)

    def _weights(self) -> np.ndarray:
        return self.state_.w.copy()

    def _is_due(self, t: float) -> bool:
        d = len(self.state_.w)
        return t >= self.sparsity * np.log(d) * np.log(t) and int(t) & (int(t) - 1) == 0 if t > 1 else False

    def _solve(self) -> None:
        """Solve the linear program and keep the largest entries."""
        state, d, k0 = self.state_, len(self.state_.w), self.rule_.subset
        t, squared_labels = state.numbers
        A, b = estimated_moments(state, k0, self.exact)
        scale = label_scale(state.scales)
        noise = np.sqrt(squared_labels / t) if self.noise is None else self.noise / scale if scale > 0 else 0.0
        per_constant = np.sqrt(d * np.log(t * d / self.confidence) / (t * k0)) * (noise + d / k0)
        w = smallest_within(A, b, self.constant * per_constant)
        if w is None:
            least = nearest(A, b) / per_constant
            raise ValueError(
                f"constant={self.constant!r}: after {t:.0f} examples no weights of Dantzig meet the constraint;"
                f" constant={1.001 * least:.4g} or more would do"
            )
        support = np.sort(np.argsort(-np.abs(w), kind="stable")[: self.sparsity])
        support = support[w[support] != 0.0]
        sparse = np.zeros(d)
        sparse[support] = w[support]
        self.state_ = state._replace(w=sparse, support=support)
