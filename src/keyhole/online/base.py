"""What all streaming learners share: the checks, and the loop of ask, reveal, tell.

A learner never holds X. Its state is a NamedTuple of arrays; ``fit`` and ``partial_fit`` run a compiled loop
over what compiled code can read, and otherwise the same steps one by one. A failed call leaves the learner
as it was.
"""

from __future__ import annotations

import copy
import numbers
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
from ..observe.tables import check_labels, check_table, column_names, linear_predictions
from ..sampling.random import new_generator
from .emphasis import Emphasis, no_emphasis
from .rule import Rule

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
    def _learn(
        self, cells: Any, labels: np.ndarray, start: int, stop: int, limit: int
    ) -> tuple[int, int]: ...

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
            trial._start(source.attributes, column_names(X))
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
        fresh._start(described, None)
        fresh.n_features_in_ = len(described)
        self._forget()
        self.__dict__.update(fresh.__dict__)
        return self

    def ask(self) -> Ask:
        """Which attributes to reveal of the next example; several asks may be open at a time."""
        check_is_fitted(
            self, "state_", msg="%(name)s knows no attributes yet: call start(attributes) or fit first"
        )
        return self._ask(True)

    def tell(self, ask: Ask, values: Sequence[Any], label: float) -> Self:
        """Learn from the values of ``ask.attributes``, in their order, and the label.

        ``None`` among the values says that it could not be had: the example is skipped.
        """
        check_is_fitted(self, "state_")
        label = float(check_labels([label], 1)[0])
        told = CallableSource(lambda *_: values, 1, self.attributes_)  # type: ignore[arg-type]
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

    # The machinery.

    def _start(self, attributes: Sequence[Attribute], names: np.ndarray | None) -> None:
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
        budget, name = self.budget, type(self).__name__
        if isinstance(budget, bool) or not isinstance(budget, numbers.Integral):
            raise ValueError(f"budget={budget!r}: {name} needs a whole number of attributes per example")
        if budget < self.least_budget:
            raise ValueError(
                f"budget={budget}: {name} needs at least {self.least_budget} attributes per example"
            )
        if budget > d:
            raise ValueError(
                f"budget={budget} is more than n_features = {d}: an example has no more attributes"
            )
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


class GradientLearner(StreamingLearner):
    """Base of the learners with a step size and a budget that is split between x and the inner product."""

    def __init__(
        self,
        budget: int = 4,
        radius: float = 1.0,
        step_size: float | None = None,
        *,
        scaling: str = "running",
        draws: str = "even",
        n_expected: int | None = None,
        keep_ledger: bool = False,
        random_state: Any = None,
    ) -> None:
        self.budget = budget
        self.radius = radius
        self.step_size = step_size
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
    def _empty(self, rng: np.ndarray, d: int, step: float, emphasis: Emphasis) -> Any:
        """A state with zero weights."""

    def _new_state(self, d: int, rng: np.ndarray) -> tuple[Any, Rule]:
        rule = self._rule()
        return self._empty(rng, d, self._uniform_step(rule, d, rule.horizon), no_emphasis()), rule

    def _rule(self) -> Rule:
        """Half of the budget for x and half for the inner product, or all but one and one."""
        inner = self.budget - self.budget // 2 if self.draws == "even" else 1
        theorem = self.n_expected is not None and self.step_size is None and self.scaling == "none"
        return Rule(self.budget - inner, inner, float(self.radius), float(self.n_expected or 0), theorem)

    def _uniform_step(self, rule: Rule, d: int, examples: float) -> float:
        """The given step, the theorem's for uniform draws, or nan for the anytime one."""
        if rule.theorem:
            return self._theorem_step(d, examples, 2.0 * d / rule.x_draws)
        return np.nan if self.step_size is None else float(self.step_size)


def copied(state: Any) -> Any:
    """A state with arrays of its own."""
    return type(state)(*(field.copy() if isinstance(field, np.ndarray) else copied(field) for field in state))


def check_positive(owner: str, name: str, value: Any) -> None:
    """Raise unless a parameter is a finite number above 0."""
    if isinstance(value, bool) or not isinstance(value, numbers.Real) or not 0 < value < np.inf:
        raise ValueError(f"{name}={value!r}: {owner} needs a finite number above 0")


def check_choice(owner: str, name: str, value: Any, choices: tuple[str, ...]) -> None:
    """Raise unless a parameter is one of some words."""
    if value not in choices:
        raise ValueError(f"{name}={value!r}: {owner} takes {' or '.join(map(repr, choices))}")


def check_horizon(owner: str, n_expected: Any) -> None:
    """Raise unless the expected number of examples is None or a whole number above 0."""
    if n_expected is not None and (not isinstance(n_expected, numbers.Integral) or n_expected < 1):
        raise ValueError(
            f"n_expected={n_expected!r}: {owner} needs None or a whole number of examples, 1 or more"
        )
