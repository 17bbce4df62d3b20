"""The base of Exploration, Exploitation and Hybrid: schedules, batches, and a warning when a step was too long."""

from __future__ import annotations

import warnings
from abc import abstractmethod
from typing import Any

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from ..common.parameters import check_choice, check_positive, is_whole
from ..observe.ask import Ask
from ..observe.reveal import FINE
from ..observe.scales import carried_over, new_scales
from .base import SparseLearner
from .hard_thresholding import (
    ThresholdingState,
    ask_thresholding,
    is_full,
    learn_thresholding,
    new_state,
    tell_thresholding,
)
from .schedule import ASKED, BATCH, EXPLORING, HALVINGS, STEP, ThresholdingRule, n_blocks
from .thresholding_step import end_batch


class IterativeLearner(SparseLearner):
    """Base of the learners of Murata and Suzuki 2018."""

    step_size: float | None
    growth: float

    @abstractmethod
    def _rule(self, d: int) -> ThresholdingRule:
        """The schedule for d attributes."""

    def _check_parameters(self, d: int) -> None:
        super()._check_parameters(d)
        name = type(self).__name__
        if self.step_size is not None:
            check_positive(name, "step_size", self.step_size)
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
