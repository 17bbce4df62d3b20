"""A predictor from whatever is known of an example: predictions, their variance, and what to buy next."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from numbers import Real
from typing import Any, NamedTuple

import numpy as np

from ...common.parameters import check_whole
from ...observe.attributes import Attribute
from ...observe.meter import Meter
from ...observe.reveal import reveal
from ...observe.sources import CSRSource
from ...observe.values import is_missing
from ..policy.policy import ask_of
from ..solution import Solution
from .buying import Purchases
from .partial_rows import by_pattern, rows_alike, tables_with_gaps
from .subsets import Subsets


class Offer(NamedTuple):
    """Attributes to buy together (one, or a bundle).

    Attributes
    ----------
    attributes : tuple of int
        The column numbers of the attributes.
    names : tuple of str
        Their names.
    cost : float
        What they cost together.
    drop : float
        By how much they reduce the error variance of the prediction, in squared units of the label.
    std : float
        The standard deviation of the label around the prediction after this offer and all offers before it.
    """

    attributes: tuple[int, ...]
    names: tuple[str, ...]
    cost: float
    drop: float
    std: float


class PredictionPath(NamedTuple):
    """Predictions after each purchase: a row per example, and a column for each number of purchases, from none on.

    A row whose purchases ended keeps its last value.

    Attributes
    ----------
    predictions : ndarray of shape (n_examples, n_purchases + 1)
        The predictions.
    std : ndarray of shape (n_examples, n_purchases + 1)
        The standard deviation of the label around each prediction.
    cost : ndarray of shape (n_examples, n_purchases + 1)
        What was spent so far.
    bought : list of list of tuple of int
        For each example, the attributes of each purchase.
    observed : Meter
        What was revealed in all.
    """

    predictions: np.ndarray
    std: np.ndarray
    cost: np.ndarray
    bought: list[list[tuple[int, ...]]]
    observed: Meter


class PartialPredictor(NamedTuple):
    """A solution, and what finds its predictors from any subset of the attributes: they are not needed for whole rows,
    and take fits without each fold."""

    solution: Solution
    find_subsets: Callable[[], Subsets]

    @property
    def subsets(self) -> Subsets:
        return self.find_subsets()

    @property
    def label_scale(self) -> float:
        return float(self.solution.scales.label_scale[0])

    def predict(self, source: Any, with_variance: bool) -> tuple[np.ndarray, np.ndarray]:
        """Predictions of the rows of a source, and error variances as shares of the label's variance."""
        if not with_variance and isinstance(source, CSRSource):  # a cell that is not stored there is zero, not missing
            return self.solution.predictions(source), np.ones(source.n_examples)
        parts = [self.predict_table(table, with_variance) for table in tables_with_gaps(source)]
        predictions, variances = (np.concatenate(part) for part in zip(*parts, strict=True))
        wrong = np.flatnonzero(~np.isfinite(predictions))
        if len(wrong):
            raise ValueError(f"example {wrong[0]}: its values are so large that the prediction overflows")
        return predictions, variances

    def predict_table(self, table: np.ndarray, with_variance: bool) -> tuple[np.ndarray, np.ndarray]:
        """The same of a table with NaN for what is not known; an attribute without a weight need not be known."""
        solution, used = self.solution, self.solution.scales.used
        table = solution.scales.values.of_table(table)
        present = ~np.isnan(table[:, used])
        whole = present[:, solution.coef[0, used] != 0].all(axis=1)
        with np.errstate(invalid="ignore", over="ignore"):  # what is not finite is refused by the caller
            predictions = np.where(np.isnan(table), 0.0, table) @ solution.coef[0] + float(solution.intercept[0])
        variances = np.ones(len(table))
        if whole.all() and not with_variance:
            return solution.scales.held(predictions), variances
        subsets, scales = self.subsets, solution.scales
        for rows, S, which in by_pattern(present, used):
            found = subsets.predictors(S)
            variances[rows] = found.variance[which]
            z = subsets.standardise(np.take_along_axis(table[rows], S[which], axis=1), S[which])
            predicted = found.offset[which] + np.sum(found.weights[which] * z, axis=1)
            partial = scales.label_mean[0] + scales.label_scale[0] * predicted
            predictions[rows] = np.where(whole[rows], predictions[rows], partial)
        return scales.held(predictions), variances

    def variance(self, known: np.ndarray) -> float:
        """The error variance where the attributes of a mask are known, as a share of the label's variance."""
        used = self.subsets.used
        attribute_of = self.subsets.scales.values.attribute_of(len(known))[used]
        return float(self.subsets.predictors(used[known[attribute_of]][None, :]).variance[0])

    def next_offers(self, x: Any, n: int, attributes: Sequence[Attribute]) -> list[Offer]:
        """The n best offers for an example with the values x (NaN: not known), each on top of those before."""
        check_whole("next_attributes", "n", n, 1)
        values = np.asarray(x, dtype=object)  # only which are known matters, so a choice may be text
        if values.shape != (len(attributes),):
            raise ValueError(
                f"x has the shape {values.shape}: next_attributes needs one value, NaN if it is not known, for each of"
                f" the {len(attributes)} attributes"
            )
        for attribute, value in zip(attributes, values, strict=True):
            if isinstance(value, Real) and math.isinf(value):
                raise ValueError(f"x: attribute {attribute.name!r} is {value}; it must be finite, or NaN if not known")
        known = np.array([not is_missing(value) for value in values], dtype=bool)
        missing = np.zeros(len(values), dtype=bool)
        purchases, unit = Purchases(attributes), self.label_scale**2
        before = self.variance(known)
        offers: list[Offer] = []
        while len(offers) < n:
            best = purchases.best(self.subsets, known, missing, np.inf)
            if best is None:
                break
            bought, cost = best
            known[bought] = True
            after = min(self.variance(known), before)
            offers.append(
                Offer(
                    attributes=tuple(bought.tolist()),
                    names=tuple(attributes[int(i)].name for i in bought),
                    cost=cost,
                    drop=float(unit * (before - after)),
                    std=float(np.sqrt(unit * after)),
                )
            )
            before = after
        return offers

    def buy_one_by_one(self, source: Any, budget: float, attributes: Sequence[Attribute]) -> PredictionPath:
        """Buy the best offer of each example, repeatedly, as long as its cost stays within the budget."""
        if not (isinstance(budget, Real) and np.isfinite(budget) and budget >= 0):
            raise ValueError(f"prediction_budget={budget!r}: predict_path needs a finite number, 0 or more")
        purchases, d = Purchases(attributes), len(attributes)
        meter, n = Meter(budget, attributes), source.n_examples
        table, missing = np.full((n, d), np.nan), np.zeros((n, d), dtype=bool)
        bought: list[list[tuple[int, ...]]] = [[] for _ in range(n)]
        prices = purchases.prices
        used = np.unique(self.subsets.scales.values.attribute_of(d)[self.subsets.used])
        free = np.array([i for i in used if prices is not None and prices.free[i]], dtype=np.int64)
        if len(free):
            _reveal(source, meter, np.arange(n), free, table, missing)
        spent = np.zeros(n)
        steps = [(*self.predict_table(table, True), spent.copy())]
        groups = rows_alike(np.arange(n), table, missing)
        while groups:
            again = []
            for rows in groups:
                one = rows[0]
                best = purchases.best(self.subsets, ~np.isnan(table[one]), missing[one], budget - spent[one])
                if best is None:
                    continue
                got = _reveal(source, meter, rows, best[0], table, missing)
                spent[rows[got]] += best[1]
                for t in rows[got]:
                    bought[t].append(tuple(i for i in best[0].tolist() if not np.isnan(table[t, i])))
                again += rows_alike(rows, table, missing)
            groups = again
            if groups:
                steps.append((*self.predict_table(table, True), spent.copy()))
        for t in range(n):
            meter.settle(t)
        predictions, variances, cost = (np.column_stack(part) for part in zip(*steps, strict=True))
        return PredictionPath(predictions, self.label_scale * np.sqrt(variances), cost, bought, meter)


def _reveal(
    source: Any, meter: Meter, rows: np.ndarray, attributes: np.ndarray, table: np.ndarray, missing: np.ndarray
) -> np.ndarray:
    """Reveal attributes of some rows; whether anything could be had of each."""
    ask = ask_of(attributes, np.ones(len(attributes)))
    for t in rows:
        table[t, attributes] = reveal(source, int(t), ask, meter, absent=True)
    absent = np.isnan(table[np.ix_(rows, attributes)])
    missing[np.ix_(rows, attributes)] = absent
    return ~absent.all(axis=1)
