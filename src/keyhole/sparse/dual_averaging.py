"""DualAveraging: sums of estimated gradients, divided by a growing number, in five variants."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from ..common.parameters import check_choice, check_positive
from ..observe.ask import Ask
from ..observe.scales import new_scales
from ..sampling import max_tree
from ..sampling.sum_tree import new_tree
from .base import SparseLearner
from .dual_kernel import DualRule, DualState, ask_dual, learn_dual, tell_dual, weight_divisor, weight_of


class DualAveraging(SparseLearner):
    """Regularised dual averaging with sparse predictions.

    The weights are the negative sum of all estimated gradients, divided by a growing number. A prediction uses their
    ``sparsity`` largest entries, which are observed of every example; the rest of the budget is a uniform subset of the
    attributes, from which the gradient is estimated. There are five variants of the estimate; see the Notes.

    Parameters
    ----------
    budget : int, default=4
        The most attributes of one example that may be revealed, in training and for a prediction.
    sparsity : int, default=2
        The most attributes with a weight (k). Less than the budget; at most the budget - 2 for variants 2 and 3, and
        the budget for variants 4 and 5.
    variant : {1, 2, 3, 4, 5}, default=1
        The estimate of the gradient: 1, at the sparse weights, as published in 2018; 2, at the dense weights,
        reconstructed from descriptions of the 2017 paper; 3, as 2 with an l1 term; 4 and 5, as 2 and 3 with support and
        subset shown by different examples, so that the support may have as many attributes as the budget.
    radius : float, default=1.0
        The largest l2 norm of the dense weights, which refer to scaled attributes with ``scaling="running"``.
    l1 : float, default=0.01
        How far variants 3 and 5 move the weights towards 0; the others do not use it. See ``threshold``.
    threshold : {'constant', 'growing'}, default='constant'
        What ``l1`` is measured in. 'constant': in the coordinates of the weights. 'growing': in those of the sum of
        gradients, as a multiple of the root of the sum of their squares, so that the soft threshold on this sum grows
        like the root of the number of examples, and that on the weights stays in proportion to their noise.
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
    state_ : DualState
        Everything that was learned, the random generator included.
    rule_ : DualRule
        The constants of the run: the sparsity, the size of the subset, the variant and its radius.

    Notes
    -----
    With eta the sum of all estimated gradients so far, the dense weights are w = -eta / max(lambda, |eta| / radius),
    and u is w with all but its k largest entries set to 0. In variants 1 to 3, m = budget - k further attributes S are
    drawn uniformly.

    =======  =========================================  ===========================================================
    variant  paper                                      by the letter or not
    =======  =========================================  ===========================================================
    1        Ito et al. 2018                            as printed, with ``DualAveraging.as_printed(...)``
    2        Ito et al. 2017, Algorithm 1; RDA and      reconstructed from descriptions
             RDA1 of Murata and Suzuki 2018
    3        none                                       variant 2 with the l1 term of variant 5
    4        Ito et al. 2017, Algorithm 2; RDA2 of      what Table 1 of Murata and Suzuki says of it: k attributes are
             Murata and Suzuki 2018                     enough, attributes linearly independent; the rest is our own
    5        Ito et al. 2017, Algorithm 3; RDA3 of      the same, under compatibility, the condition of Lasso: an l1
             Murata and Suzuki 2018                     term with ``threshold="growing"``; the rest is our own
    =======  =========================================  ===========================================================

    1. As printed in 2018. The gradient is taken at the sparse u, and S is drawn from all attributes:
       g = (2 d / m) (u'x - y) x on S, with lambda = sqrt(8 d t / m).
    2. Reconstructed from descriptions of Algorithm 1 of 2017, with which Murata and Suzuki (2018) compare. The
       gradient is taken at the dense w: g = 2 (Xhat w - zhat), with Xhat(i, j) = x_i x_j / p_ij and zhat(i) = y x_i /
       p_i on what was observed. p are its inclusion probabilities, 1 on the support, and S is drawn from the other
       attributes. lambda, described as of order sqrt(t), is sqrt(sum of squared gradients) / radius.
    3. Reconstructed: variant 2 with an l1 term, which moves entries of w towards 0 by ``l1``, or sets them to 0. With
       ``threshold="growing"`` entries of eta are moved by ``l1`` sqrt(sum of squared gradients) instead; the divisor
       has the norm of eta before this, so that w stays in the ball.
    4. Every other example shows a uniform subset of ``budget`` attributes, from which the gradient at the dense w is
       estimated as in variant 2, and no support; it is predicted by the mean label. The others show the support, are
       predicted by u, and give no gradient. Murata and Suzuki's text does not say how the two are mixed.
    5. Variant 4 with the l1 term of variant 3.

    By Table 1 of Murata and Suzuki (2018), the sample complexity for an excess of eps is O(d^2 sigma^2 / eps^2) for
    RDA1 and O((d / budget)^16 + d sigma^2 / eps^2) for RDA2 and RDA3; they ran neither of the latter two.
    A step touches only the observed attributes: a tree holds the largest entries of eta, and the divisor is applied to
    what is observed.

    References
    ----------
    Ito, S., Hatano, D., Sumita, H., Yabe, A., Fukunaga, T., Kakimura, N. and Kawarabayashi, K. (2017). Efficient
    sublinear-regret algorithms for online sparse linear regression with limited observation. Advances in Neural
    Information Processing Systems 30.

    Ito, S., Hatano, D., Sumita, H., Yabe, A., Fukunaga, T., Kakimura, N. and Kawarabayashi, K. (2018). Online
    regression with partial information: generalization and linear projection. Proceedings of the 21st International
    Conference on Artificial Intelligence and Statistics.

    Murata, T. and Suzuki, T. (2018). Sample efficient stochastic gradient iterative hard thresholding method for
    stochastic sparse linear regression with limited attribute observation. Advances in Neural Information Processing
    Systems 31. Table 1.

    Examples
    --------
    >>> from keyhole import DualAveraging
    >>> from keyhole.datasets import murata_suzuki
    >>> stream = murata_suzuki(20_000, n_attributes=40, n_nonzero=4, random_state=0)
    >>> learner = DualAveraging(budget=8, sparsity=4, random_state=0).fit(stream.source, stream.labels())
    >>> learner.support_
    array([0, 1, 2, 3])
    """

    printed_parameters: ClassVar[Mapping[str, Any]] = {"variant": 1, "scaling": "none", "shrink_to_mean": False}
    printed_needs = ("radius",)

    def __init__(
        self,
        budget: int = 4,
        sparsity: int = 2,
        variant: int = 1,
        radius: float = 1.0,
        l1: float = 0.01,
        *,
        threshold: str = "constant",
        scaling: str = "running",
        shrink_to_mean: bool = True,
        curve_points: int = 64,
        n_expected: int | None = None,
        keep_ledger: bool = False,
        random_state: Any = None,
    ) -> None:
        self.budget = budget
        self.sparsity = sparsity
        self.variant = variant
        self.radius = radius
        self.l1 = l1
        self.threshold = threshold
        self.scaling = scaling
        self.shrink_to_mean = shrink_to_mean
        self.curve_points = curve_points
        self.n_expected = n_expected
        self.keep_ledger = keep_ledger
        self.random_state = random_state

    def _check_parameters(self, d: int) -> None:
        check_choice("DualAveraging", "variant", self.variant, (1, 2, 3, 4, 5))
        check_choice("DualAveraging", "threshold", self.threshold, ("constant", "growing"))
        super()._check_parameters(d)
        check_positive("DualAveraging", "radius", self.radius)
        check_positive("DualAveraging", "l1", self.l1)

    @property
    def least_room(self) -> int:  # type: ignore[override]
        """Attributes of each example that are needed beside the support: two for products of two of them."""
        return {1: 1, 2: 2, 3: 2}.get(self.variant, 0)

    def _new_state(self, d: int, rng: np.ndarray) -> tuple[DualState, DualRule]:
        state = DualState(
            rng=rng,
            marks=np.full(d, -1),
            numbers=np.zeros(3),
            eta=np.zeros(d),
            tree=new_tree(d),
            scales=new_scales(d, self.scaling),
            record=self._new_record(),
        )
        alternating = self.variant in (4, 5)
        rule = DualRule(
            sparsity=self.sparsity,
            subset=self.budget if alternating else self.budget - self.sparsity,
            at_sparse=self.variant == 1,
            radius=float(self.radius),
            l1=float(self.l1) if self.variant in (3, 5) else 0.0,
            growing=self.threshold == "growing",
            alternating=alternating,
        )
        return state, rule

    def _ask(self, want_probabilities: bool) -> Ask:
        return ask_dual(self.state_, self.rule_, want_probabilities)

    def _tell(self, ask: Ask, values: np.ndarray, label: float) -> None:
        tell_dual(self.state_, self.rule_, ask, values, label)

    def _learn(self, table: Any, labels: np.ndarray, start: int, stop: int, limit: int) -> tuple[int, int]:
        return learn_dual(self.state_, self.rule_, table, labels, start, stop, self.observed_.counts, limit)

    def _weights(self) -> np.ndarray:
        state, w = self.state_, np.zeros(len(self.state_.eta))
        divisor = weight_divisor(state, self.rule_)
        for i in max_tree.largest(state.tree.copy(), self.rule_.sparsity):  # a loaded state may be read-only
            w[i] = weight_of(state, self.rule_, i, divisor)
        return w
