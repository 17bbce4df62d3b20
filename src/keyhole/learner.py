"""The one shape of all learners: ask, reveal, tell; and fit, which is the same over a table.

A learner never holds X: all that it learns from went through ``reveal``. A call that fails leaves it as it was.
"""

from __future__ import annotations

import copy
from abc import abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.utils.validation import check_is_fitted

from .errors import NotRevealed
from .observe.ask import Ask
from .observe.attributes import Attribute
from .observe.ledger import Ledger
from .observe.meter import Meter
from .observe.reveal import reveal
from .observe.sources import CallableSource
from .observe.tables import check_labels, check_table, linear_predictions, record_names
from .sampling.panels import Panels

UNKNOWN = "%(name)s knows no attributes yet: call start(attributes) or fit first"


class Learner(RegressorMixin, BaseEstimator):
    """Base of all learners and rivals.

    Fitted: ``attributes_``, ``observed_`` (the meter), ``n_skipped_``, and ``ledger_`` if it is kept.
    """

    budget: int
    keep_ledger: bool
    random_state: Any
    attributes_: Sequence[Attribute]
    observed_: Meter
    ledger_: Ledger
    n_skipped_: int
    # Whether the budget is a promise for every example; False where it holds on average.
    hard_budget: ClassVar[bool] = True
    # Whether the seed matters.
    draws_at_random: ClassVar[bool] = True
    # Whether a cell that is not there (None, NaN) is left out; False where the example is skipped or refused.
    takes_absent: ClassVar[Any] = False

    # What a subclass supplies.

    @abstractmethod
    def _begin(self, n_examples: int | None) -> None:
        """Check the parameters and make ready for ``attributes_``, given the number of examples if that is known."""

    @abstractmethod
    def _ask(self, want_probabilities: bool) -> Ask:
        """Draw the attributes of the next example."""

    @abstractmethod
    def _tell(self, ask: Ask, values: np.ndarray, label: float) -> None:
        """Learn from checked values. Must not fail."""

    @abstractmethod
    def _predictor(self) -> tuple[np.ndarray, float]:
        """Coefficients of the raw attributes, and the intercept."""

    @abstractmethod
    def _detach(self) -> None:
        """Give this object its own copy of whatever learning changes in place; extend this."""
        self.observed_ = self.observed_.copy()
        if hasattr(self, "ledger_"):
            self.ledger_ = self.ledger_.copy()

    @abstractmethod
    def _bookmark(self) -> Any:
        """What an ask changes (the generator), for ``_return_to``."""

    @abstractmethod
    def _return_to(self, bookmark: Any) -> None:
        """Undo an ask."""

    def _labels(self, y: Any, n_examples: int) -> np.ndarray:
        """The labels as numbers, checked."""
        return check_labels(y, n_examples, type(self).__name__)

    def _design_of(self, ask: Ask) -> Panels | None:
        """What drew an ask, where it knows the chance of two attributes together, for the ledger."""
        return None

    def _skipped(self, ask: Ask) -> None:
        """An example was skipped, since something asked of it could not be had."""

    # Learning.

    def fit(self, X: Any, y: Any) -> Self:
        """Learn from one pass over the examples, forgetting what was learned before."""
        fresh = copy.copy(self)
        fresh._forget()
        fresh._learn_from(X, y, length_is_known=True)
        return self._become(fresh)

    def partial_fit(self, X: Any, y: Any) -> Self:
        """Go on learning from more examples; a call that fails changes nothing."""
        trial = copy.copy(self)
        trial._learn_from(X, y, length_is_known=False)
        return self._become(trial)

    def start(self, attributes: int | Sequence[Attribute | str]) -> Self:
        """Make ready to ask and tell by hand, given the attributes or their number; forgets what was learned."""
        fresh = copy.copy(self)
        fresh._forget()
        described = CallableSource(lambda *_: (), 0, attributes).attributes
        if not len(described):
            raise ValueError(f"attributes={attributes!r}: there must be at least one")
        record_names(fresh, described)
        fresh._start(described, None)
        return self._become(fresh)

    def ask(self) -> Ask:
        """Which attributes to reveal of the next example; several asks may be open at a time."""
        check_is_fitted(self, "observed_", msg=UNKNOWN)
        return self._ask(True)

    def tell(self, ask: Ask, values: Sequence[Any], label: float) -> Self:
        """Learn from the values of ``ask.attributes``, in their order, and the label.

        ``None`` among the values says that it could not be had: the example is skipped.
        """
        check_is_fitted(self, "observed_", msg=UNKNOWN)
        if not isinstance(ask, Ask) or (len(ask.attributes) and max(ask.attributes) >= len(self.attributes_)):
            raise ValueError(f"tell takes what this learner's ask() returned, for {len(self.attributes_)} attributes")
        label = float(self._labels([label], 1)[0])
        self._step(CallableSource(lambda *_: values, 1, self.attributes_), 0, ask, label)
        return self

    # The learned predictor.

    @property
    def coef_(self) -> np.ndarray:
        """Weights of the raw attributes, computed when asked for: a step must not touch all of them."""
        check_is_fitted(self, "observed_")
        return self._predictor()[0]

    @property
    def intercept_(self) -> float:
        check_is_fitted(self, "observed_")
        return self._predictor()[1]

    def predict(self, X: Any) -> np.ndarray:
        """Predictions from whole rows."""
        check_is_fitted(self, "observed_")
        source = check_table(self, X, reset=False)
        return linear_predictions(source, *self._predictor())

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        # A few hundred rows of which few cells are seen are not enough for a good score.
        tags.regressor_tags.poor_score = True
        return tags

    # The machinery.

    def _learn_from(self, X: Any, y: Any, length_is_known: bool) -> None:
        first = not hasattr(self, "observed_")
        source = check_table(self, X, reset=first)
        labels = self._labels(y, source.n_examples)
        if first:
            self._start(source.attributes, source.n_examples if length_is_known else None)
        elif len(labels) > 1:
            self._detach()
        else:  # one row is checked before anything but the generator changes: no copy is needed
            bookmark = self._bookmark()
            try:
                self._consume(source, labels)
            except BaseException:
                self._return_to(bookmark)
                raise
            return
        self._consume(source, labels)

    def _start(self, attributes: Sequence[Attribute], n_examples: int | None) -> None:
        self.attributes_ = attributes
        self.n_skipped_ = 0
        self._begin(n_examples)
        self.observed_ = Meter(self.budget if self.hard_budget else None, self.attributes_)
        if self.keep_ledger:
            self.ledger_ = Ledger()

    def _consume(self, source: Any, labels: np.ndarray) -> None:
        for example, label in enumerate(labels):
            self._step(source, example, self._ask(True), label)

    def _step(self, source: Any, example: int, ask: Ask, label: float) -> None:
        meter = self.observed_
        number = meter.n_examples + self.n_skipped_
        try:
            ledger = getattr(self, "ledger_", None)
            design = None if ledger is None else self._design_of(ask)
            values = reveal(source, example, ask, meter, ledger, number, self.takes_absent, design)
        except NotRevealed:
            self.n_skipped_ += 1
            self._skipped(ask)
            return
        meter.settle(example)
        self._tell(ask, values, label)

    def _become(self, other: Self) -> Self:
        self._forget()
        self.__dict__.update(other.__dict__)
        return self

    def _forget(self) -> None:
        for name in [name for name in vars(self) if name.endswith("_") and not name.startswith("__")]:
            delattr(self, name)
