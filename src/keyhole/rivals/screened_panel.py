"""ScreenedPanel: select the attributes that matter on some examples, then reveal only these."""

from __future__ import annotations

import math
import numbers
from typing import Any

import numpy as np

from ..observe.ask import Ask
from ..observe.cells import of_columns, standardised, unscaled
from .base import new_ask
from .screening import best_panel, correlations
from .uniform import UniformCollector

# Without an expected number of examples, the screening ends when each attribute was drawn so often on average.
DRAWS_PER_ATTRIBUTE = 10


class ScreenedPanel(UniformCollector):
    """Least squares on the best few attributes, which are screened for on the first examples.

    During the screening, ``budget`` attributes of each example are drawn uniformly. Then ``budget`` attributes, the
    panel, are selected, and the same panel is revealed of all other examples. The predictor is least squares on these
    examples, and uses the panel only.

    Parameters
    ----------
    budget : int, default=4
        The most attributes of one training example that may be revealed, free attributes not counted.
    screen : float, default=0.4
        The share of the expected examples that is used for the screening, between 0 and 1.
    total : int or float, default=None
        The most attributes of all examples together: so many examples are looked at, evenly spread over those that are
        expected, that each has the whole budget. None: all examples are looked at.
    n_expected : int or None, default=None
        The expected number of examples. None: ``fit`` takes the length of its table; ``partial_fit`` and ``ask`` screen
        until each attribute was drawn 10 times on average.
    keep_ledger : bool, default=False
        Whether to record every revealed cell in ``ledger_``.
    random_state : int, RandomState instance or None, default=None
        Seed of the random draws. An int gives the same results for the same input.

    Attributes
    ----------
    coef_ : ndarray of shape (n_features_in_,)
        Coefficients of the raw attributes, solved for when they are first read.
    intercept_ : float
        The intercept.
    expected_examples_ : int or None
        The number of examples that the screening follows: ``n_expected``, or the length of the table of ``fit``; None
        without either.
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
    panel_ : ndarray of int64
        The selected attributes and the free ones, in ascending order; only after the screening.
    n_screen_ : int
        Number of examples of the screening.
    credit_ : float
        What has been saved for the next example, with a total.
    left_ : float or None
        What is left of the total, less than ``budget`` where the total is spent; None without a total.

    Notes
    -----
    Half-way through the screening, the attributes whose correlation with the label is weakest are dropped (half of
    all, but twice the budget stay), so that the others are drawn more often. At its end attributes join the panel one
    by one, each the one whose correlation with what the panel leaves unexplained is largest; a correlation of two
    attributes is shrunk towards 0 if few examples revealed both. Least squares has an intercept and is fitted to the
    examples after the screening. Until two of them were seen, the predictor is the mean label, with a warning.

    Examples
    --------
    >>> from sklearn.datasets import load_digits
    >>> from keyhole.rivals import ScreenedPanel
    >>> X, y = load_digits(n_class=2, return_X_y=True)
    >>> rival = ScreenedPanel(budget=4, random_state=0).fit(X, y)
    >>> rival.panel_
    array([27, 28, 36, 44])
    >>> round(rival.score(X, y), 2)
    0.9
    """

    panel_: np.ndarray
    n_screen_: int

    def __init__(
        self,
        budget: int = 4,
        screen: float = 0.4,
        *,
        total: float | None = None,
        n_expected: int | None = None,
        keep_ledger: bool = False,
        random_state: Any = None,
    ) -> None:
        self.budget = budget
        self.screen = screen
        self.total = total
        self.n_expected = n_expected
        self.keep_ledger = keep_ledger
        self.random_state = random_state

    def _begin(self, n_examples: int | None) -> None:
        super()._begin(n_examples)
        name = type(self).__name__
        if not isinstance(self.screen, numbers.Real) or not 0 < self.screen < 1:
            raise ValueError(f"screen={self.screen!r}: {name} needs a share between 0 and 1")
        expected = self.expected_examples_
        if self.total is not None:
            expected = min(int(self.total / self.budget), int(expected or 0))
        if expected is None:
            self.n_screen_ = math.ceil(DRAWS_PER_ATTRIBUTE * len(self.candidates_) / self.budget)
        else:
            self.n_screen_ = max(1, min(round(self.screen * expected), expected - 1))
        if self.budget == len(self.candidates_):  # nothing to choose
            self.n_screen_, self.panel_ = 0, np.arange(self.n_features_in_)

    def _chosen(self) -> Ask:
        return new_ask(self.panel_) if hasattr(self, "panel_") else super()._chosen()

    def _tell(self, ask: Ask, values: np.ndarray, label: float) -> None:
        super()._tell(ask, values, label)
        if hasattr(self, "panel_") or not len(ask.attributes):
            return
        if self.cells_.n_examples == self.n_screen_ // 2:
            n_left = max(2 * self.budget, len(self.candidates_) // 2)
            strength = np.abs(correlations(self.cells_, self.n_features_in_)[self.candidates_])
            self.candidates_ = np.sort(self.candidates_[np.argsort(-strength, kind="stable")[:n_left]])
        if self.cells_.n_examples == self.n_screen_:
            chosen = best_panel(self.cells_, self.n_features_in_, self.candidates_, self.budget)
            self.panel_ = np.sort(np.concatenate([self.free_, chosen]))

    def _solve(self) -> tuple[np.ndarray, float]:
        if not hasattr(self, "panel_"):
            seen = self.cells_.n_examples
            return self._mean_label(f"the screening has seen {seen} of {self.n_screen_} examples")
        table = self.cells_.table(self.panel_)[self.n_screen_ :]
        whole = ~np.isnan(table).any(axis=1)
        table, labels = table[whole], self.cells_.labels[self.n_screen_ :][whole]
        if len(labels) < 2:
            return self._mean_label(f"{len(labels)} example(s) followed the screening, and at least 2 are needed")
        _, mean, scale, _ = of_columns(table)
        # The solution with the smallest norm, if several attributes of the panel are linearly dependent.
        scores = standardised(table, mean, scale)
        weights = np.linalg.lstsq(scores, labels - labels.mean(), rcond=1e-10)[0]
        coef = np.zeros(self.n_features_in_)
        coef[self.panel_], intercept = unscaled(weights, labels.mean(), mean, scale)
        return coef, intercept
