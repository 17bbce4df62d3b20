"""The one shape of all learners: ask, reveal, tell; and fit, which is the same over a table.

A learner never holds X: all that it learns from went through ``reveal``. A call that fails leaves it as it was.
"""

from __future__ import annotations

import copy
from abc import abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from .asking import Asking
from .common.parameters import check_horizon
from .common.warn import warn_user
from .observe.ask import Ask
from .observe.attributes import Attribute
from .observe.describing import refuse_choices
from .observe.ledger import Ledger
from .observe.meter import Meter
from .observe.reveal import look
from .observe.sources import CallableSource
from .observe.tables import check_labels, check_table, linear_predictions, record_names
from .sampling.panels import Panels


def with_poor_score(tags: Any) -> Any:
    """Tags that say: a few hundred rows of which few cells are seen are not enough for a good score.

    Where scikit-learn's mixin is added, since it makes the tags of its kind anew.
    """
    for kind in (tags.regressor_tags, tags.classifier_tags):
        if kind is not None:
            kind.poor_score = True
    return tags


class Learner(Asking, BaseEstimator):
    """Base of all learners and rivals; regressors and classifiers add scikit-learn's mixin of their kind.

    Attributes
    ----------
    attributes_ : sequence of Attribute
        The attributes of the table, with their costs.
    observed_ : Meter
        What was revealed, and what it cost.
    n_skipped_ : int
        The examples that were not learned from, since a value could not be had.
    open_asks_ : dict of int to Ask
        The asks that were neither told nor forgotten yet, by their number.
    awaiting_label_ : dict of int to ndarray
        The values of open asks that were told without a label, by the number of the ask.
    n_asked_ : int
        How many asks were made by ``ask``.
    expected_examples_ : int or None
        The number of examples that schedules follow: ``n_expected``, or else the length of the table of ``fit``; None
        without either.
    ledger_ : Ledger
        The record of what was revealed, with ``keep_ledger=True``.
    """

    budget: int
    keep_ledger: bool
    random_state: Any
    observed_: Meter
    ledger_: Ledger
    n_skipped_: int
    expected_examples_: int | None
    # Whether the budget is a promise for every example; False where it holds on average.
    hard_budget: ClassVar[bool] = True
    # Whether the seed matters.
    draws_at_random: ClassVar[bool] = True
    # Whether predictions may be made from rows with missing cells.
    predicts_from_subsets: ClassVar[bool] = False
    # Whether an example with missing cells (None, NaN) is learned from; False where it is skipped.
    takes_missing: ClassVar[bool] = False
    # Whether a missing cell is never paid for, whatever its attribute says.
    missing_is_free: ClassVar[Any] = False
    # Whether attributes of the kind "choice" are learned from.
    takes_choices: ClassVar[bool] = False

    # What a subclass supplies.

    @abstractmethod
    def _begin(self, n_examples: int | None) -> None:
        """Check the parameters and make ready for ``attributes_``, given the number of examples if that is known."""

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
        self.open_asks_, self.awaiting_label_ = dict(self.open_asks_), dict(self.awaiting_label_)
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
        """The design that drew an ask, where it knows second-order inclusion probabilities, for the ledger."""
        return None

    def _finish(self) -> None:
        """What ``fit`` does after the last example; a learner that solves a model does it here."""

    def _skipped(self, ask: Ask, paid: float) -> None:
        """An example is not learned from, since a value asked of it is missing; what was revealed cost ``paid``."""

    # Learning.

    def fit(self, X: Any, y: Any) -> Self:
        """Learn from one pass over the examples, forgetting what was learned before.

        Parameters
        ----------
        X : array-like, sparse matrix, data frame or Source of shape (n_examples, n_attributes)
            The training table, of which only cells within the budget are read.
        y : array-like of shape (n_examples,)
            The labels.

        Returns
        -------
        Self
            The fitted learner.
        """
        fresh = copy.copy(self)
        fresh._clear()
        fresh._learn_from(X, y, length_is_known=True)
        fresh._finish()
        if fresh.n_skipped_:
            n = fresh.observed_.n_examples
            warn_user(
                f"{type(self).__name__} skipped {fresh.n_skipped_:,} of {n:,} examples, of which a drawn value is"
                " missing; KeyholeRegressor and KeyholeClassifier learn from the other values"
            )
        return self._become(fresh)

    def partial_fit(self, X: Any, y: Any) -> Self:
        """Go on learning from more examples; a call that fails changes nothing.

        Parameters
        ----------
        X : array-like, sparse matrix, data frame or Source of shape (n_examples, n_attributes)
            More training examples, of which only cells within the budget are read.
        y : array-like of shape (n_examples,)
            The labels.

        Returns
        -------
        Self
            The learner.
        """
        trial = copy.copy(self)
        trial._learn_from(X, y, length_is_known=False)
        return self._become(trial)

    def start(self, attributes: int | Sequence[Attribute | str]) -> Self:
        """Make ready to ask and tell by hand, forgetting what was learned before.

        Parameters
        ----------
        attributes : int or sequence of Attribute or str
            The attributes, their names, or their number.

        Returns
        -------
        Self
            The learner, ready for ``ask``.
        """
        fresh = copy.copy(self)
        fresh._clear()
        described = CallableSource(lambda *_: (), 0, attributes).attributes
        if not len(described):
            raise ValueError(f"attributes={attributes!r}: there must be at least one")
        record_names(fresh, described)
        fresh._start(described, None)
        return self._become(fresh)

    # The learned predictor.

    @property
    def coef_(self) -> np.ndarray:
        """The coefficients of the raw attributes, computed when wanted: a step must not touch all of them."""
        check_is_fitted(self, "observed_")
        return self._predictor()[0]

    @property
    def intercept_(self) -> float:
        """The intercept."""
        check_is_fitted(self, "observed_")
        return self._predictor()[1]

    def predict(self, X: Any) -> np.ndarray:
        """Predict the labels of whole rows.

        Parameters
        ----------
        X : array-like, sparse matrix, data frame or Source of shape (n_examples, n_attributes)
            The rows.

        Returns
        -------
        ndarray of shape (n_examples,)
            The predictions.
        """
        check_is_fitted(self, "observed_")
        source = check_table(self, X, reset=False)
        return linear_predictions(source, *self._predictor())

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
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
        given = getattr(self, "n_expected", None)
        check_horizon(type(self).__name__, given)
        self.expected_examples_ = n_examples if given is None else int(given)
        self.attributes_ = attributes
        self.n_skipped_, self.n_asked_, self.open_asks_, self.awaiting_label_ = 0, 0, {}, {}
        if not self.takes_choices:
            refuse_choices(type(self).__name__, attributes)
        self._begin(n_examples)
        self.observed_ = Meter(self.budget if self.hard_budget else None, self.attributes_)
        if self.keep_ledger:
            self.ledger_ = Ledger()

    def _consume(self, source: Any, labels: np.ndarray) -> None:
        for example, label in enumerate(labels):
            self._step(source, example, self._ask(True), label)

    def _step(self, source: Any, example: int, ask: Ask, label: float | None, place: str | None = None) -> None:
        """Reveal an ask, unless its values were told before, and learn from it, unless there is no label yet."""
        values = self.awaiting_label_[ask.number] if source is None else self._reveal(source, example, ask, place)
        if label is None:
            self.awaiting_label_[ask.number] = values
        elif self.takes_missing or not np.isnan(values).any():
            self._tell(ask, values, label)

    def _reveal(self, source: Any, example: int, ask: Ask, place: str | None = None) -> np.ndarray:
        """The values of an ask, counted and recorded, with NaN for what is missing."""
        meter, ledger = self.observed_, getattr(self, "ledger_", None)
        before, design = meter.cost, None if ledger is None else self._design_of(ask)
        number, place = meter.n_examples, place or f"example {example}"
        values = look(source, example, ask, meter, ledger, number, self.missing_is_free, design, place)
        meter.settle(example)
        if not self.takes_missing and np.isnan(values).any():
            self.n_skipped_ += 1
            self._skipped(ask, meter.cost - before)
        return values

    def _become(self, other: Self) -> Self:
        self._clear()
        self.__dict__.update(other.__dict__)
        return self

    def _clear(self) -> None:
        for name in [name for name in vars(self) if name.endswith("_") and not name.startswith("__")]:
            delattr(self, name)
