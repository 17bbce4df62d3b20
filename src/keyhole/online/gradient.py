"""The base of the learners with a step size: the division of the budget, and the theorem's step."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from ..common.parameters import ParameterError, check_choice, check_horizon, check_positive
from .base import StreamingLearner
from .kernels.draw_distribution import DrawDistribution, given_distribution, uniform_distribution
from .kernels.update_rule import UpdateRule


class GradientLearner(StreamingLearner):
    """Base of the learners with a step size and a budget that is divided between x and the inner product."""

    printed_parameters: ClassVar[Mapping[str, Any]] = {"scaling": "none", "draws": "textbook"}
    printed_needs: ClassVar[tuple[str, ...]] = ("step_size", "n_expected")

    def __init__(
        self,
        budget: int = 4,
        radius: float | str = "auto",
        step_size: float | None = None,
        *,
        distribution: Any = "uniform",
        scaling: str = "running",
        draws: str = "even",
        n_expected: int | None = None,
        keep_ledger: bool = False,
        random_state: Any = None,
    ) -> None:
        self.budget = budget
        self.radius = radius
        self.step_size = step_size
        self.distribution = distribution
        self.scaling = scaling
        self.draws = draws
        self.n_expected = n_expected
        self.keep_ledger = keep_ledger
        self.random_state = random_state

    def _check_parameters(self, d: int) -> None:
        super()._check_parameters(d)
        name = type(self).__name__
        check_choice(name, "draws", self.draws, ("even", "textbook"))
        check_horizon(name, self.n_expected)
        if self.step_size is not None:
            check_positive(name, "step_size", self.step_size)

    @abstractmethod
    def _theorem_step(self, d: int, examples: float, second_moment: float) -> float:
        """The theorem's step, given a bound on the second moment of the x estimate."""

    @abstractmethod
    def _empty(self, rng: np.ndarray, d: int, step: float, distribution: DrawDistribution) -> Any:
        """A state with zero weights."""

    def _new_state(self, d: int, rng: np.ndarray) -> tuple[Any, UpdateRule]:
        rule, q = self._rule(d), self._checked_distribution(d)
        if q is None:
            return self._empty(rng, d, self._uniform_step(rule, d, rule.horizon), uniform_distribution()), rule
        # The sum of x_i^2 / q_i, and its largest term, are at most 1 / min(q) under the theorems' bounds on x.
        step = self._chosen_step(rule, d, rule.horizon, 1.0 / (q.min() * rule.x_draws) + 1.0)
        return self._empty(rng, d, step, given_distribution(q)), rule

    def _checked_distribution(self, d: int) -> np.ndarray | None:
        """The given probabilities of the draws for x, or None where they are equal."""
        given, name = self.distribution, type(self).__name__
        if isinstance(given, str) and given == "uniform":
            return None
        needs = f"{name} needs 'uniform', or a positive number for each of the {d} attributes"
        try:
            q = np.array(given, dtype=np.float64)
        except (TypeError, ValueError):
            raise ParameterError("distribution", needs, given) from None
        if q.shape != (d,):
            raise ParameterError("distribution", f"an array of shape {q.shape}; {needs}")
        wrong = np.flatnonzero(~(np.isfinite(q) & (q > 0)))
        if len(wrong):
            raise ParameterError(
                f"distribution[{wrong[0]}]", f"{name} needs finite numbers above 0", float(q[wrong[0]])
            )
        return q / q.sum()

    def _rule(self, d: int) -> UpdateRule:
        """Half of the budget for x and half for the inner product, or all but one and one."""
        inner = self.budget - self.budget // 2 if self.draws == "even" else 1
        theorem = self.n_expected is not None and self.step_size is None and self.scaling == "none"
        return UpdateRule(
            x_draws=self.budget - inner,
            inner_draws=inner,
            radius=self._first_radius(d, self.budget - inner),
            horizon=float(self.n_expected or 0),
            theorem=theorem,
            growing=self._radius_is_chosen(),
        )

    def _uniform_step(self, rule: UpdateRule, d: int, examples: float) -> float:
        """The given step size, the theorem's for uniform draws, or nan for the adaptive one."""
        return self._chosen_step(rule, d, examples, 2.0 * d / rule.x_draws)

    def _chosen_step(self, rule: UpdateRule, d: int, examples: float, second_moment: float) -> float:
        """The given step size, the theorem's with a bound on the second moment of the x estimate, or nan: adaptive."""
        if rule.theorem:
            return self._theorem_step(d, examples, second_moment)
        return np.nan if self.step_size is None else float(self.step_size)
