"""What learners with compiled kernels share: a state that the kernels change, and a compiled pass over a table."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, ClassVar

import numpy as np
from sklearn.base import RegressorMixin
from sklearn.utils import check_random_state

from .common.as_printed import AsPrinted
from .common.parameters import check_budget, check_choice
from .errors import BudgetExceeded
from .learner import Learner, with_poor_score
from .observe.attributes import has_unit_prices, is_plain
from .observe.reveal import FINE, OVER_BUDGET, bad_value
from .observe.scales import unscale
from .observe.values import warn_of_large
from .sampling.random import new_generator

CHUNK = 50_000  # rows per compiled call, so that an interrupt is heard


class CompiledLearner(AsPrinted, RegressorMixin, Learner):
    """Base of the published learners: ``state_`` is a NamedTuple of arrays, ``rule_`` what does not change.

    ``fit`` and ``partial_fit`` run a compiled loop over what compiled code can read, and otherwise the same steps
    one by one.
    """

    scaling: str
    least_budget: ClassVar[int] = 2

    @abstractmethod
    def _new_state(self, d: int, rng: np.ndarray) -> tuple[Any, Any]:
        """A state that has seen nothing, and the rule to run it by."""

    @abstractmethod
    def _learn(self, table: Any, labels: np.ndarray, start: int, stop: int, limit: int) -> tuple[int, int]:
        """The compiled pass over some rows: the row and what went wrong there, or (-1, FINE)."""

    @abstractmethod
    def _weights(self) -> np.ndarray:
        """The learned weights in scaled coordinates."""

    def _check_parameters(self, d: int) -> None:
        name = type(self).__name__
        check_budget(name, self.budget, self.least_budget, d)
        check_choice(name, "scaling", self.scaling, ("running", "none"))

    def _begin(self, n_examples: int | None) -> None:
        # Only schedules follow the number of examples, through expected_examples_, so that fit, partial_fit and
        # ask/tell agree for equal n_expected.
        d = len(self.attributes_)
        self._check_parameters(d)
        if not has_unit_prices(self.attributes_):
            raise ValueError(
                f"{type(self).__name__} counts attributes, as its paper does: it takes none that is free, in a"
                " bundle or of a cost other than 1"
            )
        seed = check_random_state(self.random_state).randint(2**31)
        self.state_, self.rule_ = self._new_state(d, new_generator(seed))

    def _predictor(self) -> tuple[np.ndarray, float]:
        return unscale(self.state_.scales, self._weights())

    def _detach(self) -> None:
        super()._detach()
        self.state_ = copied(self.state_)

    def _bookmark(self) -> Any:
        return self.state_.rng.copy()

    def _return_to(self, bookmark: Any) -> None:
        self.state_.rng[:] = bookmark

    def _consume(self, source: Any, labels: np.ndarray) -> None:
        table = getattr(source, "table", None)
        if table is None or len(labels) == 1 or hasattr(self, "ledger_") or not is_plain(source.attributes):
            super()._consume(source, labels)
            return
        limit, start = self.budget if self.hard_budget else -1, 0
        while start < len(labels):
            stop = min(start + CHUNK, len(labels))
            example, failure = self._learn(table, labels, start, stop, limit)
            if failure == OVER_BUDGET:
                raise BudgetExceeded(f"example {example}: {type(self).__name__} asked for more than {limit}")
            if failure != FINE:
                value = source.read(example, np.array([failure]))[0]
                if not np.isnan(value):
                    raise bad_value(source, f"example {example}", failure, value)
                self.n_skipped_ += 1
            start = stop if failure == FINE else example + 1
        large = int(self.observed_.counts.large[0])
        if large >= 0 and (table if isinstance(table, np.ndarray) else table.data).dtype.kind in "iu":
            warn_of_large(source.attributes[large].name)

    def __sklearn_tags__(self) -> Any:
        return with_poor_score(super().__sklearn_tags__())


def copied(state: Any) -> Any:
    """A state with arrays of its own."""
    return type(state)(*(field.copy() if isinstance(field, np.ndarray) else copied(field) for field in state))
