"""CompleteRows: ridge regression on fewer examples, which are revealed completely."""

from __future__ import annotations

import numbers
from typing import Any

import numpy as np

from ..common.parameters import ParameterError, check_budget, check_choice
from ..observe.ask import Ask
from ..observe.cells import NONE
from .base import Collector, new_ask
from .ridge import check_alphas, ridge


class CompleteRows(Collector):
    """Ridge regression on fewer examples, which are revealed completely.

    Every example adds the budget to a credit. As soon as the credit pays for a whole row, that row is revealed; of the
    other examples nothing is revealed. The predictor is ridge regression on the whole rows, and uses all attributes.

    Parameters
    ----------
    budget : int or float, default=4
        Attributes per example, on average; a whole number. Where attributes have costs, the cost per example.
    alphas : array-like of float or None, default=None
        The penalties to choose from, for standardised attributes. None: 28 penalties from 0.001 to 1,000,000, at equal
        distances on the logarithm.
    total : int or float, default=None
        The most that all examples together may cost, in place of the budget: it is spread evenly over the examples that
        are expected. None: the budget holds.
    scaling : {'deviation', 'none'}, default='deviation'
        'deviation' divides each attribute by its standard deviation (guarded for attributes that are almost always
        constant), so that units do not matter. 'none' takes attributes as they are, which is better where they share a
        unit, as pixels do.
    n_expected : int or None, default=None
        The number of examples that will come, over which a total is spread. None: ``fit`` takes the length of its
        table; nothing else follows a schedule.
    keep_ledger : bool, default=False
        Whether to record every revealed cell in ``ledger_``.
    random_state : int, RandomState instance or None, default=None
        Not used, since nothing is drawn at random; accepted so that all learners can be made in the same way.

    Attributes
    ----------
    coef_ : ndarray of shape (n_features_in_,)
        Coefficients of the raw attributes, solved for when they are first read.
    intercept_ : float
        The intercept.
    expected_examples_ : int or None
        The number of examples that a total is spread over: ``n_expected``, or the length of the table of ``fit``;
        None without either.
    n_features_in_ : int
        Number of attributes.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the attributes; only if the table had names that are all strings.
    attributes_ : sequence of Attribute
        The attributes, with their descriptions.
    observed_ : Meter
        Counts of the revealed cells: in total, by attribute and by example.
    ledger_ : Ledger
        Every revealed cell, in order; only with ``keep_ledger=True``.
    n_skipped_ : int
        Number of examples that were skipped because a value that was asked for was not available.
    n_asked_ : int
        Number of asks that were made by ``ask``.
    open_asks_ : dict of int to Ask
        The asks that were neither told nor forgotten yet, by their number.
    awaiting_label_ : dict of int to ndarray
        The values of open asks that were told without a label, by the number of the ask.
    cells_ : Cells
        The revealed cells and the labels.
    row_price_ : float
        The cost of a whole row.
    credit_ : float
        What has been saved for the next whole row.
    left_ : float or None
        What is left of the total, less than the cost of a whole row where the total is spent; None without a total.

    Notes
    -----
    Of m examples with d attributes, about m budget / d are revealed, and the budget holds on average, not for each
    example. Attributes are standardised by the revealed rows, and the penalty is chosen by leave-one-out
    cross-validation. With fewer than two whole rows the predictor is the mean label, with a warning.

    Examples
    --------
    >>> from sklearn.datasets import load_digits
    >>> from keyhole.rivals import CompleteRows
    >>> X, y = load_digits(n_class=2, return_X_y=True)
    >>> rival = CompleteRows(budget=8).fit(X, y)
    >>> rival.observed_
    Meter(360 examples, 2880 cells, at most 64 per example, cost 2880)
    >>> round(rival.score(X, y), 2)
    0.95
    """

    hard_budget = False

    def __init__(
        self,
        budget: int = 4,
        alphas: Any = None,
        *,
        total: float | None = None,
        scaling: str = "deviation",
        n_expected: int | None = None,
        keep_ledger: bool = False,
        random_state: Any = None,
    ) -> None:
        self.budget = budget
        self.alphas = alphas
        self.total = total
        self.scaling = scaling
        self.n_expected = n_expected
        self.keep_ledger = keep_ledger
        self.random_state = random_state

    def _begin(self, n_examples: int | None) -> None:
        super()._begin(n_examples)
        name, prices = type(self).__name__, self._prices()
        self.row_price_ = float(self.n_features_in_) if prices is None else prices.total(np.arange(self.n_features_in_))
        if self.total is not None:
            self._earned()
            if self.total < self.row_price_:
                raise ParameterError(
                    "total", f"{name} reveals whole rows, and one costs {self.row_price_:g}", self.total
                )
        elif prices is None:
            check_budget(name, self.budget, 1, self.n_features_in_)
        else:
            if not isinstance(self.budget, numbers.Real) or not 0 < self.budget <= self.row_price_:
                raise ValueError(
                    f"budget={self.budget!r}: {name} needs a cost per example above 0 and no more than"
                    f" {self.row_price_:g}, the cost of a whole row"
                )
        check_alphas(name, self.alphas)
        check_choice(name, "scaling", self.scaling, ("deviation", "none"))

    def _ask(self, want_probabilities: bool) -> Ask:
        return new_ask(np.arange(self.n_features_in_) if self._looks(self._per_example()) else NONE)

    def _skipped(self, ask: Ask, paid: float) -> None:
        # The credit had paid for a whole row, and less than that was revealed.
        self.credit_ += self.row_price_ * (len(ask.attributes) > 0) - paid

    def _forgotten(self, ask: Ask) -> None:
        # Nothing was paid, and nothing is earned by an example that does not count. Of a total, which is spread over
        # all examples that come, a skipped one keeps what it earned.
        if self.total is not None and not len(ask.attributes):
            return
        self.credit_ += self.row_price_ * (len(ask.attributes) > 0) - self._per_example()

    def _price_of_example(self) -> float:
        return self.row_price_

    def _per_example(self) -> float:
        return self.budget if self.total is None else self._earned()

    def _solve(self) -> tuple[np.ndarray, float]:
        d = self.n_features_in_
        whole = self.cells_.rows[::d]
        if len(whole) < 2:
            return self._mean_label(f"{len(whole)} whole row(s) were revealed, and at least 2 are needed")
        alphas = check_alphas(type(self).__name__, self.alphas)
        table, labels = self.cells_.values.reshape(-1, d), self.cells_.labels[whole]
        return ridge(table, labels, alphas, scaled=self.scaling == "deviation")
