"""What all rivals share: collect revealed cells by ask, reveal, tell; solve for the predictor when it is wanted.

A rival never holds X, only the cells that were revealed to it. A failed call leaves it as it was.
"""

from __future__ import annotations

import copy
import warnings
from abc import abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from ..errors import NotRevealed
from ..observe.ask import X_ESTIMATE, Ask
from ..observe.attributes import Attribute
from ..observe.cells import Cells
from ..observe.ledger import Ledger
from ..observe.meter import Meter
from ..observe.reveal import reveal
from ..observe.sources import CallableSource
from ..observe.tables import check_labels, check_table, linear_predictions, record_names
from ..parameters import check_budget
from ..sampling.random import new_generator
from ..sampling.subsets import uniform_subset

# What is read of an example of which nothing is asked: its source is left alone.
NOTHING = CallableSource(lambda *_: (), 0, 0)


class Collector(RegressorMixin, BaseEstimator):
    """Base of the rivals; a subclass says what to ask for and how to solve."""

    budget: int
    keep_ledger: bool
    random_state: Any
    # Whether the budget is a promise for every example; False where it holds on average.
    hard_budget: ClassVar[bool] = True

    # What a subclass supplies.

    @abstractmethod
    def _begin(self, n_examples: int | None) -> None:
        """Check the parameters and make ready, given how many examples will come if that is known."""

    @abstractmethod
    def _ask(self) -> Ask: ...

    @abstractmethod
    def _solve(self) -> tuple[np.ndarray, float]:
        """Coefficients and intercept from the cells so far."""

    def _told(self) -> None:
        """A row was added to the cells."""

    def _skipped(self, ask: Ask) -> None:
        """An example was skipped, since something asked of it could not be had."""

    # Learning.

    def fit(self, X: Any, y: Any) -> Self:
        """Collect from one pass over the examples, forgetting what was collected before."""
        fresh = copy.copy(self)
        fresh._forget()
        fresh._collect(X, y, length_is_known=True)
        self._forget()
        self.__dict__.update(fresh.__dict__)
        return self

    def partial_fit(self, X: Any, y: Any) -> Self:
        """Go on collecting from more examples; a call that fails changes nothing."""
        trial = copy.copy(self)
        trial._collect(X, y, length_is_known=False)
        self.__dict__.update(trial.__dict__)
        return self

    def start(self, attributes: int | Sequence[Attribute | str]) -> Self:
        """Make ready to ask and tell by hand, given the attributes or their number; forgets what was learned."""
        fresh = copy.copy(self)
        fresh._forget()
        described = CallableSource(lambda *_: [], 0, attributes).attributes
        record_names(fresh, described)
        fresh._start(described, None)
        self._forget()
        self.__dict__.update(fresh.__dict__)
        return self

    def ask(self) -> Ask:
        """Which attributes to reveal of the next example; several asks may be open at a time."""
        check_is_fitted(self, "cells_", msg="%(name)s knows no attributes yet: call start(attributes) or fit first")
        return self._ask()

    def tell(self, ask: Ask, values: Sequence[Any], label: float) -> Self:
        """Keep the values of ``ask.attributes``, in their order, and the label.

        ``None`` among the values says that it could not be had: the example is skipped.
        """
        check_is_fitted(self, "cells_")
        label = float(check_labels([label], 1)[0])
        self._step(CallableSource(lambda *_: values, 1, self.attributes_), 0, ask, label)
        return self

    # The learned predictor.

    @property
    def coef_(self) -> np.ndarray:
        """Weights of the raw attributes, solved for when they are wanted and kept until the next tell."""
        return self._predictor()[0].copy()

    @property
    def intercept_(self) -> float:
        return self._predictor()[1]

    def predict(self, X: Any) -> np.ndarray:
        """Predictions from whole rows."""
        coef, intercept = self._predictor()
        return linear_predictions(check_table(self, X, reset=False), coef, intercept)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        # A few hundred rows of which few cells are seen are not enough for a good score.
        tags.regressor_tags.poor_score = True
        return tags

    def _predictor(self) -> tuple[np.ndarray, float]:
        check_is_fitted(self, "cells_")
        if self.cells_.solved is None:
            self.cells_.solved = self._solve()
        return self.cells_.solved

    def _mean_label(self, why: str) -> tuple[np.ndarray, float]:
        """What is predicted while there is too little to learn from."""
        warnings.warn(f"{type(self).__name__} predicts the mean label: {why}", stacklevel=4)
        labels = self.cells_.labels
        return np.zeros(self.n_features_in_), float(labels.mean()) if len(labels) else 0.0

    # The machinery.

    def _collect(self, X: Any, y: Any, length_is_known: bool) -> None:
        first = not hasattr(self, "cells_")
        source = check_table(self, X, reset=first)
        labels = check_labels(y, source.n_examples, type(self).__name__)
        if first:
            self._start(source.attributes, source.n_examples if length_is_known else None)
        else:
            self.cells_, self.observed_, self.rng_ = self.cells_.copy(), self.observed_.copy(), self.rng_.copy()
            if hasattr(self, "ledger_"):
                self.ledger_ = self.ledger_.copy()
        for example, label in enumerate(labels):
            ask = self._ask()
            self._step(source if len(ask.attributes) else NOTHING, example, ask, label)

    def _start(self, attributes: Sequence[Attribute], n_examples: int | None) -> None:
        self.attributes_ = attributes
        self.cells_ = Cells()
        self.observed_ = Meter(self.budget if self.hard_budget else None, attributes)
        self.n_skipped_ = 0
        self.seed_ = int(check_random_state(self.random_state).randint(2**31))
        self.rng_ = new_generator(self.seed_)
        if self.keep_ledger:
            self.ledger_ = Ledger()
        self._begin(n_examples)

    def _step(self, source: Any, example: int, ask: Ask, label: float) -> None:
        meter = self.observed_
        number = meter.n_examples + self.n_skipped_
        try:
            values = reveal(source, example, ask, meter, getattr(self, "ledger_", None), number)
        except NotRevealed:
            self.n_skipped_ += 1
            self._skipped(ask)
            return
        meter.settle(example)
        self.cells_.append(ask.attributes, values, label)
        self._told()

    def _forget(self) -> None:
        for name in [name for name in vars(self) if name.endswith("_") and not name.startswith("__")]:
            delattr(self, name)


class UniformCollector(Collector):
    """Base of the rivals that draw attributes uniformly, ``budget`` of those that cost 1, and see all free ones."""

    def _begin(self, n_examples: int | None) -> None:
        prices, name = self.observed_.prices, type(self).__name__
        if prices is not None and ((prices.bundle >= 0).any() or not np.isin(prices.cost[~prices.free], 1).all()):
            raise ValueError(f"{name} counts attributes: it takes free ones, but no bundle and no cost other than 1")
        free = np.zeros(self.n_features_in_, dtype=bool) if prices is None else prices.free
        self.free_, self.candidates_ = np.flatnonzero(free), np.flatnonzero(~free)
        check_budget(name, self.budget, 1, len(self.candidates_))
        self.marks_ = np.full(len(self.candidates_), -1, dtype=np.int64)

    def _ask(self) -> Ask:
        n = len(self.candidates_)
        drawn = self.candidates_[uniform_subset(self.rng_, n, self.budget, self.marks_)]
        chances = np.repeat([1.0, self.budget / n], [len(self.free_), self.budget])
        return new_ask(np.concatenate([self.free_, drawn]), chances)


def new_ask(attributes: np.ndarray, probabilities: np.ndarray | float = 1.0) -> Ask:
    """An Ask for distinct attributes, each meant once."""
    n = len(attributes)
    likely = np.broadcast_to(np.asarray(probabilities, dtype=np.float64), n)
    return Ask(attributes, likely, np.arange(n), np.full(n, X_ESTIMATE), np.ones(n), notes=np.empty(0))
