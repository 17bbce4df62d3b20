"""Predicting from whatever is known of an example: the methods that an estimator gets."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from ..common.parameters import is_whole
from ..observe.attributes import Prices, has_unit_prices
from ..observe.reveal import bad_value, reveal
from ..observe.sources import ArraySource, CSRSource
from ..observe.tables import CELLS_AT_ONCE, check_table, linear_predictions
from .base import TURNS, MomentLearner
from .chances import chances_alone
from .held_out import Judged, Risk, judged, risk_at
from .intervals import half_widths
from .policy import ask_of
from .refits import refit


class PredictsFromSubsets(MomentLearner):
    """``predict`` from rows with holes, with a standard deviation or an interval, and ``risk_at``.

    The refits that these need are made when they are first wanted, and kept until the next example.
    """

    def predict(self, X: Any, return_std: bool = False) -> Any:
        """Predictions from what is there; a cell that is not known is NaN or None.

        A row that is whole is predicted by ``coef_`` and ``intercept_``, a row with holes by the linear predictor
        that suits what is left of it, and a row with nothing by the mean label. With ``return_std`` also the standard
        deviation of the label around each prediction, which is infinite before the second example.
        """
        check_is_fitted(self, "observed_")
        source = check_table(self, X, reset=False)
        if not return_std and isinstance(source, CSRSource):  # what is not stored there is zero, and no hole
            return linear_predictions(source, *self._predictor())
        parts = [self._predictions(table, return_std) for table in tables_with_holes(source)]
        predictions, variances = (np.concatenate(part) for part in zip(*parts, strict=True))
        wrong = np.flatnonzero(~np.isfinite(predictions))
        if len(wrong):
            raise ValueError(f"example {wrong[0]}: its values are so large that the prediction overflows")
        if not return_std:
            return predictions
        if self._spread_is_unknown():
            return predictions, np.full(len(predictions), np.inf)
        return predictions, self._solution().units.label_scale[0] * np.sqrt(variances)

    def predict_interval(self, X: Any, level: float = 0.9) -> np.ndarray:
        """The lower and upper end, for each row, of an interval that covers the label with probability ``level``.

        The level is kept on average over examples. Where labels have two values and little is known, an interval
        holds both or one of them, and no interval of exactly that probability may exist.
        """
        if not (isinstance(level, int | float) and 0.0 < level < 1.0):
            raise ValueError(f"level={level!r}: predict_interval needs a number between 0 and 1, such as 0.9")
        predictions, deviations = self.predict(X, return_std=True)
        if self._spread_is_unknown():
            return np.column_stack([predictions - deviations, predictions + deviations])
        units, found = self._solution().units, self._judged()
        scale = units.label_scale[0]
        labels = (self._targets()[:, 0] - units.label_mean[0]) / (scale or 1.0)
        wide = scale * half_widths((deviations / (scale or 1.0)) ** 2, float(level), labels, found.rows)
        return np.column_stack([predictions - wide, predictions + wide])

    def risk_at(self, n_attributes: int) -> Risk:
        """The squared error of predicting from so many of the attributes that the policy chose, at most the budget.

        Rows are predicted by a model that was fitted without them, from some of the cells that they revealed, so
        nothing more is read and the estimate is honest. Free attributes are always used, and not counted.
        """
        check_is_fitted(self, "observed_")
        if not is_whole(n_attributes) or n_attributes < 0:
            raise ValueError(f"n_attributes={n_attributes!r}: risk_at needs a whole number, 0 or more")
        if self.budget is not None and n_attributes > self.budget and has_unit_prices(self.attributes_):
            raise ValueError(
                f"n_attributes={n_attributes}: no example revealed more than the budget of {self.budget}, and the"
                " error from more than that cannot be seen"
            )
        return risk_at(self._judged(), self.cells_, self._free(), int(n_attributes), self.seed_)

    def _spread_is_unknown(self) -> bool:
        return self._solution().family == "mean" and self.cells_.n_examples < 2

    def _free(self) -> np.ndarray:
        d = len(self.attributes_)
        return np.zeros(d, dtype=bool) if has_unit_prices(self.attributes_) else Prices(self.attributes_).free

    def _judged(self) -> Judged:
        solution, cells = self._solution(), self.cells_
        if cells.derived is None or cells.derived[0] is not solution:
            refits = refit(solution, cells, self._targets(), TURNS, self.seed_)
            alone = chances_alone(cells, self.policy_, len(self.attributes_))
            cells.derived = solution, judged(solution, cells, refits, alone, self.seed_)
        return cells.derived[1]

    def _predictions(self, table: np.ndarray, want_variance: bool) -> tuple[np.ndarray, np.ndarray]:
        """Predictions, and variances in parts of the label's; an attribute that has no weight need not be there."""
        solution = self._solution()
        coef, intercept = self._predictor()
        used = np.flatnonzero(solution.units.scale > 0)
        there = ~np.isnan(table[:, used])
        whole = there.all(axis=1)
        with np.errstate(invalid="ignore", over="ignore"):  # what is not finite is refused by the caller
            predictions = np.where(np.isnan(table), 0.0, table) @ coef + intercept
        variances = np.ones(len(table))
        if whole.all() and not want_variance:
            return predictions, variances
        subsets, units = self._judged().subsets, solution.units
        for rows, S, which in by_pattern(there, used):
            given = subsets.given(S)
            variances[rows] = given.variance[which]
            z = subsets.standard(np.take_along_axis(table[rows], S[which], axis=1), S[which])
            predicted = given.offset[which] + np.sum(given.weights[which] * z, axis=1)
            partial = units.label_mean[0] + units.label_scale[0] * predicted
            predictions[rows] = np.where(whole[rows], predictions[rows], partial)
        return predictions, variances


def tables_with_holes(source: Any) -> Iterator[np.ndarray]:
    """The rows of a source as floats, some at a time, with NaN for a cell that is not there."""
    n, d = source.n_examples, len(source.attributes)
    step = max(CELLS_AT_ONCE // max(d, 1), 1)
    everything = ask_of(np.arange(d), np.ones(d))
    for start in range(0, n, step):
        rows = range(start, min(start + step, n))
        if isinstance(source, CSRSource):
            table = np.array([source.read(t, everything.attributes) for t in rows], dtype=np.float64)
        elif isinstance(source, ArraySource) and source.cells is not None:
            table = source.cells[rows.start : rows.stop].astype(np.float64)
        else:
            table = np.array([reveal(source, t, everything, absent=True) for t in rows])
        wrong = np.argwhere(np.isinf(table))
        if len(wrong):
            t, i = (int(place) for place in wrong[0])
            raise bad_value(source, start + t, i, table[t, i])
        yield table


def by_pattern(there: np.ndarray, used: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """For each number of known attributes: the rows, the distinct subsets, and which of these each row has."""
    packed = np.packbits(there, axis=1)
    _, first, pattern = np.unique(packed, axis=0, return_index=True, return_inverse=True)
    pattern, sizes = pattern.ravel(), there[first].sum(axis=1)
    for k in np.unique(sizes):
        group = np.flatnonzero(sizes == k)
        rows = np.flatnonzero(sizes[pattern] == k)
        S = np.array([used[there[t]] for t in first[group]], dtype=np.int64).reshape(len(group), k)
        yield rows, S, np.searchsorted(group, pattern[rows])
