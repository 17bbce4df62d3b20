"""What KeyholeRegressor and KeyholeClassifier share: kept cells, a policy, and a solution when it is wanted."""

from __future__ import annotations

import warnings
from abc import abstractmethod
from typing import Any

import numpy as np
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from ..common.parameters import check_whole
from ..learner import Learner
from ..observe.ask import Ask
from ..observe.cells import Cells
from ..sampling import Panels, new_generator
from .concerns import concerns
from .policy import Policy, ask_of, draw, focused, new_policy, renewed
from .prices import units_on_offer, with_costs
from .solving import Solution, solve
from .sparse_choice import choose, confined

TURNS = 60
TURNS_OF_POLICY = 25  # which needs no more than a rough idea of the weights
COMPARED_FOR_CHOICE = 500  # rows, for a sparse predictor, which is renewed more often


class MomentLearner(Learner):
    """Keeps every revealed cell in ``cells_``; ``_solution()`` follows from them, and is kept until the next."""

    costs: Any = None
    sparsity: int | None = None

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
        if self.sparsity is not None:
            check_whole(type(self).__name__, "sparsity", self.sparsity, 1)
        self.attributes_ = with_costs(type(self).__name__, self.attributes_, self.costs)
        self.seed_ = int(check_random_state(self.random_state).randint(2**31))
        self.rng_ = new_generator(self.seed_)
        self.cells_ = Cells()
        self.policy_: Policy | None = None
        if self.budget is None:
            return
        units = units_on_offer(type(self).__name__, self.attributes_, self.budget)
        if units is not None:
            self.policy_ = new_policy(units, sparse=self.sparsity is not None)

    def _ask(self, want_probabilities: bool) -> Ask:
        if self.policy_ is None:
            d = len(self.attributes_)
            return ask_of(np.arange(d), np.ones(d))
        return draw(self.policy_, self.rng_)

    def _tell(self, ask: Ask, values: np.ndarray, label: float) -> None:
        there = ~np.isnan(values)
        self.cells_.append(ask.attributes[there], values[there], label, int(ask.notes[0]))
        if self.policy_ is not None and self.cells_.n_examples == self.policy_.renewal:
            rough = self._solve(TURNS_OF_POLICY)
            self.policy_ = self._renewed(self.policy_, rough)

    def _solve(self, turns: int) -> Solution:
        compared = None if self.sparsity is None else COMPARED_FOR_CHOICE
        return solve(self.cells_, self._targets(), len(self.attributes_), turns, self.seed_, compared)

    def _renewed(self, policy: Policy, rough: Solution) -> Policy:
        if self.sparsity is None:
            return renewed(policy, rough.interest, self.cells_.n_examples)
        choice = choose(rough, self.sparsity)
        return focused(policy, rough.interest, choice.attributes, choice.certainty, self.cells_.n_examples)

    def _chosen(self, solution: Solution, sparsity: int) -> np.ndarray:
        """Those that the budget has been spent on for a while, or where there are none the best so far."""
        settled = np.empty(0) if self.policy_ is None else self.policy_.settled(self.cells_.n_examples)
        return settled if len(settled) else choose(solution, sparsity).attributes

    def _design_of(self, ask: Ask) -> Panels | None:
        return None if self.policy_ is None else self.policy_.designs[int(ask.notes[0])]

    def _solution(self) -> Solution:
        check_is_fitted(self, "cells_")
        if self.cells_.solved is None:
            labels = self._targets()
            solution = self._solve(TURNS)
            if self.sparsity is None:
                solution = self._best_family(solution)
            elif solution.family != "mean":
                solution = confined(solution, self.cells_, labels, self._chosen(solution, self.sparsity))
            solution = self._refined(solution, self.cells_)
            for concern in concerns(solution, self.cells_, labels, self.attributes_, self.takes_absent):
                warnings.warn(f"{type(self).__name__}: {concern}", stacklevel=4)
            self.cells_.solved = solution
        return self.cells_.solved

    def _best_family(self, start: Solution) -> Solution:
        """What replaces the start, if a learner compares it with more families."""
        return start

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
