"""What all streaming learners share: the checks, and the loop of ask, reveal, tell.

A learner never holds X. Its state is a NamedTuple of arrays; ``fit`` and ``partial_fit`` run a compiled loop
over what compiled code can read, and otherwise the same steps one by one. A failed call leaves the learner
as it was.
"""

from __future__ import annotations

import copy
from abc import abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from ..errors import BudgetExceeded, NotRevealed
from ..observe.ask import Ask
from ..observe.attributes import Attribute, has_unit_prices, is_plain
from ..observe.ledger import Ledger
from ..observe.meter import Meter
from ..observe.reveal import FINE, OVER_BUDGET, bad_value, reveal
from ..observe.scales import unscale
from ..observe.sources import CallableSource
from ..observe.tables import check_labels, check_table, linear_predictions, record_names
from ..parameters import check_budget, check_choice, check_positive
from ..sampling.random import new_generator

CHUNK = 50_000  # rows per compiled call, so that an interrupt is heard


class StreamingLearner(RegressorMixin, BaseEstimator):
    """Base of the published learners; a subclass supplies a state, a rule and the kernels."""

    least_budget: ClassVar[int] = 2
    # Whether the budget is a promise for every example; False where it holds in expectation only.
    hard_budget: ClassVar[bool] = True

    # What a subclass supplies.

    @abstractmethod
    def _new_state(self, d: int, rng: np.ndarray) -> Any:
        """A state that has seen nothing, and the rule to run it by."""

    @abstractmethod
    def _ask(self, want_probabilities: bool) -> Ask: ...

    @abstractmethod
    def _tell(self, ask: Ask, values: np.ndarray, label: float) -> None: ...

    @abstractmethod
    def _learn(self, cells: Any, labels: np.ndarray, start: int, stop: int, limit: int) -> tuple[int, int]: ...

    @abstractmethod
    def _weights(self) -> np.ndarray:
        """The learned weights in scaled coordinates."""

    # Learning.

    def fit(self, X: Any, y: Any) -> Self:
        """Learn from one pass over the examples, forgetting what was learned before."""
        fresh = copy.copy(self)
        fresh._forget()
        fresh.partial_fit(X, y)
        self._forget()
        self.__dict__.update(fresh.__dict__)
        return self

    def partial_fit(self, X: Any, y: Any) -> Self:
        """Go on learning from more examples; a call that fails changes nothing."""
        first = not hasattr(self, "state_")
        trial = copy.copy(self)
        source = check_table(trial, X, reset=first)
        labels = check_labels(y, source.n_examples, type(self).__name__)
        if first:
            trial._start(source.attributes)
        elif source.n_examples == 1:
            return self._one_more(source, labels[0])
        else:
            trial._detach()
        trial._consume(source, labels)
        self.__dict__.update(trial.__dict__)
        return self

    def start(self, attributes: int | Sequence[Attribute | str]) -> Self:
        """Make ready to ask and tell by hand, given the attributes or their number; forgets what was learned."""
        fresh = copy.copy(self)
        fresh._forget()
        described = CallableSource(lambda *_: [], 0, attributes).attributes
        record_names(fresh, described)
        fresh._start(described)
        self._forget()
        self.__dict__.update(fresh.__dict__)
        return self

    def ask(self) -> Ask:
        """Which attributes to reveal of the next example; several asks may be open at a time."""
        check_is_fitted(self, "state_", msg="%(name)s knows no attributes yet: call start(attributes) or fit first")
        return self._ask(True)

    def tell(self, ask: Ask, values: Sequence[Any], label: float) -> Self:
        """Learn from the values of ``ask.attributes``, in their order, and the label.

        ``None`` among the values says that it could not be had: the example is skipped.
        """
        check_is_fitted(self, "state_")
        label = float(check_labels([label], 1)[0])
        told = CallableSource(lambda *_: values, 1, self.attributes_)
        self._step(told, 0, ask, label)
        return self

    # The learned predictor.

    @property
    def coef_(self) -> np.ndarray:
        """Weights of the raw attributes, computed when asked for: a step must not touch all of them."""
        return self._predictor()[0]

    @property
    def intercept_(self) -> float:
        return self._predictor()[1]

    def predict(self, X: Any) -> np.ndarray:
        """Predictions from whole rows."""
        coef, intercept = self._predictor()
        return linear_predictions(check_table(self, X, reset=False), coef, intercept)

    def _predictor(self) -> tuple[np.ndarray, float]:
        check_is_fitted(self, "state_")
        return unscale(self.state_.scales, self._weights())

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        # A few hundred rows of which four cells are seen are not enough for a good score.
        tags.regressor_tags.poor_score = True
        return tags

    # The machinery.

    def _start(self, attributes: Sequence[Attribute]) -> None:
        d = len(attributes)
        self._check_parameters(d)
        if not has_unit_prices(attributes):
            raise ValueError(
                f"{type(self).__name__} counts attributes, as its paper does: it takes none that is free, in a"
                " bundle or of a cost other than 1"
            )
        seed = check_random_state(self.random_state).randint(2**31)
        self.attributes_ = attributes
        self.observed_ = Meter(self.budget if self.hard_budget else None, attributes)
        self.state_, self.rule_ = self._new_state(d, new_generator(seed))
        self.n_skipped_ = 0
        if self.keep_ledger:
            self.ledger_ = Ledger()

    def _check_parameters(self, d: int) -> None:
        name = type(self).__name__
        check_budget(name, self.budget, self.least_budget, d)
        check_positive(name, "radius", self.radius)
        check_choice(name, "scaling", self.scaling, ("running", "none"))

    def _forget(self) -> None:
        for name in [name for name in vars(self) if name.endswith("_") and not name.startswith("__")]:
            delattr(self, name)

    def _detach(self) -> None:
        """Give this object a state, meter and ledger of its own."""
        self.state_ = copied(self.state_)
        self.observed_ = self.observed_.copy()
        if hasattr(self, "ledger_"):
            self.ledger_ = self.ledger_.copy()

    def _consume(self, source: Any, labels: np.ndarray) -> None:
        cells = getattr(source, "cells", None)
        if cells is None or hasattr(self, "ledger_") or not is_plain(source.attributes):
            for example, label in enumerate(labels):
                self._step(source, example, self._ask(True), label)
            return
        limit = self.budget if self.hard_budget else -1
        for start in range(0, len(labels), CHUNK):
            stop = min(start + CHUNK, len(labels))
            example, failure = self._learn(cells, labels, start, stop, limit)
            if failure == OVER_BUDGET:
                raise BudgetExceeded(f"example {example}: {type(self).__name__} asked for more than {limit}")
            if failure != FINE:
                value = source.read(example, np.array([failure]))[0]
                raise bad_value(source, example, failure, value)

    def _one_more(self, source: Any, label: float) -> Self:
        """One row is checked before anything but the generator changes: no copy of the state is needed."""
        generator = self.state_.rng.copy()
        try:
            self._step(source, 0, self._ask(True), label)
        except BaseException:
            self.state_.rng[:] = generator
            raise
        return self

    def _step(self, source: Any, example: int, ask: Ask, label: float) -> None:
        meter = self.observed_
        number = meter.n_examples + self.n_skipped_
        try:
            values = reveal(source, example, ask, meter, getattr(self, "ledger_", None), number)
        except NotRevealed:
            self.n_skipped_ += 1
            return
        meter.settle(example)
        self._tell(ask, values, label)


def copied(state: Any) -> Any:
    """A state with arrays of its own."""
    return type(state)(*(field.copy() if isinstance(field, np.ndarray) else copied(field) for field in state))
