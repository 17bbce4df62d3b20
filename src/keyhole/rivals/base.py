"""The base of the rivals: revealed cells are collected, and the predictor is solved for when it is read.

Of a rival that does not look at every example, each example adds to a credit, and one is looked at when the credit pays
for it. A total is a limit besides: what was spent and what open asks will cost together never exceed it.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from typing import Any

import numpy as np
from sklearn.base import RegressorMixin
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from ..common.parameters import ParameterError, check_positive
from ..common.warn import warn_user
from ..common.wording import counted
from ..learner import Learner, with_poor_score
from ..observe.ask import X_ESTIMATE, Ask
from ..observe.attributes import Prices, has_unit_prices
from ..observe.cells import Cells
from ..observe.sources import CallableSource
from ..sampling.random import new_generator

# The source of an example of which nothing is asked, so that its own source is not read.
NOTHING = CallableSource(lambda *_: (), 0, 0)


class Collector(RegressorMixin, Learner):
    """Base of the rivals; a subclass defines what to ask for and how to solve."""

    cells_: Cells
    solved_: tuple[np.ndarray, float] | None
    rng_: np.ndarray
    seed_: int
    n_features_in_: int
    # The most to spend on all examples together, where a rival takes it.
    total: Any = None
    # What has been saved for the next example.
    credit_: float = 0.0

    # What a subclass supplies.

    @abstractmethod
    def _begin(self, n_examples: int | None) -> None:
        """Make empty cells and a generator; extend this."""
        self.cells_ = Cells()
        self.solved_, self.credit_ = None, 0.0
        self.seed_ = int(check_random_state(self.random_state).randint(2**31))
        self.rng_ = new_generator(self.seed_)

    @abstractmethod
    def _solve(self) -> tuple[np.ndarray, float]:
        """Coefficients and intercept from the cells so far."""

    # The machinery.

    def _tell(self, ask: Ask, values: np.ndarray, label: float) -> None:
        self.cells_.append(ask.attributes, values, label)
        self.solved_ = None

    def _finish(self) -> None:
        self._warn_of_rest()
        self._predictor()

    def _predictor(self) -> tuple[np.ndarray, float]:
        """Solved when it is wanted, and kept until the next example."""
        if self.solved_ is None:
            self.solved_ = self._solve()
        coef, intercept = self.solved_
        return coef.copy(), intercept

    def _mean_label(self, why: str) -> tuple[np.ndarray, float]:
        """The predictor while there is too little to learn from: the mean label, with a warning."""
        warn_user(f"{type(self).__name__} predicts the mean label: {why}")
        labels = self.cells_.labels
        return np.zeros(self.n_features_in_), float(labels.mean()) if len(labels) else 0.0

    def _consume(self, source: Any, labels: np.ndarray) -> None:
        for example, label in enumerate(labels):
            ask = self._ask(True)
            self._step(source if len(ask.attributes) else NOTHING, example, ask, label)

    def _earned(self) -> float:
        """What one example adds to the credit, where a total is spread evenly over the examples."""
        total, expected = self.total, self.expected_examples_
        check_positive(type(self).__name__, "total", total)
        if expected is None:
            why = "needs to know how many examples will come (n_expected); fit takes the number of rows of its table"
            raise ParameterError("total", f"{type(self).__name__} {why}", total)
        return float(total) / expected

    @abstractmethod
    def _price_of_example(self) -> float:
        """What an example that is looked at costs, where none of its cells is missing."""

    def _looks(self, earned: float) -> bool:
        """Whether the next example, which adds something to the credit, is looked at."""
        price = self._price_of_example()
        # With more examples than expected, the examples would earn more than the total.
        self.credit_ = min(self.credit_ + earned, self._available())
        if self._is_spent() or self.credit_ < price * (1 - 1e-9):
            return False
        self.credit_ -= price
        return True

    def _is_spent(self) -> bool:
        return self._available() < self._price_of_example() * (1 - 1e-9)

    def _available(self) -> float:
        """What is left of the total when every open ask, of which no value was told, is paid."""
        if self.total is None:
            return math.inf
        return float(self.total - self.observed_.cost - self._reserved())

    @property
    def left_(self) -> float | None:
        """What is left of the total; None without one. Open asks count when they are told."""
        check_is_fitted(self, "observed_")
        return None if self.total is None else float(self.total - self.observed_.cost)

    def _warn_of_rest(self) -> None:
        """Warn where a total would have paid for one more example."""
        left, price = self.left_, self._price_of_example()
        if left is not None and left >= price:
            warn_user(
                f"{type(self).__name__}: {left:g} of total={self.total:g} is left after"
                f" {counted(self.cells_.n_examples, 'example')} of at most {price:g} each"
            )

    def _prices(self) -> Prices | None:
        """The costs of the attributes; None where each costs 1."""
        return None if has_unit_prices(self.attributes_) else Prices(self.attributes_)

    def _detach(self) -> None:
        super()._detach()
        self.cells_, self.rng_ = self.cells_.copy(), self.rng_.copy()

    def _bookmark(self) -> np.ndarray:
        return self.rng_.copy()

    def _return_to(self, bookmark: np.ndarray) -> None:
        self.rng_[:] = bookmark

    def __sklearn_tags__(self) -> Any:
        return with_poor_score(super().__sklearn_tags__())


def new_ask(attributes: np.ndarray, probabilities: np.ndarray | float = 1.0) -> Ask:
    """An Ask for different attributes, each drawn once."""
    n = len(attributes)
    return Ask(
        attributes=attributes,
        probabilities=np.broadcast_to(np.asarray(probabilities, dtype=np.float64), n),
        slots=np.arange(n),
        roles=np.full(n, X_ESTIMATE),
        weights=np.ones(n),
        notes=np.empty(0),
    )
