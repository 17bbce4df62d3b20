"""The base of the learners whose loss is analytic, and whose derivative GenEst estimates."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, ClassVar

import numpy as np

from ..common.parameters import ParameterError, check_choice, is_whole
from ..observe.ask import Ask
from ..observe.scales import new_scales
from .aerr import AERR
from .kernels.analytic_lasso import ask_analytic_lasso, learn_analytic_lasso, tell_analytic_lasso
from .kernels.analytic_ridge import ask_analytic, learn_analytic, tell_analytic
from .kernels.draw_distribution import DrawDistribution
from .kernels.gen_est import EXPECTED_DRAWS, AnalyticLoss
from .kernels.lasso import new_lasso_state
from .kernels.update_rule import UpdateRule


class AnalyticLearner(AERR):
    """Base of the learners that step against an estimated derivative: AERR's steps, or AELR's in an l1 ball.

    The budget holds in expectation: what remains of it after three draws for each run of GenEst is for x.
    """

    norm: str
    repeats: Any
    hard_budget = False
    printed_needs: ClassVar[tuple[str, ...]] = ("step_size",)

    @abstractmethod
    def _loss(self) -> AnalyticLoss:
        """The loss, by the Taylor coefficients of its derivative."""

    def _norm(self) -> str:
        return self.norm

    def _check_parameters(self, d: int) -> None:
        name = type(self).__name__
        check_choice(name, "norm", self.norm, ("l1", "l2"))
        super()._check_parameters(d)
        if self.norm == "l1" and np.any(self.initial_weights):
            message = f"with an l1 ball {name} takes the steps of AELR, which start from weights of 0"
            raise ParameterError("initial_weights", message, self.initial_weights)

    def _checked_repeats(self, words: tuple[Any, ...]) -> None:
        """Raise unless the paper's N is one of some words or a whole number above 0."""
        if self.repeats not in words and not (is_whole(self.repeats) and self.repeats >= 1):
            choices = " or ".join(map(repr, words))
            message = f"{type(self).__name__} needs {choices}, or a whole number, 1 or more"
            raise ParameterError("repeats", message, self.repeats)

    def _rule(self, d: int) -> UpdateRule:
        inner = self.least_budget - 1
        return UpdateRule(
            x_draws=self.budget - inner,
            inner_draws=inner,
            radius=self._first_radius(d, self.budget - inner),
            horizon=float(self.n_expected or 0),
            growing=self._radius_is_chosen(),
        )

    def _empty(self, rng: np.ndarray, d: int, step: float, distribution: DrawDistribution) -> Any:
        if self.norm == "l2":
            return super()._empty(rng, d, step, distribution)
        radius, scales = self._rule(d).radius, new_scales(d, self.scaling)
        return new_lasso_state(rng, d, radius, step, scales, distribution, self._new_evidence())

    def _ask(self, want_probabilities: bool) -> Ask:
        ask = ask_analytic if self.norm == "l2" else ask_analytic_lasso
        return ask(self.state_, self.rule_, self._loss(), want_probabilities)

    def _tell(self, ask: Ask, values: np.ndarray, label: float) -> None:
        tell = tell_analytic if self.norm == "l2" else tell_analytic_lasso
        tell(self.state_, self.rule_, self._loss(), ask, values, label)

    def _learn(self, table: Any, labels: np.ndarray, start: int, stop: int, limit: int) -> tuple[int, int]:
        learn = learn_analytic if self.norm == "l2" else learn_analytic_lasso
        found: tuple[int, int] = learn(
            self.state_, self.rule_, self._loss(), table, labels, start, stop, self.observed_.counts, limit
        )
        return found


def least_budget(runs: int) -> int:
    """One draw for x, and the expected draws of so many runs of GenEst."""
    return EXPECTED_DRAWS * runs + 1
