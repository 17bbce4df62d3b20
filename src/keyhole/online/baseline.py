"""Baseline: Lasso on an estimate of the whole loss."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, NamedTuple

import numpy as np
from sklearn.utils.validation import check_is_fitted

from ..common.parameters import check_positive, check_whole
from ..observe.ask import Ask
from ..observe.label_range import new_range
from ..observe.scales import has_spread, new_scales
from .base import StreamingLearner
from .cross_validation import Choice, Moments, chosen_radius, solutions
from .kernels.pairs import BaselineRule, BaselineState, ask_pairs, learn_pairs, tell_pairs
from .l1_solver import MOST_ITERATIONS

MOST_ATTRIBUTES = 5_000  # a matrix of 200 MB


class Baseline(StreamingLearner):
    """Lasso on an unbiased estimate of the loss.

    The squared loss depends on the data only through E[x x'] and E[y x]. Both are estimated without bias from pairs of
    attributes, drawn uniformly without replacement from all d^2 pairs, and the estimated loss is minimised over an l1
    ball. The draws do not depend on the weights, so one pass serves every radius; see ``path``.

    Parameters
    ----------
    budget : int, default=4
        The most attributes of one training example that may be revealed; at least 2. If it is an odd number, one
        attribute fewer is used.
    radius : float or 'auto', default='auto'
        Radius B of the l1 ball. With ``scaling="running"`` the weights, and so the radius, refer to scaled attributes
        and a scaled label. 'auto': chosen by cross-validation, and the predictor is shrunk toward the mean label where
        that does not support it; see the Notes. With ``scaling="none"`` 'auto' is 1.
    psd : bool, default=True
        Whether to set the negative eigenvalues of the estimated matrix to 0, which makes the problem convex. False
        keeps the matrix as it is; the result is then a stationary point of the loss, reached from w = 0.
    max_iter : int, default=20000
        The most iterations of the solver for one radius.
    tol : float, default=1e-6
        The duality gap, relative to the scale of the loss, below which the solver stops. A warning with the gap says if
        ``max_iter`` iterations did not get there.
    scaling : {'running', 'none'}, default='running'
        'running' centres and scales attributes and labels by running estimates from revealed cells, and fits an
        intercept. 'none' takes them as they are, without an intercept, as the theorem does.
    n_expected : int or None, default=None
        The number of examples that will come. Where it is given, ``radius="auto"`` is 1.0; nothing else follows it.
    keep_ledger : bool, default=False
        Whether to record every revealed cell in ``ledger_``.
    random_state : int, RandomState instance or None, default=None
        Seed of the random draws. An int gives the same results for the same input.

    Attributes
    ----------
    coef_ : ndarray of shape (n_features_in_,)
        Coefficients of the raw attributes, solved for when they are read.
    intercept_ : float
        The intercept; 0 with ``scaling="none"``.
    multiple_ : float
        What the weights are multiplied by: 0 for the mean label, 1 where a radius is given.
    radius_ : float
        Radius of the l1 ball: the given one, or the one that was chosen.
    n_iter_ : int
        The iterations that the solver took for ``radius_``; 0 where the mean label is predicted.
    solution_ : Solution
        The weights that were solved for last, with their radius.
    expected_examples_ : int or None
        The length of the table of ``fit``; None without one. Nothing depends on it here.
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
    awaiting_label_ : dict of int to ndarray
        The values of open asks that were told without a label, by the number of the ask.
    state_ : BaselineState
        Everything that was learned, the random generator included.
    rule_ : BaselineRule
        The constant of the run: the number of pairs to draw.

    Notes
    -----
    With A and b the estimates of E[x x'] and E[y x], the estimated loss is w'Aw - 2 b'w + E[y^2]. (The paper prints the
    linear term with the wrong sign.) Theorem 1 (|x_i| <= 1, |y| <= 1): with k attributes of each of m examples, the
    excess of the squared error over that of the best w in the ball is O((d B)^2 / k sqrt(log(d) / m)), up to the
    dependence on the probability with which this holds, against O(d B^2 sqrt(log(m) / (k m))) for AER.

    The estimated A is symmetric but in general not positive semidefinite, so the problem as published is not convex.
    With ``psd=True`` the convex problem is solved until the Frank-Wolfe gap is below ``tol`` times the scale of the
    loss, B max|b_i| + B^2 max|A_ij|.

    With ``radius="auto"`` every second example belongs to one half, the others to the other, and for each radius of a
    grid from 1/16 to 4 the weights of one half are assessed with the estimates of E[x x'] and E[y x] of the other: c =
    w'b estimates the covariance of labels and predictions, V = w'A w the variance of predictions. The error of s w'x is
    1 - 2 s c + s^2 V in units of the label's variance, and the radius and the multiple s with the lowest error are
    taken; c is taken lower and V higher by their standard errors, and s is 0, so that the mean label is predicted,
    where c is below two of them. Predictions are held within the range of the labels seen.

    Memory is O(d^2), and more than 5,000 attributes are refused.

    ``Baseline.as_printed`` gives Algorithm 1 as it is printed: ``scaling="none"`` and ``psd=False``, with the linear
    term subtracted where the print adds it. The print asks for the minimum of a loss that need not be convex; what is
    returned is the stationary point that projected gradient steps reach from w = 0, which is the minimum wherever A
    happens to be positive semidefinite.

    References
    ----------
    Cesa-Bianchi, N., Shalev-Shwartz, S. and Shamir, O. (2010). Efficient learning with partially observed attributes.
    Proceedings of the 27th International Conference on Machine Learning. Algorithm 1 and Theorem 1.

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

    printed_parameters: ClassVar[Mapping[str, Any]] = {"scaling": "none", "psd": False}
    solution_: Solution

    def __init__(
        self,
        budget: int = 4,
        radius: float | str = "auto",
        *,
        psd: bool = True,
        max_iter: int = MOST_ITERATIONS,
        tol: float = 1e-6,
        scaling: str = "running",
        n_expected: int | None = None,
        keep_ledger: bool = False,
        random_state: Any = None,
    ) -> None:
        self.budget = budget
        self.radius = radius
        self.psd = psd
        self.max_iter = max_iter
        self.tol = tol
        self.scaling = scaling
        self.n_expected = n_expected
        self.keep_ledger = keep_ledger
        self.random_state = random_state

    def _check_parameters(self, d: int) -> None:
        super()._check_parameters(d)
        check_whole("Baseline", "max_iter", self.max_iter, 1)
        check_positive("Baseline", "tol", self.tol)
        if d > MOST_ATTRIBUTES:
            raise ValueError(
                f"{d} attributes: Baseline keeps a matrix of d x d numbers and takes at most {MOST_ATTRIBUTES};"
                " AER, AERR and AELR have no such limit"
            )

    def _new_state(self, d: int, rng: np.ndarray) -> tuple[BaselineState, BaselineRule]:
        scales = new_scales(d, self.scaling)
        halved = d if self._radius_is_chosen() else 0
        state = BaselineState(
            rng=rng,
            marks=np.full(d, -1),
            numbers=np.zeros(1),
            A=np.zeros((d, d)),
            b=np.zeros(d),
            scales=scales,
            half_A=np.zeros((halved, halved)),
            half_b=np.zeros(halved),
            evidence=new_range(bool(halved)),
        )
        return state, BaselineRule(self.budget // 2)

    def _ask(self, want_probabilities: bool) -> Ask:
        return ask_pairs(self.state_, self.rule_, want_probabilities)

    def _tell(self, ask: Ask, values: np.ndarray, label: float) -> None:
        tell_pairs(self.state_, self.rule_, ask, values, label)

    def _learn(self, table: Any, labels: np.ndarray, start: int, stop: int, limit: int) -> tuple[int, int]:
        return learn_pairs(self.state_, self.rule_, table, labels, start, stop, self.observed_.counts, limit)

    def _weights(self) -> np.ndarray:
        weights = self._solution().weights
        return np.where(has_spread(self.state_.scales), weights, 0.0) if self._radius_is_chosen() else weights.copy()

    def path(self, radii: Sequence[float]) -> np.ndarray:
        """Solve for several radii, since the draws do not depend on the radius.

        Parameters
        ----------
        radii : sequence of float
            Radii of l1 balls.

        Returns
        -------
        ndarray of shape (n_features_in_, n_radii)
            The weights of scaled attributes (of raw ones with ``scaling="none"``), a column for each radius.
        """
        check_is_fitted(self, "observed_")
        whole = self._moments()[0]
        return solutions(whole.A, whole.b, tuple(map(float, radii)), self.psd, self.tol, self.max_iter).weights

    def _moments(self) -> tuple[Moments, Moments, Moments]:
        """The estimates from all examples and from each half of them; the halves are empty if the radius is given."""
        state, n = self.state_, self.state_.numbers[0]
        sums = [(state.A, state.b, n), (state.half_A, state.half_b, np.ceil(n / 2))]
        if len(state.half_A):
            sums.append((state.A - state.half_A, state.b - state.half_b, np.floor(n / 2)))
        whole, *halves = (Moments(A / max(m, 1.0), b / max(m, 1.0), m * self.rule_.pairs) for A, b, m in sums)
        return whole, halves[0], halves[-1]

    @property
    def multiple_(self) -> float:
        """What the weights are multiplied by; 1 where a radius is given."""
        return self._solution().choice.multiple

    @property
    def radius_(self) -> float:
        """The radius of the l1 ball: the given one, or the one that was chosen."""
        return self._solution().choice.radius

    @property
    def n_iter_(self) -> int:
        """The iterations that the solver took for ``radius_``; 0 where the mean label is predicted."""
        return self._solution().n_iter

    def _solution(self) -> Solution:
        """The weights, solved for when they are wanted, and kept until the next example."""
        check_is_fitted(self, "observed_")
        n = self.state_.numbers[0]
        if not hasattr(self, "solution_") or self.solution_.n_examples != n:
            whole, *halves = self._moments()
            choice = Choice(self._given_radius(), 1.0)
            if self._radius_is_chosen():
                choice = chosen_radius((halves[0], halves[1]), self.psd, self.max_iter)
            weights, n_iter = np.zeros(len(whole.b)), 0
            if choice.multiple > 0.0:
                path = solutions(whole.A, whole.b, (choice.radius,), self.psd, self.tol, self.max_iter)
                weights, n_iter = choice.multiple * path.weights[:, 0], int(path.n_iter[0])
            self.solution_ = Solution(n, choice, weights, n_iter)
        return self.solution_


class Solution(NamedTuple):
    """The weights after some examples, with the radius and the multiple that they belong to."""

    n_examples: float
    choice: Choice
    weights: np.ndarray
    n_iter: int
