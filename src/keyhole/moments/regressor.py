"""KeyholeRegressor: all products of all revealed cells, in one structured model."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..observe.cells import Cells
from .base import TURNS
from .bootstrap import BoundsItsWeights
from .contest import best_family
from .explaining import ExplainsItself
from .origin import through_origin
from .purchases import BuysAttributes
from .risk import JudgesItsRisk
from .solving import Solution


class KeyholeRegressor(ExplainsItself, JudgesItsRisk, BoundsItsWeights, BuysAttributes):
    """Keyhole's own learner: keeps every revealed cell, and fits one model of the second moments to all of them.

    A published learner uses a few products of each example once, and forgets them. This one keeps the revealed
    cells, which are paid for, and describes all attributes and the label by a mean, loadings on up to 48 unseen
    factors under a strong prior, and noise, fitted by EM to the revealed cells alone; the predictor follows
    from it. Where held-out products of cells say that attributes have nothing in common, a diagonal model
    replaces it: each attribute by its own, shrunk covariance with the label. Three more families (see
    ``families.py``) replace it where their error on rows held out, judged honestly and row by row, is lower by more
    than two standard errors. With every cell revealed it is ridge regression. There is nothing to tune, and units
    never matter. ``candidates_`` says what was compared.

    The policy draws attributes uniformly until each was seen some twelve times, and then a fifth uniformly and
    the rest in proportion to the standardised weights so far; it is renewed whenever the number of examples
    has doubled. The model is fitted when it is wanted, and kept until the next example.

    New examples need not be whole: ``predict`` takes NaN for what is not known, with a standard deviation or, by
    ``predict_interval``, an interval; ``next_attributes`` says which to look at next, ``predict_path`` buys them one
    after another, and ``risk_at`` estimates the error of predicting from a few.

    Parameters
    ----------
    budget : int or float, default=None
        The most attributes of one training example that may be revealed, free ones not counted; where attributes have
        costs other than 1, the most that one example may cost. None: the table is partial already. All that is there
        is used, and a cell that is not (NaN, None) is simply not observed.
    costs : array or dict, default=None
        What each attribute costs: a number for each, or by name for some. 0 makes an attribute free: always seen. None:
        the costs of the source's own ``Attribute`` descriptions, which are 1 if it has none. Those of one bundle are
        revealed together, and paid for once. An attribute that costs more than the budget is left out, with a warning.
    sparsity : int, default=None
        The most attributes that a prediction may need. They are chosen on the way, and half of the budget or
        more is then spent on them.
    fit_intercept : bool, default=True
        False: the predictor goes through the origin, by second moments about 0. These are covariances, learned from
        the revealed cells as always, plus products of means; an attribute that is always 1 then has a weight.
    keep_ledger : bool, default=False
        Keep every revealed cell in ``ledger_``.
    random_state : int, RandomState instance or None, default=None

    Attributes
    ----------
    family_ : str
        "factors", "diagonal", "pairwise", "lasso", "descent", "ridge", "sparse", or "mean" while nothing is known.
    candidates_ : list of dict
        The families that were compared, whether each was kept, and why.
    policy_ : Policy
        The designs that attributes were drawn by, with the number of examples at which each began.
    risk_interval_ : RiskInterval
        The squared error for new, fully observed examples, with a 95% interval, cross-fitted over five folds when it
        is first asked for; ``print`` says where it is too wide to tell.
    coef_interval_ : CoefInterval
        ``coef_interval()``: 90% intervals of the coefficients, by 100 refits to examples drawn again.

    Examples
    --------
    >>> from sklearn.datasets import load_digits
    >>> from keyhole import KeyholeRegressor
    >>> X, y = load_digits(n_class=2, return_X_y=True)
    >>> learner = KeyholeRegressor(budget=8, random_state=0).fit(X, y)
    >>> learner.observed_.max_per_example
    8
    >>> learner.family_
    'factors'
    >>> round(learner.score(X, y), 1)
    0.9
    """

    def __init__(
        self,
        budget: float | None = None,
        costs: Any = None,
        sparsity: int | None = None,
        fit_intercept: bool = True,
        *,
        keep_ledger: bool = False,
        random_state: Any = None,
    ) -> None:
        self.budget = budget  # type: ignore[assignment]
        self.costs = costs
        self.sparsity = sparsity
        self.fit_intercept = fit_intercept
        self.keep_ledger = keep_ledger
        self.random_state = random_state

    def _predictor(self) -> tuple[np.ndarray, float]:
        solution = self._solution()
        return solution.coef[0].copy(), float(solution.intercept[0])

    def _best_family(self, start: Solution) -> Solution:
        return best_family(start, self.cells_, self._targets(), self.policy_, TURNS, self.seed_)

    def _refined(self, solution: Solution, cells: Cells) -> Solution:
        return solution if self.fit_intercept else through_origin(solution, cells)

    def _targets(self) -> np.ndarray:
        return self.cells_.labels[:, None]
