"""What KeyholeRegressor and KeyholeClassifier share: kept cells, a policy, and a solution when it is wanted."""

from __future__ import annotations

import warnings
from abc import abstractmethod
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
from .concerns import concerns
from .policy import Policy, ask_of, draw, new_policy, renewed
from .solving import Solution, solve

TURNS = 60
TURNS_OF_POLICY = 25  # which needs no more than a rough idea of the weights


class MomentLearner(Learner):
    """Keeps every revealed cell in ``cells_``; ``_solution()`` follows from them, and is kept until the next."""

    @abstractmethod
    def _targets(self) -> np.ndarray:
        """The labels so far as numbers, a row per example."""

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
        self.cells_.append(ask.attributes[there], values[there], label, int(ask.notes[0]))
        if self.policy_ is not None and self.cells_.n_examples == self.policy_.renewal:
            rough = solve(self.cells_, self._targets(), len(self.attributes_), TURNS_OF_POLICY, self.seed_)
            self.policy_ = renewed(self.policy_, rough.interest, self.cells_.n_examples)

    def _solution(self) -> Solution:
        check_is_fitted(self, "cells_")
        if self.cells_.solved is None:
            labels = self._targets()
            solution = solve(self.cells_, labels, len(self.attributes_), TURNS, self.seed_)
            solution = self._refined(solution, self.cells_)
            for concern in concerns(solution, self.cells_, labels, self.attributes_, self.takes_absent):
                warnings.warn(f"{type(self).__name__}: {concern}", stacklevel=4)
            self.cells_.solved = solution
        return self.cells_.solved

    def _refined(self, solution: Solution, cells: Cells) -> Solution:
        """What a learner makes of a solution from some cells."""
        return solution

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
