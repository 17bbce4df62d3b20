"""The base of the rivals that draw attributes uniformly, without replacement."""

from __future__ import annotations

import numpy as np

from ..common.parameters import ParameterError, check_budget
from ..observe.ask import Ask
from ..observe.cells import NONE
from ..sampling.subsets import uniform_subset
from .base import Collector, new_ask


class UniformCollector(Collector):
    """Base of the rivals that draw ``budget`` of the attributes that cost 1 uniformly, and reveal all free ones.

    A total is spread evenly over the examples: each adds its part to the credit.
    """

    def _begin(self, n_examples: int | None) -> None:
        super()._begin(n_examples)
        prices, name = self._prices(), type(self).__name__
        if prices is not None and ((prices.bundle >= 0).any() or not np.isin(prices.cost[~prices.free], 1).all()):
            raise ValueError(f"{name} counts attributes: it takes free ones, but no bundle and no cost other than 1")
        free = np.zeros(self.n_features_in_, dtype=bool) if prices is None else prices.free
        self.free_, self.candidates_ = np.flatnonzero(free), np.flatnonzero(~free)
        check_budget(name, self.budget, 1, len(self.candidates_))
        self.marks_ = np.full(len(self.candidates_), -1, dtype=np.int64)

        if self.total is not None:
            self._earned()
            if self.total < self.budget:
                wanted = "give a larger total, or a smaller budget"
                why = f"this is less than the budget of one example, {self.budget}; {wanted}"
                raise ParameterError("total", why, self.total)

    def _ask(self, want_probabilities: bool) -> Ask:
        if self.total is not None and not self._looks(self._earned()):
            return new_ask(NONE)
        return self._chosen()

    def _price_of_example(self) -> float:
        return float(self.budget)

    def _chosen(self) -> Ask:
        """What an example that is looked at shows."""
        n = len(self.candidates_)
        drawn = self.candidates_[uniform_subset(self.rng_, n, self.budget, self.marks_)]
        probabilities = np.repeat([1.0, self.budget / n], [len(self.free_), self.budget])
        return new_ask(np.concatenate([self.free_, drawn]), probabilities)

    def _forgotten(self, ask: Ask) -> None:
        # A skipped example has come, and keeps what it earned.
        if self.total is not None and len(ask.attributes):
            self.credit_ += self.budget - self._earned()

    def _tell(self, ask: Ask, values: np.ndarray, label: float) -> None:
        if len(ask.attributes):
            super()._tell(ask, values, label)
