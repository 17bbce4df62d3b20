"""The base of Exploration, Exploitation and Hybrid: schedules, batches, and a warning when a step was too long."""

from __future__ import annotations

import warnings
from abc import abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from ..common.parameters import ParameterError, check_choice, check_positive, is_whole
from ..observe.ask import Ask
from ..observe.reveal import FINE
from ..observe.scales import carried_over, intercept_of, new_scales
from .base import SparseLearner
from .hard_thresholding import (
    ThresholdingState,
    ask_thresholding,
    is_full,
    learn_thresholding,
    new_state,
    tell_thresholding,
)
from .schedule import ASKED, BATCH, EXPLORING, HALVINGS, STARTED, STEP, ThresholdingRule, n_blocks
from .thresholding_step import end_batch


class IterativeLearner(SparseLearner):
    """Base of the learners of Murata and Suzuki 2018."""

    step_size: float | None
    growth: float
    halve_steps: bool
    start_coef: Any
    printed_parameters: ClassVar[Mapping[str, Any]] = {
        "growth": 1.0,
        "blocks": "contiguous",
        "halve_steps": False,
        "scaling": "none",
        "shrink_to_mean": False,
    }
    # The inputs of the printed algorithm, all of which must be given.
    printed_inputs: ClassVar[tuple[str, ...]] = ("step_size", "batch_size")

    @classmethod
    def as_printed(cls, budget: int, **inputs: Any) -> Self:
        """Make the algorithm exactly as its paper prints it.

        The class attribute ``printed_parameters`` holds the parameters that this sets: a constant step that is never
        halved, batches as given, contiguous blocks, and raw values. ``printed_inputs`` holds those that must be given.

        Parameters
        ----------
        budget : int
            The most attributes of one example that may be revealed.
        **inputs : object
            The parameters that the paper leaves to the user, by their names in the constructor, such as ``sparsity``,
            ``step_size``, ``batch_size`` or ``start_coef``.

        Returns
        -------
        Self
            An unfitted learner of the same class.

        Raises
        ------
        ParameterError
            If an input is one that the print fixes, or if an input of the printed algorithm is not given.
        """
        for name in cls.printed_inputs:
            if inputs.get(name) is None:
                raise ParameterError(name, f"{cls.__name__} as printed takes it as an input, and it is not given")
        return super().as_printed(budget, **inputs)

    @abstractmethod
    def _rule(self, d: int) -> ThresholdingRule:
        """The schedule for d attributes."""

    def _check_parameters(self, d: int) -> None:
        super()._check_parameters(d)
        name = type(self).__name__
        if self.step_size is not None:
            check_positive(name, "step_size", self.step_size)
        check_choice(name, "halve_steps", self.halve_steps, (True, False))
        check_positive(name, "growth", self.growth)
        if self.growth < 1:
            raise ValueError(f"growth={self.growth!r}: {name} needs 1, for constant batches, or more")

    def _begin(self, n_examples: int | None) -> None:
        super()._begin(n_examples)
        needed = int(self.state_.numbers[BATCH])
        given = not np.isfinite(self.rule_.largest_batch)  # automatic batches fit what is expected
        if n_examples is not None and given and self.state_.numbers[EXPLORING] and n_examples < needed:
            blocks = n_blocks(self.rule_, len(self.attributes_))
            raise ValueError(
                f"n_samples = {n_examples}: the first update of {type(self).__name__} needs {needed} examples, that is"
                f" {needed // blocks} for each of {blocks} blocks of up to {self.rule_.width} attributes; give more"
                " examples, a smaller first batch or a larger budget"
            )

    def _checked_start(self, d: int) -> np.ndarray:
        """The given coefficients; empty where none are given."""
        name = type(self).__name__
        if self.start_coef is None:
            return np.empty(0)
        try:
            coef = np.array(self.start_coef, dtype=np.float64)
        except (TypeError, ValueError):
            coef = np.empty(0)
        if coef.shape != (d,):
            shape = np.shape(self.start_coef)
            raise ValueError(f"start_coef of shape {shape}: {name} needs a number for each of the {d} attributes")
        wrong = np.flatnonzero(~np.isfinite(coef))
        if len(wrong):
            raise ValueError(f"start_coef[{wrong[0]}]={coef[wrong[0]]}: {name} needs finite numbers")
        return coef

    def _sparse_start(self, d: int) -> np.ndarray:
        """The ``sparsity`` largest of the given coefficients, and 0 elsewhere; empty where all are 0."""
        coef = self._checked_start(d)
        coef[np.argsort(-np.abs(coef), kind="stable")[self.sparsity :]] = 0.0
        return coef if coef.any() else np.empty(0)

    def _predictor(self) -> tuple[np.ndarray, float]:
        start = self.rule_.start
        if len(start) and not self.state_.numbers[STARTED]:
            return start.copy(), intercept_of(self.state_.scales, start)
        return super()._predictor()

    def _new_state(self, d: int, rng: np.ndarray) -> tuple[ThresholdingState, ThresholdingRule]:
        rule = self._rule(d)
        return new_state(rng, d, rule, new_scales(d, self.scaling), self._new_record()), rule

    def _share_of_examples(self, share: float) -> float:
        """A share of the number of examples, at least one; infinite where their number is not known."""
        expected = self.expected_examples_
        return np.inf if expected is None else float(max(int(share * expected), 1))

    def _ask(self, want_probabilities: bool) -> Ask:
        return ask_thresholding(self.state_, self.rule_, want_probabilities)

    def _tell(self, ask: Ask, values: np.ndarray, label: float) -> None:
        tell_thresholding(self.state_, ask, values, label)
        self._end_batch_if_full()

    def _learn(self, table: Any, labels: np.ndarray, start: int, stop: int, limit: int) -> tuple[int, int]:
        counts = self.observed_.counts
        while start < stop:
            start, failure = learn_thresholding(self.state_, self.rule_, table, labels, start, stop, counts, limit)
            if failure != FINE:
                return start, failure
            self._end_batch_if_full()
        return -1, FINE

    def _end_batch_if_full(self) -> None:
        if not is_full(self.state_):
            return
        halvings = self.state_.numbers[HALVINGS]
        end_batch(self.state_, self.rule_)
        if self.state_.numbers[HALVINGS] > halvings:
            warnings.warn(
                f"{type(self).__name__}: the iterate was losing more than twice what predicting the mean label loses,"
                f" so the step was halved, to {self.state_.numbers[STEP]:.3g}; a smaller step_size or larger batches"
                " would avoid this",
                ConvergenceWarning,
                stacklevel=2,
            )

    def _weights(self) -> np.ndarray:
        state = self.state_
        return carried_over(state.frozen, state.scales, state.learned.copy())

    def _bookmark(self) -> float:
        return self.state_.numbers[ASKED]

    def _return_to(self, bookmark: float) -> None:
        self.state_.numbers[ASKED] = bookmark


def schedule(owner: str, name: str, value: Any) -> np.ndarray:
    """A whole number above 0, or a sequence of them, as an array."""
    entries = np.ravel(np.asarray(value, dtype=object))
    if len(entries) == 0:
        raise ValueError(f"{name}={value!r}: {owner} needs a whole number above 0, or a sequence of them")
    for at, entry in enumerate(entries):
        if not is_whole(entry) or entry < 1:
            place = f"{name}={value!r}" if np.ndim(value) == 0 else f"{name}[{at}]={entry!r}"
            raise ValueError(f"{place}: {owner} needs whole numbers, 1 or more")
    return entries.astype(np.float64)


def is_contiguous(owner: str, blocks: str) -> bool:
    """Whether blocks are runs of neighbours, as in the paper."""
    check_choice(owner, "blocks", blocks, ("random", "contiguous"))
    return blocks == "contiguous"
