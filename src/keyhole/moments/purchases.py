"""Buying attributes for a prediction, one after another: the methods that an estimator gets."""

from __future__ import annotations

from numbers import Real
from typing import Any, NamedTuple

import numpy as np
from sklearn.utils.validation import check_is_fitted

from ..common.parameters import check_whole
from ..observe.meter import Meter
from ..observe.reveal import reveal
from ..observe.tables import check_table
from .buying import Shop
from .policy import ask_of
from .prediction import PredictsFromSubsets
from .prices import with_costs


class Offer(NamedTuple):
    """Attributes to buy together (one, or a bundle), their cost, the drop in variance, and the standard deviation
    of the label that is left after it and all offers before it."""

    attributes: tuple[int, ...]
    names: tuple[str, ...]
    cost: float
    drop: float
    std: float


class Path(NamedTuple):
    """A row per example and a column for each number of purchases, from none on; a row that ended keeps its last.

    ``bought`` has for each example the attributes of each purchase. ``observed`` is the meter.
    """

    predictions: np.ndarray
    std: np.ndarray
    cost: np.ndarray
    bought: list[list[tuple[int, ...]]]
    observed: Meter


class BuysAttributes(PredictsFromSubsets):
    """``next_attributes`` and ``predict_path``."""

    def next_attributes(self, x: Any, n: int = 1, costs: Any = None) -> list[Offer]:
        """The n best attributes to look at next, each on top of those before, for an example of which x is known.

        x has NaN for what is not known. The best takes most variance off the label per cost; what costs nothing comes
        first, and a bundle is one offer, paid for once. ``costs`` (one for each attribute, or by name) replace
        those of ``attributes_``. Fewer than n come back when no other attribute would change the prediction.
        """
        check_is_fitted(self, "observed_")
        check_whole("next_attributes", "n", n, 1)
        values = np.asarray(x, dtype=np.float64)
        if values.shape != (len(self.attributes_),):
            raise ValueError(
                f"x has the shape {values.shape}; next_attributes needs one value, NaN if it is not known, for each of"
                f" the {len(self.attributes_)} attributes"
            )
        known, gone = ~np.isnan(values), np.zeros(len(values), dtype=bool)
        shop, subsets = Shop(with_costs(type(self).__name__, self.attributes_, costs)), self._judged().subsets
        unit, before = self._solution().units.label_scale[0] ** 2, self._variance(known)
        offers: list[Offer] = []
        while len(offers) < n:
            best = shop.best(subsets, known, gone, np.inf)
            if best is None:
                break
            bought, cost = best
            known[bought] = True
            after = self._variance(known)
            names = tuple(self.attributes_[int(i)].name for i in bought)
            offers.append(
                Offer(
                    tuple(bought.tolist()),
                    names,
                    cost,
                    float(unit * (before - after)),
                    float(np.sqrt(unit * after)),
                )
            )
            before = after
        return offers

    def predict_path(self, X: Any, prediction_budget: float, costs: Any = None) -> Path:
        """Buy attributes of each example one after another, as ``next_attributes`` says, and predict after each.

        X is a table or a source, of which nothing is read but what is bought: first what is free, and then as long as
        the next purchase keeps the cost within ``prediction_budget``. An attribute that could not be had (None, NaN)
        costs nothing, and the next best is bought instead.
        """
        check_is_fitted(self, "observed_")
        if not (isinstance(prediction_budget, Real) and np.isfinite(prediction_budget) and prediction_budget >= 0):
            raise ValueError(f"prediction_budget={prediction_budget!r}: it must be a finite number, 0 or more")
        source = check_table(self, X, reset=False)
        attributes = with_costs(type(self).__name__, self.attributes_, costs)
        shop, subsets, d = Shop(attributes), self._judged().subsets, len(attributes)
        meter, n = Meter(prediction_budget, attributes), source.n_examples
        table, gone = np.full((n, d), np.nan), np.zeros((n, d), dtype=bool)
        bought: list[list[tuple[int, ...]]] = [[] for _ in range(n)]
        free = np.array([i for i in subsets.used if shop.prices is not None and shop.prices.free[i]], dtype=np.int64)
        if len(free):
            self._buy(source, meter, np.arange(n), free, table, gone)
        spent = np.zeros(n)
        steps = [(*self._predictions(table, True), spent.copy())]
        groups = _alike(np.arange(n), table, gone)
        while groups:
            again = []
            for rows in groups:
                best = shop.best(subsets, ~np.isnan(table[rows[0]]), gone[rows[0]], prediction_budget - spent[rows[0]])
                if best is None:
                    continue
                got = self._buy(source, meter, rows, best[0], table, gone)
                spent[rows[got]] += best[1]
                for t in rows[got]:
                    bought[t].append(tuple(i for i in best[0].tolist() if not np.isnan(table[t, i])))
                again += _alike(rows, table, gone)
            groups = again
            if groups:
                steps.append((*self._predictions(table, True), spent.copy()))
        for t in range(n):
            meter.settle(t)
        predictions, variances, cost = (np.column_stack(part) for part in zip(*steps, strict=True))
        return Path(predictions, self._solution().units.label_scale[0] * np.sqrt(variances), cost, bought, meter)

    def _variance(self, known: np.ndarray) -> float:
        subsets = self._judged().subsets
        return float(subsets.given(subsets.used[known[subsets.used]][None, :]).variance[0])

    @staticmethod
    def _buy(
        source: Any, meter: Meter, rows: np.ndarray, attributes: np.ndarray, table: np.ndarray, gone: np.ndarray
    ) -> np.ndarray:
        """Reveal attributes of some rows; whether anything could be had of each."""
        ask = ask_of(attributes, np.ones(len(attributes)))
        for t in rows:
            table[t, attributes] = reveal(source, int(t), ask, meter, absent=True)
        missing = np.isnan(table[np.ix_(rows, attributes)])
        gone[np.ix_(rows, attributes)] = missing
        return ~missing.all(axis=1)


def _alike(rows: np.ndarray, table: np.ndarray, gone: np.ndarray) -> list[np.ndarray]:
    """The rows in groups of which the same is known, and the same could not be had."""
    state = np.packbits(np.hstack([~np.isnan(table[rows]), gone[rows]]), axis=1)
    _, group = np.unique(state, axis=0, return_inverse=True)
    return [rows[group.ravel() == g] for g in range(group.max() + 1)]
