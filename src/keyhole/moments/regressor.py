"""KeyholeRegressor: all products of all revealed cells, in one structured model."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from ..learner import Learner
from ..observe.ask import Ask
from ..observe.attributes import Prices, has_unit_prices
from ..observe.cells import Cells
from ..parameters import check_budget
from ..sampling.random import new_generator
from .policy import Policy, ask_of, draw, new_policy, renewed
from .solving import Solution, solve

TURNS = 60
TURNS_OF_POLICY = 25  # which needs no more than a rough idea of the weights


class KeyholeRegressor(Learner):
    """Keyhole's own learner: keeps every revealed cell, and fits one model of the second moments to all of them.

    A published learner uses a few products of each example once, and forgets them. This one keeps the revealed
    cells, which are paid for, and describes all attributes and the label by a mean, loadings on up to 32 unseen
    factors under a strong prior, and noise, fitted by EM to the revealed cells alone; the predictor follows
    from it. Where held-out products of cells say that attributes have nothing in common, a diagonal model
    replaces it: each attribute by its own, shrunk covariance with the label. With every cell revealed it is
    ridge regression. There is nothing to tune, and units never matter. ``candidates_`` says what was compared.

    The policy draws attributes uniformly until each was seen some six times, and then a fifth uniformly and
    the rest in proportion to the standardised weights so far; it is renewed whenever the number of examples
    has doubled. The model is fitted when it is wanted, and kept until the next example.

    Parameters
    ----------
    budget : int, default=None
        The most attributes of one training example that may be revealed, free ones not counted. None: the table
        is partial already. All that is there is used, and a cell that is not (NaN, None) is simply not observed.
    keep_ledger : bool, default=False
        Keep every revealed cell in ``ledger_``.
    random_state : int, RandomState instance or None, default=None

    Attributes
    ----------
    family_ : str
        "factors", "diagonal", "ridge", or "mean" while nothing can be learned yet.
    candidates_ : list of dict
        The families that were compared, whether each was kept, and why.
    policy_ : Policy
        The designs that attributes were drawn by, with the number of examples at which each began.

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

    def __init__(self, budget: int | None = None, *, keep_ledger: bool = False, random_state: Any = None) -> None:
        self.budget = budget  # type: ignore[assignment]
        self.keep_ledger = keep_ledger
        self.random_state = random_state

    @property
    def takes_absent(self) -> bool:
        return self.budget is None

    @property
    def family_(self) -> str:
        return self._solution().family

    @property
    def candidates_(self) -> list[dict[str, Any]]:
        return [dict(candidate) for candidate in self._solution().candidates]

    def _begin(self, n_examples: int | None) -> None:
        # The number of examples is not used, or fit, partial_fit and ask/tell would differ.
        d = len(self.attributes_)
        self.seed_ = int(check_random_state(self.random_state).randint(2**31))
        self.rng_ = new_generator(self.seed_)
        self.cells_ = Cells()
        self.policy_: Policy | None = None
        if self.budget is None:
            return
        free = np.zeros(d, dtype=bool)
        if not has_unit_prices(self.attributes_):
            prices = Prices(self.attributes_)
            free = prices.free
            if (prices.bundle >= 0).any() or not (prices.cost[~free] == 1).all():
                raise ValueError(
                    f"{type(self).__name__} counts attributes: it takes free ones, but no bundle and no cost"
                    " other than 1"
                )
        check_budget(type(self).__name__, self.budget, 1, int(np.sum(~free)))
        if self.budget < np.sum(~free):
            self.policy_ = new_policy(free, self.budget)

    def _ask(self, want_probabilities: bool) -> Ask:
        if self.policy_ is None:
            d = len(self.attributes_)
            return ask_of(np.arange(d), np.ones(d))
        return draw(self.policy_, self.rng_)

    def _tell(self, ask: Ask, values: np.ndarray, label: float) -> None:
        there = ~np.isnan(values)
        self.cells_.append(ask.attributes[there], values[there], label)
        if self.policy_ is not None and self.cells_.n_examples == self.policy_.renewal:
            rough = solve(self.cells_, len(self.attributes_), TURNS_OF_POLICY, self.seed_)
            self.policy_ = renewed(self.policy_, rough.interest, self.cells_.n_examples)

    def _predictor(self) -> tuple[np.ndarray, float]:
        solution = self._solution()
        return solution.coef.copy(), solution.intercept

    def _solution(self) -> Solution:
        check_is_fitted(self, "cells_")
        if self.cells_.solved is None:
            solution = solve(self.cells_, len(self.attributes_), TURNS, self.seed_)
            if solution.family == "mean":
                why = solution.candidates[0]["why"]
                warnings.warn(f"{type(self).__name__} predicts the mean label: {why}", stacklevel=4)
            self.cells_.solved = solution
        return self.cells_.solved

    def _detach(self) -> None:
        super()._detach()
        self.cells_, self.rng_ = self.cells_.copy(), self.rng_.copy()

    def _bookmark(self) -> np.ndarray:
        return self.rng_.copy()

    def _return_to(self, bookmark: np.ndarray) -> None:
        self.rng_[:] = bookmark

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = self.budget is None
        return tags
