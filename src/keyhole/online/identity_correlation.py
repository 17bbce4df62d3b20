"""IdentityCorrelation: the mean of y x as weights, as if attributes were uncorrelated."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from ..compiled import CompiledLearner
from ..observe.ask import Ask
from ..observe.scales import new_scales
from .kernels.means import MeansRule, MeansState, ask_means, learn_means, tell_means


class IdentityCorrelation(CompiledLearner):
    """The linear predictor that takes the correlation matrix of the attributes for the identity.

    The squared error w'E[x x']w - 2 E[y x]'w + E[y^2] has its minimum at E[y x] if E[x x'] is the identity. The mean of
    y x is estimated without bias from a few attributes of each example, drawn uniformly without replacement. Where
    attributes are correlated this predicts badly; it is a point of comparison.

    Parameters
    ----------
    budget : int, default=4
        The attributes of one training example that are revealed; at least 1.
    scaling : {'running', 'none'}, default='running'
        'running' centres and scales attributes and labels by running estimates from revealed cells, and fits an
        intercept. 'none' takes them as they are, without an intercept, as the paper does.
    n_expected : int or None, default=None
        The number of examples that will come. Nothing follows it.
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
    expected_examples_ : int or None
        The value of ``n_expected``, or the length of the table of ``fit``; None without either. Nothing depends on it.
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
    state_ : MeansState
        Everything that was learned, the random generator included.
    rule_ : MeansRule
        The constant of the run: the number of attributes to draw.

    Notes
    -----
    With k attributes j in the subset C of an example, the estimate of x is::

        v = (d / k) sum of x_j e_j over j in C

    and the weights are the mean of y v over the examples. ``IdentityCorrelation.as_printed`` gives footnote 2 of the
    paper: ``scaling="none"``. The footnote prints the sum of y x and calls it the averaged vector; it is the mean that
    minimises the loss.

    References
    ----------
    Cesa-Bianchi, N., Shalev-Shwartz, S. and Shamir, O. (2010). Efficient learning with partially observed attributes.
    Proceedings of the 27th International Conference on Machine Learning. Footnote 2 and equation 3.

    Examples
    --------
    >>> import numpy as np
    >>> from keyhole import IdentityCorrelation
    >>> X = np.random.default_rng(0).normal(size=(20_000, 10))
    >>> learner = IdentityCorrelation(budget=2, random_state=0).fit(X, X[:, 0] - X[:, 1])
    >>> round(learner.score(X, X[:, 0] - X[:, 1]), 1)
    1.0
    """

    least_budget = 1
    printed_parameters: ClassVar[Mapping[str, Any]] = {"scaling": "none"}

    def __init__(
        self,
        budget: int = 4,
        *,
        scaling: str = "running",
        n_expected: int | None = None,
        keep_ledger: bool = False,
        random_state: Any = None,
    ) -> None:
        self.budget = budget
        self.scaling = scaling
        self.n_expected = n_expected
        self.keep_ledger = keep_ledger
        self.random_state = random_state

    def _new_state(self, d: int, rng: np.ndarray) -> tuple[MeansState, MeansRule]:
        state = MeansState(rng, np.full(d, -1), np.zeros(1), np.zeros(d), new_scales(d, self.scaling))
        return state, MeansRule(self.budget)

    def _ask(self, want_probabilities: bool) -> Ask:
        return ask_means(self.state_, self.rule_, want_probabilities)

    def _tell(self, ask: Ask, values: np.ndarray, label: float) -> None:
        tell_means(self.state_, ask, values, label)

    def _learn(self, table: Any, labels: np.ndarray, start: int, stop: int, limit: int) -> tuple[int, int]:
        return learn_means(self.state_, self.rule_, table, labels, start, stop, self.observed_.counts, limit)

    def _weights(self) -> np.ndarray:
        return self.state_.total / max(self.state_.numbers[0], 1.0)
